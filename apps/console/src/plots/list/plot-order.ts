import type { PagePlot } from "../../state/plot.ts";
import { PLOT_STATUSES, type PlotStatus, toPlotStatus } from "../../state/plot-status.ts";

/** Filter and order of the list. */
export interface PlotOrder {
  /** Letters that occur in the plot's name or in one of its columns, in any case. */
  readonly text: string;
  /** Status to show; absent: all. */
  readonly status: PlotStatus | undefined;
  readonly by: "added" | "name" | "verdict" | { readonly column: string };
}

/** The plots that are shown, in the requested order; equal ones stay in the order in which they were added. */
export function filterAndSortPlots(
  plots: readonly PagePlot[],
  { text, status, by }: PlotOrder,
): readonly PagePlot[] {
  const wanted = text.trim().toLowerCase();
  const shown = plots.filter(
    (plot) =>
      (wanted === "" || getSearchedText(plot).includes(wanted)) &&
      (status === undefined || toPlotStatus(plot) === status),
  );
  if (by === "name") return shown.sort((a, b) => COLLATOR.compare(a.id, b.id));
  if (by === "verdict") {
    return shown.sort(
      (a, b) => PLOT_STATUSES.indexOf(toPlotStatus(a)) - PLOT_STATUSES.indexOf(toPlotStatus(b)),
    );
  }
  if (by === "added") return shown;
  return shown.sort((a, b) => {
    const [one, other] = [formatCell(a, by.column), formatCell(b, by.column)];
    // Plots without a value come last.
    return Number(one === "") - Number(other === "") || COLLATOR.compare(one, other);
  });
}

/** The value of a plot in one of its own columns; empty if it has none that fits into a cell. */
export function formatCell({ properties }: PagePlot, column: string): string {
  const value = properties[column] ?? "";
  return typeof value === "object" ? "" : String(value);
}

const searchedTexts = new WeakMap<object, string>();

/** All that a search looks through, in lower case. */
function getSearchedText(plot: PagePlot): string {
  const { id, properties } = plot;
  const known = searchedTexts.get(properties);
  const columns =
    known ??
    Object.keys(properties)
      .map((column) => formatCell(plot, column))
      .join("\n")
      .toLowerCase();
  if (known === undefined) searchedTexts.set(properties, columns);
  return `${id.toLowerCase()}\n${columns}`;
}

/** The number of plots with each status that occurs. */
export function countPlotsByStatus(plots: readonly PagePlot[]): ReadonlyMap<PlotStatus, number> {
  const counts = new Map<PlotStatus, number>();
  for (const plot of plots) counts.set(toPlotStatus(plot), (counts.get(toPlotStatus(plot)) ?? 0) + 1);
  return new Map(
    PLOT_STATUSES.flatMap((each) => (counts.has(each) ? [[each, counts.get(each)!] as const] : [])),
  );
}

/** Sorts plot 9 before plot 10. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });
