import { iso3Of } from "@groundrule/borders";
import type { EvaluationInput, RoleScheme } from "@groundrule/engine";
import type { SubmittedAs } from "@groundrule/engine/records";
import type { PlotFeature } from "@groundrule/plots";
import type { Arguments } from "./arguments.ts";
import type { LineError } from "./line-error.ts";
import { readPlotFeatures, type UnreadPlot } from "./plot-features.ts";
import type { Terminal } from "./terminal.ts";

/** A plot as it was read, or why it could not be. */
export type PlotLine =
  | {
      readonly id: string | number;
      readonly input: EvaluationInput;
      /** `Area` of its properties, as found: of a point, its hectares. */
      readonly area?: unknown;
      /** Where the input is what a system will hold of the plot: what was sent. */
      readonly submittedAs?: SubmittedAs;
      /** ISO 3166-1 alpha-3 of the country that its properties tell, where they tell one. */
      readonly country?: string;
    }
  | { readonly id: string | number; readonly error: LineError };

/**
 * Reads plots as a stream, from every format; see {@link readPlotFeatures}.
 *
 * Fails: as it does.
 */
export async function* readPlots(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
): AsyncGenerator<PlotLine, void, undefined> {
  for await (const plot of readPlotFeatures(args, terminal, path)) yield plotLine(plot);
}

/** A plot as it goes into an evaluation. */
export function plotLine(plot: PlotFeature | UnreadPlot): PlotLine {
  const { id } = plot;
  if ("error" in plot) return { id, error: plot.error };
  const { geometry, properties, crs } = plot;
  const area = properties.Area;
  const country = countryOf(properties);
  const scheme = properties.scheme ?? undefined;
  if (scheme !== undefined && !isSchemes(scheme)) {
    const message = `found ${JSON.stringify(scheme).slice(0, 80)} in properties.scheme, expected {"type": …, "value": …} or an array of such objects`;
    return invalid(id, "/properties/scheme", message);
  }
  return {
    id,
    input: {
      ...(geometry !== undefined && geometry !== null && { geometry: geometry as object }),
      ...(crs !== undefined && { crs }),
      ...(scheme !== undefined && { scheme }),
    },
    ...(area !== undefined && { area }),
    ...(country !== undefined && { country }),
  };
}

/** Properties in which files tell the country of a plot; `ProducerCountry` is the EU's. */
const COUNTRY_PROPERTIES = ["country_iso3", "iso3", "country", "ProducerCountry"] as const;

/** The first of these that is an ISO 3166-1 code, of two letters or three. A name of a country is none. */
function countryOf(properties: Readonly<Record<string, unknown>>): string | undefined {
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

function invalid(id: string | number, pointer: string, message: string): PlotLine {
  const code = "VALIDATION_FAILED";
  return { id, error: { code, message, faults: [{ pointer, code, message }] } };
}
