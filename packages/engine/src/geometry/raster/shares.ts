import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import type { Plot } from "../plot/plot.ts";
import type { CellSink, RowSpans } from "./cell-walk.ts";
import type { Lattice } from "./lattice.ts";
import { BACKGROUND, type CellRuns, NODATA, type RasterLayer } from "./raster-layer.ts";
import type { RowReader } from "./row-reader.ts";

/** Square metres from which on an area prints as more than 0. */
const PRINTED = 0.005;
/** Units of work of a run of cells, of a row that is read, of a whole tile and of a value in it, of an exact test. */
const RUN_UNITS = 3;
const READ_UNITS = 20;
const TILE_UNITS = 40;
const VALUE_UNITS = 4;
const TEST_UNITS = 40;

/** What a polygon holds of each value of one raster. */
export interface Shares {
  /** Square metres by area; those of background come after them, and of nodata, cells off the grid among them, last. */
  readonly squareMeters: Float64Array;
  /** Cells that share with the polygon what prints as more than 0 m², in the same order. */
  readonly cells: Float64Array;
  /** Whether the polygon shares a point with a closed cell of the value; of areas alone. */
  readonly isMet: Uint8Array;
  /** Whether a value shares area with the polygon, and no other does. */
  isAlone(value: number): boolean;
}

/** Adds up the cells of a walk by their value. */
export class ShareSink implements CellSink, Shares {
  readonly squareMeters: Float64Array;
  readonly cells: Float64Array;
  readonly isMet: Uint8Array;
  readonly #layer: RasterLayer;
  readonly #lattice: Lattice;
  readonly #reader: RowReader;
  readonly #meter: WorkMeter;
  readonly #runs: CellRuns;
  /** Square metres below which a cell's share is what rounding left of 0. */
  readonly #least: number;
  /** Row, column, first position of the edge (−1: any) of each cell that may share a point and no area. */
  readonly #doubts: number[] = [];
  /** Values that share area; −1 before they are counted. */
  #sharing = -1;

  /**
   * @param runs what is read goes here
   * @param least square metres below which a cell's share is what rounding left of 0
   */
  constructor(
    layer: RasterLayer,
    lattice: Lattice,
    reader: RowReader,
    runs: CellRuns,
    least: number,
    meter: WorkMeter,
  ) {
    this.#layer = layer;
    this.#lattice = lattice;
    this.#reader = reader;
    this.#runs = runs;
    this.#least = least;
    this.#meter = meter;
    const size = layer.areaCount + 2;
    meter.add(size);
    this.squareMeters = new Float64Array(size);
    this.cells = new Float64Array(size);
    this.isMet = new Uint8Array(size);
  }

  row(row: number, { count, from, to, isCell, amount }: RowSpans): void {
    const runs = this.#runs;
    const { areaCount } = this.#layer;
    const lattice = this.#lattice;
    const { squareMeters, cells, isMet } = this;
    for (let first = 0; first < count; ) {
      // Spans that lie side by side are read at once.
      let last = first;
      while (last + 1 < count && from[last + 1] === to[last]) last++;
      this.#reader.read(row, from[first]!, to[last]!, runs);
      this.#meter.add(READ_UNITS + RUN_UNITS * (runs.count + last - first + 1));
      let run = 0;
      for (let k = first; k <= last; k++) {
        let column = from[k]!;
        const end = to[k]!;
        while (runs.ends[run]! <= column) run++;
        if (isCell[k] === 1) {
          const held = runs.values[run]!;
          const value = held < BACKGROUND ? held : areaCount + held - BACKGROUND;
          const share = amount[k]!;
          if (share > this.#least) {
            squareMeters[value]! += share;
            isMet[value] = 1;
            if (share >= PRINTED) cells[value]!++;
          } else if (held < BACKGROUND) this.#doubts.push(row, column, -1);
          continue;
        }
        const perDegree = amount[k]!;
        let west = lattice.longitude(column);
        for (;;) {
          const held = runs.values[run]!;
          const value = held < BACKGROUND ? held : areaCount + held - BACKGROUND;
          const stop = runs.ends[run]!;
          const until = stop < end ? stop : end;
          const east = lattice.longitude(until);
          const share = perDegree * (east - west);
          squareMeters[value]! += share;
          isMet[value] = 1;
          if (share >= PRINTED * (until - column)) cells[value]! += until - column;
          if (until === end) break;
          column = until;
          west = east;
          run++;
        }
      }
      first = last + 1;
    }
  }

