/**
 * The sentence for a member that means the same wherever it stands, said once: the reference shows it where a
 * member has no docstring of its own. Undefined for a name whose meaning depends on its place.
 *
 * @param name as written on the wire or in code: `sourceName` is `source_name`
 * @param entry the entry point it belongs to, e.g. `@groundrule/contract`
 */
export function findMemberSentence(name: string, entry: string): string | undefined {
  const wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isOfWire = /^@groundrule\/(?:contract|client)/.test(entry);
  const words = { ...WORDS, ...ENGINE_WORDS, ...(isOfWire && WIRE_WORDS) };
  if (Object.hasOwn(words, wire)) return words[wire];
  return undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  area_m2: "Area on the WGS 84 ellipsoid, square metres.",
  category: "What kind of areas the source has, such as a protected-area category.",
  code: "Stable code for programs.",
  collected_at: "When the data was collected, ISO 8601 UTC.",
  coordinates: "Positions `[longitude, latitude]` in degrees, nested as in GeoJSON.",
  country_iso3: "ISO 3166-1 alpha-3 country code.",
  created_at: "When it was created, ISO 8601 UTC.",
  crs: "Coordinate reference system of the positions, such as `EPSG:31982`; absent: longitude and latitude on WGS 84.",
  distance_m: "Shortest distance on the WGS 84 ellipsoid, metres; 0 where they share a point.",
  do: "The kind of step.",
  edition: "Digest of the edition of the source that was queried.",
  engine_version: "Version of the engine that answered.",
  evaluated_at: "The instant of the evaluation, ISO 8601 UTC.",
  feature_count: "Number of areas or records of the source.",
  indexed_at: "When the register was collected; if that is not known, when its edition was built.",
  license_spdx: "Licence of the data, by its SPDX identifier.",
  message: "What was found and what was expected, for people.",
  page_size: "Entries of a page.",
  pointer: "JSON pointer to the place, from the body's root.",
  position_count: "Number of positions in the geometry.",
  properties: "The columns of the source, by name.",
  reason: "Why.",
  reference_id: "The caller's own identifier of the request, returned and stored.",
  request_id: "The service's name for the request, also in `X-Request-Id`.",
  role: "The role that the identified party has for the plot, such as `owner`.",
  semantics: "Version of the meaning of verdicts; it is raised whenever a verdict could change.",
  source_id: "Identifier of the area or record in its source.",
  source_name: "Name of the source.",
  source_url: "URL of the data set.",
  supported_schemes: "Kinds of identifiers that the register has, such as `br:cnpj`.",
  title: "Its title, for people.",
  bbox: "`[west, south, east, north]` in degrees.",
  details: "The facts behind the message, as data.",
  dir: "Path of the data folder.",
  warnings: "Corrections to the input, and doubtful places in it.",
};

/** Members of requests and answers over HTTP. */
const WIRE_WORDS: Readonly<Record<string, string>> = {
  area_ha: "Hectares of land around each point of the plot.",
  checks: "The conditions, in order.",
  data: "The answer.",
  decision_id: "Identifier of the decision, which is the stored answer to one charged request.",
  id: "Its identifier.",
  mode: "`live` or `test`: keys of one mode never use the rulesets, decisions or quota of the other.",
  name: "Its name.",
  page: "Number of the page, from 1.",
  sets: "The selections, by name.",
  type: "Its GeoJSON type.",
  version: "Version of the ruleset, a whole number.",
  evidence_limit: "Evidence items a check shows at most, 1 to 200.",
  explain: "Whether to tell how the question would be answered instead of answering it; never charged.",
  faults: "What is wrong with the request, each with its place; at least one.",
  inline: "The ruleset: sets and checks.",
  lint: "Whether to look for what the ruleset most likely does not mean; in an answer, what was found.",
  outcome: "What the check came to; null where it was not triggered.",
  path: "Where the value stands: the names and indices that lead to it.",
  value: "The request, checked, with its defaults filled in.",
};

/** Members of what the engine is given and answers. */
const ENGINE_WORDS: Readonly<Record<string, string>> = {
  area: "Index of the area in its layer, from 0.",
  ask: "Which question it is.",
  canonical: "The canonical spelling of an identifier: what look-ups compare.",
  description: "What it is for, in a sentence for people.",
  dimension: "Whether the plot is made of polygons, lines or points.",
  geometry: "A GeoJSON geometry, or a Feature around one.",
  limit: "Most entries of the result.",
  meta: "What the snapshot says of itself.",
  min_m: "Least distance from the plot, metres, inclusive.",
  op: "The operator.",
  operands: "The sets that it is made of.",
  row: "Number of the row, from 0.",
  scheme: "Type of the identifier, e.g. `br:cnpj`.",
  set: "Name of the set in the ruleset.",
  within_m: "Greatest distance from the plot, metres, inclusive.",
};
