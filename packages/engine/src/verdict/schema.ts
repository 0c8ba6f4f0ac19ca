import type { Bbox } from "../geometry/earth/bbox.ts";
import type { PlotGeometry, Warning } from "../geometry/plot/plot.ts";
import {
  array,
  boolean,
  choice,
  describedAs,
  type MembersOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../shape/shape.ts";
import { editionShape } from "../snapshot/meta-shape.ts";
import type { DistanceMatch, IntersectionMatch, SubjectMatch } from "./match.ts";
import type {
  AreaEvidence,
  AreaOverlap,
  CheckResult,
  ComparisonOperator,
  ComparisonResult,
  Evidence,
  NamedArea,
  Outcome,
  Properties,
  SourceCoverage,
  SourceOutcome,
  SubjectEvidence,
  Verdict,
} from "./verdict.ts";

// What a verdict is made of, for those who check or describe one: records, the wire, its description.

export const outcomeShape: Shape<Outcome> = choice("NON_COMPLIANT", "WARNING", "NOTICE");
const operatorShape: Shape<ComparisonOperator> = choice(">", ">=", "<", "<=", "=", "<>");
/** SHA-256. */
const digest = editionShape;
const count = number({ whole: true });

/** A tuple for TypeScript, an array of four for everyone else. */
export const bboxShape: Shape<Bbox> = describedAs(
  array(number(), { min: 4, max: 4 }),
  "west, south, east, north",
) as object as Shape<Bbox>;

const rings = array(array(array(number())));

/** Coordinates are an answer's own, so nobody is kept from changing them. */
const plotGeometryShape: Shape<PlotGeometry> = union([
  object({ type: choice("Polygon"), coordinates: rings }),
  object({ type: choice("MultiPolygon"), coordinates: array(rings) }),
]) as object as Shape<PlotGeometry>;

/** An instant as answers tell it. */
const toldInstantShape: Shape<string> = text({ format: "date-time" });

/** What names an area in answers; the numbers come on top. */
export const areaMembers: MembersOf<NamedArea> = {
  source_name: text(),
  source_id: text(),
  name: nullable(text()),
  country_iso3: nullable(text()),
};

const attributesShape: Shape<Properties> = record(text(), union([text(), number(), boolean(), choice(null)]));
const SHOWN = "The columns that the sets of the check ask evidence to show";

/** What is measured of an area against the plot. */
const overlapMembers: MembersOf<AreaOverlap> = {
  overlap_area_m2: number(),
  overlap_ratio: number(),
  area_overlap_ratio: nullable(number()),
};

export const areaEvidenceMembers: MembersOf<AreaEvidence> = {
  ...areaMembers,
  edition: digest,
  ...overlapMembers,
  distance_m: optional(number()),
  undetermined: optional(choice(true)),
  properties: optional(attributesShape, SHOWN),
};

export const subjectEvidenceMembers: MembersOf<SubjectEvidence> = {
  source_name: text(),
  source_id: text(),
  name: nullable(text()),
  value: text(),
  scheme: text(),
  role: optional(text()),
  properties: optional(attributesShape, SHOWN),
};

export const areaEvidenceShape: Shape<AreaEvidence> = named("AreaEvidence", () =>
  object<AreaEvidence>(areaEvidenceMembers),
);
export const subjectEvidenceShape: Shape<SubjectEvidence> = named("SubjectEvidence", () =>
  object<SubjectEvidence>(subjectEvidenceMembers),
);
const evidenceShape: Shape<Evidence> = union([areaEvidenceShape, subjectEvidenceShape]);

const comparisonShape = object<ComparisonResult>({
  set: text(),
  measure: union([text(), record(text(), text())]),
  op: operatorShape,
  value: nullable(number()),
  threshold: number(),
  of: optional(text()),
});

export const checkResultShape: Shape<CheckResult> = named("CheckResult", () =>
  object<CheckResult>({
    id: text(),
    title: optional(text()),
    outcome: nullable(outcomeShape),
    triggered: boolean(),
    status: choice("ok", "failed", "not_covered"),
    covered_ratio: optional(
      number({ min: 0, max: 1 }),
      "Share of the plot that every source or group listed in the check's sets covers; present if the status is not_covered and the check uses sets of areas",
    ),
    comparisons: array(comparisonShape),
    undetermined: count,
    evidence: array(evidenceShape),
    evidence_total: count,
  }),
);

const sourceCoverageShape: Shape<SourceCoverage> = choice("full", "partial", "none", "undeclared");

export const sourceOutcomeShape: Shape<SourceOutcome> = named("SourceOutcome", () =>
  object<SourceOutcome>({
    source_name: text(),
    status: choice("ok", "failed"),
    edition: optional(digest),
    collected_at: optional(text()),
    age_days: optional(count),
    matched: count,
    left_out: optional(
      number({ whole: true, min: 0 }),
      "Features or rows of the source that could not be stored; absent when the number is not known",
    ),
    without_country: optional(count),
    coverage: optional(
      sourceCoverageShape,
      "How much of the plot the source covers; undeclared: the source declares no coverage, and is assumed to cover the plot. Absent for registers, failed sources and inputs without a plot",
    ),
    coverage_known: optional(
      choice("derived"),
      "The source declares no coverage: it was assumed from the countries of its areas",
    ),
    overage: optional(
      boolean(),
      "Whether the source is too old for a set with max_age_days; absent if no set that the checks use has max_age_days",
    ),
    scope: optional(
      text(),
      "The part of its theme that the source contains, according to its manifest, e.g. federal units",
    ),
    fictional: optional(choice(true), "The areas or records of the source are invented"),
    reason: optional(text()),
  }),
);

export const verdictMembers: MembersOf<Verdict> = {
  verdict: choice("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"),
  status: choice("ok", "degraded"),
  at_least: choice("COMPLIANT", "WARNING", "NON_COMPLIANT"),
  ruleset: object<Verdict["ruleset"]>({
    name: nullable(text()),
    version: nullable(count),
    digest,
    not_examined: optional(array(text()), "What the ruleset does not examine, in its own words"),
  }),
  input: object<Verdict["input"]>({
    digest,
    area_m2: optional(number()),
    bbox: optional(bboxShape),
    disc: optional(
      plotGeometryShape,
      "The discs that were evaluated in place of points; `area_m2` and `bbox` are those of the discs",
    ),
  }),
  checks: array(checkResultShape),
  sources: array(sourceOutcomeShape),
  groups: optional(
    record(text(), array(text())),
    "The groups that the ruleset names, with the sources that were queried for each",
  ),
  digest: nullable(digest),
  semantics: count,
  evaluated_at: toldInstantShape,
};

export const warningShape: Shape<Warning> = named("Warning", () =>
  object<Warning>({
    pointer: text(),
    code: text(),
    message: text(),
  }),
);

/** A match of the question after intersections, its geometry apart. */
export const intersectionMatchShape: Shape<Omit<IntersectionMatch, "geometry">> = object<
  Omit<IntersectionMatch, "geometry">
>({
  ...areaMembers,
  ...overlapMembers,
  geometry_status: optional(choice("too_complex")),
  properties: attributesShape,
});

/** A match of the question after distances, its geometry apart. */
export const distanceMatchShape: Shape<Omit<DistanceMatch, "geometry">> = object<
  Omit<DistanceMatch, "geometry">
>({ ...areaMembers, properties: attributesShape, distance_m: number() });

export const subjectMatchMembers: MembersOf<SubjectMatch> = {
  source_name: text(),
  source_id: text(),
  value: text(),
  indexed_at: optional(
    text(),
    "When the register was collected; if that is not known, when its edition was built",
  ),
  properties: attributesShape,
};
