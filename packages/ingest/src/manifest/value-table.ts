import type { CellRange, CellsManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import type { NodataTag, SampleType } from "@groundrule/formats/geotiff";
import { createIngestError } from "../ingest-error.ts";

/** Meanings of raw values: the row of an area, `BACKGROUND`, `NODATA`, or {@link UNNAMED}. */
export interface ValueTable {
  /** For whole numbers of at most 16 bits: the meaning, by value less `least`; otherwise undefined. */
  readonly codes: Int32Array | undefined;
  readonly least: number;
  /** Meaning of a value. */
  codeOf(value: number): number;
}

/** Meaning of a value that the table does not name. */
export const UNNAMED = -1;

interface Entry extends CellRange {
  readonly code: number;
}

/**
 * The table of a manifest, for values of a type: the manifest's numbers are cast to it, as cells were.
 *
 * @param tag the nodata tag of the file, which counts where the manifest says so
 *
 * Fails: `RANGES_MISSING` for areas of floats that are single values; `MANIFEST_INVALID` for two entries that claim one
 * value of the type.
 */
export function buildValueTable(
  cells: CellsManifest,
  type: SampleType,
  tag: NodataTag | undefined,
): ValueTable {
  if (type.kind === "float") {
    const single = cells.values.find(({ through, below }) => through === undefined && below === undefined);
    if (single !== undefined) {
      const found = `the single value ${single.value} for cells that are floats`;
      const expected = `a range, {"value": ${single.value}, "below": …}`;
      throw createIngestError("RANGES_MISSING", found, expected);
    }
  }
  const entries = toEntries(cells, createSampleCast(type));
  const twice = findClaimedValue(entries);
  if (twice !== undefined) {
    const found = `the value ${twice} of 32-bit floats in two entries of the manifest's cells`;
    throw createIngestError(
      "MANIFEST_INVALID",
      found,
      "each in one, once numbers are cast to the type of the cells",
    );
  }
  const isNanNodata = cells.nodata?.includes("nan") === true;
  const isTagNodata = cells.nodata_tag === "nodata" ? tag?.isNodata : undefined;
  const codeOf = (value: number): number => {
    if (isTagNodata?.(value) === true) return NODATA;
    if (Number.isNaN(value)) return isNanNodata ? NODATA : UNNAMED;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (entries[middle]!.value <= value) low = middle + 1;
      else high = middle;
    }
    const entry = entries[low - 1];
    return entry !== undefined && isWithin(entry, value) ? entry.code : UNNAMED;
  };
  if (!isSmall(type)) return { codes: undefined, least: 0, codeOf };
  const least = getLeastValue(type);
  const codes = Int32Array.from({ length: 2 ** Math.max(8, type.bits) }, (_, i) => codeOf(least + i));
  return { codes, least, codeOf };
}

/** True if a type has so few values that each can be counted. */
export function isSmall({ kind, bits }: SampleType): boolean {
  return kind !== "float" && bits <= 16;
}

/** The least value of a small type. */
export function getLeastValue({ kind, bits }: SampleType): number {
  return kind === "int" ? -(2 ** (bits - 1)) : 0;
}

/** The value of a cell of a type after a number was written into it. */
export function createSampleCast({ kind, bits }: SampleType): (value: number) => number {
  return kind === "float" && bits <= 32 ? Math.fround : (value) => value;
}

/** Values that two entries of a table claim; undefined where none is. */
export function findClaimedTwice(cells: CellsManifest): string | undefined {
  return findClaimedValue(toEntries(cells, (value) => value));
}

function findClaimedValue(entries: readonly Entry[]): string | undefined {
  for (const [i, entry] of entries.entries()) {
    const next = entries[i + 1];
    if (next !== undefined && isWithin(entry, next.value)) return String(next.value);
  }
  return undefined;
}

/** The range of an entry in words, which names an area that has no id. */
export function formatCellRange({ value, through, below }: CellRange): string {
  const end = through ?? below;
  return end === undefined ? String(value) : `${value}-${end}`;
}

function toEntries(
  { values, background = [], nodata = [] }: CellsManifest,
  cast: (value: number) => number,
): Entry[] {
  const ranges = nodata.flatMap((each) =>
    each === "nan" ? [] : [typeof each === "number" ? { value: each } : each],
  );
  return [
    ...values.map((each, row): Entry => ({ ...each, code: row })),
    ...background.map((each): Entry => ({ ...each, code: BACKGROUND })),
    ...ranges.map((each): Entry => ({ ...each, code: NODATA })),
  ]
    .map(({ value, through, below, code }) => ({
      value: cast(value),
      ...(through !== undefined && { through: cast(through) }),
      ...(below !== undefined && { below: cast(below) }),
      code,
    }))
    .sort((a, b) => a.value - b.value);
}

function isWithin({ value, through, below }: CellRange, found: number): boolean {
  if (through !== undefined) return found >= value && found <= through;
  if (below !== undefined) return found >= value && found < below;
  return found === value;
}

/** Cells of one type, as the snapshot's writer takes them. */
export type Cells = Uint8Array | Uint16Array;

/** A run of cells in the rows of some array. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where the run of equal values that begins at `start` ends, at `end` at last. */
export function findRunEnd(values: ArrayLike<number>, start: number, end: number): number {
  const value = values[start]!;
  let at = start + 1;
  while (at < end && values[at] === value) at++;
  return at;
}
