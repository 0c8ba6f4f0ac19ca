import { cos, RADIANS_PER_DEGREE, sin } from "../../earth/elementary.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../../earth/wgs84.ts";

/**
 * Squared lower bound, m², of the chord between two envelopes [west, south, east, north] in degrees, each
 * within −90 to 90 of latitude: within a few metres of the least where they are small against what lies between.
 *
 * Proof. With p the distance from the axis and z the height over the equator's plane,
 * chord² = (p2 − p1)² + (z2 − z1)² + 4 p1 p2 sin²(Δλ/2). The first two terms are the chord of a meridian;
 * up to a quarter turn it grows at either end (∫ M cos(φ − φ2) dφ > 0), so it is least between the latitudes
 * that face each other. p is concave from pole to pole (p′ = −M sin φ falls, for M grows toward the poles), so an
 * envelope's least is at an end, and a straight line between two values of a table is below it. Between values the
 * meridian lies within {@link TABLE_ERROR} of the line. sin²(Δλ/2) is least at the least or the greatest
 * Δλ, which is as far as what it lacks to a whole turn; and 2 sin(x/2) ≥ x − x³/24.
 */
export function leastBoxChordSquared(
  westA: number,
  southA: number,
  eastA: number,
  northA: number,
  westB: number,
  southB: number,
  eastB: number,
  northB: number,
): number {
  const gapLat = Math.max(southA - northB, southB - northA);
  let square = 0;
  if (gapLat > 0 && gapLat < 90) {
    const low = southA > northB ? northB : northA;
    const high = southA > northB ? southA : southB;
    const p = leastAxisDistance(high) - leastAxisDistance(low);
    const z = approximateZ(high) - approximateZ(low);
    const chord = Math.sqrt(p * p + z * z) - 2 * TABLE_ERROR;
    if (chord > 0) square = chord * chord;
  }
  const gapLon = Math.min(
    westA < westB ? westB - eastA : westA - eastB,
    360 - Math.max(eastA - westB, eastB - westA),
  );
  if (gapLon > 0) {
    const x = gapLon * RADIANS_PER_DEGREE;
    const chord = x * (1 - (x * x) / 24);
    square +=
      leastAxisDistance(Math.max(-southA, northA)) *
      leastAxisDistance(Math.max(-southB, northB)) *
      chord *
      chord;
  }
  return square;
}

/** Latitudes of the table a degree. */
const PER_DEGREE = 16;
/** Metres from a meridian to the straight line between two of its table: ½ R h² / 4 is below 0.96; and rounding. */
const TABLE_ERROR = 1;
/** Distance from the axis and height over the equator's plane, metres, at latitudes from 0 to beyond the pole. */
const TABLE: Float64Array = Float64Array.from({ length: 2 * (90 * PER_DEGREE + 2) }, (_, i) => {
  const phi = (Math.floor(i / 2) / PER_DEGREE) * RADIANS_PER_DEGREE;
  const s = sin(phi);
  const normal = SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED * s * s);
  return i % 2 === 0 ? Math.max(0, normal * cos(phi)) : normal * (1 - ECCENTRICITY_SQUARED) * s;
});

/** Lower bound of the distance from the axis at a latitude, metres, short of it by less than 1 m. */
function leastAxisDistance(lat: number): number {
  const place = Math.min(90, Math.abs(lat)) * PER_DEGREE;
  const i = place | 0;
  return TABLE[2 * i]! + (place - i) * (TABLE[2 * i + 2]! - TABLE[2 * i]!);
}

function approximateZ(lat: number): number {
  const place = Math.min(90, Math.abs(lat)) * PER_DEGREE;
  const i = place | 0;
  const z = TABLE[2 * i + 1]! + (place - i) * (TABLE[2 * i + 3]! - TABLE[2 * i + 1]!);
  return lat < 0 ? -z : z;
}
