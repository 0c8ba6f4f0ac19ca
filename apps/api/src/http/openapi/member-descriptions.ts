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
  age_days: "Whole days from `collected_at` to the instant of the question",
  all: "Comparisons that must all hold for the check to trigger",
  answered: "Plots with an answer so far",
  any: "Comparisons of which one must hold for the check to trigger",
  area_ha: "Hectares of a point: it is judged as a disc of exactly that area",
  area_m2: "Area on the WGS 84 ellipsoid, square metres",
  area_overlap_ratio: "Share of the whole reference area that the plot covers, 0 to 1",
  args: "The operands of the operation, in order",
  ask: "What is asked of whom",
  asks: "The role of the identifiers that the set looks up; absent: all of them",
  at_least: "The worst outcome that is certain already, whatever failed sources hold",
  avg: "Column whose average over the areas is compared",
  body: "Description, sets and checks, as canonical JSON has them",
  by_route: "Charged requests of this period, by route",
  candidates: "Areas whose envelopes meet the plot's, an upper bound of those that are measured",
  category: "What kind of areas the source has, such as a protected-area category",
  charged: "Whether the request counts against the quota",
  "JobResponse.charged": "Plots that were charged so far",
  "JobsResponse.charged": "Plots that were charged so far",
  check: "The check that a step belongs to",
  check_id: "The check whose evidence the feature is",
  checks: "What became of each check, in the order of the ruleset",
  "Palette.checks": "Colour of each check by its id, `#rrggbb`",
  "Plan.checks": "The checks of the ruleset, and what each asks for",
  code: "Stable code for programs",
  collected_at: "When the data was collected, ISO 8601 UTC",
  collected_at_latest: "When the latest of the data was collected, ISO 8601 UTC",
  color: "Colour for user interfaces, `#rrggbb`",
  commodity: "Commodity that the profile checks plots for",
  comparisons: "What the check compared",
  coordinates: "Positions `[longitude, latitude]` in degrees, nested as GeoJSON has them",
  country_iso3: "ISO 3166-1 alpha-3 country code",
  "RulesetSets.coverage":
    "`declared`: only sources whose manifest declares where they speak cover anything; by default an assumed coverage counts too",
  "RulesetSets.country_iso3": "Only areas of this country, or of these, by ISO 3166-1 alpha-3 code",
  created_at: "When it was created, ISO 8601 UTC",
  crs: "Coordinate reference system of the positions, such as `EPSG:31982`; absent: longitude and latitude on WGS 84",
  data: "The answer",
  date: "A calendar day, `YYYY-MM-DD`",
  decision_id: "Name of the decision: the stored answer of one charged request",
  degraded: "Plots whose answer stayed degraded; they are not charged",
  description: "What it is for, in words",
  detail: "What went wrong this time, in one sentence",
  details: "The facts behind the message, as data",
  digest: "SHA-256 of what decides, as 64 hex digits; the same input on the same editions has the same",
  digests: "The digests that the answer depends on: of the ruleset, the input and each edition",
  dimension: "What the plot consists of: points, lines or polygons",
  distance_check: "`ok` where every source answered, `failed` where one did not",
  distance_m: "Shortest distance on the WGS 84 ellipsoid, metres; 0 where they share a point",
  "MeResponse.distance_m": "The greatest distance that may be asked for, metres",
  do: "What the step does",
  edition: "Digest of the edition of the source that was asked",
  editions: "The editions that the job is answered on",
  engine_version: "Version of the engine that answered",
  error_count: "Findings that stop a plot from being accepted",
  errors: "Each fault with its place; empty where there is none",
  evaluated_at: "The instant of the question, ISO 8601 UTC",
  evidence: "The areas and records that the check found, the largest or nearest first",
  evidence_total: "How many pieces of evidence there are before the limit",
  expected: "What was expected",
  expires_at: "When it expires, ISO 8601 UTC",
  failed_sources: "Sources that cannot be asked now",
  feature_count: "Areas or records that it has",
  features: "The features of the collection",
  findings: "What is wrong with the plots, with the place and the mend of each",
  finished_at: "When the job ended, ISO 8601 UTC",
  found: "What was found",
  geometry: "A GeoJSON geometry, or a Feature around one",
  geometry_status: "Why there is no geometry: `too_complex` where drawing the overlap would cost too much",
  groups: "The groups that the ruleset names, with their members of that day",
  hint: "What would mend it",
  id: "Its identifier",
  "CheckResult.id": "The id of the check in the ruleset",
  "RulesetChecks.id": "Name of the check, unique in the ruleset",
  "ValidateResponse.id": "What the plot is called in the collection",
  idempotency_key: "The caller's name for the request; null where it had none",
  input: "The plot, and the company behind it",
  "DistanceRequest.input": "The plot and the range of distances",
  "IntersectionsRequest.input": "The plot",
  "SubjectsRequest.input": "The identifier to look up",
  "Verdict.input": "What was evaluated",
  intersection: "Sets whose common region is the set's",
  invalid: "Plots that could not be judged; they are not charged",
  items: "The entries of the page",
  "SourcesResponse.items": "The sources that are available",
  kernel: "What measures: `default`, or `reference` for the second opinion",
  key: "The API key that the request came with",
  kind: "`leaf`: areas; `group`: several leaves under one name; `subject_register`: a list of identifiers",
  license_spdx: "Licence of the data, by its SPDX identifier",
  limit: "Charged requests that the period allows; null: no limit",
  limits: "What this service allows in one request",
  lint: "Likely mistakes in the ruleset",
  "Meta.lint": "Likely mistakes in the ruleset, where they were asked for",
  match:
    "`equals`: the whole identifier; `root`: the first 8 of a `br:cnpj`, so that a branch finds its company",
  match_op: "`equals` compares whole values; `ilike` takes `%` for any characters",
  matched: "Areas or records of the source in the answer",
  matches: "What was found",
  max: "Column whose greatest value over the areas is compared",
  max_age_days: "A source whose data is older counts as one that does not cover the plot",
  measure: "The number that is compared: `count`, an area, a share, a distance, or one of a column",
  media_type: "Media type of the stored answer",
  mend: "What would mend it",
  message: "What was found and what was expected, for people",
  min: "Column whose least value over the areas is compared",
  min_distance_m: "Only areas at least this far from the plot, metres",
  min_m: "Only areas at least this far from the plot, metres",
  mode: "`live` or `test`: keys of one never meet the other's state or quota",
  name: "Its name",
  "CreateRulesetRequest.name": "Name of the ruleset, which `name@version` begins with",
  "Ruleset.name": "Name of the ruleset, told in its verdicts",
  needs: "What the input must have for the check to be answered",
  not_examined: "What the ruleset leaves to others, told with each verdict",
  of: "The set whose region `overlap_ratio` is a share of; absent: the plot",
  op: "How the value is compared with the threshold",
  "RulesetFilter.op": "The operation of the condition, as CQL2-JSON names it",
  operands: "The sets that it is made of",
  options: "What differs from the usual way of answering",
  organization: "The organization that the key belongs to",
  other: "The other plot of a duplicate or an overlap",
  outcome: "What the check says where it triggers, and null where it does not",
  "RulesetChecks.outcome": "What the check says where it triggers; `NOTICE` is told and changes no verdict",
  outcomes: "Colour of each verdict, `#rrggbb`",
  overlap_area_m2: "Area that the plot and the reference area share, square metres on the WGS 84 ellipsoid",
  overlap_ratio: "Share of the plot that the reference area covers, 0 to 1",
  page: "Number of the page, from 1",
  page_size: "Entries of a page",
  paused_reason: "Why the job waits",
  period_ends_at: "When the billing period ends, ISO 8601 UTC",
  period_started_at: "When the billing period began, ISO 8601 UTC",
  plot: "Number of the plot, from 1; 0 where the finding is about the collection",
  plot_count: "Plots that were looked at",
  plots: "A FeatureCollection of plots",
  "JobResponse.plots": "Plots of the job",
  "JobsResponse.plots": "Plots of the job",
  "ValidateResponse.plots": "What was found in the collection",
  pointer: "JSON pointer to the place, from the body's root",
  position: "Where it is, `[longitude, latitude]` in degrees",
  position_count: "Positions of the geometry",
  profile: "The system whose rules the plots are checked against",
  properties: "The columns of the source, by name",
  property: "A column of the source, or `source_name`, `source_id`, `name`, `country_iso3`, `category`",
  quota: "The allowance of the billing period, and what is left of it",
  reason: "Why",
  reasons: "Why the service is not ready",
  record: "The verdict with its request: what replays and reports are made of; null once it is erased",
  reference_areas_country_iso3: "Only areas of this country, by its ISO 3166-1 alpha-3 code",
  reference_areas_source: "Only areas of this source, or of the members of this group",
  reference_id: "The caller's own name for the question, sent back and kept",
  refusals: "Why the question would be refused as it stands",
  relation: "How the area must stand to the plot; `intersects` includes touching",
  remaining: "Charged requests that are left of the period; null: no limit",
  request: "What was asked",
  request_digest: "SHA-256 of the request's body, which stays when the body is erased",
  request_id: "The service's name for the request, also in `X-Request-Id`",
  response: "What was answered",
  response_digest: "SHA-256 of the answer's body, which stays when the body is erased",
  result_areas: "The most areas in one answer",
  result_bytes: "The most bytes of one answer",
  role: "What the bearer of the identifier is to the plot, such as `owner`",
  route: "The path that was asked",
  ruleset: "Sets and checks, sent along; or which ruleset it was",
  ruleset_id: "A saved ruleset: `name` for its latest version, or `name@version`",
  schemes: "Kinds of identifiers that are looked up",
  scheme: "The identifiers of the company behind the plot",
  "EvaluateFeatures.scheme": "Kind of the identifier, such as `br:cnpj`",
  "SubjectEvidence.scheme": "Kind of the identifier, such as `br:cnpj`",
  scopes: "What the key may do",
  semantics: "Version of the meaning of verdicts; it is raised whenever a verdict could change",
  set: "The set that the comparison is about",
  sets: "The sets of the ruleset: which areas and records it asks about",
  severity: "How serious it is",
  show: "Columns of the source that the evidence carries",
  source_id: "Identifier of the area or record in its source",
  source_name: "Name of the source",
  source_url: "Where the data set comes from",
  sources: "How each source took part in the answer",
  "Plan.sources": "The sources that would be asked, and their editions",
  status: "How it stands",
  "CheckResult.status":
    "`ok`; `failed`: a failed source could still change the check; `not_covered`: what its sources do not cover could",
  "Problem.status": "The HTTP status, as in the status line",
  "SourceOutcome.status": "`ok`, or `failed` where the source could not be asked",
  steps: "What would be done, in order",
  strict_coverage:
    "Whether sources that do not say where they speak cover nothing; by default they cover every plot",
  subject_check: "`ok` where every register answered, `failed` where one did not",
  subject_source: "Only this register; absent: all that are available",
  subscription: "The subscription of the organization, and whether it is active",
  sum: "Column whose sum over the areas is compared",
  supported_schemes: "Kinds of identifiers that the register has, such as `br:cnpj`",
  threshold: "What the value is compared with",
  title: "What it is called, for people",
  total_count: "Entries of all pages together",
  total_pages: "Number of pages",
  triggered: "Whether the condition of the check holds",
  truncated: "Whether there are more than are shown",
  type: "What it is, as GeoJSON names it",
  "RoleScheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  "Scheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  uncovered: "What the check says of plots that its sources do not cover; `NOTICE` waives it in writing",
  undetermined: "How many areas lack a value that the filter asks for",
  "AreaEvidence.undetermined": "There where the area lacks a value that the filter asks for",
  "EvaluateFeatures.undetermined": "There where the area lacks a value that the filter asks for",
  union: "Sets whose regions together are the set's",
  units: "Requests that it counts as",
  unknown: "`include`: areas whose filter has no answer are selected; by default they are counted apart",
  used: "Charged requests of the period so far",
  valid: "Whether it would be taken",
  value: "The value that was measured, as it was compared; null where there is none",
  "EvaluateFeatures.value": "The identifier, in the register's own spelling",
  "RulesetChecks.value": "The threshold, 0 by default",
  "SubjectEvidence.value": "The identifier, in the register's own spelling",
  "SubjectMatch.value": "The identifier, in the register's own spelling",
  verdict: "The word: the worst outcome of all checks, or `DEGRADED` where a failed source could change it",
  version: "Version of the ruleset, a whole number",
  warning_count: "Findings that do not stop a plot from being accepted",
  warnings: "What is worth knowing beside the answer",
  where: "Condition on the columns of the areas, as CQL2-JSON or as CQL2 text",
  within_m: "Selects the areas that lie within this distance of the plot, metres, inclusive",
  without_country: "Areas left out because they carry no country while one was asked for",
};

const PARAMETERS: Readonly<Record<string, string>> = {
  country_iso3: "Only sources that speak in this country, by its ISO 3166-1 alpha-3 code",
  file: "Name of the file",
  id: "Identifier, as it was told when the thing was made",
  kind: "Only sources of this kind",
  name: "Name of the ruleset",
  page: "Number of the page, from 1",
  page_size: "Entries of a page",
  reference_id: "Only decisions with this name of the caller",
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
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.values(value).every((schema) => schema !== null && typeof schema === "object");
}