  tile(tileRow: number, tileColumn: number): void {
    const { areaCount } = this.#layer;
    const { values, cells, squareMeters } = this.#layer.cells.sums(tileRow, tileColumn);
    this.#meter.add(TILE_UNITS + VALUE_UNITS * values.length);
    for (let i = 0; i < values.length; i++) {
      const held = values[i]!;
      const value = held < BACKGROUND ? held : areaCount + held - BACKGROUND;
      this.squareMeters[value]! += squareMeters[i]!;
      this.cells[value]! += cells[i]!;
      this.isMet[value] = 1;
    }
  }

  doubt(row: number, column: number, edge: number): void {
    this.#doubts.push(row, column, edge);
  }

  isAlone(value: number): boolean {
    if (this.#sharing < 0) {
      this.#sharing = 0;
      for (const share of this.squareMeters) if (share > 0) this.#sharing++;
    }
    return this.#sharing === 1 && this.squareMeters[value]! > 0;
  }

  /** Finds the values that the plot only touches, by exact tests. */
  settle(plot: Plot): void {
    this.#meetAlongParallels(plot);
    this.#meetAtPoles(plot);
    const doubts = this.#doubts;
    for (let i = 0; i < doubts.length; i += 3) {
      const [row, column, edge] = [doubts[i]!, doubts[i + 1]!, doubts[i + 2]!];
      const held = this.#valueAt(row, column);
      if (held >= BACKGROUND || this.isMet[held] === 1) continue;
      const meets =
        edge >= 0 ? this.#edgeMeets(plot, edge, row, column) : this.#boundaryMeets(plot, row, column);
      if (meets) this.isMet[held] = 1;
    }
  }

  #valueAt(row: number, column: number): number {
    this.#meter.add(READ_UNITS);
    this.#reader.read(row, column, column + 1, this.#runs);
    return this.#runs.count === 0 ? NODATA : this.#runs.values[0]!;
  }

  #boundaryMeets(plot: Plot, row: number, column: number): boolean {
    for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++) {
      for (let i = plot.ringStarts[ring]!; i + 1 < plot.ringStarts[ring + 1]!; i++) {
        if (this.#edgeMeets(plot, i, row, column)) return true;
      }
    }
    return false;
  }

  /** Whether the edge from a position shares a point with a closed cell. Exact for the lines as doubles. */
  #edgeMeets({ xy }: Plot, i: number, row: number, column: number): boolean {
    this.#meter.add(TEST_UNITS);
    const west = this.#lattice.longitude(column);
    const east = this.#lattice.longitude(column + 1);
    const north = this.#lattice.latitude(row);
    const south = this.#lattice.latitude(row + 1);
    const [ax, ay, bx, by] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
    if (Math.max(ax, bx) < west || Math.min(ax, bx) > east) return false;
    if (Math.max(ay, by) < south || Math.min(ay, by) > north) return false;
    const corners = [
      orient2d(ax, ay, bx, by, west, south),
      orient2d(ax, ay, bx, by, east, south),
      orient2d(ax, ay, bx, by, east, north),
      orient2d(ax, ay, bx, by, west, north),
    ];
    return !corners.every((side) => side > 0) && !corners.every((side) => side < 0);
  }

  /** An edge along a line between two rows touches the cells of both. */
  #meetAlongParallels({ xy, ringStarts }: Plot): void {
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      for (let i = ringStarts[ring]!; i + 1 < ringStarts[ring + 1]!; i++) {
        const y = xy[2 * i + 1]!;
        if (y !== xy[2 * i + 3]) continue;
        const row = this.#lattice.rowAt(y);
        if (this.#lattice.latitude(row) !== y) continue;
        const west = Math.min(xy[2 * i]!, xy[2 * i + 2]!);
        const east = Math.max(xy[2 * i]!, xy[2 * i + 2]!);
        let first = this.#lattice.columnAt(west);
        if (this.#lattice.longitude(first) === west) first--;
        this.#meetRow(row, first, this.#lattice.columnAt(east) + 1);
        this.#meetRow(row - 1, first, this.#lattice.columnAt(east) + 1);
      }
    }
  }

  /** At a pole all cells of the row that ends there share the point. */
  #meetAtPoles({ bbox }: Plot): void {
    const { columns, rows } = this.#layer.grid;
    if (bbox[3] === 90 && this.#lattice.latitude(0) === 90) this.#meetRow(0, 0, columns);
    if (bbox[1] === -90 && this.#lattice.latitude(rows) === -90) this.#meetRow(rows - 1, 0, columns);
  }

  #meetRow(row: number, from: number, to: number): void {
    this.#reader.read(row, from, to, this.#runs);
    this.#meter.add(READ_UNITS + RUN_UNITS * this.#runs.count);
    for (let i = 0; i < this.#runs.count; i++) {
      const value = this.#runs.values[i]!;
      if (value < BACKGROUND) this.isMet[value] = 1;
    }
  }
}
