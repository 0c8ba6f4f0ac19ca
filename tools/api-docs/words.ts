import { DESCRIPTIONS } from "../../apps/api/src/http/openapi/member-descriptions.ts";

/**
 * The sentence for a member that means the same wherever it stands, told once: the reference shows it where a
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
  const isKnown = Object.hasOwn(DESCRIPTIONS, wire) && (isOfWire || EVERYWHERE.has(wire));
  return isKnown ? `${DESCRIPTIONS[wire]}.` : undefined;
}

/** Members that the description of the service explains, and that mean the same in every package. */
const EVERYWHERE = new Set(
  "area_m2 category code collected_at coordinates country_iso3 created_at crs distance_m do edition engine_version evaluated_at feature_count indexed_at license_spdx message page_size pointer position_count properties reason reference_id request_id role semantics source_id source_name source_url supported_schemes title".split(
    " ",
  ),
);

const WORDS: Readonly<Record<string, string>> = {
  bbox: "`[west, south, east, north]` in degrees.",
  details: "The facts behind the message, as data.",
  dir: "Path of the data folder.",
  warnings: "Corrections to the input, and doubtful places in it.",
};

/** Members of requests and answers over HTTP. */
const WIRE_WORDS: Readonly<Record<string, string>> = {
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
