/// <reference path="../compressors.d.ts" />
import { decompress } from "fzstd";
import type { decompressBrotli } from "hyparquet-compressors/src/brotli.js";
import { gunzip } from "hyparquet-compressors/src/gzip.js";

let brotli: typeof decompressBrotli | undefined;

/** Makes a codec ready. Brotli's dictionary is larger than all other readers, and few files need it. */
export async function loadCodec(codec: string): Promise<void> {
  if (codec === "BROTLI") brotli ??= (await import("hyparquet-compressors/src/brotli.js")).decompressBrotli;
}

/** Unpacks a page of Parquet, up to `size` bytes. */
export function unpackGzipPage(packed: Uint8Array, size: number): Uint8Array {
  return gunzip(packed, new Uint8Array(size));
}

/** As {@link unpackGzipPage}, once it is loaded. */
export function unpackBrotliPage(packed: Uint8Array, size: number): Uint8Array {
  return brotli!(packed, size);
}

/** As {@link unpackGzipPage}. */
export function unpackZstdPage(packed: Uint8Array, size: number): Uint8Array {
  return decompress(packed, new Uint8Array(size));
}
