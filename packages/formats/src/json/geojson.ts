import { isObject } from "@groundrule/engine/internal/json";
import { createFormatError, FormatError, type TextPlace } from "../format-error.ts";
import type { Feature, GeoJsonForm } from "../format-reader.ts";
import { withNeeded } from "../needed.ts";
import { isInexact, parseKeepingNumbers } from "../values.ts";
import { AreaFeatureReader } from "./area-feature-reader.ts";
import {
  FeatureSplitter,
  type PieceReader,
  SPLITTER_LIMITS,
  type SplitterLimits,
  type SplitValue,
} from "./feature-splitter.ts";
import { describeMembers, expectedFeature, readGeometryText, readObjectAsFeature } from "./json-object.ts";
import { crsOfCollection, getMemberCrs } from "./late-crs.ts";
import type { RowOptions } from "./object-as-feature.ts";

/**
 * A feature as it stands in its source: its members `id`, `geometry` and `properties`, null or undefined where it has
 * none; and the CRS that it, or its collection, names in the manner before RFC 7946.
 */
export interface GeoJsonFeature extends Omit<Feature, "place"> {
  /** Where the feature starts, the line known. */
  readonly place: Feature["place"] & TextPlace;
}

/** The features of a stream in file order, to be read once, and, when they are read, the form it had. */
export interface GeoJsonSource extends AsyncIterable<GeoJsonFeature> {
  /** Known once the features are read. */
  readonly format: GeoJsonForm;
}

/**
 * Reads GeoJSON as a stream: a FeatureCollection, a single Feature or geometry, one Feature or geometry a line, or a
 * text sequence (RFC 8142); distinguished by the bytes. UTF-8, with or without a byte order mark. Memory is bounded by
 * the largest feature.
 *
 * Fails, with line, byte and feature, as the features are read: `JSON_MALFORMED`, `JSON_TOO_DEEP`,
 * `TEXT_NOT_UTF8`, `TEXT_TOO_LARGE`; `GEOJSON_INVALID` for JSON that is no GeoJSON;
 * `CRS_UNSUPPORTED` for a `crs` member without a name.
 */
export function readGeoJson(
  bytes: AsyncIterable<Uint8Array>,
  limits: SplitterLimits = SPLITTER_LIMITS,
): GeoJsonSource {
  return createGeoJsonSource(
    bytes,
    new FeatureSplitter(createReaderLoadingCode(createFeatureReader()), limits),
  );
}

/**
 * Reads GeoJSON as {@link readGeoJson} does, but the geometry of plain polygons and multipolygons is an {@link
 * AreaGeometry}, which lasts until the next feature is read.
 *
 * @param options.lateCrs the CRS that the collection names after its features
 */
export function readGeoJsonAreas(
  bytes: AsyncIterable<Uint8Array>,
  limits: SplitterLimits = SPLITTER_LIMITS,
  options: RowOptions & { readonly lateCrs?: string | undefined } = {},
): GeoJsonSource {
  const read = createReaderLoadingCode(createFeatureReader(options));
  return createGeoJsonSource(bytes, new FeatureSplitter(read, limits, new AreaFeatureReader()));
}

/** A feature, or a promise of what a piece is once the code is loaded that its reading needs. */
type Reading = GeoJsonFeature | Promise<GeoJsonFeature | undefined>;

function createReaderLoadingCode(read: PieceReader<GeoJsonFeature>): PieceReader<Reading> {
  return (piece) => withNeeded(() => read(piece));
}

function createGeoJsonSource(
  bytes: AsyncIterable<Uint8Array>,
  splitter: FeatureSplitter<Reading>,
): GeoJsonSource {
  return {
    get format() {
      return splitter.format;
    },
    [Symbol.asyncIterator]: () => readFeatures(bytes, splitter),
  };
}

async function* readFeatures(
  bytes: AsyncIterable<Uint8Array>,
  splitter: FeatureSplitter<Reading>,
): AsyncGenerator<GeoJsonFeature, void, undefined> {
  for await (const chunk of bytes) {
    for (const reading of splitter.push(chunk)) {
      const feature = reading instanceof Promise ? await reading : reading;
      if (feature !== undefined) yield feature;
    }
  }
  splitter.end();
}

