import { EXPECT_EDITION_OPTION } from "../asked-data.ts";
import type { Command } from "../command.ts";
import { STRICT_COVERAGE_OPTION } from "../coverage-option.ts";

export const testCommand: Command = {
  path: "test",
  summary: "Run a policy's tests, and tell which parts of it they exercise",
  operands: "FILE…",
  operandCount: [1, Number.POSITIVE_INFINITY],
  options: [
    { name: "junit", value: "FILE", help: "also write the results as JUnit XML" },
    {
      name: "require-exercised",
      help: "exit with 1 also when some part of a policy was never exercised",
    },
    { name: "now", value: "INSTANT", help: "the instant of cases that name none" },
    STRICT_COVERAGE_OPTION,
    EXPECT_EDITION_OPTION,
  ],
  details: [
    "A FILE is a test file, POLICY.test.yaml beside the ruleset POLICY.json, or a folder, of which every *.test.yaml is run. A test file holds plots, the sources they are judged against, and for each case what is expected: a verdict, checks, evidence. Without sources of its own, the data folder's current editions are asked. docs/guides/test-a-policy.md describes the format.",
    'Prints each case that fails with its place in the file, what was expected and what was found. Then it lists the checks that no case has triggered, left untriggered or left open, and the conditions of filters that were never true, false or unknown. Prints text also in a pipe; --json gives one JSON value per line: {"file": …, "case": …, "differences": […]}, {"exercised": …} for each ruleset and {"summary": …} last.',
    "Exits with 1 when a case fails, 3 when a test file is not one.",
  ],
  async run(args, terminal) {
    // Loaded when it is needed: no other command reads YAML.
    const { runTests } = await import("../policy-tests/run-tests.ts");
    return runTests(args, terminal);
  },
};
