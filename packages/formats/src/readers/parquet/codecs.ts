/// <reference path="../../host/compressors.d.ts" />
import type { CompressionCodec } from "hyparquet";
import { snappyUncompress } from "hyparquet";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { unpackBrotliPage, unpackGzipPage, unpackZstdPage } from "#host/pages";
import { createFormatError } from "../../format-error.ts";

type Unpack = (packed: Uint8Array, size: number) => Uint8Array;

/** All of them stop at the size that they are given. */
const UNPACK: Readonly<Partial<Record<CompressionCodec, Unpack>>> = {
  UNCOMPRESSED: (packed) => packed,
  SNAPPY: (packed, size) => {
    const page = new Uint8Array(size);
    snappyUncompress(packed, page);
    return page;
  },
  GZIP: unpackGzipPage,
  BROTLI: unpackBrotliPage,
  ZSTD: unpackZstdPage,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

export { loadCodec } from "#host/pages";

/**
 * Unpacks a page into memory of its own.
 *
 * @param codec that {@link loadCodec} has made ready
 * @param size what its header says that it unpacks to, which the caller has held against its limits
 *
 * Fails: `FORMAT_UNSUPPORTED` for LZO; anything where the bytes are no such page, for the caller to place.
 */
export function unpackParquetPage(codec: CompressionCodec, packed: Uint8Array, size: number): Uint8Array {
  const unpack = UNPACK[codec];
  if (unpack === undefined) {
    const expected = Object.keys(UNPACK).join(", ");
    throw createFormatError("FORMAT_UNSUPPORTED", `pages packed with ${codec}`, expected);
  }
  if (size === 0) return new Uint8Array(0);
  const page = unpack(packed, size);
  if (page.length !== size) throw new Error(`${page.length} bytes where the header says ${size}`);
  // Values are views of the page: they must not reach beyond it, nor hold a larger buffer.
  return page.length === page.buffer.byteLength ? page : page.slice();
}
