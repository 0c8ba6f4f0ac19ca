import type { Bbox } from "../geometry/earth/bbox.ts";
import type { PlotGeometry, Warning } from "../geometry/plot/plot.ts";
import {
  array,
  boolean,
  choice,
  type Described,
  describedAs,
  named,
  nullable,
  number,
  object,
  objectOf,
  optional,
  record,
  type Shape,
  text,
  union,
  type ValueOf,
} from "../shape/shape.ts";
import { editionShape } from "../snapshot/meta-shape.ts";
import { factValueShape } from "./fact-shape.ts";

// Members of a verdict. Each is written once, here: its shape, its type and the words for it in the description of the
// service and in the reference.

/** Outcome of a check that triggers, worst first. */
export type Outcome = "NON_COMPLIANT" | "WARNING" | "NOTICE";
export const outcomeShape: Shape<Outcome> = choice("NON_COMPLIANT", "WARNING", "NOTICE");

/** How a measure is compared with its threshold. */
export type ComparisonOperator = ">" | ">=" | "<" | "<=" | "=" | "<>";
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
  named("Polygon", () => object({ type: choice("Polygon"), coordinates: rings })),
  named("MultiPolygon", () => object({ type: choice("MultiPolygon"), coordinates: array(rings) })),
]) as object as Shape<PlotGeometry>;

/** An instant in an answer. */
const describedInstantShape = text({ format: "date-time" });

/** Shapes of members that several answers have, with their words. */
export const answerShapes = {
  sourceName: describedAs(text(), "Name of the source"),
  sourceId: describedAs(text(), "Identifier of the area or record in its source"),
  edition: describedAs(digest, "Digest of the edition of the source that was queried"),
  collectedAt: describedAs(text(), "When the data was collected, ISO 8601 UTC"),
  role: describedAs(text(), "The role that the identified party has for the plot, such as `owner`"),
  semantics: describedAs(
    count,
    "Version of the meaning of verdicts; it is raised whenever a verdict could change",
  ),
  pointer: describedAs(text(), "JSON pointer to the place, from the body's root"),
  code: describedAs(text(), "Stable code for programs"),
  message: describedAs(text(), "What was found and what was expected, for people"),
  positionCount: describedAs(count, "Number of positions in the geometry"),
};
const { sourceName, sourceId, edition, collectedAt, role, semantics, pointer, code, message } = answerShapes;
const nullableCountry = describedAs(
  nullable(text()),
  "ISO 3166-1 alpha-3 country code; null where the source has none",
);
const distance = describedAs(
  number(),
  "Shortest distance on the WGS 84 ellipsoid, metres; 0 where they share a point",
);
const describedOperator = describedAs(operatorShape, "How the value is compared with the threshold");

const onShape = describedAs(choice("property"), "Measured against the property; absent: the plot");

const namedAreaMembers = {
  source_name: sourceName,
  source_id: sourceId,
  name: describedAs(nullable(text()), "Its name; null where the source has none"),
  country_iso3: nullableCountry,
};

/** Name of an area in an answer. */
export interface NamedArea extends Described<typeof namedAreaMembers> {}

const overlapMembers = {
  overlap_area_m2: describedAs(
    number(),
    "Area that the plot and the reference area share, square metres on the WGS 84 ellipsoid",
  ),
  overlap_ratio: describedAs(number(), "Share of the plot that the reference area covers, 0 to 1"),
  area_overlap_ratio: describedAs(
    nullable(number()),
    "Share of the whole reference area that the plot covers, 0 to 1",
  ),
};

/** The overlap of an area and the plot. */
export interface AreaOverlap extends Described<typeof overlapMembers> {}

const propertiesShape = record(text(), union([text(), number(), boolean(), choice(null)]));
/** Values of a source's columns, by name. */
export type Properties = ValueOf<typeof propertiesShape>;
const columns = describedAs(propertiesShape, "The columns of the source, by name");

const shownMembers = {
  properties: optional(propertiesShape, "The columns that the sets of the check ask evidence to show"),
};

