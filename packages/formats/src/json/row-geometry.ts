import { isObject } from "@groundrule/engine/internal/json";
import { FormatError } from "../format-error.ts";
import { isDecimal } from "../values.ts";
import { readWkb } from "../wkb/read-wkb.ts";
import { readWkt, WktFault } from "../wkt.ts";
import type { ObjectAsFeature, ReadCell, RowOptions } from "./object-as-feature.ts";

const GEOMETRY_NAMES =
  /^(?:wkt|wkb|ewkt|ewkb|(?:the_?)?geom(?:etry)?|(?:wkt|wkb|geo)_?(?:geom(?:etry)?|json)|geom(?:etry)?_?(?:wkt|wkb|json)|geo_?shape|shape|polygon|boundary)$/i;
const LONGITUDES = /^(?:lon|lng|long|longitude|decimallongitude|x)$/i;
const LATITUDES = /^(?:lat|latitude|decimallatitude|y)$/i;
/** Members that hold other geometries than the plot's own. */
const OTHERS = new Set(["property", "properties", "crs", "bbox"]);

/** The geometry of a row: of the member that is named, else of the one whose name and value say so. */
export function readRowGeometry(
  row: Readonly<Record<string, unknown>>,
  options: RowOptions,
): ObjectAsFeature | undefined {
  const { wkt, longitude, latitude } = options;
  const names = Object.keys(row).filter((name) => !OTHERS.has(name));
  const holding = names.filter((name) => isGeometry(row[name]));
  const named = holding.filter((name) => GEOMETRY_NAMES.test(name));
  const among = wkt !== undefined ? [wkt] : named.length > 0 ? named : holding;
  const [only] = among;
  if (only !== undefined && among.length === 1 && (wkt !== undefined || longitude === undefined)) {
    return { ...readCell(row[only], only), ...asFeature(row, [only]) };
  }
  if (among.length > 1 && longitude === undefined) {
    const message = `found geometries in the members ${among.join(", ")}, expected one; name it with --wkt`;
    return { geometry: null, fault: { code: "GEOMETRY_INVALID", message }, ...asFeature(row, among) };
  }
  const x = longitude ?? names.find((name) => LONGITUDES.test(name));
  const y = latitude ?? names.find((name) => LATITUDES.test(name));
  if (x !== undefined && y !== undefined) {
    return { ...readPosition(row, x, y), ...asFeature(row, [x, y]) };
  }
  // A member that is called a geometry and holds none is a row without one.
  const empty = names.find((name) => GEOMETRY_NAMES.test(name) && (row[name] === null || row[name] === ""));
  return empty === undefined ? undefined : { geometry: null, ...asFeature(row, [empty]) };
}

function asFeature(
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

const WKT_TEXT =
  /^\s*(?:SRID\s*=\s*\d+\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\s*(?:ZM?|M)?\s*(?:\(|EMPTY)/i;
const GEOJSON_TEXT = /^\s*\{.*"(?:coordinates|geometry|geometries)"\s*:/s;
/** WKB of a byte order and a type, in PostGIS's form or ISO's, at least of a point. */
const HEX_TEXT =
  /^(?:\\x)?(?:01[0-9a-f]{2}0[0-3]0000|0000000[0-9a-f]|01[0-9a-f]{6}[0-9a-f]0|00[0-9a-f]0000[0-9a-f]{2})[0-9a-f]{32,}$/i;

const GEOMETRIES = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
]);

function isGeometry(value: unknown): boolean {
  if (isObject(value)) return GEOMETRIES.has(value.type as string);
  return (
    typeof value === "string" && (WKT_TEXT.test(value) || GEOJSON_TEXT.test(value) || HEX_TEXT.test(value))
  );
}

/** A cell as a geometry, whatever its notation. */
function readCell(value: unknown, member: string): ReadCell {
  if (value === null || value === undefined || value === "") return { geometry: null };
  if (isObject(value)) return { geometry: value };
  const text = String(value).trim();
  const faulty = (message: string): ReadCell => ({
    geometry: null,
    fault: { code: "GEOMETRY_INVALID", message: `member "${member}": ${message}` },
  });
  try {
    if (text.startsWith("{")) {
      const parsed = JSON.parse(text) as { type?: unknown; geometry?: unknown };
      return { geometry: parsed.type === "Feature" ? parsed.geometry : parsed };
    }
    if (HEX_TEXT.test(text)) return readHex(text);
    const { geometry, srid } = readWkt(text);
    return { geometry, ...(srid !== undefined && srid > 0 && { crs: `EPSG:${srid}` }) };
  } catch (error) {
    if (error instanceof WktFault || error instanceof FormatError) return faulty(error.message);
    if (error instanceof SyntaxError) return faulty("found text that is no JSON, expected a geometry");
    throw error;
  }
}

/** The flag of PostGIS by which a SRID follows the type. */
const HAS_SRID = 0x20000000;

function readHex(text: string): ReadCell {
  const digits = text.replace(/^\\x/, "");
  const bytes = Uint8Array.from({ length: digits.length >> 1 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  const view = new DataView(bytes.buffer);
  const isLittle = bytes[0] === 1;
  const srid = (view.getUint32(1, isLittle) & HAS_SRID) === 0 ? 0 : view.getUint32(5, isLittle);
  return { geometry: readWkb(bytes), ...(srid > 0 && { crs: `EPSG:${srid}` }) };
}

function readPosition(row: Readonly<Record<string, unknown>>, x: string, y: string): ReadCell {
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
