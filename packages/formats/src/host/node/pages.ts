import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

/** Makes a codec ready. Here all of them are. */
export async function loadCodec(_codec: string): Promise<void> {}

/** Unpacks a page of Parquet, up to `size` bytes. */
export function unpackGzipPage(packed: Uint8Array, size: number): Uint8Array {
  return gunzipSync(packed, { maxOutputLength: size });
}

/** As {@link unpackGzipPage}. */
export function unpackBrotliPage(packed: Uint8Array, size: number): Uint8Array {
  return brotliDecompressSync(packed, { maxOutputLength: size });
}

/** As {@link unpackGzipPage}. */
export function unpackZstdPage(packed: Uint8Array, size: number): Uint8Array {
  return zstdDecompressSync(packed, { maxOutputLength: size });
}
