import { isObject } from "@groundrule/engine/internal/json";
import type { Json } from "./json.ts";

/**
 * Meanings of members by name, in any object: those of requests and rulesets, and the few that many answers
 * share. `Schema.member` goes before `member` where a word is used of another thing. What is of one place only says
 * so itself, beside its shape.
 */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  all: "Comparisons that must all hold for the check to trigger",
  any: "Comparisons of which at least one must hold for the check to trigger",
  area_ha: "Hectares of a point: it is evaluated as a disc of exactly that area",
  area_m2: "Area on the WGS 84 ellipsoid, square metres",
  args: "The operands of the operation, in order",
  asks: "The role of the identifiers that the set looks up; absent: all of them",
  avg: "Column whose average over the areas is compared",
  mean: "Column whose average over the areas is compared, each weighted by what it shares with the plot",
  category: "What kind of areas the source has, such as a protected-area category",
  code: "Stable code for programs",
  collected_at: "When the data was collected, ISO 8601 UTC",
  color: "Colour for user interfaces, `#rrggbb`",
  commodity: "Commodity that the profile checks plots for",
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
  description: "Its purpose, in words",
  detail: "What went wrong this time, in one sentence",
  distance_m: "Shortest distance on the WGS 84 ellipsoid, metres; 0 where they share a point",
  do: "The kind of step",
  edition: "Digest of the edition of the source that was queried",
  engine_version: "Version of the engine that answered",
  errors: "Each fault with its place; empty where there is none",
  evaluated_at: "The instant of the evaluation, ISO 8601 UTC",
  feature_count: "Number of areas or records of the source",
  features: "The features of the collection",
  geometry: "A GeoJSON geometry, or a Feature around one",
  geometry_status: "Why there is no geometry: `too_complex` where drawing the overlap would cost too much",
  hint: "How to fix it",
  id: "Its identifier",
  "RulesetChecks.id": "Name of the check, unique in the ruleset",
  indexed_at: "When the register was collected; if that is not known, when its edition was built",
  input: "The plot, and the company behind it",
  "DistanceRequest.input": "The plot and the range of distances",
  "IntersectionsRequest.input": "The plot",
  "SubjectsRequest.input": "The identifier to look up",
  intersection: "Sets whose common region is the set's",
  license_spdx: "Licence of the data, by its SPDX identifier",
  match:
    "`equals`: the whole identifier; `root`: the first 8 of a `br:cnpj`, so that a branch matches its company",
  match_op: "`equals` compares whole values; `ilike` takes `%` for any characters",
  max: "Column whose greatest value over the areas is compared",
  max_age_days:
    "Greatest age of a source in days; an older source counts as one that does not cover the plot",
  measure: "The number that is compared: `count`, an area, a share, a distance, or a measure of a column",
  message: "What was found and what was expected, for people",
  min: "Column whose least value over the areas is compared",
  min_distance_m: "Only areas at least this far from the plot, metres",
  min_m: "Only areas at least this far from the plot, metres",
  mode: "`live` or `test`: keys of one mode never use the rulesets, decisions or quota of the other",
  name: "Its name",
  "CreateRulesetRequest.name": "Name of the ruleset, as in `name@version`",
  "Ruleset.name": "Name of the ruleset, repeated in its verdicts",
  not_examined: "What the ruleset does not examine; every verdict repeats this text",
  of: "The set whose region is the denominator of `overlap_ratio`; absent: the plot",
  op: "How the value is compared with the threshold",
  "RulesetFilter.op": "The operation of the condition, as CQL2-JSON names it",
  options: "The options of the evaluation that differ from the default",
  "RulesetChecks.outcome":
    "The outcome of the check if it triggers; `NOTICE` is reported, but does not change the verdict",
  page: "Number of the page, from 1",
  page_size: "Entries of a page",
  period_ends_at: "When the billing period ends, ISO 8601 UTC",
  period_started_at: "When the billing period began, ISO 8601 UTC",
  plots: "A FeatureCollection of plots",
  pointer: "JSON pointer to the place, from the body's root",
  position_count: "Number of positions in the geometry",
  profile: "The system whose rules the plots are checked against",
  properties: "The columns of the source, by name",
  property: "A column of the source, or `source_name`, `source_id`, `name`, `country_iso3`, `category`",
  reason: "Why",
  reference_areas_country_iso3: "Only areas of this country, by its ISO 3166-1 alpha-3 code",
  reference_areas_source: "Only areas of this source, or of the members of this group",
  reference_id: "The caller's own identifier of the request, returned and stored",
  relation: "The required relation of the area to the plot; `intersects` includes touching",
  request_id: "The service's name for the request, also in `X-Request-Id`",
  role: "The role that the identified party has for the plot, such as `owner`",
  ruleset: "In a request, the sets and checks of a ruleset; in an answer, the ruleset that was used",
  ruleset_id: "A saved ruleset: `name` for its latest version, or `name@version`",
  scheme: "The identifiers of the company behind the plot",
  semantics: "Version of the meaning of verdicts; it is raised whenever a verdict could change",
  set: "The set that the comparison measures",
  severity: "Its severity",
  show: "Columns of the source that the evidence shows",
  source_id: "Identifier of the area or record in its source",
  source_name: "Name of the source",
  source_url: "URL of the data set",
  status: "Its status",
  "Problem.status": "The HTTP status, as in the status line",
  strict_coverage:
    "Whether sources without declared coverage count as covering no plot; by default they count as covering every plot",
  subject_source: "Query only this register; absent: all available registers",
  sum: "Column whose sum over the areas is compared",
  supported_schemes: "Kinds of identifiers that the register has, such as `br:cnpj`",
  title: "Its title, for people",
  type: "Its GeoJSON type",
  "RoleScheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  "Scheme.type": "Kind of the identifier, `<authority>:<name>` such as `br:cnpj`",
  uncovered:
    "The outcome of the check for plots that its sources do not cover; `NOTICE` waives it in writing",
  union: "Sets whose regions together are the set's",
  unknown:
    "`include`: areas for which the filter is neither true nor false are selected; by default they are only counted",
  valid: "Whether it would be accepted",
  "RulesetChecks.value": "The threshold, 0 by default",
  version: "Version of the ruleset, a whole number",
  en: "In English",
  es: "In Spanish",
  fact: "Name of the fact; of a document one of its members, such as `permit.area_m2`",
  facts: "What only the applicant knows, by name",
  issuer: "Who issued it",
  on: "`property`: selected and measured on the property that the plot is part of; absent: on the plot",
  pt: "In Portuguese",
  question: "What the applicant is asked",
  times: "What it is multiplied by; absent: 1",
  "RulesetFact.max": "The greatest number, inclusive",
  "RulesetFact.min": "The least number, inclusive",
  "RulesetFact.type": "What kind of fact it is",
  "Ruleset.type": "What kind of fact it is",
  unit: "Unit of the number, for people",
  values: "The values that the text may have",
  where: "Condition on the columns of the areas, as CQL2-JSON or as CQL2 text",
  within_m: "Selects the areas that lie within this distance of the plot, metres, inclusive",
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
export function addParameterDescriptions(paths: Readonly<Record<string, Json>>): Json {
  const operation = ({ parameters, ...rest }: Json): Json =>
    parameters === undefined
      ? rest
      : { ...rest, parameters: (parameters as readonly Json[]).map(addParameterDescription) };
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, operation(each as Json)])),
    ]),
  );
}

