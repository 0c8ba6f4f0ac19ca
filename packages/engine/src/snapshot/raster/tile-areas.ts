import { computeZoneDifference } from "../../geometry/earth/authalic.ts";
import { lineLatitude, type RasterGrid, TILE_CELLS, type Tiling } from "../../geometry/raster/grid.ts";
import { bytesPerCell } from "../format.ts";

/** Cells of a tile in the bytes that are hashed: of one byte each, background is 254 and nodata 255. */
export type TileCells = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** Room for the cells of a tile of a raster with so many areas. */
export function createTileCells(areaCount: number): TileCells {
  const count = TILE_CELLS * TILE_CELLS;
  return bytesPerCell(areaCount) === 1 ? new Uint8Array(count) : new Uint16Array(count);
}

/** The part of a tile that lies on its grid: rows and columns within the tile, each end after the last. */
export interface TileExtent {
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstColumn: number;
  readonly endColumn: number;
}

/** The part of a tile that lies on the grid. */
export function computeTileExtent(
  { columns, rows }: RasterGrid,
  { columnOffset, rowOffset }: Tiling,
  tileRow: number,
  tileColumn: number,
): TileExtent {
  return {
    firstRow: tileRow === 0 ? rowOffset : 0,
    endRow: Math.min(TILE_CELLS, rowOffset + rows - tileRow * TILE_CELLS),
    firstColumn: tileColumn === 0 ? columnOffset : 0,
    endColumn: Math.min(TILE_CELLS, columnOffset + columns - tileColumn * TILE_CELLS),
  };
}

/** Square metres of one cell in a row of a grid, or of its lattice. */
export function cellSquareMetersInRow(grid: RasterGrid, row: number): number {
  return (grid.s / grid.n) * computeZoneDifference(lineLatitude(grid, row + 1), lineLatitude(grid, row));
}

/** Square metres of one cell in each row of a row of tiles; 0 off the grid. */
export function cellSquareMetersByRow(
  grid: RasterGrid,
  { rowOffset }: Tiling,
  tileRow: number,
): Float64Array {
  const areas = new Float64Array(TILE_CELLS);
  for (let r = 0; r < TILE_CELLS; r++) {
    const row = tileRow * TILE_CELLS + r - rowOffset;
    if (row < 0 || row >= grid.rows) continue;
    areas[r] = cellSquareMetersInRow(grid, row);
  }
  return areas;
}

/** Square metres of a tile of one value. The sums of other tiles are taken likewise: row after row, from the north. */
export function sumTileSquareMeters(
  { firstRow, endRow, firstColumn, endColumn }: TileExtent,
  areas: Float64Array,
): number {
  let sum = 0;
  for (let r = firstRow; r < endRow; r++) sum += (endColumn - firstColumn) * areas[r]!;
  return sum;
}
