import type { RoleScheme } from "@groundrule/engine";
import {
  anything,
  array,
  boolean,
  choice,
  type Described,
  factsShape,
  type MembersOf,
  named,
  nullable,
  number,
  object,
  objectOf,
  optional,
  plainInputMembers,
  record,
  type Shape,
  schemeTypeShape,
  sourceNameShape,
  text,
  union,
  type ValueOf,
} from "@groundrule/engine/internal";
import { findNearestName, formatJsonPointer } from "@groundrule/engine/internal/json";
import { checkYamlFile, type YamlFile, YamlFileError } from "./yaml-text.ts";

// Members of a test file, from its parts up; `docs/guides/test-a-policy.md` explains them to its authors.

/** Most cases of a file: each may take the work of an answer. */
const CASE_LIMIT = 1000;

const label = text({ min: 1, max: 256 });
const id = union([label, number()]);
const instant = text({ words: "an instant such as 2026-11-20T10:00:00Z", pattern: /^\d{4}-.*Z$/ });
const countryCode = text({ pattern: /^[A-Z]{3}$/, words: "an ISO 3166-1 alpha-3 code such as BRA" });
const properties = record(label, union([text(), number(), boolean(), choice(null)]));

const geometryMembers = { type: text(), coordinates: anything() };

export interface Geometry extends Described<typeof geometryMembers> {}

const regionMembers = {
  box: optional(array(number(), { min: 4, max: 4 }), "West, south, east and north, degrees."),
  geometry: optional(named("geometry", (): Shape<Geometry> => objectOf(geometryMembers))),
};

/** A region: one of its members. */
export interface RegionFixture extends Described<typeof regionMembers> {}

const region: Shape<RegionFixture> = objectOf(regionMembers);

const areaMembers = {
  id,
  name: optional(label),
  ...regionMembers,
  country_iso3: optional(countryCode),
  properties: optional(properties),
};

export interface AreaFixture extends Described<typeof areaMembers> {}

const identifier = objectOf({ type: schemeTypeShape, value: text({ min: 1 }) });

const recordMembers = {
  id,
  name: optional(label),
  identifiers: union(
    [text({ min: 1 }), array(union([text({ min: 1 }), identifier]))],
    () => "an identifier in quotes, or a list of them",
  ),
  properties: optional(properties),
};

export interface RecordFixture extends Described<typeof recordMembers> {}

const sourceMembers = {
  areas: optional(array<AreaFixture>(objectOf(areaMembers)), "Its areas; [] for none."),
  records: optional(
    array<RecordFixture>(objectOf(recordMembers)),
    "In place of areas: the records of a register.",
  ),
  failed: optional(text({ min: 1 }), "In place of both: why the source cannot be asked."),
  kind: optional(choice("leaf", "subject_register"), "Of a source that failed."),
  coverage: optional(
    union(
      [choice("global"), array(countryCode, { min: 1 }), region],
      () => "global, a list of country codes such as [BRA], or a region {box: [west, south, east, north]}",
    ),
    "Where the source is complete; absent: undeclared.",
  ),
  collected_at: optional(instant),
  category: optional(label),
  columns: optional(
    record(label, choice("number", "string", "boolean", "date")),
    "Types of properties that their values do not tell: dates must be declared.",
  ),
  scheme: optional(schemeTypeShape, "The scheme of identifiers that name none."),
};

/** A source in memory: one of `areas`, `records` and `failed` makes it. */
export interface SourceFixture extends Described<typeof sourceMembers> {}

const plotMembers = {
  ...regionMembers,
  point: optional(array(number(), { min: 2, max: 2 }), "Longitude and latitude, with area_ha."),
  file: optional(label, "GeoJSON or NDJSON beside this file."),
  id: optional(id, "Of the plot in the file."),
  ...plainInputMembers,
};

/** Plot of a case: one of `box`, `geometry`, `point` and `file`. */
export interface PlotFixture extends Described<typeof plotMembers> {}

const plot: Shape<PlotFixture> = objectOf(plotMembers);

const roleScheme = object<RoleScheme>({
  type: schemeTypeShape,
  value: text({ min: 1 }),
  role: optional(label),
} as MembersOf<RoleScheme>);

const expectedNumber = union(
  [number(), objectOf({ min: optional(number()), max: optional(number()) })],
  () => "a number, or bounds {min: …, max: …}",
);

/** Expected number: exact, or within bounds. */
export type ExpectedNumber = ValueOf<typeof expectedNumber>;

const checkState = choice(
  "NON_COMPLIANT",
  "WARNING",
  "NOTICE",
  "not triggered",
  "not_covered",
  "undetermined",
  "not_declared",
  "failed",
);

/** Outcome of a check, in one word. */
export type CheckState = ValueOf<typeof checkState>;

const reason = choice("coverage", "age", "fact", "null", "identifier", "left_out", "failed", "without");

