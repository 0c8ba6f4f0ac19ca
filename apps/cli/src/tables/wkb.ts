import { AreaGeometry } from "@groundrule/formats";
import { type PlacedGeometry, toPlacedGeometry } from "../screening/placed-geometry.ts";

// Types of well-known binary (OGC 06-103r4, section 8), little-endian, with positions of two numbers.

/** In order of their numbers, from 1. */
const TYPES = [
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
];

/** The part type of each multi-part type. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["MultiPoint", "Point"],
  ["MultiLineString", "LineString"],
  ["MultiPolygon", "Polygon"],
]);

/** A geometry that was read from a table, in the table's form: Base64; null if there is none. */
export function toWkbText(geometry: unknown): string | null {
  const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
  return encodeWkbBase64(toPlacedGeometry(plain, undefined));
}

/** A geometry's bytes in Base64; null if there is none. */
export function encodeWkbBase64(geometry: PlacedGeometry | null): string | null {
  if (geometry === null) return null;
  const view = new DataView(new ArrayBuffer(computeWkbLength(geometry)));
  writeWkbGeometry(view, 0, geometry);
  return Buffer.from(view.buffer).toString("base64");
}

type Positions = readonly (readonly number[])[];

function listGeometryParts(geometry: PlacedGeometry): readonly PlacedGeometry[] | undefined {
  if ("geometries" in geometry) return geometry.geometries;
  const type = PARTS.get(geometry.type);
  return type === undefined
    ? undefined
    : geometry.coordinates.map((each) => ({ type, coordinates: each as readonly unknown[] }));
}

function computeWkbLength(geometry: PlacedGeometry): number {
  const parts = listGeometryParts(geometry);
  if (parts !== undefined) return parts.reduce((sum, part) => sum + computeWkbLength(part), 9);
  const { type, coordinates } = geometry as Extract<PlacedGeometry, { readonly coordinates: unknown }>;
  if (type === "Point") return 5 + 16;
  if (type === "LineString") return 9 + 16 * coordinates.length;
  return (coordinates as readonly Positions[]).reduce((sum, ring) => sum + 4 + 16 * ring.length, 9);
}

/** @returns the position after it */
function writeWkbGeometry(view: DataView, from: number, geometry: PlacedGeometry): number {
  view.setUint8(from, 1);
  view.setUint32(from + 1, TYPES.indexOf(geometry.type) + 1, true);
  let at = from + 5;
  const count = (length: number): void => {
    view.setUint32(at, length, true);
    at += 4;
  };
  const positions = (all: Positions): void => {
    for (const [x, y] of all) {
      view.setFloat64(at, x!, true);
      view.setFloat64(at + 8, y!, true);
      at += 16;
    }
  };
  const parts = listGeometryParts(geometry);
  if (parts !== undefined) {
    count(parts.length);
    for (const part of parts) at = writeWkbGeometry(view, at, part);
    return at;
  }
  const { type, coordinates } = geometry as Extract<PlacedGeometry, { readonly coordinates: unknown }>;
  if (type === "Point") {
    positions([coordinates as readonly number[]]);
    return at;
  }
  count(coordinates.length);
  if (type === "LineString") positions(coordinates as Positions);
  else {
    for (const ring of coordinates as readonly Positions[]) {
      count(ring.length);
      positions(ring);
    }
  }
  return at;
}

/** The type and extent of a geometry. */
export interface WkbExtent {
  readonly type: string;
  /** `[west, south, east, north]` in degrees, computed from the positions unchanged. */
  readonly bbox: readonly [number, number, number, number];
}

/** @param wkb as written by {@link encodeWkbBase64} */
export function readWkbExtent(wkb: Uint8Array): WkbExtent {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  let at = 0;
  const count = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const positions = (length: number): void => {
    for (let i = 0; i < length; i++, at += 16) {
      const [x, y] = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
      bbox[0] = Math.min(bbox[0], x);
      bbox[1] = Math.min(bbox[1], y);
      bbox[2] = Math.max(bbox[2], x);
      bbox[3] = Math.max(bbox[3], y);
    }
  };
  const geometry = (): string => {
    at += 1;
    const type = TYPES[count() - 1]!;
    if (type === "Point") positions(1);
    else if (type === "LineString") positions(count());
    else {
      const parts = count();
      for (let i = 0; i < parts; i++) {
        if (type === "Polygon") positions(count());
        else geometry();
      }
    }
    return type;
  };
  return { type: geometry(), bbox };
}

/** The box around two boxes; the first may be absent. */
export function mergeBboxes(a: WkbExtent["bbox"] | undefined, b: WkbExtent["bbox"]): WkbExtent["bbox"] {
  if (a === undefined) return b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
