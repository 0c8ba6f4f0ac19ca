/**
 * The sentence for a member that means the same wherever it stands, told once: the reference shows it where a
 * member has no docstring of its own. Undefined for a name whose meaning depends on its place.
 *
 * @param name as written on the wire or in code: `sourceName` is `source_name`
 * @param entry the entry point it belongs to, e.g. `@groundrule/contract`
 */
export function wordFor(name: string, entry: string): string | undefined {
  const wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const words = {
    ...WORDS,
    ...ENGINE_WORDS,
    ...(/^@groundrule\/(?:contract|client)/.test(entry) && WIRE_WORDS),
  };
  return Object.hasOwn(words, wire) ? words[wire] : undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  area_overlap_ratio: "Share of the reference area that the plot covers, 0 to 1; null where it has no area.",
  bbox: "`[west, south, east, north]` in degrees.",
  category: "The category its manifest gives the source, for people.",
  code: "Stable name of the kind of fault, for programs; `docs/errors.md` explains each.",
  collected_at: "When the publisher's data was collected, ISO 8601 UTC.",
  coordinates: "Positions as GeoJSON nests them; `[longitude, latitude]` in degrees unless a CRS is named.",
  country_iso3: "ISO 3166-1 alpha-3 code of a country.",
  created_at: "When it was made, ISO 8601 UTC.",
  crs: "CRS of the positions, e.g. `EPSG:31983`; absent: OGC:CRS84, longitude and latitude in degrees.",
  details: "The facts behind the message, as data.",
  dir: "Path of the data folder.",
  distance_m: "Shortest distance on the ellipsoid between plot and area, metres; 0 where they meet.",
  edition: "SHA-256 of the snapshot's content, which names the source's edition.",
  engine_version: "Version of the engine that answered.",
  feature_count: "Areas of a leaf, or records of a register.",
  license_spdx: "SPDX identifier of the data's licence.",
  message: "What was found and what was expected, for people.",
  overlap_area_m2: "Area that plot and reference area share, square metres.",
  overlap_ratio: "Share of the plot that the area covers, 0 to 1.",
  page_size: "Entries a page.",
  pointer: "JSON pointer (RFC 6901) into the value that was handed in.",
  position_count: "Positions of all rings together.",
  properties: "The attributes that the source's manifest keeps.",
  reference_id: "The caller's own name for what was asked about; it comes back as it was sent.",
  request_id: "Our name for the request, to find it in the log.",
  semantics: "Version of the meaning of results: it is raised when the same input may measure differently.",
  source_id: "Identifier of the area or record in its source.",
  source_name: "Name of the source, e.g. `br:funai`.",
  source_url: "Where the data was published.",
  supported_schemes: "Types of identifiers that the register can be asked for, e.g. `br:cnpj`.",
  total_count: "Entries on all pages together.",
  total_pages: "Pages there are.",
  warnings: "Corrections to the input, and doubtful places in it.",
};

/** Members of requests and answers over HTTP. */
const WIRE_WORDS: Readonly<Record<string, string>> = {
  body: "The ruleset as it was sent: description, sets and checks.",
  by_route: "Units of the period, by the route that used them.",
  check_id: "The `id` of the check that the evidence belongs to.",
  data: "The answer itself; what travels beside it is in `meta`.",
  decision_id: "Our name for the charge; it never changes.",
  detail: "What went wrong this time, in one sentence for people.",
  distance_check: "`failed`: a source could not be asked, so matches may be missing.",
  errors: "What is wrong, each with its place; empty in an answer that succeeds.",
  evidence_limit: "Evidence items a check shows at most, 1 to 200.",
  explain: "Whether to tell how the question would be answered instead of answering it; never charged.",
  failed_sources: "Number of sources that cannot be queried now.",
  faults: "What is wrong with the request, each with its place; at least one.",
  geometry: "A GeoJSON geometry.",
  idempotency_key:
    "The caller's name for the intended write, from `Idempotency-Key`; null where it sent none.",
  inline: "The ruleset: sets and checks.",
  input: "What is asked about.",
  items: "The entries of this page.",
  limit: "Units that the period allows.",
  lint: "Whether to look for what the ruleset most likely does not mean; in an answer, what was found.",
  match_op: "`equals`: the same identifier; `ilike`: the value is a pattern, letter case does not matter.",
  matches: "What matched, in the order that the answer promises.",
  media_type: "Media type of the answer as it was sent.",
  mode: "Whether the key is a `live` one or a `test` one; their usage is counted apart.",
  name: "Name of a saved ruleset.",
  outcome: "What the check came to; null where it was not triggered.",
  page: "Number of the page, from 1.",
  path: "Where the value stands: the names and indices that lead to it.",
  period_ends_at: "First instant after the period, ISO 8601 UTC.",
  period_started_at: "First instant of the period, ISO 8601 UTC.",
  reason: "Why, for people.",
  reasons: "Why the service is not ready, as codes; empty where it is.",
  reference_areas_country_iso3: "Only areas of this ISO 3166-1 alpha-3 country.",
  reference_areas_source: "Only areas of this source, or of the members of this group.",
  remaining: "Units that are left of the period.",
  request: "The request, as its canonical JSON.",
  response: "The answer, as it was sent.",
  response_digest: "SHA-256 of the answer as it was sent.",
  route: "The route that was asked, e.g. `/v1/evaluate`.",
  ruleset: "A ruleset: its name where one is saved, else its sets and checks.",
  sources: "Every source that was asked, with its edition and how it answered.",
  subject_source: "The one register to ask; absent: all that know the type of the identifier.",
  title: "What the code means, in a few words for people.",
  units: "What was charged, in units of the quota.",
  used: "Units that the period has used.",
  valid: "Whether the ruleset compiles.",
  value: "The request, checked, with its defaults filled in.",
  version: "Version of a saved ruleset, from 1.",
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
