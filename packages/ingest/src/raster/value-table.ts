import type { CellRange, CellsManifest } from "@groundrule/engine";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import type { Samples, SampleType } from "@groundrule/formats/geotiff";
import { refusal } from "../ingest-error.ts";

/** What raw values stand for: the row of an area, `BACKGROUND`, `NODATA`, or {@link UNNAMED}. */
export interface ValueTable {
  /** Of whole numbers of at most 16 bits: by value less `least`; of others undefined. */
  readonly codes: Int32Array | undefined;
  readonly least: number;
  /** What a value stands for. */
  codeOf(value: number): number;
}

/** What a value stands for that the table does not name. */
export const UNNAMED = -1;

interface Entry extends CellRange {
  readonly code: number;
}

/**
 * The table of a manifest, for values of a type.
 *
 * Fails: `RANGES_MISSING` for areas of floats that are single values.
 */
export function valueTable(cells: CellsManifest, type: SampleType): ValueTable {
  if (type.kind === "float") {
    const single = cells.values.find(({ through, below }) => through === undefined && below === undefined);
    if (single !== undefined) {
      const found = `the single value ${single.value} for cells that are floats`;
      const expected = `a range, {"value": ${single.value}, "below": …}`;
      throw refusal("RANGES_MISSING", found, expected);
    }
  }
  const entries = entriesOf(cells);
  const isNanNodata = cells.nodata?.includes("nan") === true;
  const codeOf = (value: number): number => {
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
  if (type.kind === "float" || type.bits > 16) return { codes: undefined, least: 0, codeOf };
  const least = type.kind === "int" ? -(2 ** (type.bits - 1)) : 0;
  const codes = Int32Array.from({ length: 2 ** Math.max(8, type.bits) }, (_, i) => codeOf(least + i));
  return { codes, least, codeOf };
}

/** Values that two entries of a table claim; undefined where none is. */
export function claimedTwice(cells: CellsManifest): string | undefined {
  const entries = entriesOf(cells);
  for (const [i, entry] of entries.entries()) {
    const next = entries[i + 1];
    if (next !== undefined && isWithin(entry, next.value)) return String(next.value);
  }
  return undefined;
}

/** The range of an entry in words, which names an area that has no id. */
export function rangeText({ value, through, below }: CellRange): string {
  const end = through ?? below;
  return end === undefined ? String(value) : `${value}-${end}`;
}

function entriesOf({ values, background = [], nodata = [] }: CellsManifest): Entry[] {
  const ranges = nodata.flatMap((each) =>
    each === "nan" ? [] : [typeof each === "number" ? { value: each } : each],
  );
  return [
    ...values.map((each, row): Entry => ({ ...each, code: row })),
    ...background.map((each): Entry => ({ ...each, code: BACKGROUND })),
    ...ranges.map((each): Entry => ({ ...each, code: NODATA })),
  ].sort((a, b) => a.value - b.value);
}

function isWithin({ value, through, below }: CellRange, found: number): boolean {
  if (through !== undefined) return found >= value && found <= through;
  if (below !== undefined) return found >= value && found < below;
  return found === value;
}

/** How often each raw value occurred. */
export class ValueCounts {
  readonly #least: number;
  /** Of whole numbers of at most 16 bits. */
  readonly counts: Float64Array | undefined;
  /** Of others, the first {@link MOST_COUNTED} of them. */
  readonly others: Map<number, number> = new Map();

  constructor({ codes, least }: Pick<ValueTable, "codes" | "least">) {
    this.#least = least;
    this.counts = codes && new Float64Array(codes.length);
  }

  add(value: number, count = 1): void {
    if (this.counts !== undefined) this.counts[value - this.#least]! += count;
    else if (this.others.has(value) || this.others.size < MOST_COUNTED)
      this.others.set(value, (this.others.get(value) ?? 0) + count);
  }

  of(value: number): number {
    return this.counts === undefined
      ? (this.others.get(value) ?? 0)
      : (this.counts[value - this.#least] ?? 0);
  }

  /** Each value that occurred, ascending. */
  entries(): [value: number, count: number][] {
    if (this.counts === undefined) return [...this.others].sort(([a], [b]) => a - b);
    const found: [number, number][] = [];
    for (const [i, count] of this.counts.entries()) if (count > 0) found.push([i + this.#least, count]);
    return found;
  }
}

/** Most different values that are counted where there are more than 65,536. */
export const MOST_COUNTED = 65_536;

/** Cells of one type, as the snapshot's writer takes them. */
export type Cells = Uint8Array | Uint16Array;

/** A run of cells in the rows of some array. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where the run of equal values that begins at `start` ends, at `end` at last. */
export function runEnd(values: ArrayLike<number>, start: number, end: number): number {
  const value = values[start]!;
  let at = start + 1;
  while (at < end && values[at] === value) at++;
  return at;
}

/**
 * Writes what a row of raw values stands for, and counts the values.
 *
 * @param samples raw values, from `from` on
 * @param cells where they go, from `at` on; unnamed values go as nodata
 */
export function mapRow(
  samples: Samples,
  from: number,
  cells: Cells,
  at: number,
  length: number,
  table: ValueTable,
  counts: ValueCounts,
): void {
  const { codes, least } = table;
  if (codes === undefined) {
    for (let i = 0; i < length; i++) {
      const value = samples[from + i]!;
      counts.add(value);
      cells[at + i] = table.codeOf(value);
    }
    return;
  }
  const tally = counts.counts!;
  // Most neighbours are equal: they are counted and written as one run.
  const end = from + length;
  const shift = at - from;
  for (let i = from; i < end; ) {
    const value = samples[i]!;
    const next = runEnd(samples, i, end);
    tally[value - least]! += next - i;
    const code = codes[value - least]!;
    if (next - i > 16) cells.fill(code, i + shift, next + shift);
    else for (let j = i; j < next; j++) cells[j + shift] = code;
    i = next;
  }
}
