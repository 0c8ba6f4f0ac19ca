/**
 * A grid of cells in longitude and latitude. The line west of column c lies at (a + c·s) / n degrees, the line north
 * of row r at (b − r·t) / n, each as the doubles give it; rows go from north to south. A cell is the closed rectangle
 * between its lines.
 */
export interface RasterGrid {
  readonly a: number;
  readonly b: number;
  /** Steps from line to line, in units of 1 / n degree. */
  readonly s: number;
  readonly t: number;
  readonly n: number;
  readonly columns: number;
  readonly rows: number;
}

/** Cells along each side of a tile. */
export const TILE_CELLS = 256;
/** {@link TILE_CELLS} as a power of two. */
export const TILE_SHIFT = 8;

/** Degrees of the line west of a column, which may lie off the grid. */
export function lineLongitude({ a, s, n }: RasterGrid, column: number): number {
  return (a + column * s) / n;
}

/** Degrees of the line north of a row, which may lie off the grid. */
export function lineLatitude({ b, t, n }: RasterGrid, row: number): number {
  return (b - row * t) / n;
}

/**
 * Where a grid lies among its tiles. Tiles begin at every 256th line of the lattice, counted from the line nearest to
 * 180° W and 90° N: so a grid that grows to the west or the north keeps its tiles.
 */
export interface Tiling {
  /** Column of the grid's first column within its first tile, 0 to 255; likewise its first row. */
  readonly columnOffset: number;
  readonly rowOffset: number;
  readonly tileColumns: number;
  readonly tileRows: number;
}

/** The tiles of a grid. */
export function computeTiling(grid: RasterGrid): Tiling {
  const { a, b, s, t, n, columns, rows } = grid;
  const columnOffset = toLineInTile(Math.round((a + 180 * n) / s));
  const rowOffset = toLineInTile(Math.round((90 * n - b) / t));
  return {
    columnOffset,
    rowOffset,
    tileColumns: Math.ceil((columnOffset + columns) / TILE_CELLS),
    tileRows: Math.ceil((rowOffset + rows) / TILE_CELLS),
  };
}

function toLineInTile(line: number): number {
  return ((line % TILE_CELLS) + TILE_CELLS) % TILE_CELLS;
}
