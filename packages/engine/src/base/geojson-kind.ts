/** The type of a GeoJSON object; undefined for any other value. */
export function geoJsonKind(value: unknown): string | undefined {
  try {
    const { type } = (value ?? {}) as { readonly type?: unknown };
    return KINDS.find((kind) => kind === type);
  } catch {
    return undefined; // a value that cannot be read has none
  }
}

const KINDS = [
  "FeatureCollection",
  "Feature",
  "Polygon",
  "MultiPolygon",
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "GeometryCollection",
];
