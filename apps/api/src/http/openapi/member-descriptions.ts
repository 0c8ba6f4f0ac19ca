import { isObject } from "@groundrule/engine/internal/json";
import type { Json } from "./json.ts";

/**
 * What members are called the same mean, wherever they stand: one word, one meaning. `Schema.member` goes before
 * `member` where a word is used of another thing. Members that their schema describes itself are not listed.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  COMPLIANT: "Colour of this verdict, `#rrggbb`",
  DEGRADED: "Colour of this verdict, `#rrggbb`",
  NON_COMPLIANT: "Colour of this verdict, `#rrggbb`",
  NOTICE: "Colour of this outcome, `#rrggbb`",
  WARNING: "Colour of this verdict, `#rrggbb`",
  age_days: "Whole days from `collected_at` to the instant of the evaluation",
  all: "Comparisons that must all hold for the check to trigger",
  answered: "Number of plots with an answer so far",
  any: "Comparisons of which at least one must hold for the check to trigger",
  area_ha: "Hectares of a point: it is evaluated as a disc of exactly that area",
  area_m2: "Area on the WGS 84 ellipsoid, square metres",
  area_overlap_ratio: "Share of the whole reference area that the plot covers, 0 to 1",
  args: "The operands of the operation, in order",
  ask: "The conditions on sets and registers",
  asks: "The role of the identifiers that the set looks up; absent: all of them",
  at_least: "The worst outcome that is already certain, whatever the failed sources contain",
  avg: "Column whose average over the areas is compared",
  body: "Description, sets and checks, in the order of canonical JSON",
  by_route: "Charged requests of this period, by route",
  candidates: "Areas whose envelopes meet the plot's, an upper bound of those that are measured",
  category: "What kind of areas the source has, such as a protected-area category",
  charged: "Whether the request counts against the quota",
  "JobResponse.charged": "Number of plots that were charged so far",
  "JobsResponse.charged": "Number of plots that were charged so far",
  check: "The check that a step belongs to",
  check_id: "The check that the feature is evidence for",
  checks: "The result of each check, in the order of the ruleset",
  "Palette.checks": "Colour of each check by its id, `#rrggbb`",
  "Plan.checks": "The checks of the ruleset, and their conditions",
  code: "Stable code for programs",
  collected_at: "When the data was collected, ISO 8601 UTC",
  collected_at_latest: "When the latest of the data was collected, ISO 8601 UTC",
  color: "Colour for user interfaces, `#rrggbb`",
  commodity: "Commodity that the profile checks plots for",
  comparisons: "The comparisons of the check, with their values",
  coordinates: "Positions `[longitude, latitude]` in degrees, nested as in GeoJSON",
  country_iso3: "ISO 3166-1 alpha-3 country code",
  "RulesetSets.coverage":
    "`declared`: only sources whose manifest declares a coverage cover a plot; by default, an assumed coverage counts too",
  "RulesetSets.country_iso3": "Only areas of this country, or of these, by ISO 3166-1 alpha-3 code",
  created_at: "When it was created, ISO 8601 UTC",
  crs: "Coordinate reference system of the positions, such as `EPSG:31982`; absent: longitude and latitude on WGS 84",
  data: "The answer",
  date: "A calendar day, `YYYY-MM-DD`",
  decision_id: "Identifier of the decision, which is the stored answer to one charged request",
  degraded: "Number of plots whose answer stayed degraded; they are not charged",
  description: "Its purpose, in words",
  detail: "What went wrong this time, in one sentence",
  details: "The facts behind the message, as data",
  digest:
    "SHA-256 of the decisive content, as 64 hex digits; the same input on the same editions has the same digest",
  digests: "The digests that the answer depends on: of the ruleset, the input and each edition",
  dimension: "The kind of geometry: points, lines or polygons",
  distance_check: "`ok` if every source answered, `failed` if one did not",
  distance_m: "Shortest distance on the WGS 84 ellipsoid, metres; 0 where they share a point",
  "MeResponse.distance_m": "The greatest distance that a request may have, metres",
  do: "The kind of step",
  edition: "Digest of the edition of the source that was queried",
  editions: "The editions that the job is evaluated on",
  engine_version: "Version of the engine that answered",
  error_count: "Findings that stop a plot from being accepted",
  errors: "Each fault with its place; empty where there is none",
  evaluated_at: "The instant of the evaluation, ISO 8601 UTC",
  evidence: "The areas and records that the check found, the largest or nearest first",
  evidence_total: "Number of pieces of evidence before the limit is applied",
  expected: "What was expected",
  expires_at: "When it expires, ISO 8601 UTC",
  failed_sources: "Number of sources that cannot be queried now",
  feature_count: "Number of areas or records of the source",
  features: "The features of the collection",
  findings: "The faults of the plots, each with its place and how to fix it",
  finished_at: "When the job ended, ISO 8601 UTC",
  found: "What was found",
  geometry: "A GeoJSON geometry, or a Feature around one",
  geometry_status: "Why there is no geometry: `too_complex` where drawing the overlap would cost too much",
  groups: "The groups that the ruleset names, with their members at that time",
  hint: "How to fix it",
  id: "Its identifier",
  "CheckResult.id": "The id of the check in the ruleset",
  "RulesetChecks.id": "Name of the check, unique in the ruleset",
  "ValidateResponse.id": "The id of the plot in the collection",
  idempotency_key: "The caller's name for the request; null if it had none",
  input: "The plot, and the company behind it",
  "DistanceRequest.input": "The plot and the range of distances",
  "IntersectionsRequest.input": "The plot",
  "SubjectsRequest.input": "The identifier to look up",
  "Verdict.input": "What was evaluated",
  intersection: "Sets whose common region is the set's",
  invalid: "Number of plots that could not be evaluated; they are not charged",
  items: "The entries of the page",
  "SourcesResponse.items": "The sources that are available",
  kernel: "The kernel that measures: `default`, or `reference` for a second opinion",
  key: "The API key that the request came with",
  kind: "`leaf`: areas; `group`: several leaves under one name; `subject_register`: a list of identifiers",
  license_spdx: "Licence of the data, by its SPDX identifier",
  limit: "Charged requests that the period allows; null: no limit",
  limits: "What this service allows in one request",
  lint: "Likely mistakes in the ruleset",
  "Meta.lint": "Likely mistakes in the ruleset, if the request has `lint`",
  match:
    "`equals`: the whole identifier; `root`: the first 8 of a `br:cnpj`, so that a branch matches its company",
  match_op: "`equals` compares whole values; `ilike` takes `%` for any characters",
  matched: "Number of areas or records of the source in the answer",
  matches: "What was found",
  max: "Column whose greatest value over the areas is compared",
  max_age_days:
    "Greatest age of a source in days; an older source counts as one that does not cover the plot",
  measure: "The number that is compared: `count`, an area, a share, a distance, or a measure of a column",
  media_type: "Media type of the stored answer",
  mend: "How to fix it",
  message: "What was found and what was expected, for people",
  min: "Column whose least value over the areas is compared",
  min_distance_m: "Only areas at least this far from the plot, metres",
  min_m: "Only areas at least this far from the plot, metres",
  mode: "`live` or `test`: keys of one mode never use the rulesets, decisions or quota of the other",
  name: "Its name",
  "CreateRulesetRequest.name": "Name of the ruleset, as in `name@version`",
  "Ruleset.name": "Name of the ruleset, repeated in its verdicts",
  needs: "The parts that the input must have for the check to be evaluated",
  not_examined: "What the ruleset does not examine; every verdict repeats this text",
  of: "The set whose region is the denominator of `overlap_ratio`; absent: the plot",
  op: "How the value is compared with the threshold",
  "RulesetFilter.op": "The operation of the condition, as CQL2-JSON names it",
  operands: "The sets that it is made of",
  options: "The options of the evaluation that differ from the default",
  organization: "The organization that the key belongs to",
  other: "The other plot of a duplicate or an overlap",
  outcome: "The outcome of the check; null if it does not trigger",
  "RulesetChecks.outcome":
    "The outcome of the check if it triggers; `NOTICE` is reported, but does not change the verdict",
  outcomes: "Colour of each verdict, `#rrggbb`",
  overlap_area_m2: "Area that the plot and the reference area share, square metres on the WGS 84 ellipsoid",
  overlap_ratio: "Share of the plot that the reference area covers, 0 to 1",
  page: "Number of the page, from 1",
  page_size: "Entries of a page",
  paused_reason: "Why the job is waiting",
  period_ends_at: "When the billing period ends, ISO 8601 UTC",
  period_started_at: "When the billing period began, ISO 8601 UTC",
  plot: "Number of the plot, from 1; 0 if the finding is about the collection",
  plot_count: "Number of plots that were checked",
  plots: "A FeatureCollection of plots",
  "JobResponse.plots": "Number of plots in the job",
  "JobsResponse.plots": "Number of plots in the job",
  "ValidateResponse.plots": "The result of the check of the collection",
  pointer: "JSON pointer to the place, from the body's root",
  position: "Its position, `[longitude, latitude]` in degrees",
  position_count: "Number of positions in the geometry",
  profile: "The system whose rules the plots are checked against",
  properties: "The columns of the source, by name",
  property: "A column of the source, or `source_name`, `source_id`, `name`, `country_iso3`, `category`",
  quota: "The limit of the billing period, and the part that is left",
  reason: "Why",
  reasons: "Why the service is not ready",
  record: "The verdict with its request, from which replays and reports are made; null after it was erased",
  reference_areas_country_iso3: "Only areas of this country, by its ISO 3166-1 alpha-3 code",
  reference_areas_source: "Only areas of this source, or of the members of this group",
  reference_id: "The caller's own identifier of the request, returned and stored",
  refusals: "Why the request would be refused as it is",
  relation: "The required relation of the area to the plot; `intersects` includes touching",
  remaining: "Billable requests that are left in the period; null: no limit",
  request: "The request",
  request_digest: "SHA-256 of the request's body, which is kept when the body is erased",
  request_id: "The service's name for the request, also in `X-Request-Id`",
  response: "The response",
  response_digest: "SHA-256 of the answer's body, which is kept when the body is erased",
  result_areas: "The most areas in one answer",
  result_bytes: "The most bytes of one answer",
  role: "The role that the identified party has for the plot, such as `owner`",
  route: "The path of the request",
  ruleset: "In a request, the sets and checks of a ruleset; in an answer, the ruleset that was used",
  ruleset_id: "A saved ruleset: `name` for its latest version, or `name@version`",
  schemes: "Kinds of identifiers that are looked up",
  scheme: "The identifiers of the company behind the plot",
  "EvaluateFeatures.scheme": "Kind of the identifier, such as `br:cnpj`",
  "SubjectEvidence.scheme": "Kind of the identifier, such as `br:cnpj`",
  scopes: "The operations that the key allows",
  semantics: "Version of the meaning of verdicts; it is raised whenever a verdict could change",
  set: "The set that the comparison measures",
  sets: "The sets of the ruleset: the areas and records that it selects",
  severity: "Its severity",
  show: "Columns of the source that the evidence shows",
  source_id: "Identifier of the area or record in its source",
  source_name: "Name of the source",
  source_url: "URL of the data set",
  sources: "The status and edition of each source in the answer",
  "Plan.sources": "The sources that would be queried, and their editions",
  status: "Its status",
  "CheckResult.status":
    "`ok`; `failed`: a failed source could still change the check; `not_covered`: land that its sources do not cover could change it",
  "Problem.status": "The HTTP status, as in the status line",
  "SourceOutcome.status": "`ok`, or `failed` if the source could not be queried",
  steps: "The steps of the evaluation, in order",
  strict_coverage:
    "Whether sources without declared coverage count as covering no plot; by default they count as covering every plot",
  subject_check: "`ok` if every register answered, `failed` if one did not",
  subject_source: "Query only this register; absent: all available registers",
  subscription: "The subscription of the organization, and whether it is active",
  sum: "Column whose sum over the areas is compared",
  supported_schemes: "Kinds of identifiers that the register has, such as `br:cnpj`",
  threshold: "The number that the value is compared with",
  title: "Its title, for people",
  total_count: "Entries of all pages together",
  total_pages: "Number of pages",
  triggered: "Whether the condition of the check holds",
  truncated: "Whether there are more than those shown",
  type: "Its GeoJSON type",
  "RoleScheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  "Scheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  uncovered:
    "The outcome of the check for plots that its sources do not cover; `NOTICE` waives it in writing",
  undetermined: "Number of areas without a value in a column that the filter reads",
  "AreaEvidence.undetermined": "Present if the area has no value in a column that the filter reads",
  "EvaluateFeatures.undetermined": "Present if the area has no value in a column that the filter reads",
  union: "Sets whose regions together are the set's",
  units: "Number of requests that it counts as",
  unknown:
    "`include`: areas for which the filter is neither true nor false are selected; by default they are only counted",
  used: "Charged requests of the period so far",
  valid: "Whether it would be accepted",
  value: "The measured value, rounded as it was compared; null if there is none",
  "EvaluateFeatures.value": "The identifier, as the register spells it",
  "RulesetChecks.value": "The threshold, 0 by default",
  "SubjectEvidence.value": "The identifier, as the register spells it",
  "SubjectMatch.value": "The identifier, as the register spells it",
  verdict: "The verdict: the worst outcome of all checks, or `DEGRADED` if a failed source could change it",
  version: "Version of the ruleset, a whole number",
  warning_count: "Findings that do not stop a plot from being accepted",
  warnings: "Warnings that do not change the answer",
  where: "Condition on the columns of the areas, as CQL2-JSON or as CQL2 text",
  within_m: "Selects the areas that lie within this distance of the plot, metres, inclusive",
  without_country:
    "Number of areas left out because they have no country, while the request or the set names one",
};

const PARAMETERS: Readonly<Record<string, string>> = {
  country_iso3: "Only sources that cover this country, by its ISO 3166-1 alpha-3 code",
  file: "Name of the file",
  id: "Identifier, as returned when the resource was created",
  kind: "Only sources of this kind",
  name: "Name of the ruleset",
  page: "Number of the page, from 1",
  page_size: "Entries of a page",
  reference_id: "Only decisions with this `reference_id`",
  request_id: "Only the decision of this request",
  version: "Version of the ruleset",
};

/** The paths with a description at every parameter. What a parameter says itself stays. */
export function describeParameters(paths: Readonly<Record<string, Json>>): Json {
  const operation = ({ parameters, ...rest }: Json): Json =>
    parameters === undefined
      ? rest
      : { ...rest, parameters: (parameters as readonly Json[]).map(describedParameter) };
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, operation(each as Json)])),
    ]),
  );
}