function createFeatureReader(
  options: RowOptions & { readonly lateCrs?: string | undefined } = {},
): PieceReader<GeoJsonFeature> {
  let collectionCrs: CrsMember;
  let isCollection = false;
  let featureRead = false;
  return (piece) => {
    switch (piece.part) {
      case "head":
        isCollection = true;
        collectionCrs = checkMembersBeforeFeatures(piece) ?? options.lateCrs;
        return undefined;
      case "feature":
        featureRead = true;
        return toFeature(piece, collectionCrs, isCollection, options);
      case "text":
        return toFeature(piece, undefined, false, options);
      case "tail":
        checkMembersAfterFeatures(piece, collectionCrs, featureRead);
        return undefined;
    }
  };
}

/** The members of an object that have a meaning in GeoJSON, as found. */
interface JsonObject {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: unknown;
  readonly crs?: unknown;
  readonly geometryType?: unknown;
  readonly spatialReference?: unknown;
  readonly exceededTransferLimit?: unknown;
  readonly numberMatched?: unknown;
  readonly numberReturned?: unknown;
}

/** Value of a `crs` member: absent, or a name. */
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
function checkMembersBeforeFeatures(piece: SplitValue): CrsMember {
  const head = piece.value as JsonObject;
  if (Object.hasOwn(head, "type")) checkCollectionType(head, piece);
  checkNoFeaturesOmitted(head, piece.place);
  return crsOfCollection(head, piece.place);
}

function checkMembersAfterFeatures(piece: SplitValue, used: CrsMember, featureRead: boolean): void {
  const collection = piece.value as JsonObject;
  if (!isOfEsri(collection)) checkCollectionType(collection, piece);
  checkNoFeaturesOmitted(collection, piece.place);
  const crs = crsOfCollection(collection, piece.place);
  if (featureRead && crs !== used) {
    const message = `the collection names its CRS "${crs}" after its features, expected it before them`;
    throw new FormatError("CRS_UNSUPPORTED", message, {
      place: piece.place,
      found: `"${crs}" after the features`,
      expected: "the crs member before the features",
    });
  }
}

/** A set of features as Esri writes it has no type of GeoJSON. */
function isOfEsri({ type, geometryType, spatialReference }: JsonObject): boolean {
  return type === undefined && (typeof geometryType === "string" || isObject(spatialReference));
}

/**
 * Refuses the response of a server that states it left features out: `exceededTransferLimit` of ArcGIS, or fewer
 * `numberReturned` than `numberMatched` of WFS and OGC API Features.
 *
 * Fails: `FILE_DAMAGED`.
 */
export function checkNoFeaturesOmitted(collection: object, place: TextPlace): void {
  const { exceededTransferLimit, numberMatched, numberReturned, properties } = collection as JsonObject;
  const isCut =
    exceededTransferLimit === true || (properties as JsonObject | null)?.exceededTransferLimit === true;
  const isFewer =
    typeof numberMatched === "number" && typeof numberReturned === "number" && numberReturned < numberMatched;
  if (!isCut && !isFewer) return;
  const hint = isCut ? `"exceededTransferLimit": true` : `${numberReturned} of ${numberMatched} features`;
  const found = `${hint}: the server that wrote this file left features out`;
  const expected = "all of them; download the rest, or remove the member if you want only this part";
  throw createFormatError("FILE_DAMAGED", found, expected, { place });
}

function checkCollectionType(collection: JsonObject, piece: SplitValue): void {
  if (collection.type !== "FeatureCollection") {
    throwGeoJsonInvalid(
      piece.place,
      describeTypeMember(collection),
      'the type "FeatureCollection" beside "features"',
    );
  }
}

