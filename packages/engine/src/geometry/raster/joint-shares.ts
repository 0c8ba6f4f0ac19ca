import type { WorkMeter } from "../../base/work-meter.ts";
import type { Lattice } from "./lattice.ts";
import { type CellRuns, createCellRuns, NODATA } from "./raster-layer.ts";
import { isMaterial } from "./rounding.ts";
import type { RowReader } from "./row-reader.ts";
import type { CellSink, RowSpans } from "./row-spans.ts";

/** Units of work of a row of a raster that is read, of a run of cells that hold the same of every raster. */
const READ_UNITS = 20;
const RUN_UNITS = 4;

/** Columns between spans of a row that are read with them. */
const MOST_BETWEEN = 64;

/** One of several rasters that are walked together. */
export interface JointMember {
  readonly reader: RowReader;
  /** Columns and rows of the walk's grid along a cell of its own. */
  readonly columnRatio: number;
  readonly rowRatio: number;
  /** Column of the walk's grid at which its own column 0 begins; likewise its row. */
  readonly columnOffset: number;
  readonly rowOffset: number;
}

/**
 * Square metres of each combination of values in a polygon, for rasters whose lines are all lines of a common lattice.
 */
export class JointShares implements CellSink {
  /** Square metres of each combination. */
  readonly squareMeters: number[] = [];
  /** Values of each combination, one a member, combination after combination. */
  readonly values: number[] = [];
  readonly #members: readonly JointMember[];
  readonly #lattice: Lattice;
  readonly #least: number;
  readonly #meter: WorkMeter;
  readonly #places = new Map<number, number>();
  readonly #runs: readonly CellRuns[];
  /** For each member: its present run, and the column of the walk's grid after it. */
  readonly #at: Int32Array;
  readonly #ends: Int32Array;
  readonly #rows: Int32Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #last = -1;
  #lastKey = -1;
  /** Square metres of shares that may be rounding, each by itself. */
  #leftOut = 0;

  constructor(members: readonly JointMember[], lattice: Lattice, least: number, meter: WorkMeter) {
    this.#members = members;
    this.#lattice = lattice;
    this.#least = least;
    this.#meter = meter;
    this.#runs = members.map(() => createCellRuns());
    this.#at = new Int32Array(members.length);
    this.#ends = new Int32Array(members.length);
    this.#rows = new Int32Array(members.length).fill(-0x8000_0000);
    this.#from = new Int32Array(members.length);
    this.#to = new Int32Array(members.length);
  }

  row(row: number, spans: RowSpans): void {
    const { count, from, to } = spans;
    for (let first = 0; first < count; ) {
      // Nothing is read between spans that lie far apart.
      let last = first;
      while (last + 1 < count && from[last + 1]! - to[last]! <= MOST_BETWEEN) last++;
      this.#addSpans(row, spans, first, last);
      first = last + 1;
    }
  }

  #addSpans(row: number, { from, to, isCell, amount }: RowSpans, first: number, last: number): void {
    const lattice = this.#lattice;
    const end = to[last]!;
    this.#read(row, from[first]!, end);
    let column = from[first]!;
    let until = this.#advance(column, end);
    let runs = 1;
    for (let k = first; k <= last; k++) {
      column = from[k]!;
      const spanEnd = to[k]!;
      if (isCell[k] === 1) {
        if (amount[k]! <= this.#least) {
          if (amount[k]! > 0) this.#leftOut += amount[k]!;
          continue;
        }
        while (until <= column) {
          until = this.#advance(until, end);
          runs++;
        }
        this.squareMeters[this.#place()]! += amount[k]!;
        continue;
      }
      let west = lattice.longitude(column);
      while (column < spanEnd) {
        while (until <= column) {
          until = this.#advance(until, end);
          runs++;
        }
        const stop = until < spanEnd ? until : spanEnd;
        const east = lattice.longitude(stop);
        this.squareMeters[this.#place()]! += amount[k]! * (east - west);
        west = east;
        column = stop;
      }
    }
    this.#meter.add(RUN_UNITS * (runs + last - first + 1));
  }

  tile(): void {
    throw new Error("rasters that are walked together have no sums of tiles in common");
  }

  doubt(): void {
    // Which cells touch is found of each raster alone.
  }

  leaveOut(squareMeters: number): void {
    this.#leftOut += squareMeters;
  }

  /** Counts shares that were left out as nodata of every raster, as each alone does. @param whole square metres of the plot */
  settle(whole: number): void {
    if (!isMaterial(this.#leftOut, whole)) return;
    this.squareMeters.push(this.#leftOut);
    for (let k = 0; k < this.#members.length; k++) this.values.push(NODATA);
  }

  /** Reads the row of each member, unless a coarser one was read with the row before. */
  #read(row: number, from: number, to: number): void {
    for (const [k, member] of this.#members.entries()) {
      const own = Math.floor((row - member.rowOffset) / member.rowRatio);
      const first = Math.floor((from - member.columnOffset) / member.columnRatio);
      const last = Math.floor((to - 1 - member.columnOffset) / member.columnRatio) + 1;
      this.#at[k] = 0;
      if (this.#rows[k] !== own || this.#from[k]! > first || this.#to[k]! < last) {
        const runs = this.#runs[k]!;
        const units = member.reader.read(own, first, last, runs);
        this.#meter.add(units + READ_UNITS + RUN_UNITS * runs.count);
        this.#rows[k] = own;
        this.#from[k] = first;
        this.#to[k] = last;
      }
      this.#ends[k] = this.#endOf(k);
    }
  }

  #endOf(k: number): number {
    const { columnRatio, columnOffset } = this.#members[k]!;
    return this.#runs[k]!.ends[this.#at[k]!]! * columnRatio + columnOffset;
  }

  /** Moves each member to the run that holds a column. @returns the column up to which all of them hold the same */
  #advance(column: number, end: number): number {
    let until = end;
    for (let k = 0; k < this.#members.length; k++) {
      while (this.#ends[k]! <= column) {
        this.#at[k]!++;
        this.#ends[k] = this.#endOf(k);
      }
      if (this.#ends[k]! < until) until = this.#ends[k]!;
    }
    return until;
  }

  /** Index of the current combination. */
  #place(): number {
    let key = 0;
    for (let k = 0; k < this.#members.length; k++) {
      key = key * 65536 + this.#runs[k]!.values[this.#at[k]!]!;
    }
    if (key === this.#lastKey) return this.#last;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.squareMeters.length;
      this.#places.set(key, place);
      this.squareMeters.push(0);
      for (let k = 0; k < this.#members.length; k++) this.values.push(this.#runs[k]!.values[this.#at[k]!]!);
    }
    this.#lastKey = key;
    this.#last = place;
    return place;
  }
}

/** Most rasters that are walked together: a combination of their values is identified by a whole number. */
export const MOST_MEMBERS = 3;
