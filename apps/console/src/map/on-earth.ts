import type { Geometry } from "geojson";
import { isPlace } from "./drawing/drawn-shape.ts";

/** Nesting depth of positions, by type. */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/**
 * True if a value is a GeoJSON geometry whose positions are all on earth, so that a map can draw it. Longitudes may
 * continue beyond ±180, as in plots across the antimeridian.
 */
export function isOnEarth(value: unknown): value is Geometry {
  if (typeof value !== "object" || value === null) return false;
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  if (type === "GeometryCollection") return Array.isArray(geometries) && geometries.every(isOnEarth);
  const depth = typeof type === "string" && Object.hasOwn(DEPTHS, type) ? DEPTHS[type]! : undefined;
  return depth !== undefined && areOnEarth(coordinates, depth);
}

function areOnEarth(value: unknown, depth: number): boolean {
  if (depth === 0) return isPlace(value);
  return Array.isArray(value) && value.length > 0 && value.every((inner) => areOnEarth(inner, depth - 1));
}
