import { expect, it } from "vitest";
import { compareCellShares } from "../../../test/far-parts.ts";

const PLOTS = process.env.GROUNDRULE_FULL === undefined ? 15_000 : 100_000;

it(`has of ${PLOTS} plots, most of far parts, the exact share of each cell, but for rounding`, () => {
  const { worst, worstSum } = compareCellShares(1, PLOTS);
  expect(worst).toBeLessThan(0.25);
  expect(worstSum).toBeLessThan(0.25);
});
