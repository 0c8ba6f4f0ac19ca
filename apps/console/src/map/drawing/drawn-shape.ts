import type { Geometry, MultiPolygon, Position } from "geojson";
import type { PagePlot } from "../../state/plot.ts";

type ShapeInput = Pick<PagePlot, "geometry" | "input">;

/** Cached drawings of inputs whose geometry the map cannot fill. */
const known = new WeakMap<object, Geometry | false>();

/**
 * The map's drawing of a plot: its geometry or, if that is no valid shape, its corners as sent, without those that are
 * no place on earth.
 */
export function computeDrawnShape({ geometry, input }: ShapeInput): Geometry | undefined {
  if (geometry !== undefined || input === undefined) return geometry;
  let drawn = known.get(input);
  if (drawn === undefined) {
    const { geometry: sent, crs } = input as { readonly geometry?: unknown; readonly crs?: string };
    drawn = (crs === undefined ? toOutline(sent) : undefined) ?? false;
    known.set(input, drawn);
  }
  return drawn === false ? undefined : drawn;
}

/** The rings and lines of a geometry, as lines; its positions if it has no line; undefined if it has no position. */
export function toOutline(geometry: unknown): Geometry | undefined {
  const lines: Position[][] = [];
  collectPositionLines(geometry, lines);
  const drawable = lines.filter(({ length }) => length > 1);
  if (drawable.length > 0) return { type: "MultiLineString", coordinates: drawable };
  return lines.length > 0 ? { type: "MultiPoint", coordinates: lines.flat() } : undefined;
}

function collectPositionLines(value: unknown, lines: Position[][]): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const { coordinates, geometries } = value as Record<string, unknown>;
    for (const inner of [coordinates, ...(Array.isArray(geometries) ? geometries : [])])
      collectPositionLines(inner, lines);
    return;
  }
  if (isPlace(value)) return void lines.push([[...value]]);
  const places = value.filter(isPlace).map(([x, y]): Position => [x, y]);
  if (places.length > 0) lines.push(places);
  else for (const inner of value) collectPositionLines(inner, lines);
}

/** True if a value is a position on the map; longitudes may continue beyond ±180. */
export function isPlace(value: unknown): value is readonly [number, number] {
  if (!Array.isArray(value)) return false;
  const [longitude, latitude] = value as unknown[];
  return (
    typeof longitude === "number" &&
    typeof latitude === "number" &&
    Math.abs(longitude) <= 540 &&
    Math.abs(latitude) <= 90
  );
}

/**
 * The position that a JSON pointer into an input leads to; for an invalid position, the corner before it.
 *
 * @param pointer as in a fault, e.g. `/input/geometry/coordinates/0/2`
 */
export function findPositionAtPointer(input: object, pointer: string): readonly [number, number] | undefined {
  let value: unknown = { input };
  let before: readonly [number, number] | undefined;
  for (const name of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null || isPlace(value)) break;
    if (Array.isArray(value))
      before = value.slice(0, Number(name)).findLast(isPlace) ?? value.find(isPlace) ?? before;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  if (isPlace(value)) return value;
  const first = pointer.includes("/geometry") ? toOutline(value) : undefined;
  return before ?? (first === undefined ? undefined : findFirstPosition(first));
}

function findFirstPosition(geometry: Geometry): readonly [number, number] | undefined {
  let inner: unknown = "coordinates" in geometry ? geometry.coordinates : undefined;
  while (Array.isArray(inner) && !isPlace(inner)) inner = inner[0];
  return isPlace(inner) ? inner : undefined;
}

/** The world without a plot; undefined for a plot without area. */
export function subtractFromWorld(geometry: Geometry | undefined): MultiPolygon | undefined {
  if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return undefined;
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  const holes = polygons.flatMap(([, ...inner]) => inner.map((ring) => [ring]));
  return { type: "MultiPolygon", coordinates: [[WORLD, ...polygons.map(([outer = []]) => outer)], ...holes] };
}

/** Exactly one turn: the map draws anything wider a second time, without the hole. */
const WORLD: Position[] = [
  [-180, -85],
  [180, -85],
  [180, 85],
  [-180, 85],
  [-180, -85],
];
