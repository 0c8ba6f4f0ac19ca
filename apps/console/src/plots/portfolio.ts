import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import { type PortfolioRow, portfolioCsv, portfolioXlsx, renderPortfolio } from "@groundrule/report";
import type { LanguageTag } from "../languages/language.ts";
import type { PagePlot } from "../state/plot.ts";

export function csvOf(plots: readonly PagePlot[]): string {
  return portfolioCsv(rowsOf(plots));
}

export async function xlsxOf(plots: readonly PagePlot[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await portfolioXlsx(rowsOf(plots)));
}

/** One HTML page with all plots, that loads nothing. */
export function pageOf(plots: readonly PagePlot[], language: LanguageTag): string {
  return renderPortfolio(rowsOf(plots), { language });
}

/** A FeatureCollection of the plots with what they came with, and their verdicts under `groundrule`. */
export function geoJsonOf(plots: readonly PagePlot[]): string {
  const features = plots.map(({ id, geometry, properties, state }) => ({
    type: "Feature",
    id,
    geometry: geometry ?? null,
    properties: { ...properties, ...verdictMembers(state) },
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}

function verdictMembers(state: PagePlot["state"]): object {
  if (state.kind === "answered") {
    const { verdict, at_least, digest, evaluated_at, ruleset } = state.answer.verdict;
    return { groundrule: { verdict, at_least, digest, evaluated_at, ruleset } };
  }
  if (state.kind === "refused")
    return { groundrule: { code: state.problem.code, message: state.problem.message } };
  return state.kind === "unread" ? { groundrule: state.error } : {};
}

function rowsOf(plots: readonly PagePlot[]): PortfolioRow[] {
  return plots.map(({ id, geometry, state }): PortfolioRow => {
    const of = { id, ...(geometry !== undefined && { geometry }) };
    if (state.kind === "answered") return { ...of, record: recordOf(id, state.answer.record) };
    if (state.kind === "refused") {
      const { code, message } = state.problem;
      return { ...of, error: { code, message } };
    }
    if (state.kind === "unread") return { ...of, error: state.error };
    return { ...of, error: { code: "NOT_ASKED", message: "this plot was not checked" } };
  });
}

function recordOf(id: string, record: object): VerdictRecord {
  return parseRecord({ id, ...record });
}
