import { zoneDifference } from "../src/geometry/earth/authalic.ts";
import {
  latitudeOf,
  longitudeOf,
  type RasterGrid,
  TILE_CELLS,
  tilingOf,
} from "../src/geometry/raster/grid.ts";
import {
  addRun,
  type CellRuns,
  NODATA,
  type RasterLayer,
  type TileSums,
} from "../src/geometry/raster/raster-layer.ts";

/** A raster in memory, its cells row by row as plainly as can be. */
export function smallRaster(
  grid: RasterGrid,
  values: Uint16Array,
  areaCount: number,
  name = "raster",
): RasterLayer {
  const { columns, rows } = grid;
  const tiling = tilingOf(grid);
  const cellArea = (row: number): number =>
    (grid.s / grid.n) * zoneDifference(latitudeOf(grid, row + 1), latitudeOf(grid, row));
  const areaSquareMeters = new Float64Array(areaCount);
  const areaCells = new Float64Array(areaCount);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column]!;
      if (value >= areaCount) continue;
      areaSquareMeters[value]! += cellArea(row);
      areaCells[value]!++;
    }
  }
  return {
    sourceName: name,
    areaCount,
    grid,
    areaSquareMeters,
    areaCells,
    cells: {
      tiling,
      readRow(row: number, from: number, to: number, runs: CellRuns): void {
        runs.count = 0;
        for (let column = from; column < to; column++)
          addRun(runs, column + 1, values[row * columns + column]!);
      },
      sums(tileRow: number, tileColumn: number): TileSums {
        const held = new Map<number, { cells: number; squareMeters: number }>();
        const top = tileRow * TILE_CELLS - tiling.rowOffset;
        const left = tileColumn * TILE_CELLS - tiling.columnOffset;
        for (let row = Math.max(0, top); row < Math.min(rows, top + TILE_CELLS); row++) {
          for (let column = Math.max(0, left); column < Math.min(columns, left + TILE_CELLS); column++) {
            const value = values[row * columns + column]!;
            const sum = held.get(value) ?? { cells: 0, squareMeters: 0 };
            sum.cells++;
            sum.squareMeters += cellArea(row);
            held.set(value, sum);
          }
        }
        return {
          values: Uint16Array.from(held.keys()),
          cells: Uint32Array.from(held.values(), ({ cells }) => cells),
          squareMeters: Float64Array.from(held.values(), ({ squareMeters }) => squareMeters),
        };
      },
    },
  };
}

/** The closed ring around a cell. */
export function cellRing(grid: RasterGrid, row: number, column: number): Float64Array {
  const [west, east] = [longitudeOf(grid, column), longitudeOf(grid, column + 1)];
  const [north, south] = [latitudeOf(grid, row), latitudeOf(grid, row + 1)];
  return Float64Array.of(west, south, east, south, east, north, west, north, west, south);
}

/** What an area, {@link NODATA} or background is of a cell; off the grid nodata. */
export function valueAt(
  { columns, rows }: RasterGrid,
  values: Uint16Array,
  row: number,
  column: number,
): number {
  const isOn = row >= 0 && row < rows && column >= 0 && column < columns;
  return isOn ? values[row * columns + column]! : NODATA;
}
