import { type RasterGrid, TILE_CELLS, type Tiling } from "../../geometry/raster/grid.ts";
import { BACKGROUND, createCellRuns, NODATA, type RasterLayer } from "../../geometry/raster/raster-layer.ts";
import { bytesPerCell, TILE_HASH_BYTES } from "../format.ts";
import { cellSquareMetersInRow } from "../raster/tile-areas.ts";
import type { RasterSnapshot } from "../snapshot.ts";
import { StoredCells } from "./raster-cells.ts";

/** Content of a cell: an area, background, or no data. */
export type CellContent =
  | {
      readonly is: "area";
      /** Id of the area. */
      readonly id: string;
    }
  | { readonly is: "background" }
  | { readonly is: "nodata" };

/** Cells whose content differs between the earlier edition and the later one. */
export interface CellChange {
  /** In the earlier edition. */
  readonly before: CellContent;
  /** In the later edition. */
  readonly after: CellContent;
  /** How many. */
  readonly cells: number;
  /** Total size of these cells. */
  readonly squareMeters: number;
}

/** Differences between the cells of two editions. */
export interface RasterDiff {
  /** Blocks of 256 × 256 cells that either edition has. */
  readonly blocks: number;
  /** Those of them with a cell that differs. */
  readonly changedBlocks: number;
  /** The greatest first. */
  readonly changes: readonly CellChange[];
}

/**
 * Compares the cells of two editions, reading only the blocks whose digests differ. What lies off the grid of one of
 * them is nodata there.
 *
 * Fails: with a `DamagedTile` where a tile is damaged.
 *
 * @returns undefined where the grids are not parts of one lattice
 */
export function diffRasters(before: RasterSnapshot, after: RasterSnapshot): RasterDiff | undefined {
  const shift = findGridShift(before.layer, after.layer);
  if (shift === undefined) return undefined;
  const contents = new ContentTable(before, after);
  const was = new Side(before.layer, contents.before, { columns: 0, rows: 0, tileColumns: 0, tileRows: 0 });
  const is = new Side(after.layer, contents.after, shift);
  // A digest covers the numbers of areas: equal digests mean equal content if the numbers mean the same, in cells of
  // one width.
  const canCompare = contents.isOneNumbering && was.isWide === is.isWide;
  const tally = new Tally(before.layer, was, is);
  const endRow = Math.max(was.endRow, is.endRow);
  const endColumn = Math.max(was.endColumn, is.endColumn);
  let blocks = 0;
  let changedBlocks = 0;
  for (let row = Math.min(was.firstRow, is.firstRow); row < endRow; row++) {
    was.startRow(row);
    is.startRow(row);
    for (let column = Math.min(was.firstColumn, is.firstColumn); column < endColumn; column++) {
      if (!was.holds(row, column) && !is.holds(row, column)) continue;
      blocks++;
      const [a, b] = [was.leaf(row, column), is.leaf(row, column)];
      const isSame =
        typeof a === "number" || typeof b === "number"
          ? a === b
          : canCompare && a.every((byte, i) => byte === b[i]);
      if (!isSame && tally.add(row, column)) changedBlocks++;
    }
  }
  return { blocks, changedBlocks, changes: tally.changes((number) => contents.toContent(number)) };
}

/** How far one grid lies south and east of another, in cells and in tiles. */
interface Shift {
  readonly columns: number;
  readonly rows: number;
  readonly tileColumns: number;
  readonly tileRows: number;
}

/** How the second grid lies against the first, in tiles; undefined where their lines are not those of one lattice. */
function findGridShift(before: RasterLayer, after: RasterLayer): Shift | undefined {
  const [a, b] = [before.grid, after.grid];
  if (a.s * b.n !== b.s * a.n || a.t * b.n !== b.t * a.n) return undefined;
  const columns = (b.a * a.n - a.a * b.n) / (b.n * a.s);
  const rows = (a.b * b.n - b.b * a.n) / (b.n * a.t);
  const tileColumns =
    (columns + before.cells.tiling.columnOffset - after.cells.tiling.columnOffset) / TILE_CELLS;
  const tileRows = (rows + before.cells.tiling.rowOffset - after.cells.tiling.rowOffset) / TILE_CELLS;
  const areWhole = [columns, rows, tileColumns, tileRows].every((each) => Number.isInteger(each));
  return areWhole ? { columns, rows, tileColumns, tileRows } : undefined;
}

/** One number for each thing that cells of either edition hold. */
class ContentTable {
  /** By what a cell holds. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  readonly isOneNumbering: boolean;
  readonly #ids: readonly string[];

  constructor(before: RasterSnapshot, after: RasterSnapshot) {
    const numbers = new Map<string, number>();
    const readTable = ({ attributes }: RasterSnapshot) => {
      const table = new Uint32Array(NODATA + 1);
      for (let row = 0; row < attributes.rowCount; row++) {
        const id = attributes.id(row);
        if (!numbers.has(id)) numbers.set(id, numbers.size);
        table[row] = numbers.get(id)!;
      }
      table[BACKGROUND] = OTHERS + BACKGROUND;
      table[NODATA] = OTHERS + NODATA;
      return table;
    };
    this.before = readTable(before);
    this.after = readTable(after);
    this.#ids = [...numbers.keys()];
    const common = Math.min(before.attributes.rowCount, after.attributes.rowCount);
    this.isOneNumbering = this.before
      .subarray(0, common)
      .every((number, row) => number === this.after[row] && number === row);
  }

  toContent(number: number): CellContent {
    if (number === OTHERS + NODATA) return { is: "nodata" };
    return number < OTHERS ? { is: "area", id: this.#ids[number]! } : { is: "background" };
  }
}

/** Above the numbers of all areas of two editions. */
const OTHERS = 0x2_0000;

/** One of the two editions, by rows and columns of the tiles of the earlier one. */
class Side {
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstColumn: number;
  readonly endColumn: number;
  /** True if its cells take two bytes. */
  readonly isWide: boolean;
  readonly #grid: RasterGrid;
  readonly #cells: StoredCells;
  readonly #numbers: Uint32Array;
  readonly #shift: Shift;
  readonly #runs = createCellRuns();
  /** Digests of a row of tiles, and where that of each tile is; -1 of a tile that has none. */
  #digests: Uint8Array = new Uint8Array(0);
  readonly #places: Int32Array;
  /** Tiles with a digest before the next row of tiles. */
  #stored = 0;

