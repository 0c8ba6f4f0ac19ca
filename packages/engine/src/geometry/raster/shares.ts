import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import type { Plot } from "../plot/plot.ts";
import type { CellWalk } from "./cell-walk.ts";
import { TILE_CELLS, TILE_SHIFT } from "./grid.ts";
import type { Lattice } from "./lattice.ts";
import { BACKGROUND, type CellRuns, NODATA, type RasterLayer } from "./raster-layer.ts";
import { isMaterial, PRINTED } from "./rounding.ts";
import type { RowReader } from "./row-reader.ts";
import type { CellSink, RowSpans } from "./row-spans.ts";
import { isWide, walkByTiles } from "./tile-order.ts";

/** Units of work of a run of cells, of a row that is read, of a whole tile and of a value in it, of an exact test. */
const RUN_UNITS = 3;
const READ_UNITS = 20;
const TILE_UNITS = 40;
const VALUE_UNITS = 4;
const TEST_UNITS = 40;
/** Units of work of a cell that is put in the order of tiles. */
const ORDER_UNITS = 60;
/** Units of work of the cells of two rows in a tile, along which an edge runs. */
const PIECE_UNITS = 20;

/** Share of each value of one raster that a polygon meets. */
export interface Shares {
  /**
   * Ascending: areas, each that shares a point with the polygon; then background, where it shares area, and nodata,
   * where it shares a point. What the shares of cells that may be rounding add up to counts as nodata, where it is more
   * than prints.
   */
  readonly values: readonly number[];
  /** Square metres of each. */
  readonly squareMeters: readonly number[];
  /** Cells of each that share with the polygon what prints as more than 0 m². */
  readonly cells: readonly number[];
  /** The one of them that shares area, where no other does; else -1. */
  readonly alone: number;
}

/** Room for sums by value, of one walk after another: as many values as the largest table had. */
class Sums {
  squareMeters = new Float64Array(64);
  cells = new Float64Array(64);
  isMet = new Uint8Array(64);
  /** Values that are met, in the order in which they were. */
  met: number[] = [];

  reserve(size: number): void {
    if (this.isMet.length >= size) return;
    this.squareMeters = new Float64Array(size);
    this.cells = new Float64Array(size);
    this.isMet = new Uint8Array(size);
  }

  /** Leaves nothing behind, however the walk ended. @returns what was summed */
  take(areaCount: number): Shares {
    const { squareMeters, cells, isMet, met } = this;
    this.met = [];
    if (met.length > 1) met.sort((a, b) => a - b);
    const [squareMetersOf, cellsOf]: [number[], number[]] = [[], []];
    let sharing = 0;
    let last = -1;
    for (let i = 0; i < met.length; i++) {
      const value = met[i]!;
      met[i] = value < areaCount ? value : BACKGROUND + value - areaCount;
      squareMetersOf.push(squareMeters[value]!);
      cellsOf.push(cells[value]!);
      if (squareMeters[value]! > 0) {
        sharing++;
        last = met[i]!;
      }
      squareMeters[value] = 0;
      cells[value] = 0;
      isMet[value] = 0;
    }
    return { values: met, squareMeters: squareMetersOf, cells: cellsOf, alone: sharing === 1 ? last : -1 };
  }
}

/** Walks are not re-entrant, and one at a time is enough. */
const SUMS = new Sums();

/**
 * Share of each value of a raster in a plot of polygons.
 *
 * @param walk on the surface that is measured on
 * @param least square metres up to which a cell's share may be what rounding left of 0
 * @param whole square metres of the plot
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` as the meter says; with a `DamagedTile`.
 */
export function measureValueShares(
  plot: Plot,
  layer: RasterLayer,
  lattice: Lattice,
  reader: RowReader,
  walk: CellWalk,
  least: number,
  whole: number,
  meter: WorkMeter,
): Shares {
  let shares: Shares;
  try {
    const sink = new ShareSink(layer, lattice, reader, walk.runs, least, meter);
    walkByTiles(walk, plot, lattice, layer.cells.tiling, true, sink, meter);
    sink.settle(plot, whole);
  } finally {
    shares = SUMS.take(layer.areaCount);
  }
  return shares;
}

