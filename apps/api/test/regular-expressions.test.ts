import { describe, expect, it } from "vitest";
import {
  adversarialTexts,
  attackExpressions,
  expressionsIn,
  expressionsInSources,
  timed,
} from "./regular-expressions.ts";
import { seedOr } from "./seed.ts";

describe("T-42: the regular expressions of the sources", () => {
  it("take time in proportion to a text of 100 kB that all but matches", async () => {
    // A quadratic one takes seconds; beside other tests a linear one may take some milliseconds.
    expect(expressionsInSources().length).toBeGreaterThan(50);
    // A slice: `regular-expressions.long.test.ts` attacks them all.
    await attackExpressions(200, { pairs: false, isAttacked: (no) => no % 16 === seedOr(42) % 16 });
  });
});

describe("the scan for regular expressions", () => {
  it("tells them from divisions, comments, texts and templates", () => {
    const source = `
      const a = b / c / d; // /not this/
      const e = "/nor this/", f = /one[/]\\/x/gi, g = \`/nor \${h.replace(/two/, "}")} that/\`;
      if (x) return /three/.test(y[0] / 2);`;
    expect(expressionsIn(source).map(({ pattern, flags }) => `${pattern} ${flags}`)).toEqual([
      "one[/]\\/x gi",
      "two ",
      "three ",
    ]);
  });

  it.each(["^(a+)+$", "^\\d+\\.?\\d*$", "x*y*x*z"])("finds that /%s/ is slow", (pattern) => {
    expect([...adversarialTexts(pattern, false)].some((text) => timed(pattern, "", text) > 200)).toBe(true);
  });
});
