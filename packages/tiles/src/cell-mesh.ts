import {
  BACKGROUND,
  type CellRuns,
  createCellRuns,
  lineLatitude,
  lineLongitude,
  NODATA,
  type RasterLayer,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import { decodeCellCode, encodeCellCode, encodeFaintCell, NOTHING } from "./cell-code.ts";
import { type CellMesh, mergeCellsToRectangles } from "./rectangles.ts";
import { BUFFER, EXTENT, MAX_ZOOM, PIXEL, type TilePlace, type TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

/** View of a raster's cells in a tile. */
export interface CellView {
  readonly mesh: CellMesh & {
    /** True for a place that is examined: not nodata, for the most part. */ readonly covered: Uint8Array;
  };
  /** The rectangles of areas, by the number of an area and its share. */
  readonly rectangles: ReadonlyMap<number, readonly TileRing[]>;
}

/** Units from which on cells are drawn themselves, along both sides. */
const CELL_UNITS = 14;
/** Units of a square that shows several cells: as fine as can be seen, else twice as coarse, and again. */
const BLOCKS = [2 * PIXEL, 4 * PIXEL, 8 * PIXEL] as const;
/** Rectangles that a tile has at most, but for the finest zoom, which maps enlarge. */
const RECTANGLES = 16_000;
/** Rows of cells that are read for one map tile; of squares that have more, an odd number at even distances. */
const READ_ROWS = 800;
/** Tiles of the raster whose cells are looked at for one map tile; beyond them their sums are, of so many at most. */
const READ_TILES = 1_024;
const SUMMED_TILES = 4_096;

/** Columns and rows of a grid, or of its tiles. */
interface GridWindow {
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly fromRow: number;
  readonly toRow: number;
}

/** Columns and rows of the grid that a tile shows. */
interface Window extends GridWindow {
  /** Units of the tile for a line of the grid. */
  toX(column: number): number;
  toY(row: number): number;
  /** The column of the grid below a place in the tile, and the row; not always on the grid. */
  columnAt(x: number): number;
  rowAt(y: number): number;
}

/** Views of a raster in a tile, one for each turn round the earth that it shows. */
export function buildCellViews(layer: RasterLayer, projection: TileProjection, { z }: TilePlace): CellView[] {
  return [-360, 0, 360].flatMap((shift): CellView[] => {
    const window = findGridWindow(layer, projection, shift);
    if (window === undefined) return [];
    const tiles = computeTileWindow(layer, window);
    if ((tiles.toColumn - tiles.fromColumn) * (tiles.toRow - tiles.fromRow) > READ_TILES) {
      return [toView(sumTilesToMesh(layer, window, tiles))];
    }
    if (isCloseUp(window)) {
      const view = toView(readCellMesh(layer, window));
      if (z === MAX_ZOOM || countRectangles(view) <= RECTANGLES) return [view];
    }
    for (const block of BLOCKS) {
      const view = toView(buildBlockMesh(layer, window, block));
      if (countRectangles(view) <= RECTANGLES || block === BLOCKS.at(-1)) return [view];
    }
    return [];
  });
}

function toView(mesh: CellView["mesh"]): CellView {
  return { mesh, rectangles: mergeCellsToRectangles(mesh) };
}

function countRectangles({ rectangles }: CellView): number {
  let count = 0;
  for (const its of rectangles.values()) count += its.length;
  return count;
}

function findGridWindow(
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
    toX: (column) => within(toX(lineLongitude(grid, column) + shift)),
    toY: (row) => within(toY(lineLatitude(grid, row))),
    columnAt: (x) => Math.floor(columnOf(toLongitude(x))),
    rowAt: (y) => Math.floor(rowOf(toLatitude(y))),
  };
}

function isCloseUp({ fromColumn, toColumn, fromRow, toRow, toX, toY }: Window): boolean {
  const wide = toX(toColumn) - toX(fromColumn);
  const high = toY(toRow) - toY(fromRow);
  return wide >= CELL_UNITS * (toColumn - fromColumn - 1) && high >= CELL_UNITS * (toRow - fromRow - 1);
}

/** Each cell in its place. */
function readCellMesh({ areaCount, cells }: RasterLayer, window: Window): CellView["mesh"] {
  const { fromColumn, toColumn, fromRow, toRow, toX, toY } = window;
  const width = toColumn - fromColumn;
  const codes = new Int32Array(width * (toRow - fromRow)).fill(NOTHING);
  const covered = new Uint8Array(codes.length);
  const runs = createCellRuns();
  for (let row = fromRow; row < toRow; row++) {
    const start = (row - fromRow) * width - fromColumn;
    cells.readRow(row, fromColumn, toColumn, runs);
    let column = fromColumn;
    for (let run = 0; run < runs.count; run++) {
      const [value, end] = [runs.values[run]!, runs.ends[run]!];
      if (value < areaCount) codes.fill(encodeCellCode(value, 1), start + column, start + end);
      if (value !== NODATA) covered.fill(1, start + column, start + end);
      column = end;
    }
  }
  return {
    xs: createRange(fromColumn, toColumn + 1).map(toX),
    ys: createRange(fromRow, toRow + 1).map(toY),
    codes,
    covered,
  };
}

/**
 * Squares of several cells, each by the cell at its middle; where that is no area, by the area that most of its cells
 * hold, with their share, so that a few cells are seen. What is smaller than one square has one.
 */
function buildBlockMesh(layer: RasterLayer, window: Window, side: number): CellView["mesh"] {
  const { fromColumn, toColumn, fromRow, toRow, toX, toY, columnAt, rowAt } = window;
  const across = buildMeshAxis(toX(fromColumn), toX(toColumn), side, columnAt, fromColumn, toColumn);
  const down = buildMeshAxis(toY(fromRow), toY(toRow), side, rowAt, fromRow, toRow);
  const width = across.starts.length;
  const codes = new Int32Array(width * down.starts.length).fill(NOTHING);
  const covered = new Uint8Array(codes.length);
  const most = 2 * Math.floor(Math.max(0, READ_ROWS / down.starts.length - 1) / 2) + 1;
  const runs = Array.from({ length: most }, createCellRuns);
  const counts = new Uint32Array(layer.areaCount);
  let isWhole = true;
  down.starts.forEach((first, at) => {
    const rows = down.ends[at]! - first;
    const read = Math.min(rows, most);
    isWhole &&= read === rows;
    for (let i = 0; i < read; i++) {
      const row = first + Math.floor(((i + 0.5) * rows) / read);
      layer.cells.readRow(row, fromColumn, toColumn, runs[i]!);
    }
    const cursors = new Int32Array(read);
    for (let column = 0; column < width; column++) {
      const [from, to] = [across.starts[column]!, across.ends[column]!];
      const found: number[] = [];
      let [inAreas, nodata] = [0, 0];
      for (let i = 0; i < read; i++) {
        const { ends, values } = runs[i]!;
        let run = cursors[i]!;
        while (ends[run]! <= from) run++;
        cursors[i] = run;
        for (let begin = from; begin < to; run++) {
          const end = Math.min(to, ends[run]!);
          const [value, its] = [values[run]!, end - begin];
          begin = end;
          if (value === NODATA) nodata += its;
          if (value >= layer.areaCount) continue;
          if (counts[value] === 0) found.push(value);
          counts[value]! += its;
          inAreas += its;
        }
      }
      const all = (to - from) * read;
      const place = at * width + column;
      const middle = findRunValue(runs[read >> 1]!, cursors[read >> 1]!, (from + to) >> 1);
      if (middle < layer.areaCount) codes[place] = encodeCellCode(middle, 1);
      else if (inAreas > 0)
        codes[place] = encodeFaintCell(findMostFrequentArea(found, counts), inAreas / all);
      covered[place] = 2 * nodata < all ? 1 : 0;
      for (const value of found) counts[value] = 0;
    }
  });
  if (!isWhole) addMissingAreas(layer, across, down, codes);
  return { xs: across.lines, ys: down.lines, codes, covered };
}

/** @param run one that does not begin after the column */
function findRunValue({ ends, values }: CellRuns, run: number, column: number): number {
  let at = run;
  while (ends[at]! <= column) at++;
  return values[at]!;
}

/** The area with the most cells; of several the first. */
function findMostFrequentArea(found: readonly number[], counts: Uint32Array): number {
  let best = found[0]!;
  for (const value of found) {
    const more = counts[value]! - counts[best]!;
    if (more > 0 || (more === 0 && value < best)) best = value;
  }
  return best;
}

/** Squares along an axis of the tile: their edges, and the columns or rows of the grid that each shows. */
interface Axis {
  readonly lines: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** @param to column or row after the last that the tile shows */
function buildMeshAxis(
  low: number,
  high: number,
  side: number,
  at: (units: number) => number,
  from: number,
  to: number,
): Axis {
  const [first, last] = [
    Math.floor(low / side),
    Math.max(Math.ceil(high / side), Math.floor(low / side) + 1),
  ];
  const steps = createRange(first, last);
  // Lines of the grid go to the square that has the cell after them; a square without a cell of its own shares one.
  const starts = steps.map((step) => Math.max(from, Math.min(to - 1, at(step * side))));
  const ends = starts.map((start, i) => Math.max(start + 1, i + 1 < starts.length ? starts[i + 1]! : to));
  const edges = [...steps, last].map((step) => step * side);
  // No further than the grid, unless that is less than a square.
  const isWide = high - low >= side;
  return { lines: isWide ? edges.map((edge) => Math.max(low, Math.min(high, edge))) : edges, starts, ends };
}

/**
 * Where rows were left out: areas that a whole tile of the raster has, and that no square of it shows, in squares of it
 * that show none, from its middle on.
 */
function addMissingAreas(
  { areaCount, grid, cells }: RasterLayer,
  across: Axis,
  down: Axis,
  codes: Int32Array,
): void {
  const { columnOffset, rowOffset } = cells.tiling;
  const tileColumns = findTilesAlongAxis(across, columnOffset, grid.columns);
  const width = across.starts.length;
  for (const [tileRow, [top, bottom]] of findTilesAlongAxis(down, rowOffset, grid.rows)) {
    for (const [tileColumn, [left, right]] of tileColumns) {
      const shown = new Set<number>();
      const empty: { readonly place: number; readonly far: number }[] = [];
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const place = row * width + column;
          const code = codes[place]!;
          if (code !== NOTHING) shown.add(decodeCellCode(code).area);
          else {
            const [x, y] = [2 * column + 1 - left - right, 2 * row + 1 - top - bottom];
            empty.push({ place, far: x * x + y * y });
          }
        }
      }
      if (empty.length === 0) continue;
      const sums = cells.sums(tileRow, tileColumn);
      const missing = [...sums.values]
        .map((value, i) => ({ value, its: sums.cells[i]! }))
        .filter(({ value, its }) => value < areaCount && its > 0 && !shown.has(value))
        .sort((one, other) => other.its - one.its || one.value - other.value);
      if (missing.length === 0) continue;
      empty.sort((one, other) => one.far - other.far || one.place - other.place);
      for (const [i, { value }] of missing.slice(0, empty.length).entries())
        codes[empty[i]!.place] = encodeFaintCell(value, LEAST_SHARE);
    }
  }
}

