import type { WorkMeter } from "../../base/work-meter.ts";
import { TILE_SHIFT } from "./grid.ts";
import type { Lattice } from "./lattice.ts";
import {
  addCellRun,
  type CellRuns,
  createCellRuns,
  NODATA,
  type RasterLayer,
  type TileSums,
} from "./raster-layer.ts";

/** Units of work of a tile of several values that is opened; so many bytes of it, as a power of two, take another one. */
const TILE_UNITS = 400;
const BYTES_A_UNIT = 3;
/** Tiles of an answer that count as still being there: any window of as many columns of tiles. */
const KEPT_TILES = 128;

/**
 * Reads rows of a raster in the columns of a {@link Lattice}; what lies off the grid is nodata. Counts the tiles that
 * reading passes, and those that it opens: as though none was kept from an earlier answer, wherever the raster lies.
 */
export class RowReader {
  readonly layer: RasterLayer;
  readonly #lattice: Lattice;
  readonly #meter: WorkMeter;
  readonly #rowOffset: number;
  readonly #columnOffset: number;
  /** Made when cells off the grid are read for the first time. */
  #part: CellRuns | undefined;
  /** The row of the tiles that were read last; their columns, and those that were read before them in that row. */
  #tileRow = -1;
  #firstTile = 0;
  #lastTile = -1;
  #earlierFirst = 0;
  #earlierLast = -1;
  /** Number of the first tile that was opened, and those of the last others; 1 more than each. */
  #firstOpened = 0;
  #opened: Float64Array | undefined;

  /** @param lattice of the layer's own grid */
  constructor(layer: RasterLayer, lattice: Lattice, meter: WorkMeter) {
    this.layer = layer;
    this.#lattice = lattice;
    this.#meter = meter;
    this.#rowOffset = layer.cells.tiling.rowOffset;
    this.#columnOffset = layer.cells.tiling.columnOffset;
  }

  /**
   * Fills `runs` with the cells of a row, replacing its content.
   *
   * @returns units of work that it took, which are not counted yet
   *
   * Fails: with a `DamagedTile`; `GEOMETRY_TOO_COMPLEX` as the meter says.
   */
  read(row: number, from: number, to: number, runs: CellRuns): number {
    const { columns, rows } = this.layer.grid;
    if (from >= 0 && to <= columns && row >= 0 && row < rows) return this.#readOwn(row, from, to, runs);
    let units = 0;
    runs.count = 0;
    if (row < 0 || row >= rows) {
      addCellRun(runs, to, NODATA);
      return units;
    }
    for (let column = from; column < to; ) {
      const own = this.#lattice.ownColumn(column);
      if (own >= columns) {
        const turn = this.#lattice.turn;
        const west = column < 0 && turn === 0 ? Math.min(to, 0) : to;
        column = turn === 0 ? west : Math.min(to, column + turn - own);
        addCellRun(runs, column, NODATA);
        continue;
      }
      const count = Math.min(to - column, columns - own);
      this.#part ??= createCellRuns();
      const part = this.#part;
      units += this.#readOwn(row, own, own + count, part);
      const shift = column - own;
      for (let i = 0; i < part.count; i++) addCellRun(runs, part.ends[i]! + shift, part.values[i]!);
      column += count;
    }
    return units;
  }

  /** The value of a whole tile, as {@link RasterCells.sums} has it. */
  sums(tileRow: number, tileColumn: number): TileSums {
    this.#open(tileRow, tileColumn, tileColumn);
    return this.layer.cells.sums(tileRow, tileColumn);
  }

  /** Cells of the grid. */
  #readOwn(row: number, from: number, to: number, runs: CellRuns): number {
    const tileRow = (row + this.#rowOffset) >> TILE_SHIFT;
    const first = (from + this.#columnOffset) >> TILE_SHIFT;
    const last = (to - 1 + this.#columnOffset) >> TILE_SHIFT;
    if (tileRow !== this.#tileRow || first < this.#firstTile || last > this.#lastTile) {
      this.#enter(tileRow, first, last);
    }
    return this.layer.cells.readRow(row, from, to, runs);
  }

  /** Opens tiles that were not read last. The two ends of a row, with whole tiles between them, are read in turns. */
  #enter(tileRow: number, first: number, last: number): void {
    const isKept = tileRow === this.#tileRow && first >= this.#earlierFirst && last <= this.#earlierLast;
    const [earlierFirst, earlierLast] = [this.#earlierFirst, this.#earlierLast];
    this.#earlierFirst = this.#firstTile;
    this.#earlierLast = tileRow === this.#tileRow ? this.#lastTile : -1;
    this.#firstTile = isKept ? earlierFirst : first;
    this.#lastTile = isKept ? earlierLast : last;
    this.#tileRow = tileRow;
    if (!isKept) this.#open(tileRow, first, last);
  }

  /** Counts the tiles that are not open yet. */
  #open(tileRow: number, first: number, last: number): void {
    const { cells } = this.layer;
    const { tileColumns } = cells.tiling;
    let units = last - first + 1;
    for (let column = first; column <= last; column++) {
      const bytes = cells.tileBytes(tileRow, column);
      if (bytes === 0 || this.#isOpen(tileRow * tileColumns + column + 1)) continue;
      units += TILE_UNITS + (bytes >> BYTES_A_UNIT);
    }
    this.#meter.add(units);
  }

  /** True if a tile is open already; it is from now on. */
  #isOpen(tile: number): boolean {
    if (this.#firstOpened === tile) return true;
    if (this.#firstOpened === 0) {
      this.#firstOpened = tile;
      return false;
    }
    this.#opened ??= new Float64Array(KEPT_TILES);
    const slot = tile % KEPT_TILES;
    const isOpen = this.#opened[slot] === tile;
    this.#opened[slot] = tile;
    return isOpen;
  }
}