const checkMembers = {
  outcome: optional(nullable(choice("NON_COMPLIANT", "WARNING", "NOTICE"))),
  triggered: optional(boolean()),
  status: optional(choice("ok", "failed", "not_covered", "undetermined", "not_declared")),
  values: optional(array(nullable(expectedNumber)), "Of its comparisons of measures, in their order."),
  evidence: optional(array(id), "All of it, in any order: ids, or SOURCE/ID."),
  undetermined: optional(number({ whole: true, min: 0 })),
  covered_ratio: optional(
    expectedNumber,
    "The least share of the plot that a source of an open check covers.",
  ),
  open: optional(array(reason), "Why it is open, in any order."),
  resolve_by: optional(
    array(label),
    "The facts that would make it not trigger, in any order: each alone, or several with “ + ” between.",
  ),
};

export interface CheckExpectation extends Described<typeof checkMembers> {}

const sourceStateMembers = {
  status: optional(choice("ok", "failed")),
  coverage: optional(choice("full", "partial", "none", "undeclared")),
  overage: optional(boolean()),
  age_days: optional(expectedNumber),
  matched: optional(expectedNumber),
};

export interface SourceExpectation extends Described<typeof sourceStateMembers> {}

const verdict = choice("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED");

const expectationMembers = {
  verdict: optional(verdict),
  at_least: optional(choice("COMPLIANT", "WARNING", "NON_COMPLIANT")),
  // Code of the refusal.
  error: optional(text({ pattern: /^[A-Z_]+$/, words: "the code of an error such as INPUT_INCOMPLETE" })),
  checks: optional(
    record(label, union<[CheckState, CheckExpectation]>([checkState, objectOf(checkMembers)])),
  ),
  sources: optional(record(label, objectOf(sourceStateMembers))),
  // Codes that are among those of the warnings.
  warnings: optional(array(label)),
};

export interface Expectation extends Described<typeof expectationMembers> {}

const caseMembers = {
  name: label,
  plot: optional(union<[string, PlotFixture]>([label, plot])),
  identifiers: optional(union<[RoleScheme, readonly RoleScheme[]]>([roleScheme, array(roleScheme)])),
  facts: optional(factsShape, "What the applicant declares, by name."),
  property: optional(region, "The land that the plot is part of."),
  now: optional(instant),
  expect: union([verdict, objectOf(expectationMembers)]),
};

export interface TestCase extends Described<typeof caseMembers> {}

const testsMembers = {
  ruleset: optional(label, "The ruleset: a JSON file beside this one, or preset.NAME."),
  now: optional(instant, "The instant of every case that has none of its own."),
  strict_coverage: optional(boolean(), "Whether sources without a coverage cover no plot."),
  groups: optional(
    record(sourceNameShape, array(sourceNameShape, { min: 1 })),
    "Groups of these sources, for rulesets that name groups.",
  ),
  sources: optional(
    record<SourceFixture>(sourceNameShape, objectOf(sourceMembers)),
    "Sources in memory, in place of a data folder.",
  ),
  plots: optional(record(label, plot), "Plots that cases name."),
  cases: array<TestCase>(objectOf(caseMembers), { min: 1, max: CASE_LIMIT }),
};

export interface PolicyTests extends Described<typeof testsMembers> {}

/** The shape of a test file. */
export const policyTestsShape: Shape<PolicyTests> = object<PolicyTests>(testsMembers, {
  words: "an object with cases",
});

/** A test file, read. */
export interface TestFile {
  readonly yaml: YamlFile;
  readonly tests: PolicyTests;
}

/**
 * A test file, checked against its shape.
 *
 * Fails: {@link YamlFileError} with every fault and its place.
 */
export function parseTestFile(yaml: YamlFile): TestFile {
  return { yaml, tests: checkYamlFile(policyTestsShape, yaml) };
}

/** Collects what is wrong with a test file beyond its shape, so that its author learns everything at once. */
export class TestFileFaults {
  readonly #yaml: YamlFile;
  readonly #faults: { pointer: string; message: string }[] = [];

  constructor(yaml: YamlFile) {
    this.#yaml = yaml;
  }

  add(path: readonly (string | number)[], message: string): void {
    this.addAt(formatJsonPointer(path), message);
  }

  addAt(pointer: string, message: string): void {
    this.#faults.push({ pointer, message });
  }

  /** Fails: {@link YamlFileError} where there was a fault. */
  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    throw new YamlFileError(
      this.#yaml.path,
      this.#faults.map(({ pointer, message }) => ({ ...this.#yaml.placeOf(pointer), pointer, message })),
    );
  }
}

/** The fault of a name that nobody knows, with the nearest one. */
export function describeUnknownName(
  found: string,
  expected: string,
  name: string,
  known: Iterable<string>,
): string {
  const nearest = findNearestName(name, known);
  return `found ${found}, expected ${expected}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
}
