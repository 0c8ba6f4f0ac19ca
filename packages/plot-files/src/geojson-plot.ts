import { type SplitterLimits, type SplitValue, swapAxes } from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";
import type { NamelessPlot } from "./plot-columns.ts";
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
  const exact = () => JSON.parse(piece.text, keepLargeNumbers) as GeoJsonObject;
  const properties = object.properties ?? {};
  return {
    plot: { number, geometry: object.geometry, properties, ...inCrs },
    own: idOf(object.id, () => exact().id),
    properties,
    isGeoJson: true,
    exact: (column) => exact().properties?.[column],
  };
}

/** A number that a double cannot hold keeps its digits, as a string. */
function idOf(value: unknown, exact: () => unknown): string | number | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(exact()) : value;
}

function keepLargeNumbers(
  this: unknown,
  _name: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  return typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
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
  return "error" in plot ? plot : { ...plot, geometry: swapAxes(plot.geometry) };
}
