import { createSeededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { checkFactSoundness } from "./fact-soundness.ts";
import { randomQuestions } from "./random-rulesets.ts";
import { checkFillingSoundness, createEngineEvaluator, isAtLeast } from "./soundness.ts";

const SEED = 1;
const VERDICTS = process.env.GROUNDRULE_FULL === undefined ? 60 : 1_000;
const RASTER_VERDICTS = process.env.GROUNDRULE_FULL === undefined ? 40 : 800;
const FACT_QUESTIONS = process.env.GROUNDRULE_FULL === undefined ? 14 : 200;

it(`decides nothing that ${VERDICTS} random verdicts (seed ${SEED}) could not know, however the unknown is filled`, () => {
  const { contradictions, ...counts } = checkFillingSoundness(
    randomQuestions(SEED),
    { verdicts: VERDICTS, fillings: 3 },
    createEngineEvaluator(),
  );
  expect(contradictions[0]).toBeUndefined();
  expect(counts.openVerdicts).toBeGreaterThan(VERDICTS / 3);
  expect(counts.decidedChecks).toBeGreaterThan(VERDICTS / 2);
  expect(counts.added).toBeGreaterThan(VERDICTS);
  expect(counts.removed).toBeGreaterThan(VERDICTS / 20);
  // Fillings that change nothing would prove nothing.
  expect(counts.trulyOpen).toBeGreaterThan(counts.openChecks / 5);
});

it(`decides nothing of rasters that ${RASTER_VERDICTS} random verdicts (seed ${SEED}) could not know, whatever unexamined cells hold`, () => {
  const { contradictions, ...counts } = checkFillingSoundness(
    randomQuestions(SEED, "rasters"),
    { verdicts: RASTER_VERDICTS, fillings: 3 },
    createEngineEvaluator(),
  );
  expect(contradictions[0]).toBeUndefined();
  expect(counts.cells).toBeGreaterThan(20 * RASTER_VERDICTS);
  expect(counts.decidedChecks).toBeGreaterThan(RASTER_VERDICTS / 2);
  expect(counts.trulyOpen).toBeGreaterThan(counts.openChecks / 5);
});

it(`keeps what ${FACT_QUESTIONS} random verdicts say of facts, whatever else is declared (seed ${SEED})`, () => {
  const { faults, ...counts } = checkFactSoundness(randomQuestions(SEED, "facts"), FACT_QUESTIONS, 3);
  // No value of an absent fact decides otherwise what is decided, and no fact left out ends a check; each entry of
  // `resolve_by` suffices at all of its ends, needs all of its facts, and names each value that ends a check alone.
  expect(faults[0]).toBeUndefined();
  expect(counts.questions).toBe(FACT_QUESTIONS);
  for (const count of ["decided", "open", "entries", "removals"] as const)
    expect(counts[count]).toBeGreaterThan(FACT_QUESTIONS / 10);
  expect(counts.jointEntries).toBeGreaterThan(0);
  expect(counts.witnesses).toBeGreaterThan(FACT_QUESTIONS);
  expect(counts.endings).toBeGreaterThan(FACT_QUESTIONS);
  expect(counts.missed).toBeLessThan(counts.endings / 50);
});

it("is never better than at_least once the failed sources answer after all", () => {
  const evaluatePromise = createEngineEvaluator();
  let tried = 0;
  for (const question of randomQuestions(SEED)) {
    if (tried === VERDICTS) break;
    const promise = evaluatePromise(question);
    if (promise?.verdict !== "DEGRADED") continue;
    tried++;
    expect(isAtLeast(question, promise, createSeededRandom(tried)), JSON.stringify(question)).toBe(true);
  }
});
