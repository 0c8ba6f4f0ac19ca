import type { Outcome, VerdictStatus } from "../../verdict/verdict.ts";
import type { Ruleset } from "../parse/schema.ts";

/** Colours to show verdicts and checks in, each `#rrggbb`. */
export interface Palette {
  /** `#rrggbb` of each outcome and verdict. */
  readonly outcomes: Readonly<Record<VerdictStatus | Outcome, string>>;
  /** By check id. */
  readonly checks: Readonly<Record<string, string>>;
}

/** The dark background for which colours are chosen, besides white. */
export const DARK_BACKGROUND = "#121212";

/**
 * Colours of outcomes and of a ruleset's checks.
 *
 * Every colour chosen here has a contrast of at least 3:1 (WCAG 2.2, 1.4.11) on white and on
 * {@link DARK_BACKGROUND}. Any two outcomes are at least 0.15 apart in OKLab, any two of the first
 * eight checks 0.11, for normal sight and for protanopia, deuteranopia and tritanopia as simulated by
 * Machado, Oliveira and Fernandes (IEEE TVCG 15(6), 2009). From the ninth check on colours come again.
 * A check's own `color` is taken as it is, and no other check is given it while one is left.
 */
export function palette({ checks }: Pick<Ruleset, "checks">): Palette {
  const own = new Set(checks.flatMap(({ color }) => color?.toLowerCase() ?? []));
  const free = CHECK_COLORS.filter((color) => !own.has(color));
  const offered = free.length === 0 ? CHECK_COLORS : free;
  const colors: Record<string, string> = Object.create(null);
  let assigned = 0;
  for (const { id, color } of checks) {
    colors[id] = color?.toLowerCase() ?? offered[assigned++ % offered.length]!;
  }
  return { outcomes: OUTCOME_COLORS, checks: colors };
}

const OUTCOME_COLORS: Palette["outcomes"] = Object.freeze({
  COMPLIANT: "#066e76",
  WARNING: "#d0831d",
  NON_COMPLIANT: "#c01906",
  DEGRADED: "#8297a8",
  NOTICE: "#9c12fa",
});

/** In pairs of one hue, dark and light, so that neighbours differ in hue. */
const CHECK_COLORS: readonly string[] = [
  "#3e47f9",
  "#ff5707",
  "#686267",
  "#c658bc",
  "#608aff",
  "#b6340e",
  "#9a927b",
  "#9c2bb0",
];
