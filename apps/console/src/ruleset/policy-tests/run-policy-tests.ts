import { crsTable } from "@groundrule/crs";
import type { EvaluationInput } from "@groundrule/engine";
import {
  ExercisedPolicy,
  parseTestFile,
  parseYaml,
  prepareTests,
  refuseTestFile,
  runTestCase,
  type TestFile,
  type TestHost,
  YAML_BYTE_LIMIT,
  YamlFileError,
} from "@groundrule/policy-tests";

/** A ruleset, and a test file as text, to be run. */
export interface TestsInput {
  /** The ruleset's name. */
  readonly name: string;
  readonly ruleset: object;
  readonly yaml: string;
  /** Plots of the page to which the tests may refer. */
  readonly plots?: readonly NamedPlot[];
}

/** A plot of the page: a case refers to it by name, or by its file and id. */
export interface NamedPlot {
  readonly id: string;
  /** The name of its file. */
  readonly origin: string;
  readonly input: EvaluationInput;
}

/** The result of tests: the reason why they cannot be run, or each case and the parts that no case exercised. */
export type TestsOutcome =
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
      /** Checks and conditions, with the results that never occurred. */
      readonly gaps: readonly { readonly of: string; readonly never: readonly string[] }[];
    };

const FILE = "tests.yaml";

/**
 * Runs the tests of a ruleset, like `groundrule test`, on the sources in the test file.
 *
 * @param getBorders returns the borders of countries; called only if a source of the test file covers some
 *
 * Fails: as `getBorders` does; never because of the ruleset or the test file, whose faults are part of the result.
 */
export async function runPolicyTests(
  { name, ruleset, yaml, plots = [] }: TestsInput,
  getBorders: () => Promise<TestHost["borders"]>,
): Promise<TestsOutcome> {
  try {
    refuseLongYaml(yaml);
    const file = parseTestFile(parseYaml(FILE, yaml));
    const borders = coversCountries(file) ? await getBorders() : undefined;
    const { policy, engine, cases } = await prepareTests(file, {
      now: undefined,
      host: { crs: crsTable, borders },
      openData: () => refuseMissingSources(file),
      rulesetOf: () => ({ path: name, name, ruleset }),
      plotNamed: (named) => plots.find(({ id }) => id === named)?.input,
      plotsOf: async (_file, { file: origin, id }, pointer, faults) => {
        const found = plots.filter(
          (plot) => plot.origin === origin && (id === undefined || plot.id === `${id}`),
        );
        if (found.length !== 1) {
          const which = id === undefined ? "" : ` with the id ${JSON.stringify(id)}`;
          faults.addAt(
            `${pointer}/file`,
            `found ${found.length} plots of ${origin}${which} in the list of this page, expected one: open the file, and name the id of one of its plots`,
          );
        }
        return found.map(({ input }) => input);
      },
    });
    const exercised = new ExercisedPolicy(name, policy);
    const results = cases.map((test) => {
      const result = runTestCase(policy, test);
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
    return { cases: results, gaps };
  } catch (error) {
    if (!(error instanceof YamlFileError)) throw error;
    return { faults: error.faults.map(({ line, column, message }) => ({ line, column, message })) };
  }
}

function refuseLongYaml(yaml: string): void {
  const bytes = new TextEncoder().encode(yaml).length;
  if (bytes <= YAML_BYTE_LIMIT) return;
  const message = `found ${bytes} bytes, expected at most ${YAML_BYTE_LIMIT}; split the file`;
  throw new YamlFileError(FILE, [{ line: 1, column: 1, pointer: "", message }]);
}

function coversCountries({ tests }: TestFile): boolean {
  return Object.values(tests.sources ?? {}).some(({ coverage }) => Array.isArray(coverage));
}

function refuseMissingSources(file: TestFile): never {
  return refuseTestFile(file, "", "found no sources, expected the sources to evaluate the cases against");
}
