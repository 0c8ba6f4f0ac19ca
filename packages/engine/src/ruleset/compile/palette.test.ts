import { describe, expect, it } from "vitest";
import { findLeastDifference, SIGHTS, toSeenOklab } from "../../../test/sight.ts";
import { computeContrast } from "../lint/contrast.ts";
import { DARK_BACKGROUND, palette } from "./palette.ts";

const check = (id: string, color?: string) => ({
  id,
  set: "s",
  outcome: "WARNING" as const,
  ...(color !== undefined && { color }),
});
const many = (count: number) => Array.from({ length: count }, (_, i) => check(`c${i}`));

describe("palette", () => {
  const { outcomes, checks } = palette({ checks: many(8) });

  it("distinguishes any two outcomes and any two of eight checks, however colours are seen", () => {
    for (const sight of Object.keys(SIGHTS)) {
      expect(findLeastDifference(Object.values(outcomes), sight), sight).toBeGreaterThanOrEqual(0.15);
      expect(findLeastDifference(Object.values(checks), sight), sight).toBeGreaterThanOrEqual(0.11);
    }
  });

  it("has a contrast of 3:1 on white and on dark", () => {
    for (const color of [...Object.values(outcomes), ...Object.values(checks)]) {
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      expect(computeContrast(color, "#ffffff"), color).toBeGreaterThanOrEqual(3);
      expect(computeContrast(color, DARK_BACKGROUND), color).toBeGreaterThanOrEqual(3);
    }
  });

  it("takes a check's own colour and gives it to no other", () => {
    const first = checks.c0!;
    const own = palette({ checks: [check("a"), check("b", first.toUpperCase()), check("__proto__")] }).checks;
    expect(own.b).toBe(first);
    expect(own.a).not.toBe(first);
    expect(Object.keys(own)).toEqual(["a", "b", "__proto__"]);
  });

  it("has a colour for every check there may be", () => {
    const all = palette({ checks: many(128) }).checks;
    expect(Object.keys(all)).toHaveLength(128);
    expect(new Set(Object.values(all)).size).toBe(8);
    const taken = palette({
      checks: [...Object.values(checks).map((color, i) => check(`o${i}`, color)), check("x")],
    });
    expect(taken.checks.x).toMatch(/^#[0-9a-f]{6}$/);
  });
});

it("contrast is WCAG's: 21 of black on white, 4.48 of #777777, 1 of a colour on itself", () => {
  expect(computeContrast("#000000", "#ffffff")).toBeCloseTo(21, 10);
  expect(computeContrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(computeContrast("#ff0000", "#ffffff")).toBeCloseTo(4, 2);
  expect(computeContrast("#abcdef", "#abcdef")).toBe(1);
});

it("the simulations leave greys as they are, and darken red for protanopes", () => {
  for (const matrix of Object.values(SIGHTS)) {
    for (const row of matrix) expect(row.reduce((sum, x) => sum + x)).toBeCloseTo(1, 5);
  }
  expect(toSeenOklab("#ff0000", "protanopia")[0]!).toBeLessThan(
    toSeenOklab("#ff0000", "deuteranopia")[0]! - 0.1,
  );
});
