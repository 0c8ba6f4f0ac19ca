/**
 * The values of one band, in the type that the file has them in; of less than 8 bits a byte each, of 16-bit floats a
 * float of 32 bits, of whole numbers of 64 bits a double.
 */
export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** How a file writes a value. */
export interface SampleType {
  /** Whole numbers from 0, whole numbers, or floats. */
  readonly kind: "uint" | "int" | "float";
  /** 1, 2, 4, 8, 16, 32 or 64. */
  readonly bits: number;
}

interface Layout {
  readonly type: SampleType;
  readonly littleEndian: boolean;
  /** 1: none; 2: differences of neighbours; 3: of the bytes of floats. */
  readonly predictor: number;
  /** Values of a cell that stand together. */
  readonly samples: number;
  /** Cells of a row. */
  readonly width: number;
  /** Which of those values. */
  readonly wanted: readonly number[];
}

/**
 * The wanted bands in the unpacked bytes of a block, which may be changed.
 *
 * Fails: a plain error for whole numbers of 64 bits that a double does not hold.
 */
export function readBandSamples(bytes: Uint8Array, layout: Layout): Samples[] {
  const { type, predictor, samples, width, wanted } = layout;
  const rowValues = width * samples;
  if (type.bits < 8) {
    const values = unpackBits(bytes, type.bits, rowValues);
    return wanted.map((band) => pickBandSamples(values, samples, band));
  }
  const size = type.bits / 8;
  const rows = Math.floor(bytes.length / (rowValues * size));
  const ownBytes = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  if (predictor === 3) undoFloatPredictor(ownBytes, rowValues, size, samples, rows);
  else if (size > 1 && layout.littleEndian !== HOST_IS_LITTLE) swapByteOrder(ownBytes, size);
  if (predictor === 2) undoDifferencePredictor(ownBytes, rowValues, size, samples, rows);
  const values = toTypedSamples(ownBytes, type, rows * rowValues);
  return wanted.map((band) => pickBandSamples(values, samples, band));
}

/** Bytes that a value takes once it is read. */
export function computeMemoryBytes({ kind, bits }: SampleType): number {
  return kind === "float" && bits === 16 ? 4 : Math.max(1, bits / 8);
}

const HOST_IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Predictor 2: differences of the bits of neighbours as whole numbers, whatever type the values have. */
function undoDifferencePredictor(
  bytes: Uint8Array,
  rowValues: number,
  size: number,
  samples: number,
  rows: number,
): void {
  const { buffer, byteOffset } = bytes;
  if (size === 8) {
    const halves = new Uint32Array(buffer, byteOffset, 2 * rows * rowValues);
    const [low, high] = HOST_IS_LITTLE ? [0, 1] : [1, 0];
    for (let row = 0; row < rows; row++) {
      const end = 2 * (row + 1) * rowValues;
      for (let i = 2 * (row * rowValues + samples); i < end; i += 2) {
        const before = i - 2 * samples;
        const sum = halves[i + low]! + halves[before + low]!;
        halves[i + low] = sum;
        halves[i + high] = halves[i + high]! + halves[before + high]! + (sum > 0xffff_ffff ? 1 : 0);
      }
    }
    return;
  }
  const count = rows * rowValues;
  const numbers =
    size === 1
      ? bytes
      : size === 2
        ? new Uint16Array(buffer, byteOffset, count)
        : new Uint32Array(buffer, byteOffset, count);
  for (let row = 0; row < rows; row++) {
    const end = (row + 1) * rowValues;
    for (let i = row * rowValues + samples; i < end; i++) numbers[i]! += numbers[i - samples]!;
  }
}

function toTypedSamples(bytes: Uint8Array, { kind, bits }: SampleType, count: number): Samples {
  const { buffer, byteOffset } = bytes;
  switch (`${kind}${bits}`) {
    case "uint16":
      return new Uint16Array(buffer, byteOffset, count);
    case "int16":
      return new Int16Array(buffer, byteOffset, count);
    case "uint32":
      return new Uint32Array(buffer, byteOffset, count);
    case "int32":
      return new Int32Array(buffer, byteOffset, count);
    case "uint64":
      return toDoubles(new BigUint64Array(buffer, byteOffset, count));
    case "int64":
      return toDoubles(new BigInt64Array(buffer, byteOffset, count));
    case "float16": {
      const halves = new Uint16Array(buffer, byteOffset, count);
      return new Float32Array(count).map((_, i) => decodeHalfFloat(halves[i]!));
    }
    case "float32":
      return new Float32Array(buffer, byteOffset, count);
    case "float64":
      return new Float64Array(buffer, byteOffset, count);
    case "int8":
      return new Int8Array(buffer, byteOffset, count);
    default:
      return new Uint8Array(buffer, byteOffset, count);
  }
}

/** Whole numbers of 64 bits as doubles: beyond 2⁵³ several of them would become one. */
function toDoubles(whole: ArrayLike<bigint>): Float64Array {
  const values = new Float64Array(whole.length);
  for (let i = 0; i < whole.length; i++) {
    const value = Number(whole[i]!);
    if (!Number.isSafeInteger(value)) throw new RangeError(`the whole number ${whole[i]}`);
    values[i] = value;
  }
  return values;
}

/** A float of 16 bits (IEEE 754 binary16). */
function decodeHalfFloat(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function pickBandSamples(values: Samples, samples: number, band: number): Samples {
  if (samples === 1) return values;
  const length = Math.floor(values.length / samples);
  const one = values.slice(0, length);
  for (let i = 0, from = band; i < length; i++, from += samples) one[i] = values[from]!;
  return one;
}

/** Values of 1, 2 or 4 bits; each row begins with a byte of its own. */
function unpackBits(bytes: Uint8Array, bits: number, rowValues: number): Uint8Array {
  const rowBytes = Math.ceil((rowValues * bits) / 8);
  const rows = Math.floor(bytes.length / rowBytes);
  const values = new Uint8Array(rows * rowValues);
  const mask = (1 << bits) - 1;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < rowValues; i++) {
      const bit = i * bits;
      values[at++] = (bytes[row * rowBytes + (bit >> 3)]! >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return values;
}

function swapByteOrder(bytes: Uint8Array, size: number): void {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** Predictor 3 (TIFF Technical Note 3): each row has all highest bytes, then all next ones, as differences. */
function undoFloatPredictor(
  bytes: Uint8Array,
  rowValues: number,
  size: number,
  samples: number,
  rows: number,
): void {
  const rowBytes = rowValues * size;
  const row = new Uint8Array(rowBytes);
  for (let r = 0; r < rows; r++) {
    const start = r * rowBytes;
    for (let i = start + samples; i < start + rowBytes; i++) bytes[i]! += bytes[i - samples]!;
    row.set(bytes.subarray(start, start + rowBytes));
    for (let i = 0; i < rowValues; i++) {
      for (let byte = 0; byte < size; byte++) {
        const to = HOST_IS_LITTLE ? size - 1 - byte : byte;
        bytes[start + i * size + to] = row[byte * rowValues + i]!;
      }
    }
  }
}
