import { expect, it } from "vitest";
import { provokeEachProblem } from "../../../test/provoke-problems.ts";
import { PROBLEM_EXAMPLES } from "./problem-examples.ts";

it("has of each code what the service answers for the first operation that tells of it", async () => {
  const provoked = await provokeEachProblem();
  expect(provoked.length).toBe(Object.keys(PROBLEM_EXAMPLES).length);
  for (const { operation, code, problem } of provoked) {
    const example = PROBLEM_EXAMPLES[code]!.find(({ operations }) => operations.includes(operation));
    expect(example?.problem, `${operation} ${code}`).toEqual(problem);
  }
});
