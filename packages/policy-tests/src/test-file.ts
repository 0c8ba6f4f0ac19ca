import type {
  AttributeValue,
  ColumnType,
  EvaluationInput,
  Outcome,
  RoleScheme,
  VerdictStatus,
} from "@groundrule/engine";
import {
  anything,
  array,
  boolean,
  choice,
  factsShape,
  type MembersOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  schemeTypeShape,
  sourceNameShape,
  text,
  union,
} from "@groundrule/engine/internal";
import { jsonPointer } from "@groundrule/engine/internal/json";
import { checkYamlFile, type YamlFile, YamlFileError } from "./yaml-text.ts";

/** What a test file says; `docs/guides/test-a-policy.md` explains it to its authors. */
export interface PolicyTests {
  readonly ruleset?: string;
  readonly now?: string;
  readonly strict_coverage?: boolean;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly sources?: Readonly<Record<string, SourceFixture>>;
  readonly plots?: Readonly<Record<string, PlotFixture>>;
  readonly cases: readonly TestCase[];
}

/** West, south, east, north. */
export type Box = readonly number[];

/** A region: one of its members. */
export interface RegionFixture {
  readonly box?: Box;
  readonly geometry?: Geometry;
}

export interface Geometry {
  readonly type: string;
  readonly coordinates: unknown;
}

/** A source in memory: one of `areas`, `records` and `failed` makes it. */
export interface SourceFixture {
  readonly areas?: readonly AreaFixture[];
  readonly records?: readonly RecordFixture[];
  /** Why the source cannot be asked. */
  readonly failed?: string;
  /** What a failed source would be. */
  readonly kind?: "leaf" | "subject_register";
  readonly coverage?: "global" | readonly string[] | RegionFixture;
  readonly collected_at?: string;
  readonly category?: string;
  readonly columns?: Readonly<Record<string, ColumnType>>;
  /** The scheme of identifiers that name none. */
  readonly scheme?: string;
}

export interface AreaFixture extends RegionFixture {
  readonly id: string | number;
  readonly name?: string;
  readonly country_iso3?: string;
  readonly properties?: Readonly<Record<string, AttributeValue>>;
}

export interface RecordFixture {
  readonly id: string | number;
  readonly name?: string;
  readonly identifiers: string | readonly (string | Identifier)[];
  readonly properties?: Readonly<Record<string, AttributeValue>>;
}

interface Identifier {
  readonly type: string;
  readonly value: string;
}

/** What is judged: one of `box`, `geometry`, `point` and `file`. */
export interface PlotFixture extends RegionFixture {
  readonly point?: readonly number[];
  readonly file?: string;
  /** Of the plot in the file. */
  readonly id?: string | number;
  readonly crs?: string;
  readonly area_ha?: number;
  readonly country_iso3?: string;
}

export interface TestCase {
  readonly name: string;
  /** The name of a plot, or a plot. */
  readonly plot?: string | PlotFixture;
  readonly identifiers?: RoleScheme | readonly RoleScheme[];
  /** What the applicant declares. */
  readonly facts?: NonNullable<EvaluationInput["facts"]>;
  /** The land that the plot is part of. */
  readonly property?: RegionFixture;
  readonly now?: string;
  readonly expect: VerdictStatus | Expectation;
}

/** What a number should be: itself, or within bounds. */
export type ExpectedNumber = number | { readonly min?: number; readonly max?: number };

export interface Expectation {
  readonly verdict?: VerdictStatus;
  readonly at_least?: "COMPLIANT" | "WARNING" | "NON_COMPLIANT";
  /** Code of the refusal. */
  readonly error?: string;
  readonly checks?: Readonly<Record<string, CheckState | CheckExpectation>>;
  readonly sources?: Readonly<Record<string, SourceExpectation>>;
  /** Codes that are among those of the warnings. */
  readonly warnings?: readonly string[];
}

/** What became of a check, in one word. */
export type CheckState = Outcome | "not triggered" | "not_covered" | "not_declared" | "failed";

export interface CheckExpectation {
  readonly outcome?: Outcome | null;
  readonly triggered?: boolean;
  readonly status?: "ok" | "failed" | "not_covered" | "not_declared";
  /** Of its comparisons of measures, in the order of the ruleset. */
  readonly values?: readonly (ExpectedNumber | null)[];
  /** `SOURCE/ID`, or an id alone: all there is, in any order. */
  readonly evidence?: readonly (string | number)[];
  readonly undetermined?: number;
  readonly covered_ratio?: ExpectedNumber;
  /** Facts that would make it not trigger: each alone, or several with " + " between their names. */
  readonly resolve_by?: readonly string[];
}

export interface SourceExpectation {
  readonly status?: "ok" | "failed";
  readonly coverage?: "full" | "partial" | "none" | "undeclared";
  readonly overage?: boolean;
  readonly age_days?: ExpectedNumber;
  readonly matched?: ExpectedNumber;
}

/** Most cases of a file: each may take the work of an answer. */
const CASE_LIMIT = 1000;

const label = text({ min: 1, max: 256 });
const id: Shape<string | number> = union([label, number()]);
const instant = text({ words: "an instant such as 2026-11-20T10:00:00Z", pattern: /^\d{4}-.*Z$/ });
const box: Shape<Box> = array(number(), { min: 4, max: 4 });
const geometry = named("geometry", () => object<Geometry>(geometryMembers));
const countryCode = text({ pattern: /^[A-Z]{3}$/, words: "an ISO 3166-1 alpha-3 code such as BRA" });
const properties = record(label, union([text(), number(), boolean(), choice(null)]));

