import {
  type CheckResult,
  EngineError,
  type Evaluation,
  type Policy,
  type SourceOutcome,
} from "@groundrule/engine";
import type { PreparedCase } from "./prepare-tests.ts";
import type {
  CheckExpectation,
  CheckState,
  Expectation,
  ExpectedNumber,
  SourceExpectation,
} from "./test-file.ts";

/** A difference between the expectation of a case and its result. */
export interface Difference {
  /** JSON pointer in the test file of what was expected. */
  readonly pointer: string;
  /** The compared item, e.g. `check embargo`. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Result of a case. */
export interface CaseResult {
  readonly test: PreparedCase;
  readonly differences: readonly Difference[];
  /** Absent where the engine refused the input. */
  readonly evaluation?: Evaluation;
}

/** As much evidence as an evaluation shows. */
const EVIDENCE_LIMIT = 200;

/** Evaluates a case and compares what it found. */
export function runTestCase(policy: Policy, test: PreparedCase): CaseResult {
  const { expected, pointer } = test;
  let evaluation: Evaluation;
  try {
    evaluation = policy.evaluate(test.input, {
      now: test.now,
      strictCoverage: test.strictCoverage,
      evidenceLimit: EVIDENCE_LIMIT,
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (expected.error === error.code) return { test, differences: [] };
    const found = `the refusal ${error.code}: ${error.message}`;
    if (expected.error !== undefined)
      return { test, differences: [createRefusalDifference(pointer, expected.error, found)] };
    const wanted = expected.verdict ?? "an evaluation";
    return { test, differences: [{ pointer: `${pointer}/expect`, what: "answer", expected: wanted, found }] };
  }
  if (expected.error !== undefined) {
    return {
      test,
      evaluation,
      differences: [createRefusalDifference(pointer, expected.error, `the verdict ${evaluation.verdict}`)],
    };
  }
  return {
    test,
    evaluation,
    differences: [...findCaseDifferences(expected, evaluation, `${pointer}/expect`)],
  };
}

function createRefusalDifference(pointer: string, expected: string, found: string): Difference {
  return { pointer: `${pointer}/expect/error`, what: "answer", expected: `the refusal ${expected}`, found };
}

function* findCaseDifferences(
  expected: Expectation,
  found: Evaluation,
  pointer: string,
): Generator<Difference> {
  const { verdict, at_least, checks = {}, sources = {}, warnings = [] } = expected;
  yield* compareValues(`${pointer}/verdict`, "verdict", verdict, found.verdict);
  yield* compareValues(`${pointer}/at_least`, "at_least", at_least, found.at_least);
  for (const [id, check] of Object.entries(checks)) {
    const result = found.checks.find((each) => each.id === id)!;
    yield* typeof check === "string"
      ? compareCheckState(check, result, `${pointer}/checks/${id}`)
      : compareCheckResult(check, result, `${pointer}/checks/${id}`);
  }
  for (const [name, source] of Object.entries(sources)) {
    const outcome = found.sources.find(({ source_name }) => source_name === name);
    yield* compareSourceOutcome(source, outcome, name, `${pointer}/sources/${name}`);
  }
  const codes = found.warnings.map(({ code }) => code as string);
  for (const [i, code] of warnings.entries()) {
    if (codes.includes(code)) continue;
    const have = codes.length === 0 ? "no warnings" : [...new Set(codes)].join(", ");
    yield { pointer: `${pointer}/warnings/${i}`, what: "warnings", expected: code, found: have };
  }
}

function* compareCheckState(
  expected: CheckState,
  result: CheckResult,
  pointer: string,
): Generator<Difference> {
  const found = toState(result);
  if (found === expected) return;
  yield { pointer, what: `check ${result.id}`, expected, found: `${found} (${formatComparisons(result)})` };
}

/** A check in one word. */
function toState({ status, triggered, outcome }: CheckResult): string {
  if (status !== "ok") return status;
  return triggered ? (outcome ?? "") : "not triggered";
}

function formatComparisons({ comparisons, declared = [] }: CheckResult): string {
  const measured = comparisons.map(({ set, measure, value, op, threshold }) => {
    const name = typeof measure === "string" ? measure : JSON.stringify(measure);
    return `${set}: ${name} ${value ?? "unknown"} ${op} ${threshold ?? "unknown"}`;
  });
  const texts = declared.map(({ fact, value, op, threshold }) =>
    [fact, value ?? "not declared", op, ...(threshold === undefined ? [] : [threshold ?? "unknown"])].join(
      " ",
    ),
  );
  return [...measured, ...texts].join("; ");
}

function* compareCheckResult(
  expected: CheckExpectation,
  result: CheckResult,
  pointer: string,
): Generator<Difference> {
  const what = (member: string) => `${member} of check ${result.id}`;
  for (const member of ["outcome", "triggered", "status", "undetermined"] as const) {
    yield* compareValues(`${pointer}/${member}`, what(member), expected[member], result[member]);
  }
  const ratios = (result.open ?? []).flatMap(({ covered_ratio }) => covered_ratio ?? []);
  const least = ratios.length === 0 ? null : ratios.reduce((a, b) => Math.min(a, b));
  yield* compareNumbers(`${pointer}/covered_ratio`, what("covered_ratio"), expected.covered_ratio, least);
  if (expected.open !== undefined) {
    const found = (result.open ?? []).map(({ because }) => because);
    const [wanted, have] = [expected.open, found].map((list) => [...new Set(list)].sort().join(", "));
    yield* compareValues(`${pointer}/open`, what("open"), wanted || "nothing", have || "nothing");
  }
  for (const [i, value] of (expected.values ?? []).entries()) {
    const { set, measure, value: found } = result.comparisons[i]!;
    const name = typeof measure === "string" ? measure : JSON.stringify(measure);
    yield* compareNumbers(`${pointer}/values/${i}`, `${set}: ${name} of check ${result.id}`, value, found);
  }
  if (expected.resolve_by !== undefined) {
    const found = (result.resolve_by ?? []).map(({ facts }) => facts.map(({ fact }) => fact).join(" + "));
    const [wanted, have] = [expected.resolve_by, found].map((list) => [...new Set(list)].sort().join(", "));
    yield* compareValues(`${pointer}/resolve_by`, what("resolve_by"), wanted || "nothing", have || "nothing");
  }
  if (expected.evidence !== undefined) {
    yield* compareEvidence(expected.evidence.map(String), result, `${pointer}/evidence`);
  }
}

/** Names shown of evidence that differs. */
const NAMES_SHOWN = 10;

function* compareEvidence(
  expected: readonly string[],
  { id, evidence, evidence_total }: CheckResult,
  pointer: string,
): Generator<Difference> {
  // An item is named in full or by its id alone; the same record may be there for several identifiers.
  const items = [
    ...new Map(evidence.map((each) => [`${each.source_name}/${each.source_id}`, each.source_id])),
  ];
  const left = new Map(items);
  const missing: string[] = [];
  const inFull = expected.filter((name) => left.delete(name));
  for (const name of expected.filter((each) => !inFull.includes(each))) {
    const item = [...left].find(([, sourceId]) => sourceId === name);
    if (item === undefined) missing.push(name);
    else left.delete(item[0]);
  }
  if (missing.length === 0 && left.size === 0 && evidence_total <= evidence.length) return;
  const more = evidence_total - evidence.length;
  yield {
    pointer,
    what: `evidence of check ${id}`,
    expected: formatNameList(expected),
    found: `${formatNameList(items.map(([name]) => name))}${more > 0 ? ` and ${more} more` : ""}`,
  };
}

function formatNameList(list: readonly string[]): string {
  if (list.length === 0) return "nothing";
  const more = list.length - NAMES_SHOWN;
  return `${list.slice(0, NAMES_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function* compareSourceOutcome(
  expected: SourceExpectation,
  outcome: SourceOutcome | undefined,
  name: string,
  pointer: string,
): Generator<Difference> {
  if (outcome === undefined) {
    yield { pointer, what: `source ${name}`, expected: "to be asked", found: "the ruleset does not name it" };
    return;
  }
  for (const member of ["status", "coverage", "overage"] as const) {
    yield* compareValues(
      `${pointer}/${member}`,
      `${member} of source ${name}`,
      expected[member],
      outcome[member],
    );
  }
  for (const member of ["age_days", "matched"] as const) {
    yield* compareNumbers(
      `${pointer}/${member}`,
      `${member} of source ${name}`,
      expected[member],
      outcome[member] ?? null,
    );
  }
}

function* compareValues(
  pointer: string,
  what: string,
  expected: string | number | boolean | null | undefined,
  found: string | number | boolean | null | undefined,
): Generator<Difference> {
  if (expected === undefined || expected === found) return;
  yield { pointer, what, expected: String(expected), found: found === undefined ? "nothing" : String(found) };
}

/** Values are compared as verdicts print them. */
function* compareNumbers(
  pointer: string,
  what: string,
  expected: ExpectedNumber | null | undefined,
  found: number | null,
): Generator<Difference> {
  if (expected === undefined) return;
  if (expected === null || typeof expected === "number") {
    if (expected === found) return;
    yield { pointer, what, expected: formatMeasuredValue(expected), found: formatMeasuredValue(found) };
    return;
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = expected;
  if (found !== null && found >= min && found <= max) return;
  const bounds = [
    ...(expected.min === undefined ? [] : [`at least ${expected.min}`]),
    ...(expected.max === undefined ? [] : [`at most ${expected.max}`]),
  ];
  yield { pointer, what, expected: bounds.join(" and ") || "a number", found: formatMeasuredValue(found) };
}

function formatMeasuredValue(value: number | null): string {
  return value === null ? "null (not known)" : String(value);
}
