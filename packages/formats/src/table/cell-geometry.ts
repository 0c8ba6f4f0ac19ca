import { FormatError } from "../format-error.ts";
import { readEwkbSrid, readWkb } from "../wkb/read-wkb.ts";
import { readWkt, WktFault } from "../wkt.ts";
import { normalizeAngleSigns, parseAngle } from "./angle.ts";
import {
  type CellContext,
  CellFault,
  type CellGeometry,
  createFaultyGeometry,
  type Notation,
} from "./cell.ts";

/** With what follows the word: `Point 7` is a name. */
const WKT =
  /^(?:SRID\s*=\s*\d+\s*;\s*)?(?:MULTI)?(?:POLYGON|POINT|LINESTRING|LINEARRING|GEOMETRYCOLLECTION|CURVEPOLYGON|SURFACE|CURVE)\s*(?:ZM?|M)?\s*(?:\(|EMPTY\b)/i;
/** Its byte order and type, and at least a position, or the count of none: `00` also begins ids and checksums. */
const HEX_WKB =
  /^(?:\\x|0x)?(?:01[0-9a-f]{2}0[0-9a-f]00[0-9a-f]0|00[0-9a-f]0000[0-9a-f]{3})(?:(?:[0-9a-f]{2}){16,}|(?:[0-9a-f]{8})?0{8})$/i;
/** The look of WKB that was cut. */
const DIGITS = /^(?:\\x|0x)?0[01](?:[0-9a-f]{2}){8,}$/i;
/** Two numbers with decimals, of which one may be a coordinate. */
const TWO_NUMBERS = /^[([ ]*([-+]?\d{1,9}(?:\.\d+)?) ?°? ?[,;|/ ] ?([-+]?\d{1,9}(?:\.\d+)?) ?°?[)\] ]*$/;
const TWO_WITH_COMMAS = /^[([ ]*([-+]?\d{1,9},\d+) ?(?:[;|/]|,(?= )| ) ?([-+]?\d{1,9},\d+)[)\] ]*$/;

/** The notation of a cell by its form; undefined where it has none of them. */
export function detectGeometryNotation(text: string): Notation | undefined {
  const trimmed = text.trim();
  if (WKT.test(trimmed)) return "wkt";
  if (trimmed.startsWith("{"))
    return /"(?:coordinates|geometries|geometry)"/.test(trimmed) ? "geojson" : undefined;
  if (HEX_WKB.test(trimmed)) return "wkb";
  if (isOdkList(trimmed)) return "odk";
  if (trimmed.length <= 120 && parseCoordinatePair(trimmed) !== undefined) return "pair";
  return undefined;
}

/**
 * Reads the geometry of a cell that is not blank, in whatever notation it is.
 *
 * @param place what faults call the place of the text: `column "wkt"`
 */
export function readCellGeometry(text: string, place: string, context: CellContext): CellGeometry {
  try {
    switch (detectGeometryNotation(text)) {
      case "wkb":
        return readHexWkb(text.trim());
      case "geojson":
        return readGeoJsonText(text);
      case "odk":
        return readOdkList(text.trim(), context);
      case "pair":
        return readCoordinatePair(text.trim(), context);
      default:
        return DIGITS.test(text.trim()) ? readHexWkb(text.trim()) : readWktText(text);
    }
  } catch (error) {
    if (!(error instanceof WktFault) && !(error instanceof FormatError) && !(error instanceof CellFault))
      throw error;
    return createFaultyGeometry(`${place}: ${error.message}`);
  }
}

function readWktText(text: string): CellGeometry {
  const { geometry, srid } = readLenientWkt(text);
  return { geometry, ...(srid !== undefined && srid > 0 && { crs: `EPSG:${srid}` }) };
}

/** WKT, also with the minus signs and decimal commas of a spreadsheet, which plain WKT never has. */
function readLenientWkt(written: string): ReturnType<typeof readWkt> {
  const text = convertLinearRingToPolygon(written);
  try {
    return readWkt(text);
  } catch (error) {
    const plain = normalizeAngleSigns(text);
    const mended = plain.includes(".") ? plain : withDecimalPoints(plain);
    if (!(error instanceof WktFault) || mended === undefined || mended === text) throw error;
    try {
      return readWkt(mended);
    } catch {
      throw error;
    }
  }
}

/** WKT with a polygon where Shapely writes a ring that stands alone. */
function convertLinearRingToPolygon(text: string): string {
  const ring = /^(\s*(?:SRID\s*=\s*\d+\s*;\s*)?)LINEARRING\s*((?:ZM?|M)?)\s*(?=\()/i.exec(text);
  return ring === null ? text : `${ring[1]}POLYGON ${ring[2]} (${text.slice(ring[0].length)})`;
}

/**
 * WKT whose every number has a decimal comma, with points. A comma within a number joins two groups of digits, and each
 * position has two numbers or more, so that nothing is read in two ways: undefined where something could be.
 */
function withDecimalPoints(text: string): string | undefined {
  const open = text.indexOf("(");
  if (open === -1) return undefined;
  let isPlain = true;
  const body = text.slice(open).replace(/[-+]?\d+(?:,\d+)*/g, (run) => {
    const groups = run.split(",");
    if (groups.length === 2) return `${groups[0]}.${groups[1]}`;
    // `6,58,55,24`: a number, the comma between positions, a number.
    if (groups.length === 4) return `${groups[0]}.${groups[1]},${groups[2]}.${groups[3]}`;
    isPlain = false;
    return run;
  });
  return isPlain ? text.slice(0, open) + body.replaceAll(";", ",") : undefined;
}

/** Well-known binary as PostGIS and GeoPandas print it. */
function readHexWkb(text: string): CellGeometry {
  const hex = text.replace(/^(?:\\x|0x)/i, "");
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  const geometry = readWkb(bytes);
  const srid = readEwkbSrid(bytes);
  return { geometry, ...(srid !== undefined && srid > 0 && { crs: `EPSG:${srid}` }) };
}

/** Deepest nesting of GeoJSON text: a collection of multipolygons needs nine. */
const MOST_DEPTH = 32;

function readGeoJsonText(text: string): CellGeometry {
  let depth = 0;
  for (const bracket of text.match(/[[\]{}]/g) ?? []) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > MOST_DEPTH) throw new CellFault("found GeoJSON nested too deep, expected a geometry");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CellFault(
      `found text that begins as GeoJSON and is none (${(error as Error).message.slice(0, 80)})`,
    );
  }
  const { type, geometry, features, crs } = value as Readonly<Record<string, unknown>>;
  const name = (crs as { readonly properties?: { readonly name?: unknown } } | undefined)?.properties?.name;
  const inCrs = typeof name === "string" ? { crs: name } : {};
  if (type === "Feature") return { geometry: geometry ?? null, ...inCrs };
  if (type !== "FeatureCollection") return { geometry: value, ...inCrs };
  const [only, ...more] = Array.isArray(features) ? (features as { readonly geometry?: unknown }[]) : [];
  if (only === undefined || more.length > 0) {
    throw new CellFault(
      `found a FeatureCollection of ${more.length + (only ? 1 : 0)} features, expected one geometry`,
    );
  }
  return { geometry: only.geometry ?? null, ...inCrs };
}

