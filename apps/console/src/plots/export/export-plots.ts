import { factParts } from "../../state/facts.ts";
import { place } from "../../state/placing.ts";
import type { PagePlot } from "../../state/plot.ts";
import { Turns } from "../../state/turns.ts";
import type { ExportedRow } from "./export-protocol.ts";

/** A FeatureCollection of the plots with their own properties and entered facts, and verdicts with checks under `groundrule`. */
export async function toGeoJson(plots: readonly PagePlot[]): Promise<Blob> {
  const properties = await convertPropertiesToDegrees(plots);
  const turns = new Turns();
  const pieces: string[] = [];
  for (const plot of plots) {
    const property = properties.get(plot);
    // If the form is not loaded, no facts were entered.
    const withFacts = factParts.peek()?.propertiesWithFacts(plot) ?? plot.properties;
    const feature = {
      type: "Feature",
      id: plot.id,
      geometry: plot.geometry ?? null,
      properties: { ...withFacts, ...(property && { property }), ...buildVerdictMembers(plot.state) },
    };
    pieces.push(pieces.length === 0 ? "" : ",", JSON.stringify(feature));
    await turns.next();
  }
  return new Blob(['{"type":"FeatureCollection","features":[', ...pieces, "]}"]);
}

/** The properties of plots converted to degrees, like the exported plots themselves. */
async function convertPropertiesToDegrees(
  plots: readonly PagePlot[],
): Promise<ReadonlyMap<PagePlot, object | undefined>> {
  const found = new Map<PagePlot, object | undefined>();
  const elsewhere = new Map<string, PagePlot[]>();
  const inputOf = ({ input = {} }: PagePlot): { readonly property?: object; readonly crs?: string } => input;
  for (const plot of plots) {
    const { property, crs } = inputOf(plot);
    if (property === undefined) continue;
    if (crs === undefined) found.set(plot, property);
    else if (elsewhere.get(crs)?.push(plot) === undefined) elsewhere.set(crs, [plot]);
  }
  for (const [crs, of] of elsewhere) {
    const placed = await place(
      of.map((plot) => inputOf(plot).property!),
      crs,
    );
    for (const [i, plot] of of.entries()) found.set(plot, placed[i]);
  }
  return found;
}

function buildVerdictMembers(state: PagePlot["state"]): object {
  if (state.kind === "answered") {
    const { verdict, at_least, digest, evaluated_at, ruleset, checks } = state.answer.verdict;
    const found = checks.map(({ id, status, triggered, outcome }) => ({ id, status, triggered, outcome }));
    return { groundrule: { verdict, at_least, digest, evaluated_at, ruleset, checks: found } };
  }
  if (state.kind === "refused" || state.kind === "unanswered")
    return { groundrule: { code: state.problem.code, message: state.problem.message } };
  return state.kind === "unread" ? { groundrule: state.error } : {};
}

/** The row of a plot in a table of all. */
export function buildExportedRow({ id, geometry, properties, state }: PagePlot): ExportedRow {
  const own = Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      if (typeof value === "string" || typeof value === "number") return [[name, value]];
      return typeof value === "boolean" ? [[name, String(value)]] : [];
    }),
  );
  const of = { id, own, ...(geometry !== undefined && { geometry }) };
  if (state.kind === "answered") return { ...of, record: state.answer.record };
  if (state.kind === "refused") {
    const { code, message } = state.problem;
    return { ...of, error: { code, message } };
  }
  if (state.kind === "unread") return { ...of, error: state.error };
  // Nothing is wrong with the plot.
  if (state.kind === "unanswered")
    return {
      ...of,
      error: { code: "NOT_ASKED", message: `${state.problem.code}: ${state.problem.message}` },
    };
  return { ...of, error: { code: "NOT_ASKED", message: "this plot was not checked" } };
}
