import type { WorkMeter } from "../../base/work-meter.ts";
import { toExactInteger } from "../earth/predicates.ts";

/**
 * Position of the point where the segments ab and cd cross properly relative to (x, y): before it (negative), at it
 * (0) or after it (positive), in order from west to east, and on a meridian from south to north. Exact for all finite
 * coordinates: intervals nearly always decide, integers otherwise.
 *
 * @param xy flat `[ax, ay, bx, by, …]`, four numbers a segment
 * @param s number of segment ab in `xy`
 * @param t number of segment cd in `xy`
 *
 * Work: 1,500 steps where integers decide.
 */
export function compareCrossingPoint(
  xy: Float64Array,
  s: number,
  t: number,
  x: number,
  y: number,
  meter: WorkMeter,
): number {
  return compareCrossingOrdinate(xy, s, t, 0, x, meter) || compareCrossingOrdinate(xy, s, t, 1, y, meter);
}

/** Compares one ordinate (0: x, 1: y) of the point where s and t cross properly with a number. */
export function compareCrossingOrdinate(
  xy: Float64Array,
  s: number,
  t: number,
  ordinate: 0 | 1,
  value: number,
  meter: WorkMeter,
): number {
  const { low, high } = computeOrdinateBounds(xy, s, t, ordinate);
  if (low > value) return 1;
  if (high < value) return -1;
  const { numerator, denominator } = computeExactOrdinate(xy, s, t, ordinate, meter);
  const difference = numerator - toExactInteger(value) * denominator;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/**
 * A number not above the given ordinate of the point where s and t cross properly, and hardly below
 * it: off by 10⁻¹² of the coordinates' size at most, or 2⁻⁷⁸.
 */
export function crossingLowerBound(
  xy: Float64Array,
  s: number,
  t: number,
  ordinate: 0 | 1,
  meter: WorkMeter,
): number {
  const { low, high } = computeOrdinateBounds(xy, s, t, ordinate);
  const size = Math.abs(xy[4 * s + ordinate]!) + Math.abs(xy[4 * s + 2 + ordinate]!);
  if (high - low <= 1e-12 * size) return low;
  const { numerator, denominator } = computeExactOrdinate(xy, s, t, ordinate, meter);
  const value = Number((numerator / denominator) >> 994n) / TWO_TO_80;
  return value - Math.abs(value) * 1e-15 - 2 / TWO_TO_80;
}

/** Interval that holds the ordinate; NaN or infinite where numbers grow too large. */
function computeOrdinateBounds(
  xy: Float64Array,
  s: number,
  t: number,
  ordinate: 0 | 1,
): { readonly low: number; readonly high: number } {
  const ax = xy[4 * s]!;
  const ay = xy[4 * s + 1]!;
  const bx = xy[4 * s + 2]!;
  const by = xy[4 * s + 3]!;
  const cx = xy[4 * t]!;
  const cy = xy[4 * t + 1]!;
  const dx = xy[4 * t + 2]!;
  const dy = xy[4 * t + 3]!;
  // Distances of a and b from cd, times its length, with Shewchuk's bound on their error.
  const leftA = (cx - ax) * (dy - ay);
  const rightA = (cy - ay) * (dx - ax);
  const leftB = (cx - bx) * (dy - by);
  const rightB = (cy - by) * (dx - bx);
  const errorA = ERROR_SHARE * (Math.abs(leftA) + Math.abs(rightA)) + UNDERFLOW;
  const errorB = ERROR_SHARE * (Math.abs(leftB) + Math.abs(rightB)) + UNDERFLOW;
  const a = Math.abs(leftA - rightA);
  const b = Math.abs(leftB - rightB);
  const lowA = Math.max(0, a - errorA);
  const lowB = Math.max(0, b - errorB);
  const from = ordinate === 0 ? ax : ay;
  const to = ordinate === 0 ? bx : by;
  const first = from + (lowA / (lowA + b + errorB)) * (to - from);
  const last = from + ((a + errorA) / (a + errorA + lowB)) * (to - from);
  const rounding = 2e-15 * (Math.abs(from) + Math.abs(to)) + UNDERFLOW;
  return { low: Math.min(first, last) - rounding, high: Math.max(first, last) + rounding };
}

const TWO_TO_80 = 1048576 * 1048576 * 1048576 * 1048576;
const EXACT_STEPS = 1500;
/** A little more than (3 + 16ε)ε, ε = 2⁻⁵³ (see `orient2d`). */
const ERROR_SHARE = 4e-16;
/** More than any product can lose to underflow, less than matters. */
const UNDERFLOW = 1e-290;

/** The ordinate · 2¹⁰⁷⁴ as a fraction; its denominator is positive. */
function computeExactOrdinate(
  xy: Float64Array,
  s: number,
  t: number,
  ordinate: 0 | 1,
  meter: WorkMeter,
): { readonly numerator: bigint; readonly denominator: bigint } {
  meter.add(EXACT_STEPS);
  const at = (index: number): bigint => toExactInteger(xy[index]!);
  const [ax, ay, bx, by] = [at(4 * s), at(4 * s + 1), at(4 * s + 2), at(4 * s + 3)];
  const [cx, cy, dx, dy] = [at(4 * t), at(4 * t + 1), at(4 * t + 2), at(4 * t + 3)];
  const fromA = (cx - ax) * (dy - ay) - (cy - ay) * (dx - ax);
  const fromB = (cx - bx) * (dy - by) - (cy - by) * (dx - bx);
  const numerator = ordinate === 0 ? bx * fromA - ax * fromB : by * fromA - ay * fromB;
  const denominator = fromA - fromB;
  return denominator > 0n ? { numerator, denominator } : { numerator: -numerator, denominator: -denominator };
}
