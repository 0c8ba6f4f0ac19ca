import { isObject } from "@groundrule/engine/internal/json";
import { FormatError, refusal, type TextPlace } from "../format-error.ts";
import type { Feature, GeoJsonForm } from "../format-reader.ts";
import { isInexact, parseKeepingNumbers } from "../values.ts";
import { AreaFeatureReader } from "./area-feature-reader.ts";
import {
  FeatureSplitter,
  type PieceReader,
  SPLITTER_LIMITS,
  type SplitterLimits,
  type SplitValue,
} from "./feature-splitter.ts";

/**
 * A feature as it stands in its source: its members `id`, `geometry` and `properties`, null or undefined where it has
 * none; and the CRS that it, or its collection, names in the manner before RFC 7946.
 */
export interface GeoJsonFeature extends Omit<Feature, "place" | "fault"> {
  /** Where the feature starts, the line known. */
  readonly place: Feature["place"] & TextPlace;
}

/** The features of a stream in file order, to be read once, and, when they are read, the form it had. */
export interface GeoJsonSource extends AsyncIterable<GeoJsonFeature> {
  /** Known once the features are read. */
  readonly format: GeoJsonForm;
}

/**
 * Reads GeoJSON as a stream: a FeatureCollection, a single Feature or geometry, one Feature or
 * geometry a line, or a text sequence (RFC 8142); told apart by the bytes. UTF-8, with or without a
 * byte order mark. Memory is bounded by the largest feature.
 *
 * Fails, with line, byte and feature, as the features are read: `JSON_MALFORMED`, `JSON_TOO_DEEP`,
 * `TEXT_NOT_UTF8`, `TEXT_TOO_LARGE`; `GEOJSON_INVALID` for JSON that is no GeoJSON;
 * `CRS_UNSUPPORTED` for a `crs` member without a name.
 */
export function readGeoJson(
  bytes: AsyncIterable<Uint8Array>,
  limits: SplitterLimits = SPLITTER_LIMITS,
): GeoJsonSource {
  return sourceOf(bytes, new FeatureSplitter(featureReader(), limits));
}

/**
 * Reads GeoJSON as {@link readGeoJson} does, but the geometry of plain polygons and multipolygons is an
 * {@link AreaGeometry}, which lasts until the next feature is asked for.
 */
export function readAreas(
  bytes: AsyncIterable<Uint8Array>,
  limits: SplitterLimits = SPLITTER_LIMITS,
): GeoJsonSource {
  return sourceOf(bytes, new FeatureSplitter(featureReader(), limits, new AreaFeatureReader()));
}

function sourceOf(
  bytes: AsyncIterable<Uint8Array>,
  splitter: FeatureSplitter<GeoJsonFeature>,
): GeoJsonSource {
  return {
    get format() {
      return splitter.format;
    },
    [Symbol.asyncIterator]: () => features(bytes, splitter),
  };
}

async function* features(
  bytes: AsyncIterable<Uint8Array>,
  splitter: FeatureSplitter<GeoJsonFeature>,
): AsyncGenerator<GeoJsonFeature, void, undefined> {
  for await (const chunk of bytes) yield* splitter.push(chunk);
  splitter.end();
}

function featureReader(): PieceReader<GeoJsonFeature> {
  let collectionCrs: CrsMember;
  let featureRead = false;
  return (piece) => {
    switch (piece.part) {
      case "head":
        collectionCrs = checkHead(piece);
        return undefined;
      case "feature":
        featureRead = true;
        return toFeature(piece, collectionCrs);
      case "text":
        return toFeature(piece, undefined);
      case "tail":
        checkTail(piece, collectionCrs, featureRead);
        return undefined;
    }
  };
}

/** The members of an object that GeoJSON gives a meaning, as found. */
interface JsonObject {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
  readonly crs?: unknown;
  readonly exceededTransferLimit?: unknown;
  readonly numberMatched?: unknown;
  readonly numberReturned?: unknown;
}

/** What a `crs` member says: absent, or a name. */
type CrsMember = string | undefined;

const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
]);

/** The members before the features: a wrong type is refused before a long read. */
function checkHead(piece: SplitValue): CrsMember {
  const head = piece.value as JsonObject;
  if (Object.hasOwn(head, "type")) checkCollectionType(head, piece);
  checkWhole(head, piece.place);
  return crsOf(head, piece.place);
}

function checkTail(piece: SplitValue, used: CrsMember, featureRead: boolean): void {
  const collection = piece.value as JsonObject;
  checkCollectionType(collection, piece);
  checkWhole(collection, piece.place);
  const crs = crsOf(collection, piece.place);
  if (featureRead && crs !== used) {
    const message = `the collection names its CRS "${crs}" after its features, expected it before them`;
    throw new FormatError("CRS_UNSUPPORTED", message, {
      place: piece.place,
      found: `"${crs}" after the features`,
      expected: "the crs member before the features",
    });
  }
}

