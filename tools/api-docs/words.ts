/**
 * Members that mean the same wherever they stand, told once: the reference shows these sentences where
 * a member has no docstring of its own. Names are written as on the wire; `sourceName` is `source_name`.
 */
export const WORDS: Readonly<Record<string, string>> = {
  age_days: "Days since the edition was collected, at the instant of the question.",
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
  warnings: "What was mended in the input, or looks doubtful.",
};

/** The word for a member, whichever way it is written. */
export function wordFor(name: string): string | undefined {
  const wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(WORDS, wire) ? WORDS[wire] : undefined;
}
