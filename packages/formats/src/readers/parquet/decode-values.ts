import type { DecodedArray, Encoding, ParquetType } from "hyparquet";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { toDataView } from "../../file/file-window.ts";
import { readHybridNumbers } from "./hybrid.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Input from which values are decoded. */
export interface EncodedValues {
  /** The page, in memory of its own. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly count: number;
  readonly encoding: Encoding;
  readonly type: ParquetType;
  readonly typeLength: number | undefined;
  readonly dictionary: DecodedArray | undefined;
  readonly budget: MemoryBudget;
}

/**
 * Decodes the values of a page by hyparquet, once their stated number and length were checked against the bytes and
 * the budget.
 *
 * Fails: any error, for the caller to place; `UNPACKED_TOO_LARGE`.
 */
export function decodePageValues(values: EncodedValues): DecodedArray {
  const { bytes, from, count, encoding, type, typeLength } = values;
  const view = toDataView(bytes);
  const reader = { view, offset: from };
  if (count === 0) return [];
  switch (encoding) {
    case "PLAIN":
      checkPlainValues(values);
      return readPlain(reader, type, count, typeLength);
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      return decodeDictionaryValues(values);
    case "RLE": {
      if (type !== "BOOLEAN") throw new Error(`runs of ${type}`);
      const out = new Uint8Array(count);
      readHybridNumbers(bytes, from + 4, from + 4 + view.getUint32(from, true), 1, out);
      return Array.from(out, (value) => value !== 0);
    }
    case "BYTE_STREAM_SPLIT":
      checkPlainValues(values);
      return byteStreamSplit(reader, count, type, typeLength);
    case "DELTA_BINARY_PACKED": {
      if (type !== "INT32" && type !== "INT64") throw new Error(`differences of ${type}`);
      return unpackDeltaValues(values, reader, type === "INT64");
    }
    case "DELTA_LENGTH_BYTE_ARRAY": {
      checkTextLengths(values, { ...reader }, 1);
      const out: Uint8Array[] = new Array(count);
      deltaLengthByteArray(reader, count, out);
      return out;
    }
    case "DELTA_BYTE_ARRAY": {
      checkTextLengths(values, { ...reader }, 2);
      const out: Uint8Array[] = new Array(count);
      deltaByteArray(reader, count, out);
      return out;
    }
    default:
      throw new Error(`the encoding ${encoding}`);
  }
}

/** Bits that a value takes at least. */
const LEAST_BITS: Readonly<Record<ParquetType, number>> = {
  BOOLEAN: 1,
  INT32: 32,
  INT64: 64,
  INT96: 96,
  FLOAT: 32,
  DOUBLE: 64,
  BYTE_ARRAY: 32,
  FIXED_LEN_BYTE_ARRAY: 0,
};

function checkPlainValues({ bytes, from, count, type, typeLength = 0 }: EncodedValues): void {
  if (type === "FIXED_LEN_BYTE_ARRAY" && typeLength <= 0) throw new Error(`values of ${typeLength} bytes`);
  const bits = type === "FIXED_LEN_BYTE_ARRAY" ? 8 * typeLength : LEAST_BITS[type];
  const left = bytes.length - from;
  if (Math.ceil((count * bits) / 8) > left) throw new Error(`${count} values in ${left} bytes`);
}

function decodeDictionaryValues({ bytes, from, count, dictionary }: EncodedValues): DecodedArray {
  if (dictionary === undefined) throw new Error("values of a dictionary that is not there");
  const width = bytes[from];
  if (width === undefined) throw new Error("values without their width");
  const indexes = new Uint32Array(count);
  readHybridNumbers(bytes, from + 1, bytes.length, width, indexes);
  const out: unknown[] = new Array(count);
  for (let i = 0; i < count; i++) {
    const index = indexes[i]!;
    if (index >= dictionary.length) throw new Error(`entry ${index} of a dictionary of ${dictionary.length}`);
    out[i] = dictionary[index];
  }
  return out;
}

type Reader = Parameters<typeof deltaBinaryUnpack>[0];

/** Blocks of differences may state any number of parts, each of which takes memory. */
const DELTA_PARTS = 1 << 16;

function unpackDeltaValues(
  { count }: EncodedValues,
  reader: Reader,
  isLong: boolean,
): Int32Array | BigInt64Array {
  const head = { view: reader.view, offset: reader.offset };
  const [size, parts, total] = [readVarint(head), readVarint(head), readVarint(head)];
  const each = size / parts;
  if (parts < 1 || parts > DELTA_PARTS || size > 2 ** 31 || !Number.isInteger(each) || each % 8 !== 0)
    throw new Error(`blocks of ${size} differences in ${parts} parts`);
  if (total < count) throw new Error(`${total} differences for ${count} values`);
  const out = isLong ? new BigInt64Array(count) : new Int32Array(count);
  deltaBinaryUnpack(reader, count, out);
  return out;
}

/** Texts that share beginnings unpack to far more bytes than they take: the lengths show how many. */
function checkTextLengths(values: EncodedValues, reader: Reader, lists: 1 | 2): void {
  let sum = 0;
  for (let i = 0; i < lists; i++) {
    for (const length of unpackDeltaValues(values, reader, false) as Int32Array) {
      if (length < 0) throw new Error(`a text of ${length} bytes`);
      sum += length;
    }
  }
  values.budget.check(sum);
}

function readVarint(reader: { readonly view: DataView; offset: number }): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.view.getUint8(reader.offset++);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw new Error("a number of more than 32 bits");
}