/** Rounded up to the least step. */
const LEAST_SHARE = Number.MIN_VALUE;

/**
 * The tiles of the raster whose middle is in view, along an axis, each with the squares that begin in it.
 *
 * @param count columns or rows of the grid
 */
function findTilesAlongAxis(
  { starts, ends }: Axis,
  offset: number,
  count: number,
): Map<number, readonly [from: number, to: number]> {
  const tiles = new Map<number, readonly [number, number]>();
  starts.forEach((start, i) => {
    const tile = Math.floor((start + offset) / TILE_CELLS);
    const first = Math.max(0, tile * TILE_CELLS - offset);
    const last = Math.min(count, (tile + 1) * TILE_CELLS - offset);
    const middle = (first + last) >> 1;
    if (middle >= starts[0]! && middle < ends.at(-1)!) tiles.set(tile, [tiles.get(tile)?.[0] ?? i, i + 1]);
  });
  return tiles;
}

/** The tiles of the raster in view. */
function computeTileWindow({ cells: { tiling } }: RasterLayer, window: Window): GridWindow {
  const { columnOffset, rowOffset } = tiling;
  return {
    fromColumn: Math.floor((window.fromColumn + columnOffset) / TILE_CELLS),
    toColumn: Math.ceil((window.toColumn + columnOffset) / TILE_CELLS),
    fromRow: Math.floor((window.fromRow + rowOffset) / TILE_CELLS),
    toRow: Math.ceil((window.toRow + rowOffset) / TILE_CELLS),
  };
}

/** Whole tiles of the raster by their sums; where they are too many, by that in the middle of several. */
function sumTilesToMesh(
  { areaCount, cells }: RasterLayer,
  window: Window,
  tiles: GridWindow,
): CellView["mesh"] {
  const { columnOffset, rowOffset, tileColumns, tileRows } = cells.tiling;
  const count = (tiles.toColumn - tiles.fromColumn) * (tiles.toRow - tiles.fromRow);
  const step = Math.max(1, Math.ceil(Math.sqrt(count / SUMMED_TILES)));
  // Counted from the raster's first tile, so that neighbours show the same.
  const columns = createRange(Math.floor(tiles.fromColumn / step), Math.ceil(tiles.toColumn / step));
  const rows = createRange(Math.floor(tiles.fromRow / step), Math.ceil(tiles.toRow / step));
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
      if (area !== NODATA) codes[at] = encodeCellCode(area, inAreas / all);
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

function createRange(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
