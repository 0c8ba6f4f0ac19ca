import type { Readable } from "node:stream";
import { createGunzip, type Gunzip } from "node:zlib";
import { Refusal } from "@groundrule/service";

/** Bytes that come out at a time: more would be made than there may be room for. */
const STEP_BYTES = 64 * 1024;

/** What is unpacked while it arrives. */
interface Unpacking {
  readonly unpacked: Gunzip;
  /** Packed bytes that have come and were no part of any member: what follows a zero byte is passed over. */
  left(): number;
  /** Leaves what has not arrived to whoever reads on. */
  stop(): void;
}

/**
 * What was packed as gzip (RFC 1952), of one member or several. Node unpacks it in another thread, and no further
 * than somebody reads: however much a few bytes stand for, one step at a time is in memory.
 *
 * @param onPacked hears how many packed bytes have come so far
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

/** Refuses what cannot be unpacked, ends too early or goes on after its end. */
export function notGzip({ message }: Pick<Error, "message">): Refusal {
  return new Refusal(
    "MALFORMED_REQUEST",
    `Found a body that is not valid gzip (${message}), expected gzip because of its Content-Encoding; send the complete gzip data, or send the body without a Content-Encoding.`,
  );
}
