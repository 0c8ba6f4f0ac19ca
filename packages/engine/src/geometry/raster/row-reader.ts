import type { Lattice } from "./lattice.ts";
import { addRun, type CellRuns, createCellRuns, NODATA, type RasterLayer } from "./raster-layer.ts";

/** Reads rows of a raster in the columns of a {@link Lattice}; what lies off the grid is nodata. */
export class RowReader {
  readonly layer: RasterLayer;
  readonly #lattice: Lattice;
  /** Made when cells off the grid are read for the first time. */
  #part: CellRuns | undefined;

  /** @param lattice of the layer's own grid */
  constructor(layer: RasterLayer, lattice: Lattice) {
    this.layer = layer;
    this.#lattice = lattice;
  }

  /**
   * Fills `runs` with the cells of a row, in place of what they held.
   *
   * Fails: with a `DamagedTile`.
   */
  read(row: number, from: number, to: number, runs: CellRuns): void {
    const { columns, rows } = this.layer.grid;
    if (from >= 0 && to <= columns && row >= 0 && row < rows) {
      this.layer.cells.readRow(row, from, to, runs);
      return;
    }
    runs.count = 0;
    if (row < 0 || row >= rows) {
      addRun(runs, to, NODATA);
      return;
    }
    for (let column = from; column < to; ) {
      const own = this.#lattice.ownColumn(column);
      if (own >= columns) {
        const turn = this.#lattice.turn;
        const west = column < 0 && turn === 0 ? Math.min(to, 0) : to;
        column = turn === 0 ? west : Math.min(to, column + turn - own);
        addRun(runs, column, NODATA);
        continue;
      }
      const count = Math.min(to - column, columns - own);
      this.#part ??= createCellRuns();
      const part = this.#part;
      this.layer.cells.readRow(row, own, own + count, part);
      const shift = column - own;
      for (let i = 0; i < part.count; i++) addRun(runs, part.ends[i]! + shift, part.values[i]!);
      column += count;
    }
  }
}
