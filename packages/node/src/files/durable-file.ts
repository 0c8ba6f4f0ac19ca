import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file at once: after a crash at any point its path holds the old bytes or the new ones,
 * whole. What a crash leaves behind is `<path>.tmp`; callers hold the folder's write lock, so the
 * next write of that path takes it over.
 *
 * @param path of the file
 * @param look sees the temporary file when it is whole, before it takes the path
 */
export function writeDurably(
  path: string,
  chunks: Iterable<Uint8Array>,
  look?: (temporary: string) => void,
): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w");
  try {
    for (const chunk of chunks) writeWhole(file, chunk);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  look?.(temporary);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder durable. Windows has no such call and needs none. */
export function syncFolder(dir: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dir, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeWhole(file: number, chunk: Uint8Array): void {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += writeSync(file, chunk, offset);
  }
}
