import { describe, expect, it } from "vitest";
import { computeContrast } from "../../engine/src/ruleset/lint/contrast.ts";
import { findLeastDifference, SIGHTS } from "../../engine/test/sight.ts";
import { VERDICT_COLORS } from "./verdict-colors.ts";

describe.each([
  ["light", ["#ffffff", "#f7f7f4", "#faf9f6"]],
  ["dark", ["#121212", "#121513", "#1a1e1c", "#222725", "#20262b"]],
] as const)("the colours of verdicts on %s grounds", (ground, grounds) => {
  const { text, marks } = VERDICT_COLORS[ground];

  it("are distinguished however colours are seen", () => {
    for (const sight of Object.keys(SIGHTS)) {
      expect(findLeastDifference(Object.values(marks), sight), sight).toBeGreaterThanOrEqual(0.13);
    }
  });

  it("have a contrast of 4.5:1 as words and of 3:1 as marks, on page, map and report", () => {
    for (const behind of grounds) {
      for (const color of Object.values(text))
        expect(computeContrast(color, behind), color).toBeGreaterThanOrEqual(4.5);
      for (const color of Object.values(marks))
        expect(computeContrast(color, behind), color).toBeGreaterThanOrEqual(3);
    }
  });
});
