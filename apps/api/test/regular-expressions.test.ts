import { describe, expect, it } from "vitest";
import {
  attackExpressions,
  listExpressionsInSources,
  makeAdversarialTexts,
  measureCpuMilliseconds,
} from "./regular-expressions.ts";
import { readSeed } from "./seed.ts";

describe("T-42: the regular expressions of the sources", () => {
  it("take time in proportion to a text of 100 kB that all but matches", async () => {
    // A quadratic one takes seconds; beside other tests a linear one may take some milliseconds.
    expect(listExpressionsInSources().length).toBeGreaterThan(50);
    // A slice: the long tests attack them all.
    await attackExpressions(200, { pairs: false, isAttacked: (no) => no % 40 === readSeed(42) % 40 });
  });
});

describe("the attack on regular expressions", () => {
  it.each(["^(a+)+$", "^\\d+\\.?\\d*$", "x*y*x*z"])("finds that /%s/ is slow", (pattern) => {
    expect(
      [...makeAdversarialTexts(pattern, false, 30_000)].some(
        (text) => measureCpuMilliseconds(pattern, "", text) > 60,
      ),
    ).toBe(true);
  });
});
