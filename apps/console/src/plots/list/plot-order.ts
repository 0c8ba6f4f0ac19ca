import type { PagePlot } from "../../state/plot.ts";
import { type PlotStanding, STANDINGS, standingOf } from "../../state/standing.ts";

/** Filter and order of the list. */
export interface PlotOrder {
  /** Letters that occur in the plot's name, in any case. */
  readonly text: string;
  /** Status to show; absent: all. */
  readonly standing: PlotStanding | undefined;
  readonly by: "added" | "name" | "verdict";
}

/** The plots that are shown, in the requested order; equal ones stay in the order in which they were added. */
export function orderedPlots(
  plots: readonly PagePlot[],
  { text, standing, by }: PlotOrder,
): readonly PagePlot[] {
  const wanted = text.trim().toLowerCase();
  const shown = plots.filter(
    (plot) =>
      (wanted === "" || plot.id.toLowerCase().includes(wanted)) &&
      (standing === undefined || standingOf(plot) === standing),
  );
  if (by === "name") return shown.sort((a, b) => COLLATOR.compare(a.id, b.id));
  if (by === "verdict") {
    return shown.sort((a, b) => STANDINGS.indexOf(standingOf(a)) - STANDINGS.indexOf(standingOf(b)));
  }
  return shown;
}

/** The number of plots with each status that occurs. */
export function countStandings(plots: readonly PagePlot[]): ReadonlyMap<PlotStanding, number> {
  const counts = new Map<PlotStanding, number>();
  for (const plot of plots) counts.set(standingOf(plot), (counts.get(standingOf(plot)) ?? 0) + 1);
  return new Map(STANDINGS.flatMap((each) => (counts.has(each) ? [[each, counts.get(each)!] as const] : [])));
}

/** Sorts plot 9 before plot 10. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });
