import type { Fault } from "@groundrule/engine";
import { type SplitterLimits, type SplitValue, swapAxes } from "@groundrule/formats";
import type { PlotFeature } from "@groundrule/plots";

/** A plot that cannot be read, in its place among the others. */
export interface UnreadPlot {
  /** Its number in the file, or of its line. */
  readonly number: number;
  /** What people call it; its number where nothing tells. */
  readonly id: string | number;
  /** Line of the file, where each plot has one. */
  readonly line?: number;
  /** Why it cannot be read. */
  readonly error: {
    /** A stable code, e.g. `GEOMETRY_INVALID`. */
    readonly code: string;
    /** What was found and what was expected. */
    readonly message: string;
    /** The same, with its place in the plot. */
    readonly faults?: readonly Fault[];
  };
}

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
): PlotFeature {
  const object = piece.value as GeoJsonObject;
  const crs = crsName(object) ?? collectionCrs;
  const inCrs = { ...(crs !== undefined && { crs }) };
  if (object.type !== "Feature") return { number, id: number, geometry: object, properties: {}, ...inCrs };
  const exact = () => JSON.parse(piece.text, keepLargeNumbers) as GeoJsonObject;
  const id =
    idOf(object.id, () => exact().id) ?? idOf(object.properties?.id, () => exact().properties?.id) ?? number;
  return { number, id, geometry: object.geometry, properties: object.properties ?? {}, ...inCrs };
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

export function unread(number: number, code: string, message: string, pointer?: string): UnreadPlot {
  const faults = pointer === undefined ? {} : { faults: [{ pointer, code, message }] };
  return { number, id: number, error: { code, message, ...faults } };
}

/** A plot whose positions stand latitude first, the other way about. */
export function swapped(plot: PlotFeature | UnreadPlot): PlotFeature | UnreadPlot {
  return "error" in plot ? plot : { ...plot, geometry: swapAxes(plot.geometry) };
}
