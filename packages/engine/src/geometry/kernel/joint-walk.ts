import type { WorkMeter } from "../../base/work-meter.ts";
import type { Surface } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { walkOn } from "../raster/cell-walk.ts";
import type { RasterGrid } from "../raster/grid.ts";
import { type JointMember, JointShares, MOST_MEMBERS } from "../raster/joint-shares.ts";
import { walkByTiles } from "../raster/tile-order.ts";
import type { PlotOnRaster } from "./plot-on-raster.ts";

/**
 * Square metres of each combination of values of several rasters in a plot of polygons; undefined if there are too
 * many combinations, or the lines of one raster are not all lines of another.
 *
 * @param squareMeters of the plot
 */
export function jointShares(
  rasters: readonly PlotOnRaster[],
  plot: Plot,
  squareMeters: number,
  surface: Surface,
  meter: WorkMeter,
): JointShares | undefined {
  if (rasters.length > MOST_MEMBERS) return undefined;
  const finest = rasters.find((one) => rasters.every((other) => fits(one.layer.grid, other.layer.grid)));
  if (finest === undefined) return undefined;
  const { grid, cells } = finest.layer;
  const members = rasters.map(
    ({ layer, reader }): JointMember => ({ reader, ...placeIn(grid, layer.grid)! }),
  );
  const joint = new JointShares(members, finest.lattice, finest.least, meter);
  walkByTiles(walkOn(surface), plot, finest.lattice, cells.tiling, false, joint, meter);
  joint.settle(squareMeters);
  return joint;
}

function fits(fine: RasterGrid, coarse: RasterGrid): boolean {
  return fine === coarse || placeIn(fine, coarse) !== undefined;
}

/**
 * How the cells of a grid lie on a finer one all of whose lines they share, to the bit: both grids are of whole
 * numbers, so that equal lines are quotients of equal value.
 */
function placeIn(fine: RasterGrid, coarse: RasterGrid): Omit<JointMember, "reader"> | undefined {
  const columnRatio = (coarse.s * fine.n) / (fine.s * coarse.n);
  const rowRatio = (coarse.t * fine.n) / (fine.t * coarse.n);
  const columnOffset = (coarse.a * fine.n - fine.a * coarse.n) / (fine.s * coarse.n);
  const rowOffset = (fine.b * coarse.n - coarse.b * fine.n) / (fine.t * coarse.n);
  const place = { columnRatio, rowRatio, columnOffset, rowOffset };
  const isSame = columnRatio === 1 && rowRatio === 1 && columnOffset === 0 && rowOffset === 0;
  if (isSame && fine.a === coarse.a && fine.b === coarse.b) return place;
  const isWhole = [fine, coarse].every(({ a, b, s, t, n }) => [a, b, s, t, n].every(Number.isSafeInteger));
  return isWhole && Object.values(place).every(Number.isInteger) ? place : undefined;
}
