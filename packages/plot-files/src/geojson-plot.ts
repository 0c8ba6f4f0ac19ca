import {
  AreaGeometry,
  crsInMember,
  describeMembers,
  expectedFeature,
  type RowOptions,
  readGeometryText,
  readObjectAsFeature,
  type SplitterLimits,
  type SplitValue,
  swapAxes,
} from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import { type NamelessPlot, withSwappedProperty } from "./plot-columns.ts";
import type { UnreadPlot } from "./unread-plot.ts";

/** One plot at most; a geometry may hold 100,000 positions, which is some 4 MB. */
export const PLOT_LIMITS: SplitterLimits = { featureBytes: 64 * 1024 * 1024, depth: 64 };

/** The members of an object that are looked at, as found. */
export interface GeoJsonObject {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly geometry?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly crs?: unknown;
}

/**
 * A feature, a geometry alone, or another object with a geometry in one of its members, as a plot.
 *
 * @param row where objects that are no features have their geometry
 */
export function toPlot(
  piece: Pick<SplitValue, "value" | "text">,
  number: number,
  collectionCrs: string | undefined,
  row: RowOptions = {},
): NamelessPlot {
  const object = piece.value as GeoJsonObject;
  const own = object.crs ?? undefined;
  const named = own === undefined ? undefined : crsInMember(own);
  if (own !== undefined && named === undefined) return createUnreadCrsPlot(number, own);
  const crs = named ?? collectionCrs;
  const inCrs = { ...(crs !== undefined && { crs }) };
  if (object.type !== "Feature") {
    const ofRow = isGeometry(object) ? undefined : toPlotOfRow(piece, number, crs, row);
    if (ofRow !== undefined) return ofRow;
    const plot = { number, geometry: object, properties: {}, ...inCrs };
    return { plot, own: undefined, properties: {}, isGeoJson: true };
  }
  const isLossy = isLarge(object.id) || containsLargeNumber(object.properties);
  const { id, properties: found } = isLossy ? parseKeepingLargeNumbers(piece.text) : object;
  const properties = found ?? {};
  const of = {
    own: typeof id === "string" || typeof id === "number" ? id : undefined,
    properties,
    isGeoJson: true,
  };
  if (typeof object.geometry !== "string") {
    return { ...of, plot: { number, geometry: object.geometry, properties, ...inCrs } };
  }
  const { geometry, crs: inText, fault } = readGeometryText(object.geometry);
  if (fault !== undefined) return { ...of, plot: { number, error: fault } };
  const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
  return {
    ...of,
    plot: { number, geometry: plain, properties, ...inCrs, ...(inText !== undefined && { crs: inText }) },
  };
}

/** True if a value is a number of which `JSON.parse` may have lost digits. */
function isLarge(value: unknown): boolean {
  if (typeof value !== "number") return false;
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

function containsLargeNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isLarge(value);
  return Object.values(value).some(containsLargeNumber);
}

/** An object whose large numbers keep their digits, as text: so the readers of all other formats give them. */
function parseKeepingLargeNumbers(text: string): GeoJsonObject {
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    isLarge(value) ? (context?.source ?? value) : value;
  return JSON.parse(text, keep) as GeoJsonObject;
}

function isGeometry(object: GeoJsonObject): boolean {
  return typeof object.type === "string" && ("coordinates" in object || "geometries" in object);
}

/** The plot of an object that is no feature; undefined where what it is called is misspelt. */
function toPlotOfRow(
  { value, text }: Pick<SplitValue, "value" | "text">,
  number: number,
  crs: string | undefined,
  options: RowOptions,
): NamelessPlot | undefined {
  const object = value as Readonly<Record<string, unknown>>;
  const read = readObjectAsFeature(object, options);
  if (read === undefined) {
    if (typeof object.type === "string") return undefined;
    return createUnreadPlot(
      number,
      "GEOJSON_INVALID",
      `found ${describeMembers(object)}, expected ${expectedFeature(object)}`,
      "",
    );
  }
  const exact = containsLargeNumber(read.properties)
    ? readObjectAsFeature(parseKeepingLargeNumbers(text) as typeof object, options)!
    : read;
  const readAs = read.isEsri === true ? { readAs: "Esri JSON" } : {};
  const of = { own: read.id, properties: exact.properties, isGeoJson: true, ...readAs };
  if (read.fault !== undefined) return { ...of, plot: { number, error: read.fault } };
  const { geometry } = read;
  const inCrs = read.crs ?? crs;
  return {
    ...of,
    plot: {
      number,
      geometry: geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry,
      properties: exact.properties,
      ...(inCrs !== undefined && { crs: inCrs }),
    },
  };
}

/** A `crs` member that names nothing is refused: positions in another CRS must not be taken for degrees. */
function createUnreadCrsPlot(number: number, crs: unknown): NamelessPlot {
  const message = `found the crs member ${JSON.stringify(crs).slice(0, 80)}, expected {"type": "name", "properties": {"name": "EPSG:…"}}, or none for longitude and latitude; links are not followed`;
  return createUnreadPlot(number, "CRS_UNSUPPORTED", message, "/crs");
}

export function createUnreadPlot(
  number: number,
  code: string,
  message: string,
  pointer?: string,
): NamelessPlot {
  const faults = pointer === undefined ? {} : { faults: [{ pointer, code, message }] };
  const plot = { number, error: { code, message, ...faults } };
  return { plot, own: undefined, properties: {}, isGeoJson: true };
}

/** A plot whose positions stand latitude first, the other way about. */
export function swapped(plot: PlotFeature | UnreadPlot): PlotFeature | UnreadPlot {
  if ("error" in plot) return plot;
  return { ...plot, geometry: swapAxes(plot.geometry), properties: withSwappedProperty(plot.properties) };
}
