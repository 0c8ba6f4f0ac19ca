import { spoolStreamToFile } from "#host/files";
import { joinChunks } from "../bytes.ts";
import type { LocalFile } from "../file/local-file.ts";
import { openBlob } from "../file/open-blob.ts";
import type { ZipArchive, ZipEntry } from "./open-zip.ts";

/** Entries up to this size are kept in memory; others go to a scratch file. */
const IN_MEMORY_BYTES = 1 << 20;

/**
 * Unpacks an entry, to be read from anywhere in it.
 *
 * Fails: as `ZipArchive.open`, and `UNPACKED_TOO_LARGE`.
 */
export async function unpackEntryToFile(
  archive: ZipArchive,
  entry: ZipEntry,
  limit: number,
): Promise<LocalFile> {
  if (entry.size > IN_MEMORY_BYTES) return spoolStreamToFile(archive.open(entry), entry.name, limit);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.open(entry)) chunks.push(chunk);
  return openBlob(joinChunks(chunks), { name: entry.name });
}
