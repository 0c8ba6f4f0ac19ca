import { LocalProblem } from "../src/here/local-answers.ts";

function noBorders(): never {
  throw new Error("nobody names a country here");
}

/** A page in which no plot names a country. */
export const HOST = {
  engineVersion: "0.2.0",
  borders: noBorders,
  territoryOf: noBorders,
  countriesAt: noBorders,
};

/** Why a question has no answer; undefined where it has one. */
export function problemOf(ask: () => unknown): LocalProblem["problem"] | undefined {
  try {
    ask();
  } catch (error) {
    if (error instanceof LocalProblem) return error.problem;
    throw error;
  }
  return undefined;
}
