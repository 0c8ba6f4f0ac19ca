import { promisify } from "node:util";
import { gzip, gzipSync, type ZlibOptions } from "node:zlib";

/** Minimum size for packing: shorter answers fit in a few packets, and packing them costs as much as a gate. */
export const PACKED_FROM_BYTES: number = 4 * 1024;

/** Up to this size, packing costs less than passing the bytes to another thread. */
const AT_ONCE_BYTES = 8 * 1024;

/** Long answers packed at a time, in Node's own thread pool: this leaves threads free for other work. */
const LONG_AT_A_TIME = 2;

/** Higher levels take twice the time to save a hundredth of a long answer. */
const OPTIONS: ZlibOptions = { level: 4, chunkSize: 64 * 1024 };

const gzipAside = promisify<Uint8Array, ZlibOptions, Buffer<ArrayBuffer>>(gzip);

let running = 0;
const waiting: (() => void)[] = [];

/** True if bytes would be packed now: a long answer does not wait until others are packed. */
export function isPackedNow(length: number): boolean {
  return length <= AT_ONCE_BYTES || running < LONG_AT_A_TIME;
}

/** Compresses bytes with gzip: few at once, many in another thread, two answers at a time. */
export function pack(bytes: Uint8Array): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  return bytes.length <= AT_ONCE_BYTES ? gzipSync(bytes, OPTIONS) : packAside(bytes);
}

async function packAside(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (running >= LONG_AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await gzipAside(bytes, OPTIONS);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
