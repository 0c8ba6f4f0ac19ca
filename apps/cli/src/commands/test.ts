import { existsSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { PRESET_PREFIX } from "@groundrule/data/rulesets";
import type { Arguments } from "../arguments.ts";
import { EXPECT_EDITION_OPTION, instantOption, openAskedData } from "../asked-data.ts";
import type { Command } from "../command.ts";
import { EXIT, type ExitCode, worse } from "../exit-code.ts";
import { InputFileError, unreadable } from "../input-file.ts";
import { type JunitSuite, junitXml } from "../policy-tests/junit.ts";
import { PolicyCoverage } from "../policy-tests/policy-coverage.ts";
import { type PreparedTests, prepareTests, type TestDefaults } from "../policy-tests/prepare-tests.ts";
import { type CaseResult, runCase } from "../policy-tests/run-case.ts";
import { TestPrinter } from "../policy-tests/test-printer.ts";
import { TestFileError } from "../policy-tests/yaml-file.ts";
import type { Terminal } from "../terminal.ts";

export const testCommand: Command = {
  path: "test",
  summary: "Run a policy's tests, and tell which parts of it they exercise",
  operands: "FILE…",
  operandCount: [1, Number.POSITIVE_INFINITY],
  options: [
    { name: "junit", value: "FILE", help: "also write the results as JUnit XML" },
    {
      name: "require-coverage",
      help: "exit with 1 also when some part of a policy was never exercised",
    },
    { name: "now", value: "INSTANT", help: "the instant of cases that name none" },
    EXPECT_EDITION_OPTION,
  ],
  details: [
    "A FILE is a test file, POLICY.test.yaml beside the ruleset POLICY.json, or a folder, of which every *.test.yaml is run. A test file holds plots, the sources they are judged against, and for each case what is expected: a verdict, checks, evidence. Without sources of its own, the data folder's current editions are asked. docs/guides/test-a-policy.md describes the format.",
    'Prints each case that fails with its place in the file, what was expected and what was found. Then it lists the checks that no case has triggered, left untriggered or left open, and the conditions of filters that were never true, false or unknown. Prints text also in a pipe; --json gives one JSON value per line: {"file": …, "case": …, "differences": […]}, {"coverage": …} for each ruleset and {"summary": …} last.',
    "Exits with 1 when a case fails, 3 when a test file is not one.",
  ],
  async run(args, terminal) {
    const defaults = testDefaults(args);
    const printer = new TestPrinter(terminal, args.flag("json"));
    const coverages = new Map<string, PolicyCoverage>();
    const suites: JunitSuite[] = [];
    let exit: ExitCode = EXIT.done;
    for (const path of testFiles(args.operands)) {
      try {
        const tests = await prepareTests(path, defaults);
        await printer.file(path);
        const results: CaseResult[] = [];
        for await (const result of runCases(tests, coverages, terminal)) {
          if (result.differences.length > 0) exit = worse(exit, EXIT.failOn);
          await printer.result(tests.file.yaml, result);
          results.push(result);
        }
        suites.push({ path, cases: results.map((result) => printer.junitCase(tests.file.yaml, result)) });
      } catch (error) {
        if (!(error instanceof TestFileError)) throw error;
        exit = worse(exit, EXIT.badInput);
        await printer.badFile(error);
        suites.push({ path, faults: error.faults });
      }
    }
    await printer.finish([...coverages.values()]);
    const junit = args.find("junit");
    if (junit !== undefined) writeFileSync(junit, junitXml(suites));
    const isWhole = [...coverages.values()].every((coverage) => coverage.gaps().length === 0);
    return args.flag("require-coverage") && !isWhole ? worse(exit, EXIT.failOn) : exit;
  },
};

function testDefaults(args: Arguments): TestDefaults {
  let data: ReturnType<typeof openAskedData> | undefined;
  const open = () => {
    data ??= openAskedData(args);
    return data.data.current.engine;
  };
  if (args.all("expect-edition").length > 0) open(); // what is expected is made sure of, whoever asks it
  return { now: instantOption(args), openData: open };
}

/** The test files that operands mean, each once. */
function testFiles(operands: readonly string[]): string[] {
  const files = operands.flatMap((operand) => {
    try {
      if (!statSync(operand).isDirectory()) return [operand];
      const names = readdirSync(operand, { recursive: true }) as string[];
      const found = names.filter((name) => /\.test\.ya?ml$/.test(name) && !name.includes("node_modules"));
      if (found.length === 0) throw new InputFileError(`${operand} contains no *.test.yaml file`);
      return found.sort().map((name) => join(operand, name));
    } catch (error) {
      throw unreadable(error, operand);
    }
  });
  return [...new Set(files)];
}

/** Runs the cases of a file; what they exercise counts for their ruleset, whichever file they stand in. */
async function* runCases(
  tests: PreparedTests,
  coverages: Map<string, PolicyCoverage>,
  terminal: Terminal,
): AsyncGenerator<CaseResult> {
  const { rulesetPath, policy, engine, cases } = tests;
  const isPreset = rulesetPath.startsWith(PRESET_PREFIX) && !existsSync(rulesetPath);
  const key = isPreset ? rulesetPath : realpathSync(rulesetPath);
  const coverage = coverages.get(key) ?? new PolicyCoverage(rulesetPath, policy);
  coverages.set(key, coverage);
  for (const test of cases) {
    await setImmediate(); // so that a signal is heard between cases
    terminal.signal.throwIfAborted();
    const result = runCase(policy, test);
    coverage.add(result, engine);
    yield result;
  }
}
