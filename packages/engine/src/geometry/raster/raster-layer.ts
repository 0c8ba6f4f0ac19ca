import { doubled } from "../../base/doubled.ts";
import type { RasterGrid, Tiling } from "./grid.ts";

/** Values of a cell outside all areas: examined, with nothing there; or not examined. Areas are 0, 1, 2, … */
export const BACKGROUND = 0xfffe;
export const NODATA = 0xffff;
/** Most areas of a raster. */
export const MAX_RASTER_AREAS = 0xfffe;

/** Neighbouring cells of a row that hold the same, in order. Grows as it is filled. */
export interface CellRuns {
  count: number;
  /** Column after the last cell of each run. */
  ends: Int32Array;
  /** Values of the cells: an area, {@link BACKGROUND} or {@link NODATA}. */
  values: Uint16Array;
}

export function createCellRuns(): CellRuns {
  return { count: 0, ends: new Int32Array(64), values: new Uint16Array(64) };
}

/** Adds a run; one that goes on with the value before it is joined to it. */
export function addCellRun(runs: CellRuns, end: number, value: number): void {
  const { count } = runs;
  if (count > 0 && runs.values[count - 1] === value) {
    runs.ends[count - 1] = end;
    return;
  }
  if (count === runs.ends.length) {
    runs.ends = doubled(runs.ends);
    runs.values = doubled(runs.values);
  }
  runs.ends[count] = end;
  runs.values[count] = value;
  runs.count = count + 1;
}

/** Sums over a whole tile, without cells off the grid. */
export interface TileSums {
  /** Each value that occurs once. */
  readonly values: Uint16Array;
  /** Cells that hold it. */
  readonly cells: Uint32Array;
  /** Square metres that they take. */
  readonly squareMeters: Float64Array;
}

/** The cells of a raster. Each method fails with a `DamagedTile` where bytes of the file are not what was written. */
export interface RasterCells {
  readonly tiling: Tiling;
  /**
   * Empties `runs`, and fills it with the cells of a row.
   *
   * @param row of the grid
   * @param from first column, on the grid
   * @param to column after the last, on the grid
   * @returns units of work that it took
   */
  readRow(row: number, from: number, to: number, runs: CellRuns): number;
  /** Bytes that are read of the tile in a row and a column of tiles; 0 where all its cells hold one value. */
  tileBytes(tileRow: number, tileColumn: number): number;
  /** Sums over the whole tile in a row and a column of tiles. */
  sums(tileRow: number, tileColumn: number): TileSums;
}

/** A source whose areas are the values of a grid's cells: an area is the union of all cells that hold its value. */
export interface RasterLayer {
  readonly sourceName: string;
  readonly areaCount: number;
  readonly grid: RasterGrid;
  readonly cells: RasterCells;
  /** Square metres of each whole area. */
  readonly areaSquareMeters: Float64Array;
  /** Cells of each whole area. */
  readonly areaCells: Float64Array;
}
