import { cosDegrees, RADIANS_PER_DEGREE, sinDegrees } from "../earth/elementary.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../earth/wgs84.ts";
import type { RasterGrid } from "./grid.ts";

/**
 * Width and height of a grid's cells at a latitude, metres in steps of 0.1: arcs of the parallel and the meridian on
 * the WGS 84 ellipsoid (Snyder, USGS PP 1395, eq. 4-20 and 4-21).
 */
export function cellMeters(
  { s, t, n }: RasterGrid,
  latitude: number,
): readonly [width: number, height: number] {
  const sine = sinDegrees(latitude);
  const w = 1 - ECCENTRICITY_SQUARED * sine * sine;
  const perDegree = SEMI_MAJOR_AXIS_METERS * RADIANS_PER_DEGREE;
  const width = ((s / n) * perDegree * cosDegrees(latitude)) / Math.sqrt(w);
  const height = ((t / n) * perDegree * (1 - ECCENTRICITY_SQUARED)) / (w * Math.sqrt(w));
  return [Math.round(width * 10) / 10, Math.round(height * 10) / 10];
}
