import { describeValue } from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import type { FindingCode } from "../finding-codes.ts";
import { buildBordersFromLines, describeGap } from "../lines/border-of-lines.ts";
import { extractLines } from "../lines/lines-of-geometry.ts";

/** Pieces of a plot's geometry, and the place of each in it. */
export interface Shapes {
  /** Rings of each polygon, outer first; flat `[x, y, …]` as written. */
  readonly polygons: Float64Array[][];
  /** JSON pointer of each polygon's rings. */
  readonly polygonPointers: string[];
  /** Flat `[x, y, …]` as written. */
  readonly points: number[];
  /** JSON pointer of each point. */
  readonly pointPointers: string[];
  /** How many positions have a height or more, and where the first is. */
  heights: number;
  firstHeight: string;
  /** True if the geometry is a collection. */
  readonly isCollection: boolean;
  /** How many lines became borders, and where the first is. */
  closedLines: number;
  firstLine: string;
}

/** How lines become borders: see {@link buildBordersFromLines}. */
export type LineOptions = NonNullable<Parameters<typeof buildBordersFromLines>[1]>;

/** Fault that keeps a geometry from being read. */
export class ShapeFault extends Error {
  readonly code: FindingCode;
  readonly pointer: string;
  readonly found: string;
  readonly expected: string;

  constructor(code: FindingCode, pointer: string, found: string, expected: string) {
    super(`${pointer}: found ${found}, expected ${expected}`);
    this.code = code;
    this.pointer = pointer;
    this.found = found;
    this.expected = expected;
  }
}

/** Collections within collections that are looked into. */
const DEEPEST = 32;

/**
 * Reads a GeoJSON geometry of polygons, points or lines that are borders, or a collection of them.
 *
 * Fails: {@link ShapeFault} at the first place that is none.
 */
export function readGeometryShapes(geometry: unknown, lines: LineOptions = {}): Shapes {
  const shapes: Shapes = {
    polygons: [],
    polygonPointers: [],
    points: [],
    pointPointers: [],
    heights: 0,
    firstHeight: "",
    isCollection: isObject(geometry) && geometry.type === "GeometryCollection",
    closedLines: 0,
    firstLine: "",
  };
  readGeometryInto(shapes, geometry, "/geometry", 0, lines);
  if (shapes.polygons.length === 0 && shapes.points.length === 0) {
    throw new ShapeFault("GEOMETRY_EMPTY", "/geometry", "no positions", "a geometry with positions");
  }
  return shapes;
}

function readGeometryInto(
  shapes: Shapes,
  geometry: unknown,
  pointer: string,
  depth: number,
  lines: LineOptions,
): void {
  if (geometry === null || geometry === undefined) {
    throw new ShapeFault(
      "GEOMETRY_MISSING",
      pointer,
      "no geometry",
      "a Polygon, MultiPolygon, Point or MultiPoint",
    );
  }
  const { type, coordinates, geometries } = isObject(geometry) ? geometry : {};
  const root = `${pointer}/coordinates`;
  if (type === "Polygon") readPolygonInto(shapes, coordinates, root);
  else if (type === "Point") readPointInto(shapes, coordinates, root);
  else if (type === "MultiPolygon") {
    for (const [i, polygon] of requireCoordinateList(coordinates, root).entries())
      readPolygonInto(shapes, polygon, `${root}/${i}`);
  } else if (type === "MultiPoint") {
    for (const [i, point] of requireCoordinateList(coordinates, root).entries())
      readPointInto(shapes, point, `${root}/${i}`);
  } else if (type === "GeometryCollection" && depth < DEEPEST) {
    const list = requireCoordinateList(geometries, `${pointer}/geometries`);
    for (const [i, one] of list.entries())
      readGeometryInto(shapes, one, `${pointer}/geometries/${i}`, depth + 1, lines);
  } else if (type === "LineString" || type === "MultiLineString") {
    readBorderLinesInto(shapes, geometry as { readonly type: string }, pointer, lines);
  } else {
    const found = type === undefined ? describeValue(geometry) : `the type ${describeValue(type)}`;
    throw new ShapeFault(
      "GEOMETRY_TYPE_INVALID",
      pointer,
      found,
      "a Polygon, MultiPolygon, Point or MultiPoint",
    );
  }
}

function readBorderLinesInto(
  shapes: Shapes,
  geometry: { readonly type: string; readonly coordinates?: unknown },
  pointer: string,
  options: LineOptions,
): void {
  const { type, coordinates } = geometry;
  const root = `${pointer}/coordinates`;
  // Faults of a position are reported too, and heights are counted.
  const lists = type === "LineString" ? [coordinates] : requireCoordinateList(coordinates, root);
  for (const [i, list] of lists.entries()) {
    const at = type === "LineString" ? root : `${root}/${i}`;
    for (const [j, position] of requireCoordinateList(list, at).entries())
      readPosition(shapes, position, `${at}/${j}`);
  }
  const lines = extractLines(geometry);
  if (lines === undefined)
    throw new ShapeFault("GEOMETRY_EMPTY", root, "a line without positions", "positions");
  const borders = buildBordersFromLines(lines, options);
  if ("gapMeters" in borders) {
    const found = `a ${type} whose ends ${describeGap(borders.gapMeters)}`;
    throw new ShapeFault(
      "LINE_UNSUPPORTED",
      pointer,
      found,
      "a line that ends where it starts, or a Polygon",
    );
  }
  for (const ring of borders.rings) {
    shapes.polygons.push([ring]);
    shapes.polygonPointers.push(root);
  }
  if (shapes.closedLines === 0) shapes.firstLine = pointer;
  shapes.closedLines += lines.length;
}

function readPolygonInto(shapes: Shapes, value: unknown, pointer: string): void {
  const rings = requireCoordinateList(value, pointer).map((ring, r) => {
    const list = requireCoordinateList(ring, `${pointer}/${r}`);
    if (list.length === 0)
      throw new ShapeFault("GEOMETRY_EMPTY", `${pointer}/${r}`, "an empty ring", "positions");
    const xy = new Float64Array(2 * list.length);
    for (const [i, position] of list.entries())
      xy.set(readPosition(shapes, position, `${pointer}/${r}/${i}`), 2 * i);
    return xy;
  });
  if (rings.length === 0) return;
  shapes.polygons.push(rings);
  shapes.polygonPointers.push(pointer);
}

function readPointInto(shapes: Shapes, value: unknown, pointer: string): void {
  for (const each of readPosition(shapes, value, pointer)) shapes.points.push(each);
  shapes.pointPointers.push(pointer);
}

function readPosition(shapes: Shapes, position: unknown, pointer: string): readonly [number, number] {
  const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
  if (typeof x !== "number" || typeof y !== "number") {
    throw new ShapeFault(
      "POSITION_INVALID",
      pointer,
      describeValue(position),
      "[longitude, latitude], two numbers",
    );
  }
  if (!(Number.isFinite(x) && Number.isFinite(y))) {
    throw new ShapeFault("POSITION_NOT_FINITE", pointer, `[${x}, ${y}]`, "finite numbers");
  }
  if ((position as unknown[]).length > 2 && shapes.heights++ === 0) shapes.firstHeight = pointer;
  return [x, y];
}

function requireCoordinateList(value: unknown, pointer: string): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new ShapeFault("COORDINATES_INVALID", pointer, describeValue(value), "an array");
  }
  return value as readonly unknown[];
}
