import { LocalProblem } from "../src/here/local-answers.ts";

function throwNoBorders(): never {
  throw new Error("nobody names a country here");
}

/** A page in which no plot names a country. */
export const HOST = {
  engineVersion: "0.2.0",
  borders: throwNoBorders,
  territoryOf: throwNoBorders,
  countriesAt: throwNoBorders,
};

/** The problem of a failed question; undefined if it has an answer. */
export function catchLocalProblem(ask: () => unknown): LocalProblem["problem"] | undefined {
  try {
    ask();
  } catch (error) {
    if (error instanceof LocalProblem) return error.problem;
    throw error;
  }
  return undefined;
}
