import type { Geometry } from "geojson";
import { isPlace } from "./drawing/drawn-shape.ts";

/** How deep the positions of each type lie. */
const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/**
 * Whether a value is a geometry of GeoJSON all of whose positions are places on earth: a map can draw it. Longitudes may
 * run on past ±180, as those of plots across the antimeridian do.
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
