import type { Surface } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import type { RasterGrid } from "./grid.ts";

/** Square metres from which on an area prints as more than 0. */
export const PRINTED = 0.005;
/** The same of a share of the plot. */
const PRINTED_RATIO = 5e-10;
/** How far rounding moves ends of edges, cuts and lines, as a part of the plot's width and height. */
const ROUNDING = 1e-14;
/** Height of a plot whose rows take about the same. */
const LOW_DEGREES = 1;

/**
 * Square metres of a cell's share in a plot that may be no more than rounding: what the plot's width, rounded, is along
 * the height of a cell, and its height along the width of one.
 */
export function leastCertainShare(
  { bbox: [west, south, east, north] }: Plot,
  grid: RasterGrid,
  surface: Surface,
): number {
  const width = Math.min(grid.s / grid.n, east - west);
  const zone = surface.zoneDifference(south, north);
  return (
    ROUNDING *
    ((east - west) * greatestRowAreaPerDegree(south, north, grid.t / grid.n, zone, surface) + width * zone)
  );
}

/** Square metres per degree of longitude of a row, where in the plot that is most. */
function greatestRowAreaPerDegree(
  south: number,
  north: number,
  height: number,
  zone: number,
  surface: Surface,
): number {
  const tall = north - south;
  if (tall <= height) return zone;
  if (tall < LOW_DEGREES) return (zone * height) / tall;
  const nearest = Math.min(Math.max(0, south), north);
  return surface.zoneDifference(nearest - height / 2, nearest + height / 2);
}

/**
 * True if shares of cells that may be rounding, each by itself, come together to more than prints beside a plot:
 * then nobody knows what they hold.
 *
 * @param whole square metres of the plot
 */
export function isMaterial(leftOut: number, whole: number): boolean {
  return leftOut >= PRINTED || leftOut > PRINTED_RATIO * whole;
}
