import zlib from "node:zlib";

/** Unpacks zlib to at most so many bytes. Fails: anything where it is none, or unpacks to more. */
export function unpackZlib(packed: Uint8Array, most: number): Uint8Array {
  return zlib.inflateSync(packed, { maxOutputLength: most, chunkSize: computeChunkSize(most) });
}

/** Likewise of zstd. */
export function unpackZstd(packed: Uint8Array, most: number): Uint8Array {
  return zlib.zstdDecompressSync(packed, { maxOutputLength: most, chunkSize: computeChunkSize(most) });
}

/** One chunk for what a block of a raster has, so that nothing is joined. */
function computeChunkSize(most: number): number {
  return Math.max(64, Math.min(most, 1 << 22));
}
