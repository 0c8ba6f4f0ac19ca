import { seededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { randomQuestions } from "./random-rulesets.ts";
import { fillVerdicts, isAtLeast, promiseOfEngine } from "./soundness.ts";

const SEED = 1;
const VERDICTS = 100;

it(`decides nothing that ${VERDICTS} random verdicts (seed ${SEED}) could not know, however the unknown is filled`, () => {
  const { contradictions, ...counts } = fillVerdicts(
    randomQuestions(SEED),
    { verdicts: VERDICTS, fillings: 3 },
    promiseOfEngine(),
  );
  expect(contradictions[0]).toBeUndefined();
  expect(counts.openVerdicts).toBeGreaterThan(VERDICTS / 3);
  expect(counts.decidedChecks).toBeGreaterThan(VERDICTS / 2);
  expect(counts.added).toBeGreaterThan(VERDICTS);
  expect(counts.removed).toBeGreaterThan(VERDICTS / 20);
  // Fillings that change nothing would prove nothing.
  expect(counts.trulyOpen).toBeGreaterThan(counts.openChecks / 5);
});

it("is never better than at_least once the failed sources answer after all", () => {
  const promiseOf = promiseOfEngine();
  let tried = 0;
  for (const question of randomQuestions(SEED)) {
    if (tried === VERDICTS) break;
    const promise = promiseOf(question);
    if (promise?.verdict !== "DEGRADED") continue;
    tried++;
    expect(isAtLeast(question, promise, seededRandom(tried)), JSON.stringify(question)).toBe(true);
  }
});
