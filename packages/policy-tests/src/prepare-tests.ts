import {
  type Engine,
  EngineError,
  type EvaluationInput,
  type Policy,
  type RoleScheme,
} from "@groundrule/engine";
import { parseInstant, plainInputMembers } from "@groundrule/engine/internal";
import { escapePointerToken } from "@groundrule/engine/internal/json";
import { openFixtureSources, type TestHost, toPolygon } from "./fixtures.ts";
import {
  describeUnknownName,
  type Expectation,
  type PlotFixture,
  type RegionFixture,
  type TestCase,
  type TestFile,
  TestFileFaults,
} from "./test-file.ts";

/** A test file whose cases can be run. */
export interface PreparedTests {
  readonly file: TestFile;
  /** Identity of a ruleset: a preset's name, else the path of its file. */
  readonly rulesetPath: string;
  readonly engine: Engine;
  readonly policy: Policy;
  readonly cases: readonly PreparedCase[];
}

/** A case with what it is evaluated on. */
export interface PreparedCase {
  readonly name: string;
  /** JSON pointer in the test file. */
  readonly pointer: string;
  readonly input: EvaluationInput;
  readonly now: string;
  readonly strictCoverage: boolean;
  readonly expected: Expectation;
}

/** Context of a test file: the defaults of its cases, and the engine for sources that are not its own. */
export interface TestSurroundings {
  /** The instant of cases that have none. */
  readonly now: string | undefined;
  /** True if every case treats undeclared coverage strictly, whatever its file states. */
  readonly strictCoverage?: boolean;
  /** Called if the file has no sources. */
  readonly openData: () => Engine;
  /** Resources for the engine over the file's own sources. */
  readonly host: TestHost;
  /**
   * The ruleset that a file tests.
   *
   * Fails: `YamlFileError` where there is none, as {@link refuseTestFile} throws it.
   */
  readonly rulesetOf: (file: TestFile) => TestedRuleset;
  /** A plot that stands around the test file, by its name; absent: the file's own alone have names. */
  readonly plotNamed?: (name: string) => EvaluationInput | undefined;
  /** The plots of a file that a test file names; faults are added at the pointer of that name. */
  readonly plotsOf: (
    file: TestFile,
    plot: PlotFixture,
    pointer: string,
    faults: TestFileFaults,
  ) => Promise<readonly EvaluationInput[]>;
}

/** A ruleset under test. */
export interface TestedRuleset {
  /** Identity of a ruleset: a preset's name, else the path of its file. */
  readonly path: string;
  /** Name of the ruleset in faults. */
  readonly name: string;
  readonly ruleset: object;
}

/**
 * Builds the sources of a test file and compiles its ruleset on them.
 *
 * Fails: `YamlFileError` with every fault of a part; what the surroundings throw.
 */
export async function prepareTests(file: TestFile, surroundings: TestSurroundings): Promise<PreparedTests> {
  const { yaml, tests } = file;
  if (tests.sources === undefined && tests.groups !== undefined) {
    refuseTestFile(
      file,
      "/groups",
      "found groups without sources, expected sources beside them; a data folder has its own groups",
    );
  }
  const tested = surroundings.rulesetOf(file);
  const engine =
    tests.sources === undefined ? surroundings.openData() : openFixtureSources(file, surroundings.host);
  const policy = compileTestedRuleset(file, tested, engine);
  const faults = new TestFileFaults(yaml);
  const names = new Set<string>();
  const cases: PreparedCase[] = [];
  const strictCoverage = surroundings.strictCoverage === true || tests.strict_coverage === true;
  for (const [i, test] of tests.cases.entries()) {
    const pointer = `/cases/${i}`;
    if (names.has(test.name)) {
      faults.addAt(`${pointer}/name`, `found the name ${JSON.stringify(test.name)} twice, expected it once`);
    }
    names.add(test.name);
    const input = {
      ...(await buildCaseInput(file, test, pointer, { surroundings, faults })),
      ...(test.facts !== undefined && { facts: test.facts }),
      ...(test.property !== undefined && {
        property: toRegion(test.property, `${pointer}/property`, faults),
      }),
    };
    const now = resolveTestInstant(test, file, pointer, surroundings, faults);
    const expected = typeof test.expect === "string" ? { verdict: test.expect } : test.expect;
    checkExpectation(expected, policy, engine, `${pointer}/expect`, faults);
    cases.push({ name: test.name, pointer, input, now, strictCoverage, expected });
  }
  faults.throwIfAny();
  return { file, rulesetPath: tested.path, engine, policy, cases };
}

/** Refuses a test file for one fault. Fails: always, with a `YamlFileError`. */
export function refuseTestFile(file: TestFile, pointer: string, message: string): never {
  const faults = new TestFileFaults(file.yaml);
  faults.addAt(pointer, message);
  faults.throwIfAny();
  throw new Error("there was a fault");
}

function compileTestedRuleset(file: TestFile, { name, ruleset }: TestedRuleset, engine: Engine): Policy {
  try {
    return engine.compile(ruleset);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const faults = new TestFileFaults(file.yaml);
    const where =
      file.tests.sources === undefined ? "the data folder" : "the sources and groups of this file";
    for (const { pointer, message } of error.details.faults ?? [{ pointer: "", message: error.message }]) {
      faults.addAt("/ruleset", `${name} at "${pointer}", with ${where}: ${message}`);
    }
    faults.throwIfAny();
    throw error;
  }
}

