import { RADIANS_PER_DEGREE } from "../../earth/elementary.ts";
import { GREATEST_RADIUS } from "../plot-tree.ts";

/**
 * Squared lower bound of the chord between two envelopes.
 *
 * chord² = meridian chord² + 4 p1 p2 sin²(Δλ/2), p the distance from the axis. The meridian chord
 * is at least 2 M sin(Δφ/2) for the least M, p falls by at most GREATEST_RADIUS a radian of
 * latitude, and 2 sin(x/2) ≥ x − x³/24.
 *
 * @param gapLon degrees between them, at least 0
 * @param meridian the least M; a greater one than for all latitudes will do where what lies at the
 *   others is out of reach
 * @param axis least p of one of them
 * @param poleward degrees of latitude by which the other comes closer to a pole
 */
export function leastChordSquared(
  gapLon: number,
  gapLat: number,
  meridian: number,
  axis: number,
  poleward: number,
): number {
  const y = gapLat * RADIANS_PER_DEGREE;
  const north = meridian * y * (1 - (y * y) / 24);
  if (gapLon === 0) return north * north;
  const x = Math.min(gapLon, 180) * RADIANS_PER_DEGREE;
  const chord = x * (1 - (x * x) / 24);
  const other = poleward > 0 ? axis - GREATEST_RADIUS * RADIANS_PER_DEGREE * poleward : axis;
  return north * north + (other > 0 ? axis * other * chord * chord : 0);
}

/**
 * {@link leastChordSquared} between the envelopes of two edges.
 * @param axis least distance from the axis on the first, whose greatest absolute latitude is `pole`
 */
export function leastEdgeChordSquared(
  first: Float64Array,
  e: number,
  second: Float64Array,
  f: number,
  meridian: number,
  axis: number,
  pole: number,
): number {
  const x0 = first[e]!;
  const y0 = first[e + 1]!;
  const x1 = first[e + 2]!;
  const y1 = first[e + 3]!;
  const u0 = second[f]!;
  const v0 = second[f + 1]!;
  const u1 = second[f + 2]!;
  const v1 = second[f + 3]!;
  const gapLon = Math.max(0, Math.min(u0, u1) - Math.max(x0, x1), Math.min(x0, x1) - Math.max(u0, u1));
  const gapLat = Math.max(0, Math.min(v0, v1) - Math.max(y0, y1), Math.min(y0, y1) - Math.max(v0, v1));
  return leastChordSquared(gapLon, gapLat, meridian, axis, Math.max(-v0, -v1, v0, v1) - pole);
}

/** Upper bound of a geodesic by its chord: 2R asin(c / 2R) for the least R, asin x ≤ x + x³/6 + 3x⁵/40 + x⁷/16 up to ½. */
export function greatestGeodesic(chord: number, radius: number): number {
  const x = chord / (2 * radius);
  const x2 = x * x;
  return x <= 0.5 ? chord * (1 + x2 * (1 / 6 + x2 * (3 / 40 + x2 / 16))) + ROUNDING : Infinity;
}

/** Lower bound of a geodesic by its chord: 2R asin(c / 2R) for the greatest R, asin x ≥ x + x³/6 + 3x⁵/40. */
export function leastGeodesic(chord: number, radius: number): number {
  if (!(chord > 0)) return chord;
  const x = chord / (2 * radius);
  const x2 = x * x;
  return chord * (1 + x2 * (1 / 6 + x2 * (3 / 40))) - ROUNDING;
}

/** Upper bound of a geodesic's chord: 2R sin(s / 2R) for the greatest R. */
export function greatestChord(meters: number, radius: number): number {
  const x = meters / (2 * radius);
  const x2 = x * x;
  return meters * (1 - x2 * (1 / 6 - x2 / 120)) + ROUNDING;
}

/** Metres by which bounds are widened for rounding in coordinates of 6,400 km. */
export const ROUNDING = 1e-7;