const cellMembers = {
  cells: optional(
    count,
    "Cells of a raster that share with the plot an area that prints as more than 0; absent of areas with rings, and where the plot is no polygon",
  ),
};

export const areaEvidenceMembers = {
  ...namedAreaMembers,
  edition,
  ...overlapMembers,
  ...cellMembers,
  distance_m: optional(distance),
  undetermined: optional(
    choice(true),
    "Present if the filter has no answer for the area, for want of a value in a column or of a country",
  ),
  on: optional(onShape),
  ...shownMembers,
};

/** An area that a check found. */
export interface AreaEvidence extends Described<typeof areaEvidenceMembers> {}

export const subjectEvidenceMembers = {
  source_name: sourceName,
  source_id: sourceId,
  name: describedAs(nullable(text()), "Name of the record; null where it has none"),
  value: describedAs(text(), "The identifier, as the register spells it"),
  scheme: describedAs(text(), "Kind of the identifier, such as `br:cnpj`"),
  role: optional(role),
  ...shownMembers,
};

/** A record that a check found. */
export interface SubjectEvidence extends Described<typeof subjectEvidenceMembers> {}

const areaEvidenceShape: Shape<AreaEvidence> = named("AreaEvidence", () => objectOf(areaEvidenceMembers));
const subjectEvidenceShape: Shape<SubjectEvidence> = named("SubjectEvidence", () =>
  objectOf(subjectEvidenceMembers),
);
const evidenceShape = named("Evidence", () =>
  union<[AreaEvidence, SubjectEvidence]>([areaEvidenceShape, subjectEvidenceShape]),
);

/** Evidence of a check: areas of area sets, records of registers. */
export type Evidence = ValueOf<typeof evidenceShape>;

/** A measure as the ruleset writes it. */
const measureShape = named("RulesetMeasure", () => union([text(), record(text(), text())]));

/** Source of a threshold. */
const thresholdSourceShape = named("ThresholdSource", () =>
  union([
    named("ThresholdOfFact", () =>
      objectOf({
        fact: describedAs(text(), "The fact, or a member of a document"),
        times: describedAs(number(), "What it is multiplied by"),
      }),
    ),
    named("ThresholdOfMeasure", () =>
      objectOf({
        set: describedAs(text(), "The set that is measured"),
        measure: describedAs(measureShape, "The measure, as the ruleset writes it"),
        of: optional(text(), "The set whose region is the denominator; absent: the plot"),
        on: optional(choice("property"), "Measured against the property; absent: the plot"),
        times: describedAs(number(), "What it is multiplied by"),
      }),
    ),
  ]),
);

const comparisonMembers = {
  set: describedAs(text(), "The set that the comparison measures"),
  measure: describedAs(
    measureShape,
    "The number that is compared: `count`, an area, a share, a distance, or a measure of a column",
  ),
  op: describedOperator,
  value: describedAs(
    nullable(number()),
    "The measured value, rounded as it was compared; null if there is none",
  ),
  threshold: describedAs(
    nullable(number()),
    "The number that the value is compared with; null if it is taken from a fact that was not declared, or from a measure that is not known",
  ),
  of: optional(text(), "The set whose region is the denominator of `overlap_ratio`; absent: the plot"),
  on: optional(onShape),
  threshold_of: optional(
    thresholdSourceShape,
    "The fact or the measure that the threshold is, multiplied; absent: the ruleset gives a number",
  ),
};

/** One comparison of a check: the measured (printed) value against its threshold. */
export interface ComparisonResult extends Described<typeof comparisonMembers> {}

const plainFactShape = union([boolean(), number(), text()]);

const declaredFactMembers = {
  fact: describedAs(text(), "The name of the fact in the ruleset"),
  type: describedAs(choice("boolean", "number", "date", "text", "document"), "Which kind of fact it is"),
  value: describedAs(
    nullable(factValueShape),
    "What the applicant declared; nobody examined it. Null: not declared, or not brought",
  ),
  digest: optional(digest, "SHA-256 of the canonical JSON of a document as it was declared"),
};

/** A fact of the ruleset, as the applicant declared it. */
export interface DeclaredFact extends Described<typeof declaredFactMembers> {}

