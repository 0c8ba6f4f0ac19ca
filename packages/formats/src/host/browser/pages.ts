import { decompressBrotli, decompressGzip, decompressZstd } from "hyparquet-compressors";

/** Unpacks a page of Parquet, up to `size` bytes. */
export function unpackGzip(packed: Uint8Array, size: number): Uint8Array {
  return decompressGzip(packed, size);
}

/** As {@link unpackGzip}. */
export function unpackBrotli(packed: Uint8Array, size: number): Uint8Array {
  return decompressBrotli(packed, size);
}

/** As {@link unpackGzip}. */
export function unpackZstd(packed: Uint8Array, size: number): Uint8Array {
  return decompressZstd(packed, new Uint8Array(size));
}
