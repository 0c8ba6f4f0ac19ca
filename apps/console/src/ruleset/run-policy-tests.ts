import { crsTable } from "@groundrule/crs";
import {
  ExercisedPolicy,
  parseTestFile,
  parseYaml,
  prepareTests,
  refuseTests,
  runCase,
  type TestFile,
  type TestHost,
  YamlFileError,
} from "@groundrule/policy-tests";

/** What is asked of the tests: a ruleset, and a test file as text. */
export interface TestsAsked {
  /** What the ruleset is called. */
  readonly name: string;
  readonly ruleset: object;
  readonly yaml: string;
}

/** What became of tests: why they cannot be run, or each case and what no case has exercised. */
export type TestsTold =
  | {
      readonly faults: readonly {
        readonly line: number;
        readonly column: number;
        readonly message: string;
      }[];
    }
  | {
      readonly cases: readonly {
        readonly name: string;
        readonly line: number;
        readonly differences: readonly {
          readonly what: string;
          readonly expected: string;
          readonly found: string;
        }[];
      }[];
      /** Checks and conditions, with what they never were. */
      readonly gaps: readonly { readonly of: string; readonly never: readonly string[] }[];
    };

const FILE = "tests.yaml";

/**
 * Runs the tests of a ruleset, as `groundrule test` does, on the sources that stand in the test file.
 *
 * @param borders the borders of countries, where the test file covers some
 *
 * Fails: never for what the ruleset or the test file says; that is told.
 */
export async function runPolicyTests(
  { name, ruleset, yaml }: TestsAsked,
  borders: TestHost["borders"],
): Promise<TestsTold> {
  try {
    const file = parseTestFile(parseYaml(FILE, yaml));
    const { policy, engine, cases } = await prepareTests(file, {
      now: undefined,
      host: { crs: crsTable, borders },
      openData: () => refuseSources(file),
      rulesetOf: () => ({ path: name, name, ruleset }),
      plotsOf: async (_file, _plot, pointer, faults) => {
        faults.addAt(
          `${pointer}/file`,
          "found a file of plots, expected box, geometry or point: a page reads no files beside the tests",
        );
        return [];
      },
    });
    const exercised = new ExercisedPolicy(name, policy);
    const told = cases.map((test) => {
      const result = runCase(policy, test);
      exercised.add(result, engine);
      return {
        name: test.name,
        line: file.yaml.placeOf(test.pointer).line,
        differences: result.differences.map(({ what, expected, found }) => ({ what, expected, found })),
      };
    });
    const gaps = exercised.gaps().map((gap) => ({
      of: "check" in gap ? gap.check : gap.text,
      never: gap.never,
    }));
    return { cases: told, gaps };
  } catch (error) {
    if (!(error instanceof YamlFileError)) throw error;
    return { faults: error.faults.map(({ line, column, message }) => ({ line, column, message })) };
  }
}

function refuseSources(file: TestFile): never {
  return refuseTests(file, "", "found no sources, expected those that the cases are judged against");
}