const declaredComparisonMembers = {
  fact: describedAs(text(), "The fact that is compared, or a member of a document"),
  op: describedAs(
    union([operatorShape, choice("valid", "not_valid")]),
    "How the value is compared with the threshold",
  ),
  value: describedAs(
    nullable(plainFactShape),
    "What was declared; of a document, whether it is valid on the day of the evaluation. Null: not declared, or not brought",
  ),
  threshold: optional(
    nullable(plainFactShape),
    "What the value is compared with; null if it is not known; absent of documents",
  ),
  threshold_of: optional(
    thresholdSourceShape,
    "The fact or the measure that the threshold is, multiplied; absent: the ruleset gives a value",
  ),
};

/** One comparison of a check with what was declared. */
export interface DeclaredComparison extends Described<typeof declaredComparisonMembers> {}

const neededFactMembers = {
  fact: describedAs(text(), "The fact that would decide otherwise, or a member of a document"),
  valid: optional(choice(true), "A document that is valid on the day of the evaluation"),
  one_of: optional(array(plainFactShape), "The values that would"),
  at_least: optional(union([number(), text()]), "The least number or the first day that would, inclusive"),
  above: optional(number(), "The numbers greater than this would"),
  at_most: optional(union([number(), text()]), "The greatest number or the last day that would, inclusive"),
  below: optional(number(), "The numbers less than this would"),
};

/** Value of a fact that would keep the check from triggering. */
export interface NeededFact extends Described<typeof neededFactMembers> {}

const resolutionMembers = {
  facts: describedAs(
    array(named("NeededFact", () => objectOf(neededFactMembers))),
    "All of these are needed together",
  ),
};

/** Facts that together would make a check not trigger. */
export interface Resolution extends Described<typeof resolutionMembers> {}

const openReasonMembers = {
  because: describedAs(
    choice("coverage", "age", "fact", "null", "identifier", "left_out", "failed", "without"),
    "`coverage`: the source or group does not cover the plot or, of a set with a distance, its surroundings; `age`: the source is older than the set allows; `fact`: a fact or the property was not declared; `null`: areas have no value in a column that the set needs; `identifier`: no identifier of this scheme can have the value that was sent; `left_out`: features of the source could not be stored; `failed`: the source could not be queried; `without`: the evaluation was to do without the source",
  ),
  source_name: optional(text(), "The source or group; absent of facts and identifiers"),
  fact: optional(text(), "The fact that was not declared, or a member of a document"),
  covered_ratio: optional(
    number({ min: 0, max: 1 }),
    "Share of the plot that the source or group covers, whatever its age; present with `coverage`. 1 where it leaves only surroundings of the plot uncovered",
  ),
  age_days: optional(number({ whole: true }), "Age of the source, days; absent where it is not known"),
  max_age_days: optional(number(), "Greatest age that the set allows, days; present with `age`"),
  areas: optional(count, "Number of areas without a value, or of features that could not be stored"),
  pointer: optional(
    text(),
    "JSON pointer of the missing fact or property, or of the identifier, in the input",
  ),
  proposed: optional(
    text(),
    "A value with lost zeros restored whose check digits fit; nothing was evaluated for it",
  ),
};

/** One reason why a check is open. */
export interface OpenReason extends Described<typeof openReasonMembers> {}

