import { readFileSync } from "node:fs";
import { VERDICT_COLORS } from "@groundrule/words";
import { describe, expect, it } from "vitest";
import { computeContrast } from "../../../../../packages/engine/src/ruleset/lint/contrast.ts";
import { findLeastDifference } from "../../../../../packages/engine/test/sight.ts";
import { getStatusColours } from "../layers/map-look.ts";
import { SOURCE_COLOURS } from "./source-colours.ts";

const LAND = { light: "#faf9f6", dark: "#20262b" } as const;
const STATES = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED", "NOTICE"] as const;

describe.each(["light", "dark"] as const)("colours on the %s map", (theme) => {
  it("of sources are away from those of plots, and seen on the land", () => {
    const marks: Readonly<Record<string, string>> = getStatusColours(theme === "dark");
    for (const colour of SOURCE_COLOURS[theme]) {
      expect(computeContrast(colour, LAND[theme]), colour).toBeGreaterThanOrEqual(3);
      for (const [state, mark] of Object.entries(marks)) {
        if (state === "NOTICE") continue;
        expect(findLeastDifference([colour, mark], "normal"), `${colour} ${mark}`).toBeGreaterThanOrEqual(
          0.08,
        );
      }
    }
  });

  it("of verdicts are the page's own", () => {
    const tokens = readFileSync(new URL("../../app/tokens.css", import.meta.url), "utf8");
    const token = (name: string): string | undefined => {
      const [, light, dark] =
        new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(tokens) ?? [];
      return theme === "light" ? light : dark;
    };
    for (const state of STATES) {
      const name = state.toLowerCase().replace("_", "-");
      expect(token(name), name).toBe(VERDICT_COLORS[theme].text[state]);
      expect(token(`${name}-mark`) ?? token(name), name).toBe(VERDICT_COLORS[theme].marks[state]);
    }
  });
});
