/** The values of one band, in the type that the file has them in; of less than 8 bits a byte each. */
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

/** The wanted bands in the unpacked bytes of a block, which may be changed. */
export function samplesOf(bytes: Uint8Array, layout: Layout): Samples[] {
  const { type, predictor, samples, width, wanted } = layout;
  const rowValues = width * samples;
  if (type.bits < 8) {
    const values = unpackBits(bytes, type.bits, rowValues);
    return wanted.map((band) => bandOf(values, samples, band));
  }
  const size = type.bits / 8;
  const rows = Math.floor(bytes.length / (rowValues * size));
  if (predictor === 3 && type.kind === "float") mendFloats(bytes, rowValues, size, samples, rows);
  else if (size > 1 && layout.littleEndian !== HOST_IS_LITTLE) swapBytes(bytes, size);
  const values = typed(bytes, type, rows * rowValues);
  if (predictor === 2) {
    for (let row = 0; row < rows; row++) {
      const end = (row + 1) * rowValues;
      for (let i = row * rowValues + samples; i < end; i++) values[i]! += values[i - samples]!;
    }
  }
  return wanted.map((band) => bandOf(values, samples, band));
}

const HOST_IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function typed(bytes: Uint8Array, { kind, bits }: SampleType, count: number): Samples {
  const isAligned = bytes.byteOffset % (bits / 8) === 0;
  const { buffer, byteOffset } = isAligned ? bytes : bytes.slice();
  switch (`${kind}${bits}`) {
    case "uint16":
      return new Uint16Array(buffer, byteOffset, count);
    case "int16":
      return new Int16Array(buffer, byteOffset, count);
    case "uint32":
      return new Uint32Array(buffer, byteOffset, count);
    case "int32":
      return new Int32Array(buffer, byteOffset, count);
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

function bandOf(values: Samples, samples: number, band: number): Samples {
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

function swapBytes(bytes: Uint8Array, size: number): void {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** Predictor 3 (TIFF Technical Note 3): each row has all highest bytes, then all next ones, as differences. */
function mendFloats(bytes: Uint8Array, rowValues: number, size: number, samples: number, rows: number): void {
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
