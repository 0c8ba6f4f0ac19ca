import { isObject } from "@groundrule/engine/internal/json";
import { ACCURACY_PROPERTY, type CellGeometry } from "../table/cell.ts";
import { orderOfPair, readCellGeometry } from "../table/cell-geometry.ts";
import { detectNamedNotation } from "../table/choose-geometry.ts";
import {
  detectAxisOrder,
  detectPositionListShape,
  isGeometryName,
  isPairName,
} from "../table/column-names.ts";
import { isDecimal } from "../values.ts";
import type { ObjectAsFeature, RowOptions } from "./object-as-feature.ts";

const LONGITUDES = /^(?:lon|lng|long|longitude|decimallongitude|x)$/i;
const LATITUDES = /^(?:lat|latitude|decimallatitude|y)$/i;
/** Members that hold other geometries than the plot's own. */
const OTHERS = new Set(["property", "properties", "crs", "bbox"]);

/** The geometry of a row: of the member that is named, else of the one whose name and value suggest it. */
export function readRowGeometry(
  row: Readonly<Record<string, unknown>>,
  options: RowOptions,
): ObjectAsFeature | undefined {
  const { wkt, longitude, latitude } = options;
  const names = Object.keys(row).filter((name) => !OTHERS.has(name));
  const among = wkt !== undefined ? [wkt] : longitude === undefined ? selectGeometryMembers(row, names) : [];
  const [only] = among;
  if (only !== undefined && among.length === 1) return readRowWithGeometryCell(row, only);
  if (among.length > 1) {
    const message = `found geometries in the members ${among.join(", ")}, expected one; name it with --wkt`;
    return {
      geometry: null,
      fault: { code: "GEOMETRY_INVALID", message },
      ...readIdAndProperties(row, among),
    };
  }
  const x = longitude ?? names.find((name) => LONGITUDES.test(name));
  const y = latitude ?? names.find((name) => LATITUDES.test(name));
  if (x !== undefined && y !== undefined) {
    return { ...readRowPosition(row, x, y), ...readIdAndProperties(row, [x, y]) };
  }
  const pairs = names.filter(
    (name) =>
      isPairName(name) &&
      (detectCellNotation(row[name], name) === "pair" || findObjectPosition(row[name]) !== undefined),
  );
  if (pairs.length === 1) return readRowWithGeometryCell(row, pairs[0]!);
  // A member that is called a geometry and holds none is a row without one.
  const empty = names.find((name) => isGeometryMember(name) && (row[name] === null || row[name] === ""));
  return empty === undefined ? undefined : { geometry: null, ...readIdAndProperties(row, [empty]) };
}

/** Members with a geometry: those whose names suggest it, else all; among several, those with more than a point. */
function selectGeometryMembers(row: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const holding = names.filter((name) => isGeometry(row[name], name));
  const named = holding.filter(isGeometryMember);
  const among = named.length > 0 ? named : holding;
  if (among.length <= 1) return among;
  const borders = among.filter((name) => !isPoint(readGeometryCell(row[name], name).geometry));
  return borders.length > 0 ? borders : among;
}

function isPoint(geometry: unknown): boolean {
  return isObject(geometry) && geometry.type === "Point";
}

function readRowWithGeometryCell(row: Readonly<Record<string, unknown>>, member: string): ObjectAsFeature {
  const { accuracyMeters, ...cell } = readGeometryCell(row[member], member);
  const { properties } = readIdAndProperties(row, [member]);
  const isStated = accuracyMeters === undefined || Object.hasOwn(properties, ACCURACY_PROPERTY);
  return {
    ...cell,
    properties: isStated ? properties : { ...properties, [ACCURACY_PROPERTY]: accuracyMeters },
  };
}

function readIdAndProperties(
  row: Readonly<Record<string, unknown>>,
  geometry: readonly string[],
): Pick<ObjectAsFeature, "id" | "properties"> {
  const { properties } = row;
  const rest = Object.entries(row).filter(
    ([name]) =>
      !geometry.includes(name) && !(name === "crs") && !(name === "properties" && isObject(properties)),
  );
  const own = isObject(properties) ? properties : {};
  return { properties: { ...Object.fromEntries(rest), ...own } };
}

const GEOMETRIES = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
]);

function isGeometryMember(name: string): boolean {
  return isGeometryName(name) || /^(?:geo_?)?shape$/i.test(name);
}

function detectCellNotation(value: unknown, name: string): ReturnType<typeof detectNamedNotation> {
  return typeof value === "string" ? detectNamedNotation(name, value) : undefined;
}

/** True if a member holds a geometry, but for two coordinates alone, which many texts look like. */
function isGeometry(value: unknown, name: string): boolean {
  if (isObject(value)) return GEOMETRIES.has(value.type as string);
  const notation = detectCellNotation(value, name);
  return notation !== undefined && notation !== "pair";
}

/** A cell as a geometry, whatever its notation. */
function readGeometryCell(value: unknown, member: string): CellGeometry {
  if (value === null || value === undefined || value === "") return { geometry: null };
  const position = findObjectPosition(value);
  if (position !== undefined) return { geometry: { type: "Point", coordinates: position } };
  if (isObject(value)) return { geometry: value };
  const text = String(value);
  const order = orderOfPair(text) ?? detectAxisOrder(member) ?? "latitude";
  return readCellGeometry(text, `member "${member}"`, {
    order,
    openList: detectPositionListShape(member) ?? "way",
  });
}

/** The position of an object of longitude and latitude, as mobile databases have it: `{"lat": -6.58, "lng": -55.24}`. */
function findObjectPosition(value: unknown): [number, number] | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const [x, y] = [LONGITUDES, LATITUDES].map(
    (names) => entries.find(([name]) => names.test(name.replace(/^_/, "")))?.[1],
  );
  return typeof x === "number" && typeof y === "number" ? [x, y] : undefined;
}

function readRowPosition(row: Readonly<Record<string, unknown>>, x: string, y: string): CellGeometry {
  const numbers = [row[x], row[y]].map((value) =>
    typeof value === "number"
      ? value
      : typeof value === "string" && isDecimal(value.trim())
        ? Number(value)
        : undefined,
  );
  if (numbers.every((number) => number !== undefined)) {
    return { geometry: { type: "Point", coordinates: numbers } };
  }
  if ([row[x], row[y]].every((value) => value === null || value === "")) return { geometry: null };
  const at = numbers[0] === undefined ? x : y;
  const message = `member "${at}": found ${String(JSON.stringify(row[at])).slice(0, 24)}, expected a number`;
  return { geometry: null, fault: { code: "GEOMETRY_INVALID", message } };
}
