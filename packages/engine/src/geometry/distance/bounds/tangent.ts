import { cos, RADIANS_PER_DEGREE, sin } from "../../earth/elementary.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../../earth/wgs84.ts";
import { sagMeters } from "../plot-tree.ts";

/**
 * Numbers of a tangent: longitude and latitude of an envelope's middle; its place, x, y, z about the
 * earth's centre; the ways (x, y) of a degree of longitude and (x, y, z) of a degree of latitude there;
 * the error.
 */
export const TANGENT = 11;
const PLACE = 2;
const EAST = 5;
const NORTH = 7;
export const TANGENT_ERROR = 10;

/**
 * Writes the plane that touches the ellipsoid in the middle of an envelope (degrees): no point of the
 * envelope is farther from `place + Δλ · east + Δφ · north` than the error, metres.
 *
 * Proof: what a function leaves of its linear part is at most half its greatest second derivative along
 * the way from the middle, with the second derivatives of {@link sagMeters}; half the span squared is a
 * quarter of the span squared, so that half of it is the eighth which bounds the sag of the diagonal.
 */
export function writeTangentPlane(
  west: number,
  south: number,
  east: number,
  north: number,
  out: Float64Array,
  at: number,
): void {
  const lon = (west + east) / 2;
  const lat = (south + north) / 2;
  const sinLon = sin(lon * RADIANS_PER_DEGREE);
  const cosLon = cos(lon * RADIANS_PER_DEGREE);
  const sinLat = sin(lat * RADIANS_PER_DEGREE);
  const cosLat = cos(lat * RADIANS_PER_DEGREE);
  const w2 = 1 - ECCENTRICITY_SQUARED * sinLat * sinLat;
  const normal = SEMI_MAJOR_AXIS_METERS / Math.sqrt(w2);
  const axis = normal * cosLat;
  const meridian = ((normal * (1 - ECCENTRICITY_SQUARED)) / w2) * RADIANS_PER_DEGREE;
  out[at] = lon;
  out[at + 1] = lat;
  out[at + PLACE] = axis * cosLon;
  out[at + PLACE + 1] = axis * sinLon;
  out[at + PLACE + 2] = normal * (1 - ECCENTRICITY_SQUARED) * sinLat;
  out[at + EAST] = -axis * sinLon * RADIANS_PER_DEGREE;
  out[at + EAST + 1] = axis * cosLon * RADIANS_PER_DEGREE;
  out[at + NORTH] = -meridian * sinLat * cosLon;
  out[at + NORTH + 1] = -meridian * sinLat * sinLon;
  out[at + NORTH + 2] = meridian * cosLat;
  out[at + TANGENT_ERROR] = sagMeters(west, south, east, north) + TANGENT_ROUNDING;
}

/**
 * Metres along a direction of a degree of longitude and of latitude on a tangent, and of longitude 0,
 * latitude 0 of its plane over the earth's centre; returned in `out`.
 */
export function writeTangentHeights(
  tangents: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const lon = x * tangents[at + EAST]! + y * tangents[at + EAST + 1]!;
  const lat = x * tangents[at + NORTH]! + y * tangents[at + NORTH + 1]! + z * tangents[at + NORTH + 2]!;
  out[0] = lon;
  out[1] = lat;
  out[2] =
    x * tangents[at + PLACE]! +
    y * tangents[at + PLACE + 1]! +
    z * tangents[at + PLACE + 2]! -
    lon * tangents[at]! -
    lat * tangents[at + 1]!;
}

/** Writes the place (x, y, z) on a tangent of a position in degrees. */
export function writeTangentPlace(
  tangents: Float64Array,
  at: number,
  lon: number,
  lat: number,
  out: Float64Array,
): void {
  const u = lon - tangents[at]!;
  const v = lat - tangents[at + 1]!;
  out[0] = tangents[at + PLACE]! + u * tangents[at + EAST]! + v * tangents[at + NORTH]!;
  out[1] = tangents[at + PLACE + 1]! + u * tangents[at + EAST + 1]! + v * tangents[at + NORTH + 1]!;
  out[2] = tangents[at + PLACE + 2]! + v * tangents[at + NORTH + 2]!;
}

/** Metres by which heights are rounded: sums of numbers below 10⁸. */
const TANGENT_ROUNDING = 1e-6;
