import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isRasterFile } from "@groundrule/engine/internal";
import { FileRange } from "./file-range.ts";

/** Default size of the largest raster that is read into memory: 64 MiB. */
export const RASTER_MEMORY_BYTES: number = 64 * 1024 * 1024;

/** The bytes of an edition: in memory shared by threads, or read on demand. */
export type EditionBytes = SharedArrayBuffer | FileRange;

/**
 * Reads the file of an edition into memory; a large raster is only opened.
 *
 * @param path of the snapshot file
 * @param rasterBytes largest raster that is read into memory
 *
 * Fails: as {@link readShared}.
 */
export function readEditionFile(path: string, rasterBytes: number = RASTER_MEMORY_BYTES): EditionBytes {
  return isLargeRaster(path, rasterBytes) ? new FileRange(path) : readShared(path);
}

function isLargeRaster(path: string, rasterBytes: number): boolean {
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(64);
    return fstatSync(file).size > rasterBytes && readSync(file, head) === head.length && isRasterFile(head);
  } finally {
    closeSync(file);
  }
}

/** Maximum bytes of one read call; Linux stops at 2 GiB. */
const READ_BYTES = 1 << 30;

/**
 * Reads a whole file into memory that threads can share.
 *
 * @param path of the file
 *
 * Fails: with the system's error, or if the length of the file changed while it was read.
 */
export function readShared(path: string): SharedArrayBuffer {
  const file = openSync(path, "r");
  try {
    const length = fstatSync(file).size;
    const bytes = new Uint8Array(new SharedArrayBuffer(length));
    let offset = 0;
    while (offset < length) {
      const read = readSync(file, bytes, offset, Math.min(READ_BYTES, length - offset), offset);
      if (read === 0) break;
      offset += read;
    }
    if (offset !== length || fstatSync(file).size !== length) {
      throw new Error(`${path} changed while it was being read: got ${offset} of ${length} bytes`);
    }
    return bytes.buffer;
  } finally {
    closeSync(file);
  }
}
