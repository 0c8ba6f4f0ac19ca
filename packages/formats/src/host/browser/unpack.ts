import { PackedFault } from "../packed-fault.ts";
import type { Inflate } from "./inflate.ts";

/** How much is unpacked at once: it may become a thousand times as much. */
const STEP_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Window size by which zlib and its descendants select gzip with its checksum. */
const GZIP_WINDOW = 31;

/** Unpacks gzip, of several members too. Fails: {@link PackedFault}; what the stream throws. */
export function gunzipStream(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpackZlibStream(packed, { windowBits: GZIP_WINDOW });
}

/** Unpacks deflate without a header. Fails: {@link PackedFault}; what the stream throws. */
export function inflateStream(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpackZlibStream(packed, { raw: true });
}

async function* unpackZlibStream(
  packed: AsyncIterable<Uint8Array>,
  form: { readonly windowBits: number } | { readonly raw: true },
): AsyncGenerator<Uint8Array> {
  const { Inflate } = await import("./inflate.ts");
  const unpacked: Uint8Array[] = [];
  const start = (): Inflate => {
    const inflate = new Inflate({ ...form, chunkSize: CHUNK_BYTES });
    inflate.onData = (chunk) => {
      unpacked.push(chunk as Uint8Array);
    };
    return inflate;
  };
  let inflate = start();
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      // A member that ended with the step before; zeros fill the rest of a tape.
      if (inflate.ended && chunk[at] !== 0) inflate = start();
      inflate.push(chunk.slice(at, at + STEP_BYTES), false);
      if (inflate.err) throw new PackedFault(inflate.msg || "incorrect data");
      yield* unpacked.splice(0);
    }
  }
  if (!inflate.ended) throw new PackedFault("unexpected end of file");
}

const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** The CRC-32 of gzip and zip (ISO 3309), going on from `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let sum = ~before;
  for (let i = 0; i < bytes.length; i++) sum = (sum >>> 8) ^ TABLE[(sum ^ bytes[i]!) & 0xff]!;
  return ~sum >>> 0;
}
