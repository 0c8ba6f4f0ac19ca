import { expect, it } from "vitest";
import { compareEvaluators } from "./differential.ts";

const SEED = 10_000;
const CASES = process.env.GROUNDRULE_FULL === undefined ? 400 : 5_000;

it.each(["plain", "facts"] as const)(
  `answers ${CASES} random cases (%s, seed ${SEED}) as an evaluator written from the page alone`,
  (kind) => {
    const { disagreements, unsound, misled, cases } = compareEvaluators(SEED, CASES, kind);
    expect([disagreements[0], unsound[0], misled[0]]).toEqual([undefined, undefined, undefined]);
    expect(cases).toBe(CASES);
  },
);
