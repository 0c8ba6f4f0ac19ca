import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncFolderToDisk } from "@groundrule/node/internal";
import { type Pack, pack } from "tar-stream";
import { type CountedFile, readFileContent } from "./bundle-file.ts";

/** Time of every file: the digest names the content, and the same content makes the same archive. Tools reject 1970. */
const TIME_OF_FILES = new Date("1980-01-01T00:00:00Z");

/**
 * Writes files as a gzipped tar, to a temporary file that gets its path once it is complete and on the disk. Only one
 * piece of one file is in memory at a time.
 *
 * Fails: as reading the files and writing does; if a file's bytes have changed since they were counted. Then nothing is
 * left behind.
 *
 * @param files in the order in which they are written
 * @param signal aborts writing
 */
export async function writeTarArchive(
  path: string,
  files: readonly CountedFile[],
  signal: AbortSignal,
): Promise<void> {
  const aside = `${path}.${process.pid}.part`;
  const archive = pack();
  const adding = addFilesToArchive(archive, files).catch((error: Error) => void archive.destroy(error));
  try {
    await pipeline(
      Readable.from(archive),
      createGzip({ level: 6 }),
      createWriteStream(aside, { flush: true }),
      { signal },
    );
    await adding;
    await rename(aside, path);
    syncFolderToDisk(dirname(path));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function addFilesToArchive(archive: Pack, files: readonly CountedFile[]): Promise<void> {
  for (const file of files) await addFileToArchive(archive, file);
  archive.finalize();
}

async function addFileToArchive(archive: Pack, file: CountedFile): Promise<void> {
  const { path, isExecutable, bytes, sha256 } = file;
  const hash = createHash("sha256");
  const entry = archive.entry({
    name: path,
    size: bytes,
    mode: isExecutable === true ? 0o755 : 0o644,
    mtime: TIME_OF_FILES,
    uid: 0,
    gid: 0,
  });
  await pipeline(async function* () {
    let left = bytes;
    for await (const chunk of readFileContent(file)) {
      left -= chunk.length;
      if (left < 0) break;
      hash.update(chunk);
      yield chunk;
    }
    if (left !== 0 || hash.digest("hex") !== sha256) throw new ChangedMeanwhile(path);
  }, entry);
}

/** Thrown when a file changed while the bundle was made. */
class ChangedMeanwhile extends Error {
  constructor(path: string) {
    super(`${path} changed while the bundle was written; write it again`);
  }
}