  constructor({ grid, cells, areaCount }: RasterLayer, numbers: Uint32Array, shift: Shift) {
    if (!(cells instanceof StoredCells)) throw new Error("the raster was not opened from a file");
    const { tileRows, tileColumns } = cells.tiling;
    this.#grid = grid;
    this.#cells = cells;
    this.#numbers = numbers;
    this.#shift = shift;
    this.#places = new Int32Array(tileColumns);
    this.isWide = bytesPerCell(areaCount) === 2;
    this.firstRow = shift.tileRows;
    this.endRow = shift.tileRows + tileRows;
    this.firstColumn = shift.tileColumns;
    this.endColumn = shift.tileColumns + tileColumns;
  }

  holds(row: number, column: number): boolean {
    return row >= this.firstRow && row < this.endRow && column >= this.firstColumn && column < this.endColumn;
  }

  /** Reads the digests of a row of tiles; rows come in order. */
  startRow(row: number): void {
    if (!this.holds(row, this.firstColumn)) return;
    const places = this.#places;
    let count = 0;
    for (let c = 0; c < places.length; c++) {
      const tile = (row - this.firstRow) * places.length + c;
      places[c] = this.#cells.constantValue(tile) < 0 ? count++ : -1;
    }
    this.#digests = this.#cells.digests(this.#stored, count);
    this.#stored += count;
  }

  /** The digest of a tile, or the number of what all its cells hold. */
  leaf(row: number, column: number): Uint8Array | number {
    if (!this.holds(row, column)) return this.#numbers[NODATA]!;
    const c = column - this.firstColumn;
    const place = this.#places[c]!;
    const tile = (row - this.firstRow) * this.#places.length + c;
    if (place < 0) return this.#numbers[this.#cells.constantValue(tile)]!;
    return this.#digests.subarray(place * TILE_HASH_BYTES, (place + 1) * TILE_HASH_BYTES);
  }

  /** The numbers of what a row of cells holds, from a column on; rows and columns of the earlier edition. */
  readLine(row: number, column: number, line: Uint32Array): void {
    const numbers = this.#numbers;
    const ownRow = row - this.#shift.rows;
    const west = column - this.#shift.columns;
    const from = Math.max(west, 0);
    const to = Math.min(west + line.length, this.#grid.columns);
    line.fill(numbers[NODATA]!);
    if (ownRow < 0 || ownRow >= this.#grid.rows || from >= to) return;
    const runs = this.#runs;
    this.#cells.readRow(ownRow, from, to, runs);
    let start = from;
    for (let i = 0; i < runs.count; i++) {
      line.fill(numbers[runs.values[i]!]!, start - west, runs.ends[i]! - west);
      start = runs.ends[i]!;
    }
  }
}

/** Sums up the cells that differ. */
class Tally {
  readonly #grid: RasterGrid;
  readonly #tiling: Tiling;
  readonly #was: Side;
  readonly #is: Side;
  readonly #before = new Uint32Array(TILE_CELLS);
  readonly #after = new Uint32Array(TILE_CELLS);
  readonly #sums = new Map<number, { cells: number; squareMeters: number }>();

  constructor({ grid, cells }: RasterLayer, was: Side, is: Side) {
    this.#grid = grid;
    this.#tiling = cells.tiling;
    this.#was = was;
    this.#is = is;
  }

  /** Adds the cells of a tile. @returns whether one of them differs */
  add(tileRow: number, tileColumn: number): boolean {
    const [before, after] = [this.#before, this.#after];
    const west = tileColumn * TILE_CELLS - this.#tiling.columnOffset;
    let differs = false;
    for (let r = 0; r < TILE_CELLS; r++) {
      const row = tileRow * TILE_CELLS + r - this.#tiling.rowOffset;
      this.#was.readLine(row, west, before);
      this.#is.readLine(row, west, after);
      let squareMeters = 0;
      for (let c = 0; c < TILE_CELLS; c++) {
        if (before[c] === after[c]) continue;
        differs = true;
        if (squareMeters === 0) squareMeters = cellSquareMetersInRow(this.#grid, row);
        const key = before[c]! * KEY + after[c]!;
        let sum = this.#sums.get(key);
        if (sum === undefined) {
          sum = { cells: 0, squareMeters: 0 };
          this.#sums.set(key, sum);
        }
        sum.cells++;
        sum.squareMeters += squareMeters;
      }
    }
    return differs;
  }

  changes(contentOf: (number: number) => CellContent): CellChange[] {
    return [...this.#sums]
      .sort(([key, a], [other, b]) => b.cells - a.cells || key - other)
      .map(([key, sum]) => ({
        before: contentOf(Math.floor(key / KEY)),
        after: contentOf(key % KEY),
        ...sum,
      }));
  }
}

/** Above every number of what cells hold. */
const KEY = 0x4_0000;
