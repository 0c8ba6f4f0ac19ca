import type { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { Refusal } from "@groundrule/service";

/** Bytes unpacked at a time: more would be produced than there may be room for. */
const STEP_BYTES = 64 * 1024;

/** A body that is unpacked while it arrives. */
interface Unpacking {
  readonly unpacked: Gunzip;
  /** Packed bytes that have arrived and belong to no member; bytes after a zero byte are ignored. */
  left(): number;
  /** Stops unpacking; the rest of the input is left to the next reader. */
  stop(): void;
}

/**
 * Unpacks gzip (RFC 1952), of one member or several. Node unpacks in another thread, and only as fast as the result is
 * read: however much a few bytes expand to, only one step is in memory.
 *
 * @param onPacked called with the number of packed bytes received so far
 */
export function unpacking(packed: Readable, onPacked: (bytes: number) => void): Unpacking {
  const unpacked = createGunzip({ chunkSize: STEP_BYTES });
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    onPacked(bytes);
  };
  packed.on("data", count).pipe(unpacked);
  const stop = (): void => {
    packed.off("data", count).unpipe(unpacked);
    unpacked.destroy();
  };
  return { unpacked, left: () => bytes - unpacked.bytesWritten, stop };
}

/** The refusal for a body that cannot be unpacked, ends too early or continues after its end. */
export function notGzip({ message }: Pick<Error, "message">): Refusal {
  return new Refusal(
    "MALFORMED_REQUEST",
    `Found a body that is not valid gzip (${message}), expected gzip because of its Content-Encoding; send the complete gzip data, or send the body without a Content-Encoding.`,
  );
}
