import { expect, it } from "vitest";
import { compareEvaluators } from "./differential.ts";

const SEED = 1;
const CASES = 1000;

it(`answers ${CASES} random cases (seed ${SEED}) as the page has it, by an evaluator written from the page alone`, () => {
  const { disagreements, unsound, misled, ...counts } = compareEvaluators(SEED, CASES);
  expect(disagreements[0]).toBeUndefined();
  // What a degraded verdict calls decided stays so whatever the failed sources turn out to hold.
  expect(unsound[0]).toBeUndefined();
  // A check of which lint says that it never or always triggers never or always does.
  expect(misled[0]).toBeUndefined();
  expect(counts.cases).toBe(CASES);
  expect(counts.refused).toBeGreaterThan(CASES / 20);
  expect(counts.degraded).toBeGreaterThan(CASES / 4);
  expect(counts.certain).toBeGreaterThan(CASES / 10);
  expect(counts.open).toBeGreaterThan(CASES / 10);
});
