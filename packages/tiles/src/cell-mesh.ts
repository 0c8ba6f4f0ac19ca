import {
  BACKGROUND,
  createCellRuns,
  latitudeOf,
  longitudeOf,
  NODATA,
  type RasterLayer,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import { codeOf, NOTHING } from "./cell-code.ts";
import { type CellMesh, rectanglesOf } from "./rectangles.ts";
import { BUFFER, EXTENT, MAX_ZOOM, PIXEL, type TilePlace, type TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

/** What a tile shows of a raster's cells. */
export interface CellView {
  readonly mesh: CellMesh & {
    /** Whether a place is examined: not nodata, for the most part. */ readonly covered: Uint8Array;
  };
  /** The rectangles of areas, by the number of an area and its share. */
  readonly rectangles: ReadonlyMap<number, readonly TileRing[]>;
}

/** Units from which on cells are drawn themselves, along both sides. */
const CELL_UNITS = 14;
/** Units of a block that shows the cell at its middle: as fine as can be told apart, else twice as coarse, and again. */
const BLOCKS = [2 * PIXEL, 4 * PIXEL, 8 * PIXEL] as const;
/** Rectangles that a tile has at most, but for the finest zoom, which maps enlarge. */
const RECTANGLES = 16_000;
/** Tiles of the raster whose cells are looked at for one map tile; beyond them their sums are, of so many at most. */
const READ_TILES = 1_024;
const SUMMED_TILES = 4_096;

/** Columns and rows of the grid that a tile shows. */
interface Window {
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly fromRow: number;
  readonly toRow: number;
  /** Units of the tile for a line of the grid. */
  toX(column: number): number;
  toY(row: number): number;
  /** The column of the grid below a place in the tile, and the row; not always on the grid. */
  columnAt(x: number): number;
  rowAt(y: number): number;
}

/** What a tile shows of a raster, once for each time that it comes round the earth. */
export function cellMeshes(layer: RasterLayer, projection: TileProjection, { z }: TilePlace): CellView[] {
  return [-360, 0, 360].flatMap((shift): CellView[] => {
    const window = windowOf(layer, projection, shift);
    if (window === undefined) return [];
    const tiles = tilesIn(layer, window);
    if ((tiles.toColumn - tiles.fromColumn) * (tiles.toRow - tiles.fromRow) > READ_TILES) {
      return [viewOf(sumMesh(layer, window, tiles))];
    }
    if (isCloseUp(window)) {
      const view = viewOf(readMesh(layer, window, lines(window)));
      if (z === MAX_ZOOM || countOf(view) <= RECTANGLES) return [view];
    }
    for (const block of BLOCKS) {
      const view = viewOf(readMesh(layer, window, blocks(window, block)));
      if (countOf(view) <= RECTANGLES || block === BLOCKS.at(-1)) return [view];
    }
    return [];
  });
}

function viewOf(mesh: CellView["mesh"]): CellView {
  return { mesh, rectangles: rectanglesOf(mesh) };
}

function countOf({ rectangles }: CellView): number {
  let count = 0;
  for (const its of rectangles.values()) count += its.length;
  return count;
}

function windowOf(
  { grid }: RasterLayer,
  { bbox, toX, toY, toLongitude, toLatitude }: TileProjection,
  shift: number,
): Window | undefined {
  const { a, b, s, t, n, columns, rows } = grid;
  const columnOf = (longitude: number): number => ((longitude - shift) * n - a) / s;
  const rowOf = (latitude: number): number => (b - latitude * n) / t;
  const fromColumn = Math.max(0, Math.floor(columnOf(bbox[0])));
  const toColumn = Math.min(columns, Math.ceil(columnOf(bbox[2])));
  const fromRow = Math.max(0, Math.floor(rowOf(bbox[3])));
  const toRow = Math.min(rows, Math.ceil(rowOf(bbox[1])));
  if (fromColumn >= toColumn || fromRow >= toRow) return undefined;
  const within = (units: number): number => Math.max(-BUFFER, Math.min(EXTENT + BUFFER, Math.round(units)));
  return {
    fromColumn,
    toColumn,
    fromRow,
    toRow,
    toX: (column) => within(toX(longitudeOf(grid, column) + shift)),
    toY: (row) => within(toY(latitudeOf(grid, row))),
    columnAt: (x) => Math.floor(columnOf(toLongitude(x))),
    rowAt: (y) => Math.floor(rowOf(toLatitude(y))),
  };
}

function isCloseUp({ fromColumn, toColumn, fromRow, toRow, toX, toY }: Window): boolean {
  const wide = toX(toColumn) - toX(fromColumn);
  const high = toY(toRow) - toY(fromRow);
  return wide >= CELL_UNITS * (toColumn - fromColumn - 1) && high >= CELL_UNITS * (toRow - fromRow - 1);
}

/** Which places of a tile show which columns and rows of the grid. */
interface Places {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

/** Each cell in its place. */
function lines({ fromColumn, toColumn, fromRow, toRow, toX, toY }: Window): Places {
  const columns = range(fromColumn, toColumn);
  const rows = range(fromRow, toRow);
  return {
    xs: [...columns, toColumn].map(toX),
    ys: [...rows, toRow].map(toY),
    columns,
    rows,
  };
}

/** Squares, each with the cell at its middle; what is smaller than one of them has one. */
function blocks(
  { fromColumn, toColumn, fromRow, toRow, toX, toY, columnAt, rowAt }: Window,
  side: number,
): Places {
  const [xs, columns] = axis(toX(fromColumn), toX(toColumn), side, columnAt, fromColumn, toColumn - 1);
  const [ys, rows] = axis(toY(fromRow), toY(toRow), side, rowAt, fromRow, toRow - 1);
  return { xs, ys, columns, rows };
}

function axis(
  low: number,
  high: number,
  side: number,
  at: (units: number) => number,
  first: number,
  last: number,
): readonly [lines: number[], indices: number[]] {
  const [from, to] = [Math.floor(low / side), Math.max(Math.ceil(high / side), Math.floor(low / side) + 1)];
  const steps = range(from, to);
  const indices = steps.map((step) => Math.max(first, Math.min(last, at((step + 0.5) * side))));
  const ends = [...steps, to].map((step) => step * side);
  // No further than the grid, unless that is less than a block.
  if (high - low >= side) return [ends.map((end) => Math.max(low, Math.min(high, end))), indices];
  return [ends, indices];
}

function readMesh({ areaCount, cells }: RasterLayer, window: Window, places: Places): CellView["mesh"] {
  const { xs, ys, columns, rows } = places;
  const width = columns.length;
  const codes = new Int32Array(width * rows.length).fill(NOTHING);
  const covered = new Uint8Array(width * rows.length);
  const runs = createCellRuns();
  rows.forEach((row, at) => {
    const start = at * width;
    if (at > 0 && rows[at - 1] === row) {
      codes.copyWithin(start, start - width, start);
      covered.copyWithin(start, start - width, start);
      return;
    }
    cells.readRow(row, window.fromColumn, window.toColumn, runs);
    let run = 0;
    for (let i = 0; i < width; i++) {
      while (runs.ends[run]! <= columns[i]!) run++;
      const value = runs.values[run]!;
      if (value < areaCount) codes[start + i] = codeOf(value, 1);
      covered[start + i] = value === NODATA ? 0 : 1;
    }
  });
  return { xs, ys, codes, covered };
}

/** Columns and rows of tiles of the raster. */
interface TileWindow {
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly fromRow: number;
  readonly toRow: number;
}

function tilesIn({ cells: { tiling } }: RasterLayer, window: Window): TileWindow {
  const { columnOffset, rowOffset } = tiling;
  return {
    fromColumn: Math.floor((window.fromColumn + columnOffset) / TILE_CELLS),
    toColumn: Math.ceil((window.toColumn + columnOffset) / TILE_CELLS),
    fromRow: Math.floor((window.fromRow + rowOffset) / TILE_CELLS),
    toRow: Math.ceil((window.toRow + rowOffset) / TILE_CELLS),
  };
}

/** Whole tiles of the raster by their sums; where they are too many, by that in the middle of several. */
function sumMesh({ areaCount, cells }: RasterLayer, window: Window, tiles: TileWindow): CellView["mesh"] {
  const { columnOffset, rowOffset, tileColumns, tileRows } = cells.tiling;
  const count = (tiles.toColumn - tiles.fromColumn) * (tiles.toRow - tiles.fromRow);
  const step = Math.max(1, Math.ceil(Math.sqrt(count / SUMMED_TILES)));
  // Counted from the raster's first tile, so that neighbours show the same.
  const columns = range(Math.floor(tiles.fromColumn / step), Math.ceil(tiles.toColumn / step));
  const rows = range(Math.floor(tiles.fromRow / step), Math.ceil(tiles.toRow / step));
  const ends = (its: readonly number[], offset: number, from: number, to: number): number[] =>
    [...its, its.at(-1)! + 1].map((at) => Math.max(from, Math.min(to, at * step * TILE_CELLS - offset)));
  const middle = (at: number, most: number): number => Math.min(most - 1, at * step + (step >> 1));
  const codes = new Int32Array(columns.length * rows.length).fill(NOTHING);
  const covered = new Uint8Array(codes.length);
  rows.forEach((row, i) => {
    columns.forEach((column, j) => {
      const sums = cells.sums(middle(row, tileRows), middle(column, tileColumns));
      let [all, nodata, inAreas, most, area] = [0, 0, 0, 0, NODATA];
      sums.values.forEach((value, k) => {
        const its = sums.cells[k]!;
        all += its;
        if (value === NODATA) nodata += its;
        if (value >= areaCount || value === BACKGROUND) return;
        inAreas += its;
        if (its > most) [most, area] = [its, value];
      });
      const at = i * columns.length + j;
      if (area !== NODATA) codes[at] = codeOf(area, inAreas / all);
      covered[at] = 2 * nodata < all ? 1 : 0;
    });
  });
  return {
    xs: ends(columns, columnOffset, window.fromColumn, window.toColumn).map(window.toX),
    ys: ends(rows, rowOffset, window.fromRow, window.toRow).map(window.toY),
    codes,
    covered,
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