function toFeature(
  piece: SplitValue,
  collectionCrs: CrsMember,
  isInCollection: boolean,
  options: RowOptions,
): GeoJsonFeature {
  // A piece begins with a brace, so it is an object.
  const value = piece.value as JsonObject;
  const { feature } = piece.place;
  if (feature === undefined) throw new Error("a feature without its number");
  const place = { ...piece.place, feature };
  const crs = (Object.hasOwn(value, "crs") ? getMemberCrs(value.crs, place) : undefined) ?? collectionCrs;
  if (piece.part === "text" && GEOMETRY_TYPES.has(value.type)) {
    return { place, id: undefined, geometry: piece.area ?? value, properties: new Map(), crs };
  }
  if (value.type !== "Feature") return toFeatureOfObject(piece, place, crs, isInCollection, options);
  if (collectionCrs !== undefined && crs !== collectionCrs) {
    const message = `the feature names its CRS "${crs}", but its collection names "${collectionCrs}"`;
    const details = { place, found: `"${crs}"`, expected: `"${collectionCrs}"` };
    throw new FormatError("CRS_UNSUPPORTED", message, details);
  }
  const id = value.id ?? undefined;
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    throwGeoJsonInvalid(place, `a feature id that is ${describeValueKind(id)}`, "a string or a number");
  }
  const properties = value.properties ?? {};
  if (!isObject(properties)) {
    throwGeoJsonInvalid(place, `properties that are ${describeValueKind(properties)}`, "an object or null");
  }
  const written = piece.area ?? value.geometry ?? null;
  const text = typeof written === "string" ? readGeometryText(written) : undefined;
  const geometry = text === undefined ? written : text.geometry;
  const of = {
    crs: text?.crs ?? crs,
    ...(text?.fault !== undefined && { fault: text.fault }),
  };
  const members = Object.entries(properties);
  if (isInexact(id) || members.some(([, member]) => isInexact(member))) {
    const exact = parseKeepingNumbers(piece.text) as { id?: string | number; properties?: object | null };
    return {
      place,
      id: exact.id ?? id,
      geometry,
      properties: new Map(Object.entries(exact.properties ?? {})),
      ...of,
    };
  }
  return { place, id, geometry, properties: new Map(members), ...of };
}

/** An object as `JSON.parse` reads it, or anew with each number that parsing changed kept as its text. */
export function keepExactNumbers(value: object, text: string): object {
  const { properties } = value as JsonObject;
  const members = [value, properties ?? {}].flatMap((object) => Object.values(object));
  return members.some(isInexact) ? (parseKeepingNumbers(text) as object) : value;
}

/** Reads a feature of Esri, or a row with a geometry in one of its members. Fails: `GEOJSON_INVALID`. */
function toFeatureOfObject(
  { value, text, part }: SplitValue,
  place: GeoJsonFeature["place"],
  crs: CrsMember,
  isInCollection: boolean,
  options: RowOptions,
): GeoJsonFeature {
  const object = value as Readonly<Record<string, unknown>>;
  // An object with a type of its own in a FeatureCollection is misspelt.
  const isMisspelt = isInCollection && Object.hasOwn(object, "type");
  const read = isMisspelt ? undefined : readObjectAsFeature(object, options);
  if (read === undefined) {
    const geometry = part === "text" ? " or of a geometry" : "";
    if (isInCollection || Object.hasOwn(object, "type")) {
      throwGeoJsonInvalid(place, describeTypeMember(object), `the type "Feature"${geometry}`);
    }
    throwGeoJsonInvalid(place, describeMembers(object), expectedFeature(object));
  }
  const isLossy = Object.values(read.properties).some(isInexact);
  const exact = isLossy ? readObjectAsFeature(parseKeepingNumbers(text) as typeof object, options) : read;
  return {
    place,
    id: read.id,
    geometry: read.geometry,
    properties: new Map(Object.entries(exact!.properties)),
    crs: read.crs ?? crs,
    ...(read.fault !== undefined && { fault: read.fault }),
  };
}

function throwGeoJsonInvalid(place: TextPlace, found: string, expected: string): never {
  throw createFormatError("GEOJSON_INVALID", found, expected, { place });
}

function describeTypeMember(object: JsonObject): string {
  if (!Object.hasOwn(object, "type")) return "no type";
  const type = JSON.stringify(object.type);
  return `the type ${type.length > 40 ? `${type.slice(0, 40)}…` : type}`;
}

function describeValueKind(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