function addParameterDescription(parameter: Json): Json {
  const { name, in: place, description, ...rest } = parameter;
  const said = description ?? PARAMETERS[String(name)];
  return { name, in: place, ...(said !== undefined && { description: said }), ...rest };
}

/** The schemas with a description at every member. What a schema says itself stays. */
export function addMemberDescriptions(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, addDescriptionsWithin(schema, name)]),
  ) as Json;
}

/** Every place of a schema where a member has no description: `Schema/member/…`. */
export function listUndescribedMembers(schemas: Json): string[] {
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

function addDescriptionsWithin(value: unknown, schema: string): unknown {
  if (Array.isArray(value)) return value.map((item) => addDescriptionsWithin(item, schema));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === "example" || key === "examples" || key === "default" || key === "const" || key === "enum") {
        return [key, inner];
      }
      return key === "properties" && isSchemas(inner)
        ? [key, Object.fromEntries(Object.entries(inner).map((entry) => addMemberDescription(entry, schema)))]
        : [key, addDescriptionsWithin(inner, schema)];
    }),
  );
}

function addMemberDescription([name, value]: [string, unknown], schema: string): [string, unknown] {
  const inner = addDescriptionsWithin(value, schema);
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

/** True if the value of `properties` belongs to a schema, not to a member of that name. */
function isSchemas(value: unknown): value is Readonly<Record<string, object>> {
  if (!isObject(value)) return false;
  return Object.values(value).every((schema) => schema !== null && typeof schema === "object");
}
