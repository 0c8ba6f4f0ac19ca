// What answers travel in.

/** Media type of answers in JSON. */
export const JSON_TYPE = "application/json";
/** Media type of answers in GeoJSON (RFC 7946). */
export const GEOJSON_TYPE = "application/geo+json";
/** Media type of lines of JSON, one value a line. */
export const NDJSON_TYPE = "application/x-ndjson";
