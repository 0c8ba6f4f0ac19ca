import type { MultiPolygon, Polygon } from "geojson";

/**
 * Parses the polygons of a GeoJSON text: those of all its features together, for a property may have several parts.
 *
 * @returns undefined if it has none, or is not GeoJSON
 */
export function parsePropertyGeometry(text: string): Polygon | MultiPolygon | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const polygons = collectPolygons(value);
  if (polygons.length === 0) return undefined;
  return polygons.length === 1
    ? { type: "Polygon", coordinates: polygons[0]! }
    : { type: "MultiPolygon", coordinates: polygons };
}

function collectPolygons(value: unknown): Polygon["coordinates"][] {
  const { type, features, geometry, geometries, coordinates } = Object(value) as Readonly<
    Record<string, unknown>
  >;
  const all = (list: unknown): Polygon["coordinates"][] =>
    Array.isArray(list) ? list.flatMap(collectPolygons) : [];
  if (type === "FeatureCollection") return all(features);
  if (type === "GeometryCollection") return all(geometries);
  if (type === "Feature") return collectPolygons(geometry);
  if (!Array.isArray(coordinates)) return [];
  if (type === "Polygon") return [coordinates];
  return type === "MultiPolygon" ? coordinates : [];
}
