import { existsSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { PRESET_PREFIX } from "@groundrule/data/rulesets";
import {
  type CaseResult,
  ExercisedPolicy,
  type PreparedTests,
  runTestCase,
  YamlFileError,
} from "@groundrule/policy-tests";
import type { Arguments } from "../command-line/arguments.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../command-line/exit-code.ts";
import { openCommandData, readCoverageOptions, readInstantOption } from "../data/command-data.ts";
import { InputFileError, toReadError } from "../files/input-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatJunitXml, type JunitSuite } from "./junit.ts";
import { openTestFile, type TestDefaults } from "./open-tests.ts";
import { TestPrinter } from "./test-printer.ts";

/**
 * Runs the test files of a command, and prints the results of their cases.
 *
 * Fails: {@link InputFileError} for an operand that is not a file; as the data folder does if a file uses it.
 */
export async function runTestFiles(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const defaults = createTestDefaults(args, terminal);
  const printer = new TestPrinter(terminal, args.flag("json"));
  const policies = new Map<string, ExercisedPolicy>();
  const suites: JunitSuite[] = [];
  let exit: ExitCode = EXIT.done;
  for (const path of listTestFiles(args.operands)) {
    try {
      const tests = await openTestFile(path, defaults);
      await printer.file(path);
      const results: CaseResult[] = [];
      for await (const result of runTestCases(tests, policies, terminal)) {
        if (result.differences.length > 0) exit = pickWorseExitCode(exit, EXIT.failOn);
        await printer.result(tests.file.yaml, result);
        results.push(result);
      }
      suites.push({ path, cases: results.map((result) => printer.junitCase(tests.file.yaml, result)) });
    } catch (error) {
      if (!(error instanceof YamlFileError)) throw error;
      exit = pickWorseExitCode(exit, EXIT.badInput);
      await printer.badFile(error);
      suites.push({ path, faults: error.faults });
    }
  }
  await printer.finish([...policies.values()]);
  const junit = args.find("junit");
  if (junit !== undefined) writeFileSync(junit, formatJunitXml(suites));
  const isWhole = [...policies.values()].every((exercised) => exercised.gaps().length === 0);
  return args.flag("require-exercised") && !isWhole ? pickWorseExitCode(exit, EXIT.failOn) : exit;
}

function createTestDefaults(args: Arguments, terminal: Terminal): TestDefaults {
  let data: ReturnType<typeof openCommandData> | undefined;
  const open = () => {
    data ??= openCommandData(args, terminal);
    return data.data.current.engine;
  };
  if (args.all("expect-edition").length > 0) open(); // expected editions are checked even if no file uses them
  return { now: readInstantOption(args), ...readCoverageOptions(args), openData: open };
}

/** The test files that operands name, each once. */
function listTestFiles(operands: readonly string[]): string[] {
  const files = operands.flatMap((operand) => {
    try {
      if (!statSync(operand).isDirectory()) return [operand];
      const names = readdirSync(operand, { recursive: true }) as string[];
      const found = names.filter((name) => /\.test\.ya?ml$/.test(name) && !name.includes("node_modules"));
      if (found.length === 0) throw new InputFileError(`${operand} contains no *.test.yaml file`);
      return found.sort().map((name) => join(operand, name));
    } catch (error) {
      throw toReadError(error, operand);
    }
  });
  return [...new Set(files)];
}

/** Runs the cases of a file; the parts they exercise count for their ruleset, whichever file names it. */
async function* runTestCases(
  tests: PreparedTests,
  policies: Map<string, ExercisedPolicy>,
  terminal: Terminal,
): AsyncGenerator<CaseResult> {
  const { rulesetPath, policy, engine, cases } = tests;
  const isPreset = rulesetPath.startsWith(PRESET_PREFIX) && !existsSync(rulesetPath);
  const key = isPreset ? rulesetPath : realpathSync(rulesetPath);
  const exercised = policies.get(key) ?? new ExercisedPolicy(rulesetPath, policy);
  policies.set(key, exercised);
  for (const test of cases) {
    await setImmediate(); // so that a signal is handled between cases
    terminal.signal.throwIfAborted();
    const result = runTestCase(policy, test);
    exercised.add(result, engine);
    yield result;
  }
}
