import { cosDegrees, RADIANS_PER_DEGREE, sinDegrees } from "./elementary.ts";
import { differenceRoundingError, productRoundingError } from "./error-free.ts";
import { ECCENTRICITY_SQUARED, SEMI_MINOR_AXIS_METERS } from "./wgs84.ts";

/*
 * Areas on the ellipsoid of regions whose edges are straight in longitude and latitude.
 *
 * The zone between the equator and latitude φ, one radian of longitude wide, has the area
 *   W(φ) = ∫₀^φ M N cos φ' dφ' = b² ∫ cos φ' / (1 − e² sin² φ')² dφ'      (Snyder, USGS PP 1395, eq. 3-12)
 * so a region has the area −∮ W dλ along its boundary, counter-clockwise. As a sine series
 *   W(φ) = Σ_k w_k sin((2k+1)φ),  w_k = (−1)ᵏ b² Σ_{j≥k} (j+1) e²ʲ / ((2j+1) 4ʲ) · C(2j+1, j−k)
 * (the binomial series of the integrand, powers of the sine turned into multiple angles).
 *
 * Near a latitude φ₀, with t = φ − φ₀ in degrees, W(φ) − W(φ₀) is a polynomial g(t) = Σ γ_n tⁿ
 * to any accuracy wanted; replacing W by g changes no closed integral. Along a straight edge from
 * t = a to t = b the mean of g is Σ γ_n/(n+1) · h_n(a, b), h_n = Σ_i aⁱ bⁿ⁻ⁱ: closed form, no quadrature.
 */

/** Terms of the sine series; the first one left out is 1e-17 of the leading one. */
const TERMS = 7;

/** w_k · π/180: square metres per degree of longitude. */
const ZONE: Float64Array = computeZoneTerms();

function computeZoneTerms(): Float64Array {
  const w = new Float64Array(TERMS);
  const scale = SEMI_MINOR_AXIS_METERS * SEMI_MINOR_AXIS_METERS * RADIANS_PER_DEGREE;
  for (let k = 0; k < TERMS; k++) {
    let sum = 0;
    // Smallest terms first. 4⁻ʲ C(2j+1, j−k) is built up from its value at j = k.
    const parts: number[] = [];
    let binomial = 1;
    let power = 1;
    for (let j = 0; j < k; j++) power *= ECCENTRICITY_SQUARED / 4;
    for (let j = k; j < k + 12; j++) {
      parts.push(((j + 1) / (2 * j + 1)) * power * binomial);
      power *= ECCENTRICITY_SQUARED / 4;
      binomial *= ((2 * j + 3) * (2 * j + 2)) / ((j + 1 - k) * (j + k + 2));
    }
    for (let i = parts.length - 1; i >= 0; i--) sum += parts[i]!;
    w[k] = (k % 2 === 0 ? sum : -sum) * scale;
  }
  return w;
}

/** Degree that suffices for a half-height of 180°. */
const MAX_DEGREE = 96;

/**
 * A polynomial g(t), t in degrees from `centerDegrees`, whose integral over longitude in degrees
 * along a closed ring is the ring's area. Written by {@link Surface.fit}; a workspace to be reused.
 */
export interface LatitudeSeries {
  centerDegrees: number;
  degree: number;
  /** γ_n / (n+1) at index n, 1 to `degree`. */
  readonly terms: Float64Array;
}

export function createLatitudeSeries(): LatitudeSeries {
  return { centerDegrees: 0, degree: 1, terms: new Float64Array(MAX_DEGREE + 1) };
}

/** The surface on which areas are measured. */
export interface Surface {
  /** Fits a series for latitudes within `halfHeightDegrees` of `centerDegrees`. */
  fit(series: LatitudeSeries, centerDegrees: number, halfHeightDegrees: number): void;
  /** W(to) − W(from), per degree of longitude. */
  zoneDifference(fromDegrees: number, toDegrees: number): number;
}

/** The WGS 84 ellipsoid; areas in square metres. Error of a fitted series: < 1e-15 of its greatest value. */
export const ELLIPSOID: Surface = { fit: fitEllipsoidSeries, zoneDifference: computeZoneDifference };

/** Longitude and latitude as a plane; areas in square degrees. For comparison with planar oracles. */
export const PLANE: Surface = {
  fit: (series, centerDegrees) => {
    series.centerDegrees = centerDegrees;
    series.degree = 1;
    series.terms[1] = 0.5;
  },
  zoneDifference: (fromDegrees, toDegrees) => toDegrees - fromDegrees,
};

