import { describe, expect, it } from "vitest";
import { type Random, seededRandom } from "../../test/random.ts";
import { orient2d, pointInRing, segmentsIntersect } from "./predicates.ts";

const SEED = 20261120;
const COUNT = process.env.GROUNDRULE_LONG ? 400_000 : 20_000;

/** x · 2^1074 by the bits of x. */
function integer(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const m = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n ? -m : m;
}

type Point = readonly [number, number];
type Exact = readonly [bigint, bigint];

function exactSide(a: Exact, b: Exact, c: Exact): number {
  const d = (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]);
  return d > 0n ? 1 : d < 0n ? -1 : 0;
}

/** Closed segments, by parameters of the crossing rather than by sides. */
function exactIntersect(a: Exact, b: Exact, c: Exact, d: Exact): boolean {
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
    if (exactSide(p, q, r) !== 0) return false;
    const dot = (r[0] - p[0]) * (q[0] - p[0]) + (r[1] - p[1]) * (q[1] - p[1]);
    const length = (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
    return dot >= 0n && dot <= length;
  };
  return on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b);
}

/** Positions made to be nearly, or exactly, collinear. */
function adversarial(random: Random): Point[] {
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

describe("predicates", () => {
  it(`orient2d and segmentsIntersect agree with integers on ${COUNT} adversarial cases (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    let met = 0;
    for (let i = 0; i < COUNT; i++) {
      const [a, b, c, d] = adversarial(random) as [Point, Point, Point, Point];
      const [ea, eb, ec, ed] = [a, b, c, d].map((p) => [integer(p[0]), integer(p[1])] as const) as [
        Exact,
        Exact,
        Exact,
        Exact,
      ];
      const side = Math.sign(orient2d(a[0], a[1], b[0], b[1], c[0], c[1]));
      if (side !== exactSide(ea, eb, ec))
        expect.fail(`orient2d of ${JSON.stringify([a, b, c])} gave ${side}`);
      const found = segmentsIntersect(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]);
      if (found !== exactIntersect(ea, eb, ec, ed))
        expect.fail(`segmentsIntersect of ${JSON.stringify([a, b, c, d])} gave ${found}`);
      if (found) met++;
    }
    expect(met).toBeGreaterThan(COUNT / 5);
    expect(met).toBeLessThan((COUNT * 9) / 10);
  });

  it("segmentsIntersect takes single positions and touching ends", () => {
    expect(segmentsIntersect(0, 0, 0, 0, 0, 0, 0, 0)).toBe(true);
    expect(segmentsIntersect(0, 0, 0, 0, 1, 0, 1, 0)).toBe(false);
    expect(segmentsIntersect(1, 1, 1, 1, 0, 0, 2, 2)).toBe(true);
    expect(segmentsIntersect(0, 0, 1, 0, 1, 0, 2, 5)).toBe(true);
    expect(segmentsIntersect(0, 0, 1, 0, 1 + 2 ** -52, 0, 2, 0)).toBe(false);
  });

  it("pointInRing tells the boundary from both sides of it, holes in the walk and repeated positions included", () => {
    const square = Float64Array.of(0, 0, 4, 0, 4, 0, 4, 4, 2, 2, 0, 4, 0, 0);
    const at = (x: number, y: number): string => pointInRing(x, y, square, 0, 7);
    expect(at(2, 1)).toBe("inside");
    expect(at(2, 2)).toBe("boundary");
    expect(at(2, 2 + 2 ** -51)).toBe("outside");
    expect(at(2, 2 - 2 ** -52)).toBe("inside");
    expect(at(2, 2.1)).toBe("outside");
    expect(at(0, 0)).toBe("boundary");
    expect(at(3, 0)).toBe("boundary");
    expect(at(4, 4)).toBe("boundary");
    expect(at(5, 0)).toBe("outside");
    expect(at(-1, 0)).toBe("outside");
    expect(at(3, 3)).toBe("boundary");
    expect(at(3, 3 + 2 ** -51)).toBe("outside");
    expect(at(3, 3 - 2 ** -51)).toBe("inside");
    expect(at(3.5, 3)).toBe("inside");
    expect(at(1, 4)).toBe("outside");
  });

  it(`pointInRing agrees with a winding number in integers on grid rings (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let trial = 0; trial < 400; trial++) {
      // A star about the middle of a small grid: many vertices on the point's own row and column.
      const n = 3 + random.integer(9);
      const turns = Array.from({ length: n }, () => random.next()).sort((p, q) => p - q);
      const xy: number[] = [];
      for (const t of turns) {
        const r = 1 + random.integer(5);
        xy.push(Math.round(r * Math.cos(t * 6.283)), Math.round(r * Math.sin(t * 6.283)));
      }
      xy.push(xy[0]!, xy[1]!);
      const ring = Float64Array.from(xy);
      for (let x = -6; x <= 6; x++) {
        for (let y = -6; y <= 6; y++) {
          let boundary = false;
          let crossings = 0;
          for (let i = 0; i < n; i++) {
            const [ax, ay, bx, by] = [ring[2 * i]!, ring[2 * i + 1]!, ring[2 * i + 2]!, ring[2 * i + 3]!];
            const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            if (cross === 0 && (x - ax) * (x - bx) <= 0 && (y - ay) * (y - by) <= 0) boundary = true;
            // A ray of irrational slope meets no grid point but its start.
            const q = (px: number, py: number): number => py - y - (px - x) * 0.0012345678912;
            if (q(ax, ay) > 0 !== q(bx, by) > 0) {
              const t = q(ax, ay) / (q(ax, ay) - q(bx, by));
              if (ax + t * (bx - ax) > x) crossings++;
            }
          }
          const expected = boundary ? "boundary" : crossings % 2 === 1 ? "inside" : "outside";
          expect(pointInRing(x, y, ring, 0, n + 1), JSON.stringify({ xy, x, y })).toBe(expected);
        }
      }
    }
  });
});
