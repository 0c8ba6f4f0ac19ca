import { NODATA } from "@groundrule/engine/internal";
import type { NodataTag, Samples, SampleType } from "@groundrule/formats/geotiff";
import {
  type Cells,
  findRunEnd,
  getLeastValue,
  isSmall,
  UNNAMED,
  type ValueTable,
} from "../manifest/value-table.ts";

/** How many cells of a file the table of values leaves open, or contradicts the file about. */
export interface CellFindings {
  /** Cells that the file's tag calls no value, and the table something else. */
  readonly contradicted: number;
  /** Cells whose value the table calls nodata. */
  readonly nodata: number;
  /** Cells whose value the table does not name. */
  readonly unnamed: number;
  /** How often the first {@link MOST_UNNAMED} of such values occurred. */
  readonly unnamedValues: ReadonlyMap<number, number>;
}

/** Most different values without a name that are kept apart: messages show fewer. */
const MOST_UNNAMED = 1024;

/** Counts the cells of a file by what its table makes of them. */
export class CellCounts {
  readonly #table: ValueTable;
  readonly #tag: NodataTag | undefined;
  /** The occurrences of each value of small types. */
  readonly #tally: Float64Array | undefined;
  #contradicted = 0;
  #nodata = 0;
  #unnamed = 0;
  readonly #unnamedValues = new Map<number, number>();

  constructor(table: ValueTable, tag: NodataTag | undefined) {
    this.#table = table;
    this.#tag = tag;
    this.#tally = table.codes && new Float64Array(table.codes.length);
  }

  /**
   * Writes what a row of raw values stands for, and counts it. Most neighbours are equal: they are one run.
   *
   * @param samples raw values, from `from` on
   * @param cells where they go, from `at` on; values without a name go as nodata
   */
  map(samples: Samples, from: number, cells: Cells, at: number, length: number): void {
    const { codes, least } = this.#table;
    const tally = this.#tally;
    const end = from + length;
    const shift = at - from;
    for (let i = from; i < end; ) {
      const value = samples[i]!;
      const next = findRunEnd(samples, i, end);
      let code: number;
      if (codes !== undefined && tally !== undefined) {
        code = codes[value - least]!;
        tally[value - least]! += next - i;
      } else {
        code = this.#table.codeOf(value);
        this.#count(value, code, next - i);
      }
      if (next - i > 16) cells.fill(code, i + shift, next + shift);
      else for (let j = i; j < next; j++) cells[j + shift] = code;
      i = next;
    }
  }

  /** Writes and counts cells that hold one value. */
  fill(value: number, cells: Cells, at: number, length: number): void {
    const code = this.#table.codeOf(value);
    this.#count(value, code, length);
    cells.fill(code, at, at + length);
  }

  #count(value: number, code: number, cells: number): void {
    if (code === NODATA) {
      this.#nodata += cells;
      return;
    }
    if (this.#tag?.isNodata(value) === true) this.#contradicted += cells;
    if (code !== UNNAMED) return;
    this.#unnamed += cells;
    const values = this.#unnamedValues;
    const before = values.get(value);
    if (before !== undefined || values.size < MOST_UNNAMED) values.set(value, (before ?? 0) + cells);
  }

  /** The counts so far. */
  findings(): CellFindings {
    const { codes, least } = this.#table;
    for (const [i, cells] of this.#tally?.entries() ?? []) {
      if (cells > 0) this.#count(least + i, codes![i]!, cells);
    }
    this.#tally?.fill(0);
    return {
      contradicted: this.#contradicted,
      nodata: this.#nodata,
      unnamed: this.#unnamed,
      unnamedValues: this.#unnamedValues,
    };
  }
}

/** Most different values that are listed where a type has more than 65,536. */
const MOST_LISTED = 65_536;

/** How often each raw value occurred. */
export class ValueCounts {
  readonly #least: number;
  readonly #tag: number | undefined;
  /** The counts of small types. */
  readonly #tally: Float64Array | undefined;
  /** The counts of values of other types: the first {@link MOST_LISTED}; no number and the tag's, whenever they come. */
  readonly #values = new Map<number, number>();
  /** Cells of values that are not listed. */
  unlisted = 0;

  constructor(type: SampleType, tag: NodataTag | undefined) {
    this.#least = getLeastValue(type);
    this.#tag = tag?.fill;
    this.#tally = isSmall(type) ? new Float64Array(2 ** Math.max(8, type.bits)) : undefined;
  }

  add(value: number, count: number): void {
    const values = this.#values;
    if (this.#tally !== undefined) this.#tally[value - this.#least]! += count;
    else if (values.has(value) || values.size < MOST_LISTED || value === this.#tag || Number.isNaN(value))
      values.set(value, (values.get(value) ?? 0) + count);
    else this.unlisted += count;
  }

  /** Each listed value that occurred, ascending; no number last. */
  entries(): [value: number, count: number][] {
    if (this.#tally === undefined) {
      return [...this.#values].sort(([a], [b]) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b));
    }
    const found: [number, number][] = [];
    for (const [i, count] of this.#tally.entries()) if (count > 0) found.push([i + this.#least, count]);
    return found;
  }
}
