import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundAttributeNumber, roundMeters, roundRatio, roundSquareMeters } from "./rounding.ts";

/** A double as an exact fraction: numerator over a power of two. */
function toExactFraction(value: number): { numerator: bigint; shift: bigint } {
  let shift = 0n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  return { numerator: BigInt(scaled), shift };
}

/** The nearest multiple of 10^-digits by whole-number arithmetic, the greater of two equally near. */
function roundExactly(value: number, digits: number): number {
  const { numerator, shift } = toExactFraction(value);
  const doubled = 2n * numerator * 10n ** BigInt(digits) + (1n << shift);
  const units = doubled / (1n << (shift + 1n));
  const text = units.toString().padStart(digits + 1, "0");
  return Number(`${text.slice(0, text.length - digits)}.${text.slice(text.length - digits)}`);
}

const seed = 20262;
const nonNegative = (max: number) =>
  fc.oneof(
    fc.double({ min: 0, max, noNaN: true }),
    fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1024), // exact ties among them
    fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1000 + 0.0005),
  );

describe("printed values", () => {
  it.each([
    ["areas", roundSquareMeters, 2, 9_999_999_999],
    ["distances", roundMeters, 3, 20_004_000],
    ["ratios", roundRatio, 9, 1e6],
  ] as const)("of %s are the nearest decimal of the exact double", (_, print, digits, max) => {
    fc.assert(
      fc.property(nonNegative(max), (value) => {
        expect(print(value)).toBe(roundExactly(value, digits));
      }),
      { seed, numRuns: 500 },
    );
  });

  it.each([
    ["areas", roundSquareMeters],
    ["distances", roundMeters],
    ["ratios", roundRatio],
    ["numbers", roundAttributeNumber],
  ] as const)("of %s are idempotent and monotone at every magnitude", (_, print) => {
    const magnitude = fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(magnitude, nonNegative(1e17)), fc.oneof(magnitude, nonNegative(1e17)), (a, b) => {
        expect(print(print(a))).toBe(print(a));
        if (a <= b) expect(print(a)).toBeLessThanOrEqual(print(b));
      }),
      { seed, numRuns: 500 },
    );
  });

  it("resolve exact ties upward and near ties by the double's exact value", () => {
    expect(roundSquareMeters(0.125)).toBe(0.13);
    expect(roundSquareMeters(0.375)).toBe(0.38);
    expect(roundSquareMeters(1.005)).toBe(1); // the double nearest 1.005 lies below it
    expect(roundMeters(0.0625)).toBe(0.063);
  });

  it("keep 12 significant digits of areas where a hundredth is finer", () => {
    expect(roundSquareMeters(123_456_789_012.345)).toBe(123_456_789_012);
    expect(roundSquareMeters(1_234_567_890_123.4)).toBe(1_234_567_890_120);
    expect(roundSquareMeters(9_999_999_999.994)).toBe(9_999_999_999.99);
  });

  it("print 0.1 + 0.2 as 0.3 and never a negative zero", () => {
    expect(roundAttributeNumber(0.1 + 0.2)).toBe(0.3);
    expect(roundAttributeNumber(-0)).toBe(0);
    expect(roundAttributeNumber(-2.5)).toBe(-2.5);
  });
});
