import { readFileSync } from "node:fs";
import { buildProblem, ERRORS, type ErrorCode, type Problem } from "@groundrule/contract";

// Refusals of each operation: `npm run tool -- write-openapi-examples` asks the service and writes the answers
// down, and a test asks it again.

/** A problem, and the operations that answer with it. */
export interface ProblemExample {
  readonly operations: readonly string[];
  readonly problem: Problem;
}

/** Stands in examples wherever a service would mint an id. */
export const EXAMPLE_ID = "019ab3f2c8d47d1f9e3c5a6b7c8d9e0f";

/** Problems by code. */
export const PROBLEM_EXAMPLES: Partial<Readonly<Record<ErrorCode, readonly ProblemExample[]>>> = JSON.parse(
  readFileSync(new URL("./problem-examples.json", import.meta.url), "utf8"),
);

/**
 * How a problem of this code looks where an operation answers with it. A few codes cannot be had on demand, and theirs
 * say no more than their title.
 */
export function getProblemExample(operation: string, code: ErrorCode): Problem {
  const found = PROBLEM_EXAMPLES[code]?.find(({ operations }) => operations.includes(operation));
  return found?.problem ?? buildProblem(code, `${ERRORS[code].title}.`, `req_${EXAMPLE_ID}`);
}
