import { isObject } from "@groundrule/engine/internal/json";
import { toAreaGeometry, toPositions } from "../area-geometry.ts";
import { findSpatialReferenceCrs } from "../crs/crs-in-member.ts";
import { groupRingsIntoPolygons, TooManyRings } from "../shapefile/sort-rings.ts";
import type { ObjectAsFeature, ReadCell } from "./object-as-feature.ts";

type Json = Readonly<Record<string, unknown>>;

/** True if an object is a feature as Esri writes it (`f=json`): its attributes, and a geometry by its own names. */
export function isEsriFeature(object: Json): boolean {
  if (isObject(object.attributes)) return true;
  return isObject(object.geometry) && SHAPES.some((name) => Object.hasOwn(object.geometry as Json, name));
}

const SHAPES = ["rings", "paths", "points", "curveRings", "curvePaths", "x"];

/** A feature of Esri JSON. Rings are sorted by containment, whatever their winding; heights and measures are dropped. */
export function readEsriFeature({ attributes, geometry }: Json): ObjectAsFeature {
  const properties = isObject(attributes) ? attributes : {};
  const id = Object.entries(properties).find(([name]) => /^(?:objectid|fid|oid)$/i.test(name))?.[1];
  return {
    ...(typeof id === "number" || typeof id === "string" ? { id } : {}),
    properties,
    isEsri: true,
    ...readEsriGeometry(geometry),
  };
}

function readEsriGeometry(geometry: unknown): ReadCell {
  if (!isObject(geometry)) return { geometry: null };
  const { spatialReference } = geometry;
  const crs = spatialReference === undefined ? undefined : findSpatialReferenceCrs(spatialReference);
  const of = { ...(crs !== undefined && { crs }) };
  try {
    return { ...of, geometry: toGeometry(geometry) };
  } catch (error) {
    if (!(error instanceof EsriFault) && !(error instanceof TooManyRings)) throw error;
    return { ...of, geometry: null, fault: { code: "GEOMETRY_INVALID", message: error.message } };
  }
}

class EsriFault extends Error {
  constructor(found: string, expected: string) {
    super(`Esri JSON: found ${found}, expected ${expected}`);
  }
}

function toGeometry(geometry: Json): unknown {
  if (Object.hasOwn(geometry, "curveRings") || Object.hasOwn(geometry, "curvePaths")) {
    throw new EsriFault("curves", "rings; ask the server with returnTrueCurves=false");
  }
  if (Object.hasOwn(geometry, "rings")) {
    const rings = readPositionLists(geometry.rings, "rings");
    return rings.length === 0 ? null : buildAreaGeometry(rings);
  }
  if (Object.hasOwn(geometry, "paths")) {
    const lines = readPositionLists(geometry.paths, "paths").map(toPositions);
    if (lines.length === 0) return null;
    return lines.length === 1
      ? { type: "LineString", coordinates: lines[0] }
      : { type: "MultiLineString", coordinates: lines };
  }
  if (Object.hasOwn(geometry, "points")) {
    return { type: "MultiPoint", coordinates: toPositions(flattenPositions(geometry.points, "points")) };
  }
  const { x, y } = geometry;
  if (x === null || x === "NaN" || x === undefined) return null;
  if (typeof x !== "number" || typeof y !== "number") {
    throw new EsriFault(`x ${String(JSON.stringify(x)).slice(0, 24)}`, "numbers x and y");
  }
  return { type: "Point", coordinates: [x, y] };
}

function buildAreaGeometry(rings: readonly Float64Array[]): unknown {
  const polygons = groupRingsIntoPolygons(rings);
  return toAreaGeometry(polygons, polygons.length > 1);
}

function readPositionLists(value: unknown, name: string): Float64Array[] {
  if (!Array.isArray(value)) throw new EsriFault(`${name} that are no array`, "arrays of positions");
  return value.map((each) => flattenPositions(each, name)).filter(({ length }) => length > 0);
}

function flattenPositions(value: unknown, name: string): Float64Array {
  if (!Array.isArray(value)) throw new EsriFault(`${name} of no positions`, "arrays of [x, y]");
  const xy = new Float64Array(2 * value.length);
  for (const [i, position] of value.entries()) {
    const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
    if (typeof x !== "number" || typeof y !== "number" || !Number.isFinite(x) || !Number.isFinite(y)) {
      throw new EsriFault(
        `${String(JSON.stringify(position)).slice(0, 40)} in ${name}`,
        "[x, y], two numbers",
      );
    }
    xy.set([x, y], 2 * i);
  }
  return xy;
}
