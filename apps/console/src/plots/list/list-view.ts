import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { seenPlots } from "../../state/comparison.ts";
import { findings } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import type { PlotStatus } from "../../state/plot-status.ts";
import { filterAndSortPlots, type PlotOrder } from "./plot-order.ts";

/** Filter and order of the list: the worst plots first, unless the user chooses otherwise. */
export const order: Signal<PlotOrder> = signal({ text: "", status: undefined, by: "verdict" });
/** True to show only plots with findings. */
export const onlyFindings: Signal<boolean> = signal(false);

/** The plots that the list shows. */
export const shown: ReadonlySignal<readonly PagePlot[]> = computed(() => {
  const ordered = filterAndSortPlots(seenPlots.value, order.value);
  const isFiltered = onlyFindings.value && findings.value.size > 0;
  return isFiltered ? ordered.filter(({ key }) => findings.value.has(key)) : ordered;
});

/** Shows only plots with a status; all plots if only those are shown already. */
export function toggleStatusFilter(status: PlotStatus): void {
  order.value = { ...order.value, status: order.value.status === status ? undefined : status };
}
