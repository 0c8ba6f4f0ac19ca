import { unpackZlib, unpackZstd } from "#host/blocks";
import { fileDamagedError } from "../format-error.ts";
import { unsupportedRasterError } from "./gdal-line.ts";
import { unpackLzw, unpackPackBits } from "./lzw.ts";

/** How the bytes of blocks are packed. */
export type Codec = "none" | "lzw" | "deflate" | "packbits" | "zstd";

const CODECS: Readonly<Record<number, Codec>> = {
  1: "none",
  5: "lzw",
  8: "deflate",
  32946: "deflate",
  32773: "packbits",
  50000: "zstd",
};

/** Common names of codecs that are not supported. */
const UNREAD: Readonly<Record<number, string>> = {
  2: "CCITT",
  3: "CCITT fax 3",
  4: "CCITT fax 4",
  6: "old JPEG",
  7: "JPEG, which changes values",
  34887: "LERC",
  34925: "LZMA",
  50001: "WebP",
  50002: "JPEG XL",
};

/** The codec of a number. Fails: `FORMAT_UNSUPPORTED` for one that is not read. */
export function getCodec(number: number, name: string): Codec {
  const codec = CODECS[number];
  if (codec !== undefined) return codec;
  const found = `cells packed with ${UNREAD[number] ?? `codec ${number}`}`;
  throw unsupportedRasterError(found, "none, LZW, deflate, zstd or PackBits", name);
}

/** True if cells of a codec may be stored as differences. For others a predictor's tag means nothing to libtiff. */
export function hasPredictor(codec: Codec): boolean {
  return codec === "lzw" || codec === "deflate" || codec === "zstd";
}

/**
 * Unpacks a strip or tile; never more than it can contain, whatever its bytes state.
 *
 * @param needed least bytes that it has
 * @param most bytes that it can have
 * @param offset where it lies in the file
 * @returns bytes of its own, to be changed
 *
 * Fails: `FILE_DAMAGED`.
 */
export function unpackBlock(
  codec: Codec,
  packed: Uint8Array,
  needed: number,
  most: number,
  offset: number,
): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = unpackWithCodec(codec, packed, most);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fileDamagedError(
      `a block that cannot be unpacked (${reason})`,
      `at most ${most} bytes of ${codec}`,
      {
        byte: offset,
      },
    );
  }
  if (bytes.length < needed) {
    throw fileDamagedError(`a block of ${bytes.length} bytes unpacked`, `at least ${needed}`, {
      byte: offset,
    });
  }
  return bytes;
}

function unpackWithCodec(codec: Codec, packed: Uint8Array, most: number): Uint8Array {
  switch (codec) {
    case "none":
      // A file in memory returns its own bytes, which must not be changed.
      return new Uint8Array(packed.subarray(0, most));
    case "deflate":
      return unpackZlib(packed, most);
    case "zstd":
      return unpackZstd(packed, most);
    case "lzw":
    case "packbits": {
      // Bounded by the most that the codec can unpack from so few bytes: a false size costs no memory.
      const bytes = new Uint8Array(Math.min(most, packed.length * MOST_RATIO[codec]));
      return bytes.subarray(0, codec === "lzw" ? unpackLzw(packed, bytes) : unpackPackBits(packed, bytes));
    }
  }
}

/** A code of 9 bits or more stands for at most 3,839 bytes; two bytes for 128. */
const MOST_RATIO = { lzw: 3840, packbits: 64 } as const;
