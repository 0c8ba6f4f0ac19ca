import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import * as exact from "../../../test/fixed-point.ts";
import { asin, atan2, cos, cosDegrees, sin, sinDegrees } from "./elementary.ts";

const SEED = 20261120;
const COUNT = Number(process.env.GROUNDRULE_FULL ? 20000 : 1500);

/** The greatest error in ulps of `f` against `oracle` on `COUNT` seeded arguments. */
function findWorstError(
  f: (x: number) => number,
  oracle: (x: bigint) => bigint,
  draw: (random: Random) => number,
): { ulps: number; at: number } {
  const random = createSeededRandom(SEED);
  let result = { ulps: 0, at: 0 };
  for (let i = 0; i < COUNT; i++) {
    const x = draw(random);
    const error = exact.countUlps(f(x), oracle(exact.toFixedPoint(x)));
    if (!(error <= result.ulps)) result = { ulps: error, at: x };
  }
  return result;
}

type Case = [
  name: string,
  f: (x: number) => number,
  oracle: (x: bigint) => bigint,
  draw: (random: Random) => number,
  bound: number,
];

const anyScale = (random: Random): number => (random.next() < 0.5 ? -1 : 1) * 2 ** random.between(-80, 80);
const nearQuarters = (random: Random): number =>
  (random.integer(2000) - 1000) * (Math.PI / 2) + random.between(-1, 1) * 1e-12;
const ofDegrees = (oracle: (x: bigint) => bigint) => (x: bigint) =>
  oracle((x * exact.PI) / (180n * exact.ONE));
const cases: Case[] = [
  ["sin on ±π/4", sin, exact.sin, (r) => r.between(-0.7854, 0.7854), 0.8],
  ["sin on ±10", sin, exact.sin, (r) => r.between(-10, 10), 0.8],
  ["sin on ±1e5", sin, exact.sin, (r) => r.between(-1e5, 1e5), 0.8],
  ["sin near multiples of π/2", sin, exact.sin, nearQuarters, 0.8],
  ["sin of small angles", sin, exact.sin, (r) => 2 ** r.between(-80, -1), 0.8],
  ["sinDegrees", sinDegrees, ofDegrees(exact.sin), (r) => r.between(-180, 180), 2],
  ["sinDegrees near ±180", sinDegrees, ofDegrees(exact.sin), (r) => 180 - 2 ** r.between(-40, 0), 2],
  ["cosDegrees", cosDegrees, ofDegrees(exact.cos), (r) => r.between(-180, 180), 2],
  ["cosDegrees near the poles", cosDegrees, ofDegrees(exact.cos), (r) => 90 - 2 ** r.between(-40, 0), 2],
  ["cos on ±π/4", cos, exact.cos, (r) => r.between(-0.7854, 0.7854), 0.8],
  ["cos on ±10", cos, exact.cos, (r) => r.between(-10, 10), 0.8],
  ["cos on ±1e5", cos, exact.cos, (r) => r.between(-1e5, 1e5), 0.8],
  ["cos near multiples of π/2", cos, exact.cos, nearQuarters, 0.8],
  ["atan2 of y and 1, y on ±4", (y) => atan2(y, 1), exact.atan, (r) => r.between(-4, 4), 0.9],
  ["atan2 of y and 1 on any scale", (y) => atan2(y, 1), exact.atan, anyScale, 0.9],
  ["asin on ±1", asin, exact.asin, (r) => r.between(-1, 1), 0.8],
  ["asin near ±1", asin, exact.asin, (r) => 1 - 2 ** r.between(-52, -3), 0.8],
  ["asin of small sines", asin, exact.asin, (r) => 2 ** r.between(-60, -1), 0.8],
];

describe("elementary functions", () => {
  for (const [name, f, oracle, draw, bound] of cases) {
    it(`${name} stay within ${bound} ulp of 256-bit arithmetic (seed ${SEED})`, () => {
      const found = findWorstError(f, oracle, draw);
      if (process.env.GROUNDRULE_FULL) console.log(name, found);
      expect(found.ulps, `at ${found.at}`).toBeLessThan(bound);
    });
  }

  it(`atan2 stays within 0.9 ulp in all quadrants and scales (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    let most = 0;
    for (let i = 0; i < COUNT * 2; i++) {
      const scale = 2 ** random.between(-60, 60);
      const y = random.between(-1, 1) * scale;
      const x = random.between(-1, 1) * scale * (random.next() < 0.3 ? 2 ** random.between(-30, 30) : 1);
      const [ye, xe] = [exact.toFixedPoint(y), exact.toFixedPoint(x)];
      const first = exact.atan(exact.div(ye, xe));
      const angle = x > 0 ? first : y > 0 ? first + exact.PI : first - exact.PI;
      most = Math.max(most, exact.countUlps(atan2(y, x), angle));
    }
    if (process.env.GROUNDRULE_FULL) console.log("atan2", most);
    expect(most).toBeLessThan(0.9);
  });

  it("atan2 keeps the signs of zero, and takes infinities and the extremes of the range", () => {
    const values = [0, -0, 1, -1, Infinity, -Infinity, NaN, 5e-324, -5e-324, 1.7e308, -1.7e308, 1e-160];
    for (const y of values) {
      for (const x of values) {
        const [ours, host] = [atan2(y, x), Math.atan2(y, x)];
        expect(Object.is(ours, host) || Math.abs(ours - host) <= 5e-16, `atan2(${y}, ${x}) = ${ours}`).toBe(
          true,
        );
      }
    }
    expect(Object.is(atan2(-0, 1), -0)).toBe(true);
    expect(Object.is(atan2(0, -0), Math.PI)).toBe(true);
    expect(Object.is(atan2(-0, -1), -Math.PI)).toBe(true);
  });

  it("asin and the trigonometric functions take the ends of theirs", () => {
    expect(asin(1)).toBe(Math.PI / 2);
    expect(asin(-1)).toBe(-Math.PI / 2);
    expect(asin(1.1)).toBeNaN();
    expect(sin(0)).toBe(0);
    expect(cos(0)).toBe(1);
    expect(() => sin(1e6)).toThrow("out of range");
    expect(() => cos(NaN)).toThrow("out of range");
  });

  it("give the very bits recorded here", () => {
    const bits = (x: number): string => {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, x);
      return view.getBigUint64(0).toString(16);
    };
    let mixed = 0n;
    const random = createSeededRandom(7);
    for (let i = 0; i < 1000; i++) {
      const x = random.between(-4, 4);
      for (const value of [sin(x), cos(x), atan2(x, 1), asin(x / 4)]) {
        mixed = (mixed * 1099511628211n + BigInt(`0x${bits(value)}`)) & 0xffffffffffffffffn;
      }
    }
    expect(mixed.toString(16)).toBe("b05fad0e6fe8bf40");
  });
});
