import { type SplitterLimits, type SplitValue, swapAxes } from "@groundrule/formats";
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
  readonly crs?: { readonly properties?: { readonly name?: unknown } | null } | null;
}

/** A feature, or a geometry alone, as a plot. */
export function toPlot(
  piece: Pick<SplitValue, "value" | "text">,
  number: number,
  collectionCrs: string | undefined,
): NamelessPlot {
  const object = piece.value as GeoJsonObject;
  const crs = crsName(object) ?? collectionCrs;
  const inCrs = { ...(crs !== undefined && { crs }) };
  if (object.type !== "Feature") {
    const plot = { number, geometry: object, properties: {}, ...inCrs };
    return { plot, own: undefined, properties: {}, isGeoJson: true };
  }
  const isLossy = isLarge(object.id) || holdsLarge(object.properties);
  const { id, properties: found } = isLossy ? withDigits(piece.text) : object;
  const properties = found ?? {};
  return {
    plot: { number, geometry: object.geometry, properties, ...inCrs },
    own: typeof id === "string" || typeof id === "number" ? id : undefined,
    properties,
    isGeoJson: true,
  };
}

/** Whether a value is a number of which `JSON.parse` may have lost digits. */
function isLarge(value: unknown): boolean {
  if (typeof value !== "number") return false;
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

function holdsLarge(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isLarge(value);
  return Object.values(value).some(holdsLarge);
}

/** An object whose large numbers keep their digits, as text: so the readers of all other formats give them. */
function withDigits(text: string): GeoJsonObject {
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    isLarge(value) ? (context?.source ?? value) : value;
  return JSON.parse(text, keep) as GeoJsonObject;
}

/** The name in a `crs` member of GeoJSON before RFC 7946; the engine knows it or refuses it. */
export function crsName(object: GeoJsonObject): string | undefined {
  const name = object.crs?.properties?.name;
  return typeof name === "string" ? name : undefined;
}

export function unread(number: number, code: string, message: string, pointer?: string): NamelessPlot {
  const faults = pointer === undefined ? {} : { faults: [{ pointer, code, message }] };
  const plot = { number, error: { code, message, ...faults } };
  return { plot, own: undefined, properties: {}, isGeoJson: true };
}

/** A plot whose positions stand latitude first, the other way about. */
export function swapped(plot: PlotFeature | UnreadPlot): PlotFeature | UnreadPlot {
  if ("error" in plot) return plot;
  return { ...plot, geometry: swapAxes(plot.geometry), properties: withSwappedProperty(plot.properties) };
}
