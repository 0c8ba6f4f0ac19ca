// What answers travel in.

export const JSON_TYPE = "application/json";
export const GEOJSON_TYPE = "application/geo+json";