function resolveTestInstant(
  { now }: TestCase,
  { tests }: TestFile,
  pointer: string,
  { now: fallback }: TestSurroundings,
  faults: TestFileFaults,
): string {
  const instant = now ?? tests.now ?? fallback;
  if (instant === undefined) {
    faults.addAt(
      pointer,
      "found no instant, expected now: 2026-06-30T12:00:00Z here or at the top of the file",
    );
    return "";
  }
  if (parseInstant(instant) === undefined) {
    const at = now === undefined ? "/now" : `${pointer}/now`;
    faults.addAt(at, `found ${JSON.stringify(instant)}, expected an instant such as 2026-06-30T12:00:00Z`);
  }
  return instant;
}

/** Options for reading plots. */
interface PlotReading {
  readonly surroundings: TestSurroundings;
  readonly faults: TestFileFaults;
}

/** Input on which a case is evaluated. */
async function buildCaseInput(
  file: TestFile,
  test: TestCase,
  pointer: string,
  reading: PlotReading,
): Promise<EvaluationInput> {
  const { faults } = reading;
  const { plot: named, identifiers } = test;
  const scheme = identifiers === undefined ? {} : { scheme: identifiers as RoleScheme | RoleScheme[] };
  if (named === undefined) return scheme;
  const { plots = {} } = file.tests;
  if (typeof named === "object")
    return { ...(await buildPlotInput(file, named, `${pointer}/plot`, reading)), ...scheme };
  const around = Object.hasOwn(plots, named) ? undefined : reading.surroundings.plotNamed?.(named);
  if (around !== undefined) return { ...around, ...scheme };
  if (!Object.hasOwn(plots, named)) {
    const found = `the plot ${JSON.stringify(named)}`;
    faults.addAt(`${pointer}/plot`, describeUnknownName(found, "one of plots", named, Object.keys(plots)));
    return scheme;
  }
  return {
    ...(await buildPlotInput(file, plots[named]!, `/plots/${escapePointerToken(named)}`, reading)),
    ...scheme,
  };
}

function toRegion({ box, geometry }: RegionFixture, pointer: string, faults: TestFileFaults): object {
  if ((box === undefined) === (geometry === undefined)) {
    const found = box === undefined ? "none of box and geometry" : "box and geometry";
    faults.addAt(pointer, `found ${found}, expected one of them`);
  }
  return geometry ?? toPolygon(box ?? [0, 0, 0, 0]);
}

const PLOT_KINDS = ["box", "geometry", "point", "file"] as const;

async function buildPlotInput(
  file: TestFile,
  plot: PlotFixture,
  pointer: string,
  { surroundings, faults }: PlotReading,
): Promise<EvaluationInput> {
  const kinds = PLOT_KINDS.filter((kind) => plot[kind] !== undefined);
  if (kinds.length !== 1) {
    const found = kinds.length === 0 ? "none of box, geometry, point and file" : kinds.join(" and ");
    faults.addAt(pointer, `found ${found}, expected one of them`);
    return {};
  }
  const { id } = plot;
  if (id !== undefined && plot.file === undefined) {
    faults.addAt(`${pointer}/id`, "found an id without a file of plots, expected it beside file");
  }
  const members = pickPlainMembers(plot);
  if (plot.file !== undefined) {
    const found = await surroundings.plotsOf(file, plot, pointer, faults);
    return { ...found[0], ...members };
  }
  if (plot.point !== undefined) return { geometry: { type: "Point", coordinates: plot.point }, ...members };
  return { geometry: plot.geometry ?? toPolygon(plot.box!), ...members };
}

/** The members of a plot that go into an input as they are. */
function pickPlainMembers(plot: PlotFixture): EvaluationInput {
  const names = Object.keys(plainInputMembers) as (keyof typeof plainInputMembers)[];
  return Object.fromEntries(names.flatMap((name) => (plot[name] === undefined ? [] : [[name, plot[name]]])));
}

/** An expectation may only name checks and sets that exist. */
function checkExpectation(
  expected: Expectation,
  { ruleset }: Policy,
  engine: Engine,
  pointer: string,
  faults: TestFileFaults,
): void {
  if (Object.keys(expected).length === 0) {
    faults.addAt(pointer, "found no expectation, expected a verdict, checks, sources, warnings or error");
  }
  if (expected.error !== undefined && Object.keys(expected).length > 1) {
    faults.addAt(
      `${pointer}/error`,
      "found error beside other expectations, expected it alone: a refusal has no verdict",
    );
  }
  const checks = new Map(ruleset.checks.map((check) => [check.id, check]));
  for (const [id, check] of Object.entries(expected.checks ?? {})) {
    const known = checks.get(id);
    if (known === undefined) {
      faults.addAt(
        `${pointer}/checks/${escapePointerToken(id)}`,
        describeUnknownName(`the check ${JSON.stringify(id)}`, "one of the ruleset", id, checks.keys()),
      );
      continue;
    }
    if (typeof check === "string" || check.values === undefined) continue;
    const comparisons = "all" in known ? known.all : "any" in known ? known.any : [known];
    const count = comparisons.filter((comparison) => "set" in comparison).length;
    if (check.values.length !== count) {
      const message = `found ${check.values.length} values, expected ${count}, one for each comparison of a measure in the check`;
      faults.addAt(`${pointer}/checks/${id}/values`, message);
    }
  }
  const sources = new Set(engine.sources().map(({ source_name }) => source_name));
  for (const name of Object.keys(expected.sources ?? {})) {
    if (sources.has(name)) continue;
    faults.addAt(
      `${pointer}/sources/${escapePointerToken(name)}`,
      describeUnknownName(`the source ${JSON.stringify(name)}`, "one there is", name, sources),
    );
  }
}
