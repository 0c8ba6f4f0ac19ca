import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { exactSum } from "./exact-sum.ts";

describe("exactSum", () => {
  it("loses nothing to large numbers that cancel", () => {
    expect(exactSum([1e100, 1, -1e100])).toBe(1);
    expect(exactSum([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52);
    expect(exactSum([1, 2 ** -53, -(2 ** -106)])).toBe(1);
    expect(exactSum([])).toBe(0);
    expect(exactSum([0.1, 0.2, -0.3])).toBe(2.7755575615628914e-17);
  });

  it("stays finite", () => {
    expect(exactSum([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
    expect(exactSum([-Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(-Number.MAX_VALUE);
  });

  it("is the sum of whole numbers of 2^-60, rounded once, in any order (seed 7)", () => {
    const random = createSeededRandom(7);
    for (let i = 0; i < 5000; i++) {
      const values = Array.from({ length: 1 + random.integer(12) }, () => {
        const size = 2 ** (random.integer(100) - 50);
        return Math.trunc(random.between(-1, 1) * size * 2 ** 58) / 2 ** 58;
      });
      const exact = values.reduce((sum, value) => sum + BigInt(value * 2 ** 60), 0n);
      expect(exactSum(values)).toBe(Number(exact) / 2 ** 60);
      expect(exactSum(values.toReversed())).toBe(exactSum(values));
    }
  });
});
