import { expect, it } from "vitest";
import { checkFactSoundness } from "./fact-soundness.ts";
import { randomQuestions } from "./random-rulesets.ts";
import { checkFillingSoundness, createEngineEvaluator } from "./soundness.ts";

const SEED = 10_000;
const VERDICTS = process.env.GROUNDRULE_FULL === undefined ? 240 : 1_000;

it(`decides nothing that ${VERDICTS} random verdicts (seed ${SEED}) could not know, however the unknown is filled`, () => {
  const counts = { verdicts: VERDICTS, fillings: 4 };
  const { contradictions, verdicts } = checkFillingSoundness(
    randomQuestions(SEED),
    counts,
    createEngineEvaluator(),
  );
  expect(contradictions[0]).toBeUndefined();
  expect(verdicts).toBe(VERDICTS);
});

it(`decides nothing of rasters that ${VERDICTS} random verdicts (seed ${SEED}) could not know, whatever unexamined cells hold`, () => {
  const counts = { verdicts: VERDICTS, fillings: 4 };
  const { contradictions, verdicts } = checkFillingSoundness(
    randomQuestions(SEED, "rasters"),
    counts,
    createEngineEvaluator(),
  );
  expect(contradictions[0]).toBeUndefined();
  expect(verdicts).toBe(VERDICTS);
});

it("keeps what random verdicts state of facts, whatever else is declared", () => {
  const { faults } = checkFactSoundness(randomQuestions(SEED, "facts"), VERDICTS / 4, 4);
  expect(faults[0]).toBeUndefined();
});
