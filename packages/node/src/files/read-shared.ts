import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Most bytes of one read call; Linux stops at 2 GiB. */
const READ_BYTES = 1 << 30;

/**
 * Reads a whole file into memory that threads can share.
 *
 * @param path of the file
 *
 * Fails: with the error of the system, or where the length of the file changed while it was being read.
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