/**
 * Refuses the answer of a server that says it left features out: `exceededTransferLimit` of ArcGIS, or fewer
 * `numberReturned` than `numberMatched` of WFS and OGC API Features.
 *
 * Fails: `FILE_DAMAGED`.
 */
export function checkWhole(collection: object, place: TextPlace): void {
  const { exceededTransferLimit, numberMatched, numberReturned, properties } = collection as JsonObject;
  const isCut =
    exceededTransferLimit === true || (properties as JsonObject | null)?.exceededTransferLimit === true;
  const isFewer =
    typeof numberMatched === "number" && typeof numberReturned === "number" && numberReturned < numberMatched;
  if (!isCut && !isFewer) return;
  const said = isCut ? `"exceededTransferLimit": true` : `${numberReturned} of ${numberMatched} features`;
  const found = `${said}: the server that wrote this file left features out`;
  const expected = "all of them; download the rest, or remove the member if you want only this part";
  throw refusal("FILE_DAMAGED", found, expected, { place });
}

function checkCollectionType(collection: JsonObject, piece: SplitValue): void {
  if (collection.type !== "FeatureCollection") {
    invalid(piece.place, describeType(collection), 'the type "FeatureCollection" beside "features"');
  }
}

function toFeature(piece: SplitValue, collectionCrs: CrsMember): GeoJsonFeature {
  // A piece begins with a brace, so it is an object.
  const value = piece.value as JsonObject;
  const { feature } = piece.place;
  if (feature === undefined) throw new Error("a feature without its number");
  const place = { ...piece.place, feature };
  const crs = crsOf(value, place) ?? collectionCrs;
  if (piece.part === "text" && GEOMETRY_TYPES.has(value.type)) {
    return { place, id: undefined, geometry: piece.area ?? value, properties: new Map(), crs };
  }
  if (value.type !== "Feature") {
    const hint = Object.hasOwn(value, "attributes") ? " (this looks like Esri JSON)" : "";
    const geometry = piece.part === "text" ? " or of a geometry" : "";
    invalid(place, describeType(value) + hint, `the type "Feature"${geometry}`);
  }
  if (collectionCrs !== undefined && crs !== collectionCrs) {
    const message = `the feature names its CRS "${crs}", but its collection names "${collectionCrs}"`;
    const details = { place, found: `"${crs}"`, expected: `"${collectionCrs}"` };
    throw new FormatError("CRS_UNSUPPORTED", message, details);
  }
  const id = value.id ?? undefined;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    invalid(place, `a feature id that is ${describe(id)}`, "a string or a number");
  }
  const properties = value.properties ?? {};
  if (!isObject(properties)) {
    invalid(place, `properties that are ${describe(properties)}`, "an object or null");
  }
  const geometry = piece.area ?? value.geometry ?? null;
  const members = Object.entries(properties);
  if (isInexact(id) || members.some(([, member]) => isInexact(member))) {
    const exact = parseKeepingNumbers(piece.text) as { id?: string | number; properties?: object | null };
    return {
      place,
      id: exact.id ?? id,
      geometry,
      properties: new Map(Object.entries(exact.properties ?? {})),
      crs,
    };
  }
  return { place, id, geometry, properties: new Map(members), crs };
}

/** An object as `JSON.parse` gives it, or anew with each number that parsing changed kept as its text. */
export function exactMembers(value: object, text: string): object {
  const { properties } = value as JsonObject;
  const members = [value, properties ?? {}].flatMap((object) => Object.values(object));
  return members.some(isInexact) ? (parseKeepingNumbers(text) as object) : value;
}

/**
 * The name in a `crs` member (GeoJSON 2008, section 3). A null says that no CRS can be assumed, a
 * link that it stands elsewhere: neither is guessed at.
 */
function crsOf(object: JsonObject, place: TextPlace): CrsMember {
  if (!Object.hasOwn(object, "crs")) return undefined;
  const crs = object.crs as { type?: unknown; properties?: { name?: unknown } } | null;
  const name = typeof crs === "object" && crs?.type === "name" ? crs.properties?.name : undefined;
  if (typeof name === "string" && name !== "") return name;
  const found = `the crs member ${JSON.stringify(crs).slice(0, 80)}`;
  const expected = '{"type": "name", "properties": {"name": "…"}}, or none for longitude and latitude';
  throw refusal("CRS_UNSUPPORTED", found, expected, { place });
}

function invalid(place: TextPlace, found: string, expected: string): never {
  throw refusal("GEOJSON_INVALID", found, expected, { place });
}

function describeType(object: JsonObject): string {
  if (!Object.hasOwn(object, "type")) return "no type";
  const type = JSON.stringify(object.type);
  return `the type ${type.length > 40 ? `${type.slice(0, 40)}…` : type}`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