function fitEllipsoidSeries(series: LatitudeSeries, centerDegrees: number, halfHeightDegrees: number): void {
  const s = sinDegrees(centerDegrees);
  const c = cosDegrees(centerDegrees);
  const half = halfHeightDegrees * RADIANS_PER_DEGREE;
  const negligible = 1.1e-16 * (c + half) * ZONE[0]!;
  const terms = series.terms;
  terms.fill(0, 1, series.degree + 1);
  series.centerDegrees = centerDegrees;

  // For each k: w_k (2k+1)ⁿ/n! times sin or cos of (2k+1)φ₀ and the sign of the n-th derivative.
  const twice = 2 - 4 * s * s;
  let sine = s;
  let cosine = c;
  let sineBefore = -s;
  let cosineBefore = c;
  let degree = 1;
  for (let k = 0; k < TERMS; k++) {
    const m = 2 * k + 1;
    // Magnitude of this k's term of degree n at the half-height, divided by the half-height.
    let reach = Math.abs(ZONE[k]!) * m;
    let factor = ZONE[k]! * m * RADIANS_PER_DEGREE;
    for (let n = 1; n <= MAX_DEGREE; n++) {
      const derivative = (n & 1) === 1 ? cosine : sine;
      terms[n]! += (((n & 3) >> 1 === 0 ? factor : -factor) * derivative) / (n + 1);
      if (n > degree) degree = n;
      reach *= (half * m) / (n + 1);
      if (reach < negligible && half * m < n + 1) break;
      factor *= (m * RADIANS_PER_DEGREE) / (n + 1);
    }
    const nextSine = twice * sine - sineBefore;
    const nextCosine = twice * cosine - cosineBefore;
    sineBefore = sine;
    cosineBefore = cosine;
    sine = nextSine;
    cosine = nextCosine;
  }
  series.degree = degree;
}

/**
 * W(to) − W(from) on the WGS 84 ellipsoid in square metres per degree of longitude, without
 * cancellation: 2 Σ w_k cos((2k+1)(from+to)/2) sin((2k+1)(to−from)/2). Error: < 1e-15 relative
 * unless the zone's middle is within 1e-7° of a pole.
 */
export function computeZoneDifference(fromDegrees: number, toDegrees: number): number {
  const middle = (fromDegrees + toDegrees) / 2;
  const half = (toDegrees - fromDegrees) / 2;
  const sm = sinDegrees(middle);
  const sh = sinDegrees(half);
  const twiceMiddle = 2 - 4 * sm * sm;
  const twiceHalf = 2 - 4 * sh * sh;
  let cosine = cosDegrees(middle);
  let cosineBefore = cosine;
  let sine = sh;
  let sineBefore = -sh;
  let sum = 0;
  for (let k = 0; k < TERMS; k++) {
    sum += ZONE[k]! * cosine * sine;
    const nextCosine = twiceMiddle * cosine - cosineBefore;
    cosineBefore = cosine;
    cosine = nextCosine;
    const nextSine = twiceHalf * sine - sineBefore;
    sineBefore = sine;
    sine = nextSine;
  }
  return 2 * sum;
}

/** Mean of g over a straight edge from t = a to t = b (degrees from the series' centre). */
export function evaluateSeriesMean(terms: Float64Array, degree: number, a: number, b: number): number {
  let power = b;
  let h = a + b;
  let sum = terms[1]! * h;
  for (let n = 2; n <= degree; n++) {
    power *= b;
    h = a * h + power;
    sum += terms[n]! * h;
  }
  return sum;
}

/** g(t). */
export function evaluateSeries(terms: Float64Array, degree: number, t: number): number {
  let value = 0;
  for (let n = degree; n >= 1; n--) value = (value + (n + 1) * terms[n]!) * t;
  return value;
}

/**
 * Signed area of a ring on the WGS 84 ellipsoid, its edges straight in longitude and latitude.
 *
 * @param ring flat `[lon, lat, lon, lat, …]` in degrees, last position equal to the first;
 *   longitudes run on past ±180 where the ring crosses the antimeridian
 * @returns square metres, positive when the winding is counter-clockwise with north up
 *
 * Error: < 1e-13 of the ring's area for rings of ordinary shape, also far thinner than wide; for
 * a ring that winds about much of its bbox to enclose little, < 1e-15 of the bbox's area.
 * Fails: never.
 */
