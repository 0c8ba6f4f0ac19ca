import type { SampleType } from "./samples.ts";

/** The value that a file is tagged with as no value (GDAL's tag), and what it means for cells of its type. */
export interface NodataTag {
  /** As the file has it. */
  readonly text: string;
  /** As GDAL reads it: a text that is no number is 0. */
  readonly value: number;
  /** The value of cells that the file leaves out, as GDAL fills them in. */
  readonly fill: number;
  /**
   * True if a cell holds no value: GDAL casts the tag to the type of the cells, and compares floats loosely.
   *
   * @param value of the cell
   */
  isNodata(value: number): boolean;
}

/** The meaning of a text of GDAL's tag for cells of a type. */
export function parseNodataTag(text: string, type: SampleType): NodataTag {
  const value = parseAsGdal(text);
  return { text, value, fill: computeFillValue(value, type), isNodata: createNodataTest(value, type) };
}

/** A number at the beginning of a text, as C's `strtod` finds it; the decimal sign may be a comma. */
function parseAsGdal(text: string): number {
  const trimmed = text.trim().toLowerCase();
  if (/^[+-]?(nan|1\.#(qnan|snan|ind))/.test(trimmed)) return Number.NaN;
  const infinite = /^([+-]?)(inf|1\.#inf)/.exec(trimmed);
  if (infinite !== null) return infinite[1] === "-" ? -Infinity : Infinity;
  const number = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?/.exec(trimmed);
  return number === null ? 0 : Number(number[0].replace(",", "."));
}

/** The precision that GDAL ascribes to floats, to those of 64 bits too. */
const EPSILON = 2 ** -23;

function createNodataTest(tag: number, type: SampleType): (value: number) => boolean {
  if (type.kind !== "float") {
    const [least, most] = computeIntegerRange(type);
    // A cast cuts off what comes after the point; a tag beyond the type is that of no cell.
    return tag >= least && tag <= most ? createEqualityTest(Math.trunc(tag)) : () => false;
  }
  if (Number.isNaN(tag)) return Number.isNaN;
  // GDAL's ARE_REAL_EQUAL, in the arithmetic of the type: about four steps of a float of 32 bits are no difference.
  if (type.bits === 64) {
    return (value) => value === tag || Math.abs(value - tag) < EPSILON * Math.abs(value + tag) * 2;
  }
  const { fround } = Math;
  const cast = fround(tag);
  if (Number.isFinite(tag) && !Number.isFinite(cast)) return () => false;
  return (value) =>
    value === cast ||
    Math.abs(fround(value - cast)) < fround(fround(EPSILON * Math.abs(fround(value + cast))) * 2);
}

function createEqualityTest(tag: number): (value: number) => boolean {
  return (value) => value === tag;
}

function computeFillValue(tag: number, type: SampleType): number {
  if (type.kind === "float") return type.bits === 64 ? tag : Math.fround(tag);
  if (Number.isNaN(tag)) return 0;
  const [least, most] = computeIntegerRange(type);
  // Half added to a whole number beyond 2⁵² would make another one of it.
  const whole = Number.isInteger(tag) ? tag : Math.sign(tag) * Math.floor(Math.abs(tag) + 0.5);
  return Math.min(Math.max(whole, least), most) + 0;
}

/** The least and the greatest whole number of a type. */
function computeIntegerRange({ kind, bits }: SampleType): [number, number] {
  // Values of less than 8 bits are bytes to GDAL.
  const size = Math.max(8, bits);
  return kind === "int" ? [-(2 ** (size - 1)), 2 ** (size - 1) - 1] : [0, 2 ** size - 1];
}
