import { lineLatitude, lineLongitude, type RasterGrid } from "./grid.ts";

/**
 * A grid as a plot sees it: its lines and columns in the plot's longitudes, which may run past ±180. Columns go on
 * beyond the grid's own; where a turn is a whole number of cells, a column and the one a turn further are the same
 * cells.
 */
export class Lattice {
  readonly grid: RasterGrid;
  /** Columns of a whole turn; 0 where a turn is no whole number of them. */
  readonly turn: number;
  /** Degrees taken from the grid's longitudes, where no turn of columns serves. */
  readonly #shift: number;

  /** @param middle longitude of the plot's middle, degrees */
  constructor(grid: RasterGrid, middle: number) {
    this.grid = grid;
    const { n, s, columns } = grid;
    const turn = (360 * n) / s;
    this.turn = Number.isInteger(turn) ? turn : 0;
    const west = lineLongitude(grid, 0);
    const east = lineLongitude(grid, columns);
    const apart = Math.round(((west + east) / 2 - middle) / 360) * 360;
    this.#shift = this.turn > 0 ? 0 : apart + 0;
  }

  /** Degrees of the line west of a column. */
  longitude(column: number): number {
    return this.#shift === 0
      ? lineLongitude(this.grid, column)
      : lineLongitude(this.grid, column) - this.#shift;
  }

  /** Degrees of the line north of a row. */
  latitude(row: number): number {
    return lineLatitude(this.grid, row);
  }

  /** The column that contains a longitude, or a neighbouring one. */
  columnNear(longitude: number): number {
    const { a, s, n } = this.grid;
    return Math.floor(((longitude + this.#shift) * n - a) / s);
  }

  /** The last column whose western line is not east of a longitude. */
  columnAt(longitude: number): number {
    let column = this.columnNear(longitude);
    while (this.longitude(column) > longitude) column--;
    while (this.longitude(column + 1) <= longitude) column++;
    return column;
  }

  /** The last row whose northern line is not south of a latitude. */
  rowAt(latitude: number): number {
    const { b, t, n } = this.grid;
    let row = Math.floor((b - latitude * n) / t);
    while (this.latitude(row) < latitude) row--;
    while (this.latitude(row + 1) >= latitude) row++;
    return row;
  }

  /** The grid's own column of a column in the plot's longitudes; beyond its last where it lies off the grid. */
  ownColumn(column: number): number {
    const { turn } = this;
    if (turn === 0 || (column >= 0 && column < turn)) return column < 0 ? this.grid.columns : column;
    const within = column % turn;
    return within < 0 ? within + turn : within;
  }
}
