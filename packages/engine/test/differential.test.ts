import { expect, it } from "vitest";
import { compareEvaluators } from "./differential.ts";

const SEED = 1;
const CASES = 600;

it(`answers ${CASES} random cases (seed ${SEED}) as the page has it, by an evaluator written from the page alone`, () => {
  const { disagreements, unsound, misled, ...counts } = compareEvaluators(SEED, CASES);
  expect(disagreements[0]).toBeUndefined();
  // What a degraded verdict calls decided stays so whatever the failed sources turn out to hold.
  expect(unsound[0]).toBeUndefined();
  // A check of which lint says that it never or always triggers never or always does.
  expect(misled[0]).toBeUndefined();
  expect(counts.cases).toBe(CASES);
  expect(counts.refused).toBeGreaterThan(CASES / 20);
  expect(counts.degraded).toBeGreaterThan(CASES / 10);
  expect(counts.failed).toBeGreaterThan(CASES / 20);
  expect(counts.certain).toBeGreaterThan(CASES / 10);
  // Checks are decided in spite of what is unknown, and are open for every reason there is.
  expect(counts.decided).toBeGreaterThan(CASES / 10);
  for (const kind of ["land", "oldAreas", "whole", "subtracted"] as const)
    expect(counts.uncovered[kind]).toBeGreaterThan(CASES / 50);
  for (const kind of ["surroundings", "oldRegister"] as const)
    expect(counts.uncovered[kind]).toBeGreaterThan(CASES / 400);
  for (const word of ["full", "partial", "none", "undeclared", "overage true", "overage false"])
    expect(counts.words[word]).toBeGreaterThan(CASES / 50);
});