const checkResultMembers = {
  id: describedAs(text(), "The id of the check in the ruleset"),
  title: optional(text(), "Its title, for people"),
  outcome: describedAs(nullable(outcomeShape), "The outcome of the check; null if it does not trigger"),
  triggered: describedAs(boolean(), "Whether the condition of the check holds"),
  status: describedAs(
    choice("ok", "failed", "not_covered", "undetermined", "not_declared"),
    "`ok`; else something that is not known could change the check. `failed`: what a failed source contains; `not_covered`: what its sources do not cover, or no longer, or left out; `undetermined`: areas without a value in a column, or an identifier that its scheme excludes; `not_declared`: a fact that was not declared. Of several the first in this order",
  ),
  open: optional(
    array<OpenReason>(objectOf(openReasonMembers)),
    "Why the check is open; present if its status is not `ok`",
  ),
  comparisons: describedAs(
    array<ComparisonResult>(named("Comparison", () => objectOf(comparisonMembers))),
    "The comparisons of the check, with their values",
  ),
  declared: optional(
    array<DeclaredComparison>(named("DeclaredComparison", () => objectOf(declaredComparisonMembers))),
    "The comparisons with declared facts, which nobody examined; absent if the check has none",
  ),
  resolve_by: optional(
    array<Resolution>(named("Resolution", () => objectOf(resolutionMembers))),
    "What would make the check not trigger: each entry alone suffices. Present if the check triggers or is open, and facts of the ruleset would decide otherwise",
  ),
  undetermined: describedAs(
    count,
    "Number of areas of which the filter has no answer, for want of a value in a column or of a country",
  ),
  evidence: describedAs(
    array(evidenceShape),
    "The areas and records that the check found, the largest or nearest first",
  ),
  evidence_total: describedAs(count, "Number of pieces of evidence before the limit is applied"),
};

/** Result of one check. */
export interface CheckResult extends Described<typeof checkResultMembers> {}

const checkResultShape: Shape<CheckResult> = named("CheckResult", () => objectOf(checkResultMembers));

const sourceCoverageShape = choice("full", "partial", "none", "undeclared");
/** The part of the plot that a source covers: all but a tolerance, some, no more than a tolerance; or not declared. */
export type SourceCoverage = ValueOf<typeof sourceCoverageShape>;

