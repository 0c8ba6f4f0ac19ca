import type { EvaluationInput, Fault, RoleScheme } from "@groundrule/engine";
import type { PlotFeature } from "../plot-feature.ts";
import { statedArea } from "./area-column.ts";
import { findStatedCountry } from "./country-column.ts";
import { type FactColumns, readFactColumns } from "./fact-columns.ts";

/** Why a plot cannot be judged. */
export interface PlotInputError {
  /** A stable code, e.g. `VALIDATION_FAILED`. */
  readonly code: string;
  /** One sentence that states what was found and what was expected. */
  readonly message: string;
  /** The same, with its place in the feature. */
  readonly faults: readonly Fault[];
}

/** A plot as an input of an evaluation, or the reason why it cannot be one. */
export type PlotInput =
  | {
      /** Its geometry, CRS, identifiers, property and the facts of `properties.facts`. */
      readonly input: EvaluationInput;
      /** Hectares that its properties state; as found, where that is no number. Of a point, its land. */
      readonly area?: unknown;
      /** ISO 3166-1 alpha-3 of the country in its properties, if there is one. */
      readonly country?: string;
      /** Values in its columns of facts, if it has any. */
      readonly rawFacts?: FactColumns;
    }
  | { readonly error: PlotInputError };

/**
 * A plot as it goes into an evaluation: its geometry, its CRS, the identifiers in `properties.scheme`, the facts in
 * `properties.facts` and the geometry in `properties.property`. Its country, area and columns of facts are returned
 * separately, for callers to add.
 *
 * @param iso3Of the ISO 3166-1 alpha-3 code of a code of two letters or three, in any case; undefined for what is none
 */
export function readPlotInput(
  { geometry, properties, crs }: Pick<PlotFeature, "geometry" | "properties" | "crs">,
  iso3Of: (code: string) => string | undefined,
): PlotInput {
  const stated = statedArea(properties);
  const area = stated === undefined ? properties.Area : (stated.hectares ?? stated.value);
  const country = findStatedCountry(properties, iso3Of);
  const scheme = properties.scheme ?? undefined;
  if (scheme !== undefined && !isSchemes(scheme)) {
    const message = `found ${JSON.stringify(scheme).slice(0, 80)} in properties.scheme, expected {"type": …, "value": …} or an array of such objects`;
    return { error: validationFailedError("/properties/scheme", message) };
  }
  const facts = properties.facts ?? undefined;
  if (facts !== undefined && (typeof facts !== "object" || Array.isArray(facts))) {
    const message = `found ${JSON.stringify(facts).slice(0, 80)} in properties.facts, expected an object of facts by name`;
    return { error: validationFailedError("/properties/facts", message) };
  }
  const property = parsePlotProperty(properties.property);
  if (property === null) {
    const message = `found ${JSON.stringify(properties.property).slice(0, 80)} in properties.property, expected a Polygon or MultiPolygon in GeoJSON, or in WKT in a table, in the CRS of the plot`;
    return { error: validationFailedError("/properties/property", message) };
  }
  const rawFacts = readFactColumns(properties);
  return {
    input: {
      ...(geometry !== undefined && geometry !== null && { geometry: geometry as object }),
      ...(crs !== undefined && { crs }),
      ...(scheme !== undefined && { scheme }),
      ...(facts !== undefined && { facts: facts as NonNullable<EvaluationInput["facts"]> }),
      ...(property !== undefined && { property }),
    },
    ...(rawFacts !== undefined && { rawFacts }),
    ...(area !== undefined && { area }),
    ...(country !== undefined && { country }),
  };
}

/**
 * An input with the area of its points, in hectares. Anything but points keeps its own area, whatever is declared.
 *
 * @param area hectares that the plot's properties state, or what was found in their place
 */
export function withPointArea(
  input: EvaluationInput,
  area: unknown,
): { readonly input: EvaluationInput } | { readonly error: PlotInputError } {
  if (!isPoints(input) || area === undefined || area === null) return { input };
  if (typeof area === "number") return { input: { ...input, area_ha: area } };
  const found = `${JSON.stringify(area).slice(0, 80)} as Area`;
  const why = typeof area === "string" ? "; the EU's information system reads a string as 0" : "";
  return {
    error: validationFailedError("/properties/Area", `found ${found}, expected a number of hectares${why}`),
  };
}

/** True if the geometry of an input is a point or several, which are evaluated with an area around each. */
export function isPoints({ geometry }: EvaluationInput): boolean {
  const type = (geometry as { readonly type?: unknown } | undefined)?.type;
  return type === "Point" || type === "MultiPoint";
}

/** Beginning of a geometry in WKT. */
const WKT = /^\s*(?:SRID=\d+;\s*)?(?:MULTI)?(?:POLYGON|POINT|LINESTRING)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)/i;

/**
 * The property of a plot; undefined of what is none, for a column of this name may hold that of a farm. Null of a
 * geometry that could not be read.
 */
function parsePlotProperty(value: unknown): object | null | undefined {
  if (typeof value === "object") return value ?? undefined;
  if (typeof value !== "string") return undefined;
  return WKT.test(value) || value.trimStart().startsWith("{") ? null : undefined;
}

function isSchemes(value: unknown): value is RoleScheme | RoleScheme[] {
  return Array.isArray(value) ? value.every(isScheme) : isScheme(value);
}

function isScheme(value: unknown): value is RoleScheme {
  if (typeof value !== "object" || value === null) return false;
  const { type, value: text, role } = value as Record<string, unknown>;
  return (
    typeof type === "string" && typeof text === "string" && (role === undefined || typeof role === "string")
  );
}

function validationFailedError(pointer: string, message: string): PlotInputError {
  const code = "VALIDATION_FAILED";
  return { code, message, faults: [{ pointer, code, message }] };
}
