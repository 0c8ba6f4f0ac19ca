import type { Random } from "@groundrule/testing/random";
import { orient2d, segmentsIntersect } from "../src/geometry/earth/predicates.ts";
import { toScaled } from "./fixed-point.ts";

/*
 * The exact predicates beside the same in integers, on positions made to be nearly, or exactly,
 * collinear.
 */

export type Point = readonly [number, number];

export interface PredicateAnswers {
  readonly positions: readonly [Point, Point, Point, Point];
  /** The side of the line through the first two on which the third lies. */
  readonly side: number;
  readonly exactSide: number;
  /** True if the closed segments of the first two and the last two positions meet. */
  readonly meet: boolean;
  readonly exactMeet: boolean;
}

export function comparePredicates(random: Random): PredicateAnswers {
  const positions = randomAdversarialPositions(random);
  const [a, b, c, d] = positions;
  const [ea, eb, ec, ed] = [toExactPoint(a), toExactPoint(b), toExactPoint(c), toExactPoint(d)];
  return {
    positions,
    side: Math.sign(orient2d(a[0], a[1], b[0], b[1], c[0], c[1])),
    exactSide: computeExactSide(ea, eb, ec),
    meet: segmentsIntersect(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]),
    exactMeet: segmentsIntersectExactly(ea, eb, ec, ed),
  };
}

function toExactPoint(point: Point): Exact {
  return [toScaled(point[0], 1074n), toScaled(point[1], 1074n)];
}

type Exact = readonly [bigint, bigint];

function computeExactSide(a: Exact, b: Exact, c: Exact): number {
  const d = (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]);
  return d > 0n ? 1 : d < 0n ? -1 : 0;
}

/** Closed segments, by parameters of the crossing rather than by sides. */
function segmentsIntersectExactly(a: Exact, b: Exact, c: Exact, d: Exact): boolean {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const [vx, vy] = [d[0] - c[0], d[1] - c[1]];
  const [wx, wy] = [c[0] - a[0], c[1] - a[1]];
  let denominator = ux * vy - uy * vx;
  if (denominator !== 0n) {
    let s = wx * vy - wy * vx;
    let t = wx * uy - wy * ux;
    if (denominator < 0n) [denominator, s, t] = [-denominator, -s, -t];
    return s >= 0n && s <= denominator && t >= 0n && t <= denominator;
  }
  const on = (p: Exact, q: Exact, r: Exact): boolean => {
    if (p[0] === q[0] && p[1] === q[1]) return p[0] === r[0] && p[1] === r[1];
    if (computeExactSide(p, q, r) !== 0) return false;
    const dot = (r[0] - p[0]) * (q[0] - p[0]) + (r[1] - p[1]) * (q[1] - p[1]);
    const length = (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
    return dot >= 0n && dot <= length;
  };
  return on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b);
}

/** Positions made to be nearly, or exactly, collinear. */
function randomAdversarialPositions(random: Random): [Point, Point, Point, Point] {
  const scale = [1, 1e-7, 1e-12, 180, 2 ** -40, 1e-160, 1e-310][random.integer(7)]!;
  const [ox, oy] = [
    [0, 0],
    [120.5, -45.25],
    [0.1, 0.1],
    [179.999999999999, 89.99],
  ][random.integer(4)]!;
  const a: Point = [ox! + random.between(-1, 1) * scale, oy! + random.between(-1, 1) * scale];
  const b: Point = [ox! + random.between(-1, 1) * scale, oy! + random.between(-1, 1) * scale];
  const along = (): Point => {
    const t = [0, 1, 0.5, 0.25, 2, -1, random.next(), random.between(-1, 2)][random.integer(8)]!;
    const nudge = (): number =>
      [0, 0, 2 ** -52, -(2 ** -52), 1e-14, -1e-9][random.integer(6)]! * random.integer(3);
    const x = a[0] + (b[0] - a[0]) * t;
    const y = a[1] + (b[1] - a[1]) * t;
    return [x + x * nudge(), y + y * nudge()];
  };
  const choice = (): Point => [a, b, along(), along(), along(), [a[0], b[1]] as Point][random.integer(6)]!;
  return [a, b, choice(), choice()];
}
