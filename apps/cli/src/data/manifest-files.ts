import { existsSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FOLDERS } from "@groundrule/data/sources";
import { readSourceFiles, type SourceFile } from "@groundrule/sync";
import { toReadError } from "../files/input-file.ts";

/** The folder of a data folder's own manifests; it need not exist. */
export function getManifestFolder(dir: string): string {
  return join(dir, "manifests");
}

/**
 * The known manifests: those of the data folder and, for other sources, those that come with the command.
 *
 * Fails: as {@link readManifestFiles}.
 */
export function readKnownManifests(dir: string): readonly SourceFile[] {
  const own = existsSync(getManifestFolder(dir)) ? readManifestFiles([getManifestFolder(dir)]) : [];
  const taken = new Set(own.flatMap(({ source }) => source?.manifest.source_name ?? []));
  const shipped = readManifestFiles(MANIFEST_FOLDERS).filter(
    ({ source }) => source !== undefined && !taken.has(source.manifest.source_name),
  );
  return [...own, ...shipped];
}

/** Fails: `InputFileError` for a path that cannot be read; as `readSourceFiles`. */
export function readManifestFiles(paths: readonly string[]): readonly SourceFile[] {
  try {
    return readSourceFiles(paths);
  } catch (error) {
    throw toReadError(error, (error as NodeJS.ErrnoException).path ?? "a manifest");
  }
}
