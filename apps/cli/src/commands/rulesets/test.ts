import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXPECT_EDITION_OPTION, STRICT_COVERAGE_OPTION } from "../../data/command-data.ts";

export const testCommand: Command = {
  summary: "Run the tests of a policy, and list the parts that they do not exercise",
  examples: ["policy.test.yaml"],
  operands: "FILE…",
  options: [
    defineOption("junit FILE", "also write the results as JUnit XML"),
    defineOption("require-exercised", "exit with 1 also when some part of a policy was never exercised"),
    defineOption("now INSTANT", "the instant for cases that do not name one"),
    STRICT_COVERAGE_OPTION,
    EXPECT_EDITION_OPTION,
  ],
  details: [
    "A FILE is a test file, such as POLICY.test.yaml beside the ruleset POLICY.json, or a folder, whose *.test.yaml files are all run. A test file contains plots, the sources to evaluate them against, and for each case the expected verdict, checks or evidence. If it contains no sources, the current editions of the data folder are used. docs/guides/test-a-policy.md describes the format.",
    'Prints each case that fails with its place in the file, the expected and the found values. Then it lists the checks that no case has triggered, left untriggered or left open, and the conditions of filters that were never true, false or unknown. Prints text even in a pipe; --json gives one JSON value per line: {"file": …, "case": …, "differences": […]}, {"exercised": …} for each ruleset and {"summary": …} last.',
    "Exits with 1 when a case fails, 3 when a test file is not valid.",
  ],
  async run(args, terminal) {
    // Loaded on demand: no other command reads YAML.
    const { runTestFiles: runTests } = await import("../../policy-tests/run-tests.ts");
    return runTests(args, terminal);
  },
};
