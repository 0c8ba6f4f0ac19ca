import { ECCENTRICITY_SQUARED, SEMI_MINOR_AXIS_METERS } from "../src/geometry/earth/wgs84.ts";
import { atanh, div, mul, ONE, PI, sin, sqrt, toFixedPoint, toNumber } from "./fixed-point.ts";

/*
 * The area oracle: −∮ W dλ by Gauss–Legendre quadrature in 256-bit arithmetic, with W in its closed
 * form (Snyder, USGS PP 1395, eq. 3-12), which the engine does not use.
 */

const ORDER = 14;
const PANEL_DEGREES = 2;
const e2 = toFixedPoint(ECCENTRICITY_SQUARED);
const e = sqrt(e2);
const b = toFixedPoint(SEMI_MINOR_AXIS_METERS);

/** W(φ)/b², φ in degrees. */
function computeZoneIntegral(latitude: bigint): bigint {
  const s = sin((latitude * PI) / (180n * ONE));
  return div(s, 2n * (ONE - mul(e2, mul(s, s)))) + div(atanh(mul(e, s)), 2n * e);
}

const nodes = computeLegendreNodes(ORDER);

/** Mean of W/b² over latitudes a to b, degrees. */
function meanZoneIntegral(from: bigint, to: bigint): bigint {
  const span = Math.abs(toNumber(to - from));
  const panels = BigInt(Math.max(1, Math.ceil(span / PANEL_DEGREES)));
  let sum = 0n;
  for (let p = 0n; p < panels; p++) {
    const low = from + ((to - from) * p) / panels;
    const high = from + ((to - from) * (p + 1n)) / panels;
    for (const [x, weight] of nodes)
      sum += mul(weight, computeZoneIntegral((low + high) / 2n + mul((high - low) / 2n, x)));
  }
  return sum / (2n * panels);
}

/** Signed area of a closed flat ring in degrees, square metres; error < 1e-17 of the area. */
export function exactRingArea(ring: Float64Array): number {
  let sum = 0n;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const width = toFixedPoint(ring[i + 2]!) - toFixedPoint(ring[i]!);
    if (width !== 0n)
      sum -= mul(width, meanZoneIntegral(toFixedPoint(ring[i + 1]!), toFixedPoint(ring[i + 3]!)));
  }
  return toSquareMeters(sum);
}

/** Square metres of a sum of mean W/b² times degrees of longitude. */
function toSquareMeters(sum: bigint): number {
  return toNumber(mul(mul(b, b), (sum * PI) / (180n * ONE)));
}

function computeLegendreNodes(order: number): (readonly [bigint, bigint])[] {
  const result: (readonly [bigint, bigint])[] = [];
  for (let i = 0; i < order; i++) {
    let x = toFixedPoint(Math.cos((Math.PI * (i + 0.75)) / (order + 0.5)));
    let slope = 0n;
    for (let step = 0; step < 8; step++) {
      let [before, value] = [ONE, x];
      for (let k = 2n; k <= BigInt(order); k++) {
        [before, value] = [value, ((2n * k - 1n) * mul(x, value) - (k - 1n) * before) / k];
      }
      slope = div(BigInt(order) * (mul(x, value) - before), mul(x, x) - ONE);
      x -= div(value, slope);
    }
    result.push([x, div(2n * ONE, mul(ONE - mul(x, x), mul(slope, slope)))]);
  }
  return result;
}