/** Adds up the cells of a walk by their value: an area, or what comes after the areas, background and nodata. */
class ShareSink implements CellSink {
  readonly #layer: RasterLayer;
  readonly #lattice: Lattice;
  readonly #reader: RowReader;
  readonly #meter: WorkMeter;
  readonly #runs: CellRuns;
  /** Square metres up to which a cell's share may be what rounding left of 0. */
  readonly #least: number;
  /** Square metres of all such shares. */
  #leftOut = 0;
  /** Row, column, first position of the edge (−1: any) of each cell that may share a point and no area. */
  readonly #doubts: number[] = [];

  /** @param runs what is read goes here */
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
    SUMS.reserve(layer.areaCount + 2);
  }

  row(row: number, { count, from, to, isCell, amount }: RowSpans): void {
    const runs = this.#runs;
    const { areaCount } = this.#layer;
    const lattice = this.#lattice;
    const { squareMeters, cells, isMet, met } = SUMS;
    for (let first = 0; first < count; ) {
      // Spans that lie side by side are read at once.
      let last = first;
      while (last + 1 < count && from[last + 1] === to[last]) last++;
      const units = this.#reader.read(row, from[first]!, to[last]!, runs);
      this.#meter.add(units + READ_UNITS + RUN_UNITS * (runs.count + last - first + 1));
      let run = 0;
      for (let k = first; k <= last; k++) {
        let column = from[k]!;
        const end = to[k]!;
        while (runs.ends[run]! <= column) run++;
        if (isCell[k] === 1) {
          const content = runs.values[run]!;
          const value = content < BACKGROUND ? content : areaCount + content - BACKGROUND;
          const share = amount[k]!;
          if (share > this.#least) {
            squareMeters[value]! += share;
            if (isMet[value] === 0) {
              isMet[value] = 1;
              met.push(value);
            }
            if (share >= PRINTED) cells[value]!++;
          } else {
            if (share > 0) this.#leftOut += share;
            if (content !== BACKGROUND) this.#doubts.push(row, column, -1);
          }
          continue;
        }
        const perDegree = amount[k]!;
        let west = lattice.longitude(column);
        for (;;) {
          const content = runs.values[run]!;
          const value = content < BACKGROUND ? content : areaCount + content - BACKGROUND;
          const stop = runs.ends[run]!;
          const until = stop < end ? stop : end;
          const east = lattice.longitude(until);
          const share = perDegree * (east - west);
          squareMeters[value]! += share;
          if (isMet[value] === 0) {
            isMet[value] = 1;
            met.push(value);
          }
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
    const { values, cells, squareMeters } = this.#reader.sums(tileRow, tileColumn);
    this.#meter.add(TILE_UNITS + VALUE_UNITS * values.length);
    for (let i = 0; i < values.length; i++) {
      const content = values[i]!;
      const value = content < BACKGROUND ? content : areaCount + content - BACKGROUND;
      SUMS.squareMeters[value]! += squareMeters[i]!;
      SUMS.cells[value]! += cells[i]!;
      this.#meet(value);
    }
  }

  doubt(row: number, column: number, edge: number): void {
    this.#doubts.push(row, column, edge);
  }

  leaveOut(squareMeters: number): void {
    this.#leftOut += squareMeters;
  }

  #meet(value: number): void {
    if (SUMS.isMet[value] === 1) return;
    SUMS.isMet[value] = 1;
    SUMS.met.push(value);
  }

  /** Finds the values that the plot only touches, by exact tests; what was left out counts as nodata. */
  settle(plot: Plot, whole: number): void {
    const inOrder = isWide(plot, this.#lattice);
    this.#meetAlongParallels(plot, inOrder);
    this.#meetAtPoles(plot);
    const doubts = inOrder ? this.#byTiles(this.#doubts) : this.#doubts;
    for (let i = 0; i < doubts.length; i += 3) {
      const [row, column, edge] = [doubts[i]!, doubts[i + 1]!, doubts[i + 2]!];
      const content = this.#valueAt(row, column);
      if (!this.#isWanted(row, content)) continue;
      const meets =
        edge >= 0 ? this.#edgeMeets(plot, edge, row, column) : this.#boundaryMeets(plot, row, column);
      if (meets) this.#meet(this.#placeOf(content));
    }
    if (!isMaterial(this.#leftOut, whole)) return;
    const nodata = this.#placeOf(NODATA);
    SUMS.squareMeters[nodata]! += this.#leftOut;
    this.#meet(nodata);
  }

  /** Rows, columns and what goes with them, tile by tile. */
  #byTiles(triples: readonly number[]): number[] {
    const { rowOffset, columnOffset } = this.#layer.cells.tiling;
    this.#meter.add((ORDER_UNITS * triples.length) / 3);
    const order = Array.from({ length: triples.length / 3 }, (_, i) => 3 * i);
    const tileRow = (i: number): number => (triples[i]! + rowOffset) >> TILE_SHIFT;
    const tileColumn = (i: number): number => (triples[i + 1]! + columnOffset) >> TILE_SHIFT;
    order.sort((i, j) => tileRow(i) - tileRow(j) || tileColumn(i) - tileColumn(j) || i - j);
    return order.flatMap((i) => [triples[i]!, triples[i + 1]!, triples[i + 2]!]);
  }

  /** Place of what cells hold among the sums. */
  #placeOf(content: number): number {
    return content < BACKGROUND ? content : this.#layer.areaCount + content - BACKGROUND;
  }

  /** True if a cell that is touched matters: it holds an area, or nodata on the earth, that was not met before. */
  #isWanted(row: number, content: number): boolean {
    if (content === BACKGROUND || SUMS.isMet[this.#placeOf(content)] === 1) return false;
    return (
      content < BACKGROUND || (this.#lattice.latitude(row) <= 90 && this.#lattice.latitude(row + 1) >= -90)
    );
  }

  #valueAt(row: number, column: number): number {
    this.#meter.add(READ_UNITS + this.#reader.read(row, column, column + 1, this.#runs));
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

  /** True if the edge from a position shares a point with a closed cell. Exact for the lines as doubles. */
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
  #meetAlongParallels({ xy, ringStarts }: Plot, inOrder: boolean): void {
    const { columnOffset } = this.#layer.cells.tiling;
    /** Row, first column and column after the last of the cells in one tile. */
    const pieces: number[] = [];
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      for (let i = ringStarts[ring]!; i + 1 < ringStarts[ring + 1]!; i++) {
        const y = xy[2 * i + 1]!;
        if (y !== xy[2 * i + 3]) continue;
        const row = this.#lattice.rowAt(y);
        if (this.#lattice.latitude(row) !== y) continue;
        const west = Math.min(xy[2 * i]!, xy[2 * i + 2]!);
        const east = Math.max(xy[2 * i]!, xy[2 * i + 2]!);
        let from = this.#lattice.columnAt(west);
        if (this.#lattice.longitude(from) === west) from--;
        const to = this.#lattice.columnAt(east) + 1;
        while (inOrder && from < to) {
          const end = (((from + columnOffset) >> TILE_SHIFT) + 1) * TILE_CELLS - columnOffset;
          pieces.push(row - 1, from, Math.min(to, end), row, from, Math.min(to, end));
          this.#meter.add(PIECE_UNITS);
          from = end;
        }
        if (from >= to) continue;
        this.#meetRow(row, from, to);
        this.#meetRow(row - 1, from, to);
      }
    }
    const ordered = inOrder ? this.#byTiles(pieces) : pieces;
    for (let i = 0; i < ordered.length; i += 3) this.#meetRow(ordered[i]!, ordered[i + 1]!, ordered[i + 2]!);
  }

  /** At a pole all cells of the row that ends there share the point. */
  #meetAtPoles({ bbox }: Plot): void {
    const { columns, rows } = this.#layer.grid;
    if (bbox[3] === 90 && this.#lattice.latitude(0) === 90) this.#meetRow(0, 0, columns);
    if (bbox[1] === -90 && this.#lattice.latitude(rows) === -90) this.#meetRow(rows - 1, 0, columns);
  }

  #meetRow(row: number, from: number, to: number): void {
    const units = this.#reader.read(row, from, to, this.#runs);
    this.#meter.add(units + READ_UNITS + RUN_UNITS * this.#runs.count);
    for (let i = 0; i < this.#runs.count; i++) {
      const content = this.#runs.values[i]!;
      if (this.#isWanted(row, content)) this.#meet(this.#placeOf(content));
    }
  }
}