const sourceOutcomeMembers = {
  source_name: sourceName,
  status: describedAs(
    choice("ok", "failed", "without"),
    "`ok`; `failed` if the source could not be queried; `without` if the evaluation was to do without it",
  ),
  edition: optional(edition),
  collected_at: optional(collectedAt),
  observed_until: optional(text(), "The last day of which the data speak, `YYYY-MM-DD`"),
  age_days: optional(
    count,
    "Whole days from `observed_until`, else from `collected_at`, to the instant of the evaluation; absent if it is not known, or that is more than a day later",
  ),
  matched: describedAs(count, "Number of areas or records of the source in the answer"),
  left_out: optional(
    number({ whole: true, min: 0 }),
    "Features or rows of the source that could not be stored; absent when the number is not known",
  ),
  without_country: optional(
    count,
    "Number of areas left out because they have no country, while the request or the set names one",
  ),
  coverage: optional(
    sourceCoverageShape,
    "How much of the plot the source covers; undeclared: the source declares no coverage, and is assumed to cover the plot. Absent for registers, failed sources and inputs without a plot",
  ),
  coverage_known: optional(
    choice("derived"),
    "The source declares no coverage: it was assumed from the countries of its areas",
  ),
  cell_m: optional(
    array(number(), { min: 2, max: 2 }) as object as Shape<readonly [number, number]>,
    "Width and height of the cells of a raster at the middle of the plot, metres",
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
  before_cutoff: optional(
    choice(true),
    "The observations of the source may end before the cut-off of its group, which its manifest allows",
  ),
  reason: optional(text(), "Why it could not be queried"),
};

/** How one source took part in an answer. */
export interface SourceOutcome extends Described<typeof sourceOutcomeMembers> {}

export const sourceOutcomeShape: Shape<SourceOutcome> = named("SourceOutcome", () =>
  objectOf(sourceOutcomeMembers),
);

const statusShape = choice("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED");
/** The word of a verdict. `DEGRADED`: a failed source could still change it. */
export type VerdictStatus = ValueOf<typeof statusShape>;

const atLeastShape = choice("COMPLIANT", "WARNING", "NON_COMPLIANT");
/** Worst outcome that is already certain, whatever the failed sources hold. */
export type AtLeast = ValueOf<typeof atLeastShape>;

const inputMembers = {
  digest: describedAs(
    digest,
    "SHA-256 of the positions, `crs` and `area_ha` as sent, the canonical schemes, and the facts and the property as sent",
  ),
  area_m2: optional(number(), "Area on the WGS 84 ellipsoid, square metres"),
  bbox: optional(bboxShape),
  property_area_m2: optional(number(), "Area of the property that was sent, square metres"),
  disc: optional(
    plotGeometryShape,
    "The discs that were evaluated in place of points; `area_m2` and `bbox` are those of the discs",
  ),
};

/** The input of the evaluation. */
export interface VerdictInput extends Described<typeof inputMembers> {}

const groupsShape = record(text(), array(text()));
/** Names of groups, ascending, each with the names of its members, ascending. */
export type Groups = ValueOf<typeof groupsShape>;

export const verdictMembers = {
  verdict: describedAs(
    statusShape,
    "The verdict: the worst outcome of all checks, or `DEGRADED` if a failed source could change it",
  ),
  status: describedAs(choice("ok", "degraded"), "`degraded`: a failed source could still change some check"),
  at_least: describedAs(
    atLeastShape,
    "The worst outcome that is already certain, whatever the failed sources contain",
  ),
  ruleset: describedAs(
    named("VerdictRuleset", () =>
      objectOf({
        name: describedAs(nullable(text()), "Its name; null where it has none"),
        version: describedAs(
          nullable(count),
          "Version of a saved ruleset or a preset; null of one that was sent along",
        ),
        digest: describedAs(digest, "SHA-256 of its sets and checks, every default written out"),
        not_examined: optional(array(text()), "What the ruleset does not examine, in its own words"),
      }),
    ),
    "Which ruleset was evaluated",
  ),
  input: describedAs(
    named("VerdictInput", () => objectOf(inputMembers)) as Shape<VerdictInput>,
    "What was evaluated",
  ),
  facts: optional(
    array<DeclaredFact>(named("DeclaredFact", () => objectOf(declaredFactMembers))),
    "The facts that the ruleset asks for, as the applicant declared them; nobody examined them. Absent if it asks for none",
  ),
  checks: describedAs(array(checkResultShape), "The result of each check, in the order of the ruleset"),
  sources: describedAs(array(sourceOutcomeShape), "The status and edition of each source in the answer"),
  groups: optional(
    groupsShape,
    "The groups that the ruleset names, with the sources that were queried for each",
  ),
  digest: describedAs(
    nullable(digest),
    "SHA-256 of the canonical JSON of what decides; null under the reference kernel",
  ),
  semantics,
  evaluated_at: describedAs(describedInstantShape, "The instant of the evaluation, ISO 8601 UTC"),
};

/** The answer of an evaluation, member for member as it travels in `data`. */
export interface Verdict extends Described<typeof verdictMembers> {}

export const warningShape: Shape<Warning> = named("Warning", () =>
  object<Warning>({
    pointer,
    code,
    message,
  }),
);

const areaMatchMembers = { ...namedAreaMembers, properties: columns };

/** An area that an answer is about. */
export interface AreaMatch extends Described<typeof areaMatchMembers> {}

const intersectionMatchMembers = {
  ...namedAreaMembers,
  ...overlapMembers,
  ...cellMembers,
  geometry_status: optional(
    choice("too_complex"),
    "Why there is no geometry: `too_complex` where drawing the overlap would cost too much",
  ),
  properties: columns,
};

/** A match of the question after intersections, its geometry apart. */
export interface MeasuredMatch extends Described<typeof intersectionMatchMembers> {}

export const intersectionMatchShape: Shape<MeasuredMatch> = named("IntersectionMatch", () =>
  objectOf(intersectionMatchMembers),
);

const distanceMatchMembers = { ...areaMatchMembers, distance_m: distance };

/** A match of the question after distances, its geometry apart. */
export interface NearMatch extends Described<typeof distanceMatchMembers> {}

export const distanceMatchShape: Shape<NearMatch> = named("DistanceMatch", () =>
  objectOf(distanceMatchMembers),
);

export const subjectMatchMembers = {
  source_name: sourceName,
  source_id: sourceId,
  value: describedAs(text(), "The identifier, as the register spells it"),
  indexed_at: optional(
    text(),
    "When the register was collected; if that is not known, when its edition was built",
  ),
  properties: columns,
};

/** A record that the identifier names. */
export interface SubjectMatch extends Described<typeof subjectMatchMembers> {}
