import { describe, expect, it } from "vitest";
import { formatRuleset } from "../src/ruleset/compile/format-ruleset.ts";
import { compareEvaluators, evaluateComparably } from "./differential.ts";
import { evaluateNaively } from "./naive-evaluator.ts";
import { readPageExamples } from "./page-examples.ts";
import { buildSourceTable, type CaseFile, readCaseFiles } from "./ruleset-cases.ts";

const SEED = 4;
const CASES = process.env.GROUNDRULE_FULL === undefined ? 300 : 20_000;
const FACT_CASES = process.env.GROUNDRULE_FULL === undefined ? 100 : 5_000;
const RASTER_CASES = process.env.GROUNDRULE_FULL === undefined ? 200 : 20_000;

it(`answers ${CASES} random cases (seed ${SEED}) as the page has it, by an evaluator written from the page alone`, () => {
  const { disagreements, unsound, misled, ...counts } = compareEvaluators(SEED, CASES);
  expect(disagreements[0]).toBeUndefined();
  // A check that a degraded verdict reports as decided stays so, whatever the failed sources turn out to hold.
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

it("answers random cases that mix rasters, on common grids and others, with areas of rings", () => {
  const { disagreements, unsound, misled, ...counts } = compareEvaluators(SEED, RASTER_CASES, "rasters");
  expect(disagreements[0]).toBeUndefined();
  expect(unsound[0]).toBeUndefined();
  expect(misled[0]).toBeUndefined();
  expect(counts.cases).toBe(RASTER_CASES);
  expect(counts.decided).toBeGreaterThan(RASTER_CASES / 10);
  expect(counts.uncovered.land).toBeGreaterThan(RASTER_CASES / 10);
});

it("answers random cases with declared facts, absent ones, and a property around the plot", () => {
  const { disagreements, unsound, misled, ...counts } = compareEvaluators(SEED, FACT_CASES, "facts");
  expect(disagreements[0]).toBeUndefined();
  expect(unsound[0]).toBeUndefined();
  expect(misled[0]).toBeUndefined();
  expect(counts.cases).toBe(FACT_CASES);
  for (const kind of [
    "ok",
    "triggered",
    "failed",
    "not_covered",
    "not_declared",
    "area that waits for a fact",
  ])
    expect(counts.kinds[kind], kind).toBeGreaterThan(FACT_CASES / 20);
  for (const kind of ["boolean =", "number >=", "date <", "text <>", "document valid", "document not_valid"])
    expect(counts.kinds[kind], kind).toBeGreaterThan(0);
  for (const kind of ["property", "property untold", "where date", "measure against fact times"])
    expect(counts.kinds[kind], kind).toBeGreaterThan(0);
});

describe.each(readCaseFiles())("$about", (file) => {
  it("is what the evaluator written from the page answers too", () => {
    for (const { failed = [], ruleset: rulesetInput, expect: expected, ...one } of file.cases) {
      if ("error" in expected || !hasWholeCells(file, one.input.boxes)) continue;
      const unformatted = (
        typeof rulesetInput === "string" ? readPageExamples().get(rulesetInput) : rulesetInput
      ) as object;
      const ruleset = formatRuleset(unformatted, { as: "json" });
      const question = { world: file, failed, ...one, ruleset };
      expect(evaluateComparably(buildSourceTable(file, failed), question), one.name).toEqual(
        evaluateNaively(question),
      );
    }
  });
});

/** The naive evaluator counts cells a thousandth of a degree wide. */
function hasWholeCells({ sources }: CaseFile, plot: readonly (readonly number[])[] = []): boolean {
  const areas = Object.values(sources).flatMap(({ areas: own = [] }) => own.flatMap(({ boxes }) => boxes));
  return [...areas, ...plot].flat().every(Number.isInteger);
}
