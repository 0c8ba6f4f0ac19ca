import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import { type PortfolioRow, portfolioCsv, portfolioXlsx, renderPortfolio } from "@groundrule/report";
import type { Language } from "@groundrule/words/tags";
import { factParts } from "../state/facts.ts";
import { place } from "../state/placing.ts";
import type { PagePlot } from "../state/plot.ts";

export function formatPlotsCsv(plots: readonly PagePlot[]): string {
  return portfolioCsv(buildPortfolioRows(plots));
}

export async function buildPlotsXlsx(plots: readonly PagePlot[], language: Language): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of portfolioXlsx(buildPortfolioRows(plots), { language })) pieces.push(piece);
  return new Blob(pieces);
}

/** One HTML page with all plots, without external resources. */
export function renderPortfolioPage(plots: readonly PagePlot[], language: Language): string {
  return renderPortfolio(buildPortfolioRows(plots), { language });
}

/** A FeatureCollection of the plots with their own properties and entered facts, and verdicts with checks under `groundrule`. */
export async function toGeoJson(plots: readonly PagePlot[]): Promise<string> {
  const properties = await convertPropertiesToDegrees(plots);
  const features = plots.map((plot) => {
    const property = properties.get(plot);
    // If the form is not loaded, no facts were entered.
    const withFacts = factParts.peek()?.propertiesWithFacts(plot) ?? plot.properties;
    return {
      type: "Feature",
      id: plot.id,
      geometry: plot.geometry ?? null,
      properties: { ...withFacts, ...(property && { property }), ...buildVerdictMembers(plot.state) },
    };
  });
  return JSON.stringify({ type: "FeatureCollection", features });
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

function buildPortfolioRows(plots: readonly PagePlot[]): PortfolioRow[] {
  return plots.map(({ id, geometry, properties, state }): PortfolioRow => {
    const own = Object.fromEntries(
      Object.entries(properties).flatMap(([name, value]) => {
        if (typeof value === "string" || typeof value === "number") return [[name, value]];
        return typeof value === "boolean" ? [[name, String(value)]] : [];
      }),
    );
    const of = { id, own, ...(geometry !== undefined && { geometry }) };
    if (state.kind === "answered") return { ...of, record: buildVerdictRecord(id, state.answer.record) };
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
  });
}

function buildVerdictRecord(id: string, record: object): VerdictRecord {
  return parseRecord({ id, ...record });
}
