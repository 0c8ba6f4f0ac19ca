import { pipeline, Readable } from "node:stream";
import zlib, { createGunzip, createInflateRaw } from "node:zlib";
import { CHUNK_BYTES } from "../../file/local-file.ts";
import { PackedFault } from "../packed-fault.ts";

export const crc32: typeof zlib.crc32 = zlib.crc32;

/** Unpacks gzip, of several members too. Fails: {@link PackedFault}; what the stream throws. */
export function gunzipStream(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpackZlibStream(packed, createGunzip());
}

/** Unpacks deflate without a header. Fails: {@link PackedFault}; what the stream throws. */
export function inflateStream(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return unpackZlibStream(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }));
}

async function* unpackZlibStream(
  packed: AsyncIterable<Uint8Array>,
  unpacker: ReturnType<typeof createGunzip> | ReturnType<typeof createInflateRaw>,
): AsyncGenerator<Uint8Array> {
  // The callback only keeps the error from being thrown twice: the loop below receives it.
  const unpacked = pipeline(Readable.from(packed), unpacker, () => {});
  try {
    for await (const chunk of unpacked) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw new PackedFault(error.message);
    }
    throw error;
  }
}