export function signedRingArea(ring: Float64Array): number {
  return signedRingAreaOn(ELLIPSOID, ring, 0, ring.length >> 1, createLatitudeSeries());
}

/** {@link signedRingArea} of the positions `from` (inclusive) to `to` (exclusive) of `xy`, on a surface. */
export function signedRingAreaOn(
  surface: Surface,
  xy: Float64Array,
  from: number,
  to: number,
  series: LatitudeSeries,
): number {
  if (to - from < 4) return 0;
  let south = Infinity;
  let north = -Infinity;
  for (let i = from; i < to; i++) {
    const y = xy[2 * i + 1]!;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  // A small ring is a fan of triangles about its own first vertex, so that a thin ring has small
  // triangles; a tall one about the middle of its bbox, where the series is shortest.
  const x0 = xy[2 * from]!;
  const first = xy[2 * from + 1]!;
  const y0 = north - south < 20 ? first : (south + north) / 2;
  surface.fit(series, y0, Math.max(north - y0, y0 - south));
  return ringAreaByFan(xy, from, to, x0, y0, series);
}

/** {@link signedRingAreaOn} as a fan of triangles about (x0, y0), y0 the centre of a series that reaches over the ring. */
export function ringAreaByFan(
  xy: Float64Array,
  from: number,
  to: number,
  x0: number,
  y0: number,
  series: LatitudeSeries,
): number {
  const { terms, degree } = series;
  let sum = 0;
  let size = 0;
  let xa = xy[2 * from]! - x0;
  let ya = xy[2 * from + 1]! - y0;
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]! - x0;
    const yb = xy[2 * i + 1]! - y0;
    const left = xa * yb;
    const right = xb * ya;
    sum += (left - right) * fanTriangleRatio(terms, degree, ya, yb);
    size += Math.abs(left) + Math.abs(right);
    xa = xb;
    ya = yb;
  }
  // Where rounding could reach 1e-14 of the area the triangles are summed again in double-double.
  const doubtful = size * terms[1]! * 2.2e-16 > Math.abs(sum) * 1e-14;
  return doubtful ? sumOfExactTriangles(xy, from, to, x0, y0, terms, degree) : sum;
}

/** Area of the triangle (0, 0), (xa, a), (xb, b) divided by the cross product xa·b − xb·a. */
function fanTriangleRatio(terms: Float64Array, degree: number, a: number, b: number): number {
  let power = 1;
  let h = 1;
  let sum = terms[1]!;
  for (let n = 2; n <= degree; n++) {
    power *= b;
    h = a * h + power;
    sum += terms[n]! * h;
  }
  return sum;
}

function sumOfExactTriangles(
  xy: Float64Array,
  from: number,
  to: number,
  x0: number,
  y0: number,
  terms: Float64Array,
  degree: number,
): number {
  let sum = 0;
  let rest = 0;
  let xa = xy[2 * from]! - x0;
  let ya = xy[2 * from + 1]! - y0;
  let xaLow = differenceRoundingError(xy[2 * from]!, x0, xa);
  let yaLow = differenceRoundingError(xy[2 * from + 1]!, y0, ya);
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]! - x0;
    const yb = xy[2 * i + 1]! - y0;
    const xbLow = differenceRoundingError(xy[2 * i]!, x0, xb);
    const ybLow = differenceRoundingError(xy[2 * i + 1]!, y0, yb);
    const left = xa * yb;
    const right = xb * ya;
    const cross = left - right;
    const crossRest =
      differenceRoundingError(left, right, cross) +
      (productRoundingError(xa, yb, left) - productRoundingError(xb, ya, right)) +
      (xa * ybLow + xaLow * yb - (xb * yaLow + xbLow * ya));
    const term = (cross + crossRest) * fanTriangleRatio(terms, degree, ya, yb);
    const next = sum + term;
    rest += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
    xa = xb;
    ya = yb;
    xaLow = xbLow;
    yaLow = ybLow;
  }
  return sum + rest;
}

/**
 * Square metres the outer rings enclose, holes taken off, whatever the winding; a polygon whose
 * holes are larger than itself counts 0. Closed rings.
 */
export function sumPolygonAreas(polygons: readonly (readonly Float64Array[])[]): number {
  let sum = 0;
  for (const [outer, ...holes] of polygons) {
    let area = Math.abs(signedRingArea(outer!));
    for (const hole of holes) area -= Math.abs(signedRingArea(hole));
    sum += Math.max(0, area);
  }
  return sum;
}
