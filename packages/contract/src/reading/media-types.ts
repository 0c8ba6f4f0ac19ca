// The media types of answers.

/** Media type of answers in JSON. */
export const JSON_TYPE = "application/json";
/** Media type of answers in GeoJSON (RFC 7946). */
export const GEOJSON_TYPE = "application/geo+json";
/** Media type of JSON lines, one value per line. */
export const NDJSON_TYPE = "application/x-ndjson";
