import { expect, it } from "vitest";
import { compareCellShares } from "../../../test/far-parts.ts";

const SEED = 20_261_128;
const PLOTS = 1_500;

it(`has of ${PLOTS} plots, most of far parts, the exact share of each cell, but for rounding (seed ${SEED})`, () => {
  const { worst, worstSum, cells, shared, apart } = compareCellShares(SEED, PLOTS);
  // A cell that shares nothing never comes above what is taken for rounding; one far above it is never left out.
  expect(worst).toBeLessThan(0.25);
  expect(worstSum).toBeLessThan(0.25);
  expect(cells).toBeGreaterThan(30 * PLOTS);
  expect(shared).toBeGreaterThan(5 * PLOTS);
  expect(apart).toBeGreaterThan(5 * PLOTS);
});
