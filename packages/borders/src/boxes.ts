/** West, south, east and north in degrees, within ±180. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** The box of polygons. */
export function boxOf(polygons: readonly (readonly Float64Array[])[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [outer] of polygons) {
    for (let i = 0; i < outer!.length; i += 2) {
      west = Math.min(west, outer![i]!);
      east = Math.max(east, outer![i]!);
      south = Math.min(south, outer![i + 1]!);
      north = Math.max(north, outer![i + 1]!);
    }
  }
  return [west, south, east, north];
}

/** Of a meridian, in metres: the least of the radii of curvature of the WGS 84 ellipsoid, at the equator. */
const LEAST_RADIUS_METERS = 6_335_439;
const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * A distance in metres that no position of one box is nearer than to one of the other; zero where they meet.
 *
 * On a sphere, the way between two latitudes is no shorter than along a meridian, and the way from a position at
 * latitude φ to a meridian λ away has the sine cos φ · sin λ, λ ≤ 90°; a sphere of the least radius of curvature
 * makes both shorter than on the ellipsoid.
 */
export function leastMetersBetween(a: Box, b: Box): number {
  const northward = Math.max(0, a[1] - b[3], b[1] - a[3]) * RADIANS_PER_DEGREE;
  const poleward = Math.max(-a[1], a[3], -b[1], b[3]) * RADIANS_PER_DEGREE;
  const eastward = Math.min(90, turnBetween(a, b)) * RADIANS_PER_DEGREE;
  const across = Math.asin(Math.cos(poleward) * Math.sin(eastward));
  return LEAST_RADIUS_METERS * Math.max(northward, across);
}

/** The least longitude between two boxes, either way round. */
function turnBetween(a: Box, b: Box): number {
  const [east, west] = [b[0] - a[2], a[0] - b[2]];
  if (east <= 0 && west <= 0) return 0;
  return Math.max(0, Math.min(...[east, west].map((gap) => (gap < 0 ? gap + 360 : gap))));
}
