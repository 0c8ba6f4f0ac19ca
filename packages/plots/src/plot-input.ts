import type { EvaluationInput, Fault, RoleScheme } from "@groundrule/engine";
import type { PlotFeature } from "./plot-feature.ts";

/** Why a plot cannot be judged. */
export interface PlotInputError {
  /** A stable code, e.g. `VALIDATION_FAILED`. */
  readonly code: string;
  /** What was found and what was expected. */
  readonly message: string;
  /** The same, with its place in the feature. */
  readonly faults: readonly Fault[];
}

/** A plot as an evaluation is asked about it, or why it cannot be. */
export type PlotInput =
  | {
      /** Its geometry, CRS and identifiers. */
      readonly input: EvaluationInput;
      /** `Area` of its properties, as found: of a point, its hectares. */
      readonly area?: unknown;
      /** ISO 3166-1 alpha-3 of the country that its properties tell, where they tell one. */
      readonly country?: string;
    }
  | { readonly error: PlotInputError };

/**
 * A plot as it goes into an evaluation: its geometry, its CRS, the identifiers in `properties.scheme`. Its country
 * and area are told beside it, for callers to add.
 *
 * @param iso3Of the ISO 3166-1 alpha-3 code of a code of two letters or three, in any case; undefined for what is none
 */
export function readPlotInput(
  { geometry, properties, crs }: Pick<PlotFeature, "geometry" | "properties" | "crs">,
  iso3Of: (code: string) => string | undefined,
): PlotInput {
  const area = properties.Area;
  const country = countryOf(properties, iso3Of);
  const scheme = properties.scheme ?? undefined;
  if (scheme !== undefined && !isSchemes(scheme)) {
    const message = `found ${JSON.stringify(scheme).slice(0, 80)} in properties.scheme, expected {"type": …, "value": …} or an array of such objects`;
    return { error: invalid("/properties/scheme", message) };
  }
  return {
    input: {
      ...(geometry !== undefined && geometry !== null && { geometry: geometry as object }),
      ...(crs !== undefined && { crs }),
      ...(scheme !== undefined && { scheme }),
    },
    ...(area !== undefined && { area }),
    ...(country !== undefined && { country }),
  };
}

/**
 * An input with the area of its points, in hectares. What is no point keeps its own area, whatever is told.
 *
 * @param area `Area` of the plot's properties, as found
 */
export function withPointArea(
  input: EvaluationInput,
  area: unknown,
): { readonly input: EvaluationInput } | { readonly error: PlotInputError } {
  if (!isPoints(input) || area === undefined || area === null) return { input };
  if (typeof area === "number") return { input: { ...input, area_ha: area } };
  const found = `${JSON.stringify(area).slice(0, 80)} as Area`;
  const why = typeof area === "string" ? "; the EU's information system counts a string as 0" : "";
  return {
    error: invalid("/properties/Area", `found ${found}, expected a number of hectares${why}`),
  };
}

/** Whether the geometry of an input is a point or several, which are judged with an area around each. */
export function isPoints({ geometry }: EvaluationInput): boolean {
  const type = (geometry as { readonly type?: unknown } | undefined)?.type;
  return type === "Point" || type === "MultiPoint";
}

/** Properties in which files tell the country of a plot; `ProducerCountry` is the EU's. */
const COUNTRY_PROPERTIES = ["country_iso3", "iso3", "country", "ProducerCountry"] as const;

/** The first of these that is an ISO 3166-1 code. A name of a country is none. */
function countryOf(
  properties: Readonly<Record<string, unknown>>,
  iso3Of: (code: string) => string | undefined,
): string | undefined {
  for (const name of COUNTRY_PROPERTIES) {
    const value = properties[name];
    const code = typeof value === "string" ? iso3Of(value) : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
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

function invalid(pointer: string, message: string): PlotInputError {
  const code = "VALIDATION_FAILED";
  return { code, message, faults: [{ pointer, code, message }] };
}
