import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DataError } from "../data-error.ts";

/**
 * Replaces a file atomically: after a crash at any point its path has the old bytes or the new ones, complete. A crash
 * may leave `<path>.tmp` behind; callers have the folder's write lock, so the next write of that path overwrites it.
 *
 * @param path of the file
 * @param look called with the complete temporary file, before it takes the path
 */
export function writeFileDurably(
  path: string,
  chunks: Iterable<Uint8Array>,
  look?: (temporary: string) => void,
): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w");
  try {
    for (const chunk of chunks) writeWholeChunk(file, chunk);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    look?.(temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameSync(temporary, path);
  syncFolderToDisk(dirname(path));
}

/**
 * Replaces a JSON file atomically, like {@link writeFileDurably}, after its own parser has accepted it: a file that one
 * command writes, the next must be able to read.
 *
 * @param text the new content
 * @param faultIn finds the fault of such a file; undefined if it is valid
 *
 * Fails: `WRITE_UNREADABLE`; the file stays unchanged.
 */
export function writeReadableFile(
  path: string,
  text: string,
  faultIn: (bytes: Uint8Array) => string | undefined,
): void {
  const bytes = new TextEncoder().encode(text);
  assertNoReadFault(path, faultIn(bytes));
  writeFileDurably(path, [bytes]);
}

/** Fails: `WRITE_UNREADABLE` if there is a fault. */
export function assertNoReadFault(path: string, fault: string | undefined): void {
  if (fault === undefined) return;
  const message = `${path} was not written, because it could not be read again: ${fault}`;
  throw new DataError("WRITE_UNREADABLE", message, { path, fault });
}

/** Makes the names in a folder durable. Windows has no such call and needs none. */
export function syncFolderToDisk(dir: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dir, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeWholeChunk(file: number, chunk: Uint8Array): void {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += writeSync(file, chunk, offset);
  }
}