const geometryMembers: MembersOf<Geometry> = { type: text(), coordinates: anything() };

const regionMembers: MembersOf<RegionFixture> = {
  box: optional(box, "West, south, east and north, degrees."),
  geometry: optional(geometry),
};

const area: Shape<AreaFixture> = object<AreaFixture>({
  id,
  name: optional(label),
  ...regionMembers,
  country_iso3: optional(countryCode),
  properties: optional(properties),
});

const identifier = object<Identifier>({ type: schemeTypeShape, value: text({ min: 1 }) });

const subjectRecord: Shape<RecordFixture> = object<RecordFixture>({
  id,
  name: optional(label),
  identifiers: union(
    [text({ min: 1 }), array(union([text({ min: 1 }), identifier]))],
    () => "an identifier in quotes, or a list of them",
  ),
  properties: optional(properties),
});

const source: Shape<SourceFixture> = object<SourceFixture>({
  areas: optional(array(area), "Its areas; [] for none."),
  records: optional(array(subjectRecord), "In place of areas: the records of a register."),
  failed: optional(text({ min: 1 }), "In place of both: why the source cannot be asked."),
  kind: optional(choice("leaf", "subject_register"), "Of a source that failed."),
  coverage: optional(
    union(
      [choice("global"), array(countryCode, { min: 1 }), object<RegionFixture>(regionMembers)],
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
});

const plot: Shape<PlotFixture> = object<PlotFixture>({
  ...regionMembers,
  point: optional(array(number(), { min: 2, max: 2 }), "Longitude and latitude, with area_ha."),
  file: optional(label, "GeoJSON or NDJSON beside this file."),
  id: optional(id, "Of the plot in the file."),
  crs: optional(label),
  area_ha: optional(number({ above: 0 }), "Hectares around the point."),
  country_iso3: optional(countryCode),
});

const roleScheme = object<RoleScheme>({
  type: schemeTypeShape,
  value: text({ min: 1 }),
  role: optional(label),
} as MembersOf<RoleScheme>);

const expectedNumber: Shape<ExpectedNumber> = union(
  [number(), object<Exclude<ExpectedNumber, number>>({ min: optional(number()), max: optional(number()) })],
  () => "a number, or bounds {min: …, max: …}",
);

const outcome = choice("NON_COMPLIANT", "WARNING", "NOTICE");

const check: Shape<CheckState | CheckExpectation> = union<[CheckState, CheckExpectation]>([
  choice("NON_COMPLIANT", "WARNING", "NOTICE", "not triggered", "not_covered", "not_declared", "failed"),
  object<CheckExpectation>({
    outcome: optional(nullable(outcome)),
    triggered: optional(boolean()),
    status: optional(choice("ok", "failed", "not_covered", "not_declared")),
    values: optional(array(nullable(expectedNumber)), "Of its comparisons of measures, in their order."),
    evidence: optional(array(id), "All of it, in any order: ids, or SOURCE/ID."),
    undetermined: optional(number({ whole: true, min: 0 })),
    covered_ratio: optional(expectedNumber),
    resolve_by: optional(
      array(label),
      "The facts that would make it not trigger, in any order: each alone, or several with “ + ” between.",
    ),
  }),
]);

const verdict = choice("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED");

const expectation: Shape<VerdictStatus | Expectation> = union<[VerdictStatus, Expectation]>([
  verdict,
  object<Expectation>({
    verdict: optional(verdict),
    at_least: optional(choice("COMPLIANT", "WARNING", "NON_COMPLIANT")),
    error: optional(text({ pattern: /^[A-Z_]+$/, words: "the code of an error such as INPUT_INCOMPLETE" })),
    checks: optional(record(label, check)),
    sources: optional(
      record(
        label,
        object<SourceExpectation>({
          status: optional(choice("ok", "failed")),
          coverage: optional(choice("full", "partial", "none", "undeclared")),
          overage: optional(boolean()),
          age_days: optional(expectedNumber),
          matched: optional(expectedNumber),
        }),
      ),
    ),
    warnings: optional(array(label)),
  }),
]);

/** The shape of a test file. */
export const policyTestsShape: Shape<PolicyTests> = object<PolicyTests>(
  {
    ruleset: optional(label, "The ruleset: a JSON file beside this one, or preset.NAME."),
    now: optional(instant, "The instant of every case that has none of its own."),
    strict_coverage: optional(boolean(), "Whether sources without a coverage cover no plot."),
    groups: optional(
      record(sourceNameShape, array(sourceNameShape, { min: 1 })),
      "Groups of these sources, for rulesets that name groups.",
    ),
    sources: optional(record(sourceNameShape, source), "Sources in memory, in place of a data folder."),
    plots: optional(record(label, plot), "Plots that cases name."),
    cases: array(
      object<TestCase>({
        name: label,
        plot: optional(union<[string, PlotFixture]>([label, plot])),
        identifiers: optional(union<[RoleScheme, readonly RoleScheme[]]>([roleScheme, array(roleScheme)])),
        facts: optional(factsShape, "What the applicant declares, by name."),
        property: optional(object<RegionFixture>(regionMembers), "The land that the plot is part of."),
        now: optional(instant),
        expect: expectation,
      }),
      { min: 1, max: CASE_LIMIT },
    ),
  },
  { words: "an object with cases" },
);

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
    this.addAt(jsonPointer(path), message);
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
