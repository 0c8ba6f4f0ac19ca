import { AreaGeometry, toAreaGeometry, toPositions } from "../area-geometry.ts";
import { ByteReader } from "./byte-reader.ts";
import { isUnread, unsupportedGeometryError } from "./unread-types.ts";

/** How deep collections may lie in each other. */
export const WKB_DEPTH = 32;

type Position = [number, number];

/**
 * Reads a geometry of well-known binary: ISO 13249-3 or PostGIS's extended form, either byte order, which may change
 * from part to part. Z, M and a SRID are skipped. Every count is checked against the bytes that follow it before
 * anything is made from it.
 *
 * @param bytes one geometry, nothing behind it
 * @param from where it begins
 * @returns `AreaGeometry` for polygons, multipolygons and multisurfaces of polygons; else what GeoJSON would hold.
 *   Empty geometries have empty coordinates.
 *
 * Fails: `FILE_DAMAGED` with the byte at fault; `FORMAT_UNSUPPORTED` for curves and
 * surfaces of other kinds than polygons.
 * Source: OGC 06-103r4, section 8; PostGIS, "liblwgeom/lwin_wkb.c" for the flags of the extended form.
 */
export function readWkb(bytes: Uint8Array, from = 0): unknown {
  const reader = new ByteReader(bytes, from);
  const geometry = readNestedGeometry(reader, 0);
  if (reader.left > 0) reader.fail(`${reader.left} bytes behind the geometry`, "the end");
  return geometry;
}

/**
 * The SRID that the extended form names; undefined if it names none.
 *
 * @param bytes of a geometry that {@link readWkb} reads
 */
export function readEwkbSrid(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isLittle = view.getUint8(0) === 1;
  return (view.getUint32(1, isLittle) & HAS_SRID) === 0 ? undefined : view.getInt32(5, isLittle);
}

const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const MULTI_POINT = 4;
const MULTI_LINE_STRING = 5;
const MULTI_POLYGON = 6;
const GEOMETRY_COLLECTION = 7;
const MULTI_SURFACE = 12;

function readNestedGeometry(reader: ByteReader, depth: number): unknown {
  const { type, width } = readGeometryHead(reader);
  switch (type) {
    case POINT:
      return { type: "Point", coordinates: readPoint(reader, width) };
    case LINE_STRING:
      return { type: "LineString", coordinates: toPositions(readPositions(reader, width)) };
    case POLYGON:
      return toAreaGeometry([readRings(reader, width)], false);
    case MULTI_POINT: {
      const coordinates = readGeometryParts(reader, POINT, readPoint);
      return { type: "MultiPoint", coordinates: coordinates.filter((position) => position.length > 0) };
    }
    case MULTI_LINE_STRING: {
      const lines = readGeometryParts(reader, LINE_STRING, readPositions);
      return { type: "MultiLineString", coordinates: lines.map(toPositions) };
    }
    case MULTI_POLYGON:
    case MULTI_SURFACE:
      return toAreaGeometry(readGeometryParts(reader, POLYGON, readRings), true);
    case GEOMETRY_COLLECTION: {
      if (depth === WKB_DEPTH) reader.fail(`collections ${depth + 1} deep`, `at most ${WKB_DEPTH}`);
      const count = reader.count("parts", LEAST_GEOMETRY);
      const geometries: unknown[] = [];
      for (let i = 0; i < count; i++) geometries.push(toPlainGeometry(readNestedGeometry(reader, depth + 1)));
      return { type: "GeometryCollection", geometries };
    }
    default:
      return throwGeometryTypeUnread(reader, type);
  }
}

/** Bytes of the least geometry: byte order, type, and a count. */
const LEAST_GEOMETRY = 9;

/** Flags of the extended form, in the type. */
const HAS_Z = 0x80000000;
const HAS_M = 0x40000000;
const HAS_SRID = 0x20000000;

/** The kind of a geometry, and how many numbers a position of it has. */
function readGeometryHead(reader: ByteReader): { readonly type: number; readonly width: number } {
  reader.byteOrder();
  const code = reader.uint32("the type of a geometry");
  if ((code & HAS_SRID) !== 0) reader.uint32("a SRID");
  const iso = code & 0x1fffffff;
  const dimensions = Math.floor(iso / 1000);
  const type = iso % 1000;
  if (dimensions > 3)
    reader.fail(`the type ${code} of a geometry`, "one of 1 to 17, plus 1000, 2000 or 3000", 4);
  const hasZ = (code & HAS_Z) !== 0 || (dimensions & 1) !== 0;
  const hasM = (code & HAS_M) !== 0 || (dimensions & 2) !== 0;
  return { type, width: 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0) };
}

/** Parts of a multi-geometry, each a geometry of its own. */
function readGeometryParts<T>(
  reader: ByteReader,
  expected: number,
  readPart: (reader: ByteReader, width: number) => T,
): T[] {
  const count = reader.count("parts", LEAST_GEOMETRY);
  const parts: T[] = [];
  for (let i = 0; i < count; i++) {
    const { type, width } = readGeometryHead(reader);
    if (isUnread(type)) throwGeometryTypeUnread(reader, type);
    if (type !== expected)
      reader.fail(`a part of type ${type}`, `parts of type ${expected}, as the multi-geometry says`, 4);
    parts.push(readPart(reader, width));
  }
  return parts;
}

/** A position; empty where the point is, which is written as NaN. */
function readPoint(reader: ByteReader, width: number): Position | [] {
  const [x, y] = reader.positions(1, width);
  return Number.isNaN(x!) && Number.isNaN(y!) ? [] : [x!, y!];
}

function readPositions(reader: ByteReader, width: number): Float64Array {
  return reader.positions(reader.count("positions", 8 * width), width);
}

/** Positions of the least ring, its first one repeated. */
const LEAST_RING = 4;

function readRings(reader: ByteReader, width: number): Float64Array[] {
  const count = reader.count("rings", 4);
  const rings: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    const ring = readPositions(reader, width);
    if (ring.length === 0) reader.fail("a ring without positions", "a position or more", 4);
    if (ring.length < 2 * LEAST_RING) reader.tiny();
    rings.push(ring);
  }
  return rings;
}

function toPlainGeometry(geometry: unknown): unknown {
  return geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
}

function throwGeometryTypeUnread(reader: ByteReader, type: number): never {
  if (isUnread(type)) throw unsupportedGeometryError(type);
  reader.fail(`the type ${type} of a geometry`, "a type of 1 to 17", 4);
}
