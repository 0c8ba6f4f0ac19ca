import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../base/work-meter.ts";
import { compareCrossingPoint, crossingLowerBound } from "./crossing-order.ts";

const unlimited = new WorkMeter(Number.POSITIVE_INFINITY);

type Eight = [number, number, number, number, number, number, number, number];

/** The crossing of two segments of integers as fractions: x / d and y / d, d positive. */
function computeCrossing(xy: Float64Array): { x: number; y: number; d: number } | undefined {
  const [ax, ay, bx, by, cx, cy, dx, dy] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => xy[k]!) as Eight;
  const a = (cx - ax) * (dy - ay) - (cy - ay) * (dx - ax);
  const b = (cx - bx) * (dy - by) - (cy - by) * (dx - bx);
  const c = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
  const d = (ax - dx) * (by - dy) - (ay - dy) * (bx - dx);
  if (a * b >= 0 || c * d >= 0) return undefined;
  const sign = a > b ? 1 : -1;
  return { x: sign * (bx * a - ax * b), y: sign * (by * a - ay * b), d: sign * (a - b) };
}

describe("compareCrossingPoint", () => {
  it("orders crossings and positions as fractions of integers do, 20,000 times", () => {
    const random = createSeededRandom(5);
    const counts = new Map<number, number>();
    for (let run = 0; run < 20_000; ) {
      const xy = Float64Array.from({ length: 8 }, () => random.integer(7));
      const crossing = computeCrossing(xy);
      if (crossing === undefined) continue;
      run++;
      const { x, y, d } = crossing;
      const px = random.next() < 0.5 ? Math.round(x / d) : random.integer(7);
      const py = random.next() < 0.5 ? Math.round(y / d) : random.integer(7);
      const expected = Math.sign(x - px * d) || Math.sign(y - py * d);
      expect(Math.sign(compareCrossingPoint(xy, 0, 1, px, py, unlimited))).toBe(expected);
      counts.set(expected, (counts.get(expected) ?? 0) + 1);
    }
    expect([...counts.values()].every((count) => count > 100)).toBe(true);
  });

  it("distinguishes a crossing from the neighbouring doubles where segments all but coincide", () => {
    // Along y = 0, and across it at x = 1 by less than any product of doubles can tell.
    const xy = Float64Array.from([0, 0, 3, 0, 0, -(2 ** -1000), 3, 2 ** -999]);
    expect(compareCrossingPoint(xy, 0, 1, 1, 0, unlimited)).toBe(0);
    expect(compareCrossingPoint(xy, 0, 1, 1 - 2 ** -53, 0, unlimited)).toBeGreaterThan(0);
    expect(compareCrossingPoint(xy, 0, 1, 1 + 2 ** -52, 0, unlimited)).toBeLessThan(0);
    expect(compareCrossingPoint(xy, 0, 1, 1, -(2 ** -1074), unlimited)).toBeGreaterThan(0);
  });
});

describe("crossingLowerBound", () => {
  it("lies below the crossing, and by little, also where segments all but coincide", () => {
    const random = createSeededRandom(6);
    for (let run = 0; run < 5000; ) {
      const xy = Float64Array.from({ length: 8 }, () => random.integer(9) - 4);
      const flatness = 2 ** -random.integer(900);
      for (const k of [1, 3, 5, 7]) xy[k]! *= flatness;
      const crossing = computeCrossing(Float64Array.from(xy, (v, k) => (k % 2 === 0 ? v : v / flatness)));
      if (crossing === undefined) continue;
      run++;
      const bound = crossingLowerBound(xy, 0, 1, 0, unlimited);
      expect(bound).toBeLessThanOrEqual(crossing.x / crossing.d);
      expect(bound).toBeGreaterThan(crossing.x / crossing.d - 1e-11);
    }
  });
});
