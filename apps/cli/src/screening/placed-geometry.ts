import { crsTable } from "@groundrule/crs";
import { EngineError, parsePlot } from "@groundrule/engine";
import { isSameCrs } from "@groundrule/engine/internal";
import { plotOutline } from "@groundrule/report";

/** A GeoJSON geometry with longitude and latitude only. */
export type PlacedGeometry =
  | { readonly type: string; readonly coordinates: readonly unknown[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly PlacedGeometry[] };

/** Nesting depth of coordinate lists, by type. */
const DEPTHS: ReadonlyMap<unknown, number> = new Map([
  ["Point", 1],
  ["MultiPoint", 2],
  ["LineString", 2],
  ["MultiLineString", 3],
  ["Polygon", 3],
  ["MultiPolygon", 4],
]);

/** Maximum nesting of collections, as in readers of WKB. */
const MOST_NESTED = 16;

/**
 * A plot's geometry as stored in tables: its original positions without altitudes, in longitude and latitude on WGS 84.
 * Null if it is empty, not a geometry, or in a CRS by which it cannot be placed.
 */
export function toPlacedGeometry(geometry: unknown, crs: string | undefined): PlacedGeometry | null {
  const isForeign = crs !== undefined && !isSameCrs(crs, "EPSG:4326") && !isSameCrs(crs, "OGC:CRS84");
  return toPlainGeometry(isForeign ? transformToWgs84(geometry as object, crs) : geometry, 0) ?? null;
}

function toPlainGeometry(geometry: unknown, nested: number): PlacedGeometry | undefined {
  const { type, coordinates, geometries } = Object(geometry) as Readonly<Record<string, unknown>>;
  const depth = DEPTHS.get(type);
  if (depth !== undefined) {
    const found = parsePositions(coordinates, depth);
    return found && { type: type as string, coordinates: found };
  }
  if (type !== "GeometryCollection" || !isFilled(geometries) || nested > MOST_NESTED) return undefined;
  const parts = geometries.map((part) => toPlainGeometry(part, nested + 1));
  return parts.includes(undefined)
    ? undefined
    : { type: "GeometryCollection", geometries: parts as PlacedGeometry[] };
}

/** Parses nested lists down to positions; undefined if something else is among them. */
function parsePositions(value: unknown, depth: number): readonly unknown[] | undefined {
  if (!isFilled(value)) return undefined;
  if (depth === 1) {
    const [x, y] = value;
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
  }
  const parts = value.map((part) => parsePositions(part, depth - 1));
  return parts.includes(undefined) ? undefined : parts;
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/** Converts from another CRS, the same way as for evaluation. */
function transformToWgs84(geometry: object, crs: string): unknown {
  const polygons = plotOutline(geometry, { crs, crsTable });
  if (polygons !== undefined) {
    return polygons.length === 1
      ? { type: "Polygon", coordinates: polygons[0] }
      : { type: "MultiPolygon", coordinates: polygons };
  }
  try {
    const { xy } = parsePlot(geometry, { crs, crsTable }).plot;
    const points = Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i], xy[2 * i + 1]]);
    return points.length === 1
      ? { type: "Point", coordinates: points[0] }
      : { type: "MultiPoint", coordinates: points };
  } catch (error) {
    if (error instanceof EngineError) return undefined; // the plot's error line has the reason
    throw error;
  }
}