function describedParameter(parameter: Json): Json {
  const { name, in: place, description, ...rest } = parameter;
  const said = description ?? PARAMETERS[String(name)];
  return { name, in: place, ...(said !== undefined && { description: said }), ...rest };
}

/** The schemas with a description at every member. What a schema says itself stays. */
export function describeMembers(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, described(schema, name)]),
  ) as Json;
}

/** Every place of a schema where a member has no description: `Schema/member/…`. */
export function undescribedMembers(schemas: Json): string[] {
  const found: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== "properties" || !isSchemas(inner)) visit(inner, `${place}/${key}`);
      else {
        for (const [member, schema] of Object.entries(inner)) {
          if (!isDescribed(schema)) found.push(`${place}/${member}`);
          visit(schema, `${place}/${member}`);
        }
      }
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
  return found;
}

function described(value: unknown, schema: string): unknown {
  if (Array.isArray(value)) return value.map((item) => described(item, schema));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "example" || key === "examples" || key === "default" || key === "const" || key === "enum") {
        return [key, inner];
      }
      return key === "properties" && isSchemas(inner)
        ? [key, Object.fromEntries(Object.entries(inner).map((entry) => member(entry, schema)))]
        : [key, described(inner, schema)];
    }),
  );
}

function member([name, value]: [string, unknown], schema: string): [string, unknown] {
  const inner = described(value, schema);
  const description = DESCRIPTIONS[`${schema}.${name}`] ?? DESCRIPTIONS[name];
  return [
    name,
    isDescribed(inner) || description === undefined ? inner : { description, ...(inner as object) },
  ];
}

/** A reference leads to what is described there. */
function isDescribed(schema: unknown): boolean {
  return schema !== null && typeof schema === "object" && ("description" in schema || "$ref" in schema);
}

/** Whether the value of `properties` is that of a schema, rather than a member of that name. */
function isSchemas(value: unknown): value is Readonly<Record<string, object>> {
  if (!isObject(value)) return false;
  return Object.values(value).every((schema) => schema !== null && typeof schema === "object");
}
