import type { Verdict } from "@groundrule/engine";
import type { PagePlot } from "../state/plot.ts";
import { type Bounds, computePlotBounds } from "./layers/plot-features.ts";

export interface PlotsInView {
  readonly total: number;
  readonly first: readonly PagePlot[];
}

/** Plots whose box intersects the view, in the order of the list. */
export function listPlotsInView(plots: readonly PagePlot[], view: Bounds, most: number): PlotsInView {
  const seen = plots.filter((plot) => {
    const bounds = computePlotBounds(plot);
    return bounds !== undefined && intersectsView(bounds, view);
  });
  return { total: seen.length, first: seen.slice(0, most) };
}

function intersectsView([west, south, east, north]: Bounds, view: Bounds): boolean {
  if (north < view[1] || south > view[3]) return false;
  // The view may show the world more than once.
  return [-360, 0, 360].some((turn) => west + turn <= view[2] && east + turn >= view[0]);
}

/** Sources that do not cover a plot, or a part of it. */
export function listUncoveredSources({ sources }: Verdict): readonly string[] {
  return sources
    .filter(({ coverage }) => coverage === "none" || coverage === "partial")
    .map(({ source_name }) => source_name);
}