interface Pair {
  readonly first: number;
  readonly second: number;
  /** The coordinate that comes first according to its letters. */
  readonly order?: CellContext["order"];
  /** True if both have three decimals or more, or marks, as coordinates do. */
  readonly isSure: boolean;
}

/** Two coordinates of one cell; undefined where they are none. */
function parseCoordinatePair(text: string): Pair | undefined {
  const plain = normalizeAngleSigns(text);
  const numbers = TWO_NUMBERS.exec(plain) ?? TWO_WITH_COMMAS.exec(plain);
  if (numbers !== null) {
    const [first, second] = numbers.slice(1).map((number) => number.replace(",", ".")) as [string, string];
    const isSure = [first, second].every((number) => /\.\d{3,}$/.test(number));
    return { first: Number(first), second: Number(second), isSure };
  }
  if (!/[°'":NSEWOL]/i.test(plain)) return undefined;
  for (const [left, right] of iterateTextHalves(plain)) {
    const [one, other] = [parseAngle(left), parseAngle(right)];
    if (typeof one !== "object" || typeof other !== "object") continue;
    if (one.axis !== undefined && one.axis === other.axis) continue;
    const stated = one.axis ?? (other.axis === undefined ? undefined : other.axis === "x" ? "y" : "x");
    const order = stated && (stated === "y" ? "latitude" : "longitude");
    return { first: one.degrees, second: other.degrees, ...(order && { order }), isSure: true };
  }
  return undefined;
}

/** The ways to cut a text into two coordinates: at a sign between them, behind a letter, before one. */
function* iterateTextHalves(text: string): Generator<readonly [string, string]> {
  for (const at of text.matchAll(/[,;/|]/g))
    yield [text.slice(0, at.index).trim(), text.slice(at.index + 1).trim()];
  const behind = /^([^NSEWOL]*[NSEWOL]) ?(.+)$/i.exec(text);
  if (behind !== null) yield [behind[1]!, behind[2]!];
  const before = /^([NSEWOL][^NSEWOL]*?) ?([NSEWOL].*)$/i.exec(text);
  if (before !== null) yield [before[1]!, before[2]!];
  const spaced = /^(\S+) (\S+)$/.exec(text);
  if (spaced !== null) yield [spaced[1]!, spaced[2]!];
}

/** True if a cell surely holds two coordinates, whatever its column is called. */
export function isSurePair(text: string): boolean {
  const pair = parseCoordinatePair(text.trim());
  if (pair === undefined || !pair.isSure) return false;
  const [least, most] = [Math.abs(pair.first), Math.abs(pair.second)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return least <= 90 && most <= 180;
}

/** The coordinate that must come first of two numbers, where one is no latitude. */
export function orderOfPair(text: string): CellContext["order"] | undefined {
  const pair = parseCoordinatePair(text.trim());
  if (pair === undefined) return undefined;
  if (pair.order !== undefined) return pair.order;
  const [first, second] = [Math.abs(pair.first) > 90, Math.abs(pair.second) > 90];
  return first === second ? undefined : first ? "longitude" : "latitude";
}

function readCoordinatePair(text: string, { order }: CellContext): CellGeometry {
  const pair = parseCoordinatePair(text)!;
  const { first, second } = pair;
  const coordinates = (pair.order ?? order) === "latitude" ? [second, first] : [first, second];
  return { geometry: { type: "Point", coordinates } };
}

const NUMBER = "[-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?";
const DECIMAL = "[-+]?\\d+\\.\\d+";
/** `lat lon`, `lat lon alt`, `lat lon alt acc`; with commas where each number has a point. */
const POSITION = new RegExp(
  `^(?=${NUMBER} |${DECIMAL} *, *${DECIMAL})(${NUMBER})[ ,]+(${NUMBER})(?:[ ,]+(${NUMBER}))?(?:[ ,]+(${NUMBER}))?$`,
);
const POINT = new RegExp(`^${DECIMAL} +${DECIMAL} +${NUMBER}(?: +${NUMBER})?$`);
const BEGINNING = new RegExp(
  `^(?=${NUMBER} |${DECIMAL} *, *${DECIMAL})${NUMBER}[ ,]+${NUMBER}(?:[ ,]+${NUMBER}){0,2} *;`,
);

/** True if a text is a position of ODK and KoboToolbox with its altitude, or begins as a list of them. */
function isOdkList(text: string): boolean {
  return BEGINNING.test(text) || POINT.test(text);
}

/**
 * Reads a geopoint, geotrace or geoshape: positions `latitude longitude altitude accuracy` with semicolons between them,
 * also behind the last. A list that ends where it begins is a polygon; any other is the border of one, or a line, as
 * `context` says. Altitudes are dropped.
 *
 * Fails: {@link CellFault}.
 */
function readOdkList(text: string, { openList }: Pick<CellContext, "openList">): CellGeometry {
  const positions: [number, number][] = [];
  let worst = 0;
  for (const [index, piece] of text.split(";").entries()) {
    const trimmed = piece.trim();
    if (trimmed === "") continue;
    const [, latitude, longitude, , accuracy] = POSITION.exec(trimmed) ?? [];
    if (latitude === undefined || longitude === undefined) {
      throw new CellFault(
        `position ${index + 1}: found ${JSON.stringify(trimmed.slice(0, 24))}, expected "latitude longitude altitude accuracy", as ODK and KoboToolbox write it`,
      );
    }
    const [x, y] = [Number(longitude), Number(latitude)];
    if (Math.abs(y) > 90 && Math.abs(x) <= 90) {
      throw new CellFault(
        `position ${index + 1}: found the latitude ${latitude}, expected one of -90 to 90: ODK writes the latitude first`,
      );
    }
    positions.push([x, y]);
    if (accuracy !== undefined) worst = Math.max(worst, Number(accuracy));
  }
  // ODK writes 0 where the position was set by hand on a map.
  const accuracy = worst > 0 ? { accuracyMeters: worst } : {};
  const [first, last] = [positions[0]!, positions[positions.length - 1]!];
  if (positions.length === 1) return { geometry: { type: "Point", coordinates: first }, ...accuracy };
  const isClosed = first[0] === last[0] && first[1] === last[1];
  const isRing = isClosed ? positions.length > 3 : openList === "border" && positions.length > 2;
  const geometry = isRing
    ? { type: "Polygon", coordinates: [positions] }
    : { type: "LineString", coordinates: positions };
  return { geometry, ...accuracy };
}
