import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { seenPlots } from "../../state/comparison.ts";
import { findings } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import type { PlotStanding } from "../../state/standing.ts";
import { orderedPlots, type PlotOrder } from "./plot-order.ts";

/** What the list shows, and in which order: the worst first, unless a person wants it otherwise. */
export const order: Signal<PlotOrder> = signal({ text: "", standing: undefined, by: "verdict" });
/** Whether only plots are shown of which something was found. */
export const onlyFindings: Signal<boolean> = signal(false);

/** The plots that the list shows. */
export const shown: ReadonlySignal<readonly PagePlot[]> = computed(() => {
  const ordered = orderedPlots(seenPlots.value, order.value);
  const isFiltered = onlyFindings.value && findings.value.size > 0;
  return isFiltered ? ordered.filter(({ key }) => findings.value.has(key)) : ordered;
});

/** Shows plots of a standing alone; all, where those are shown alone already. */
export function showOnly(standing: PlotStanding): void {
  order.value = { ...order.value, standing: order.value.standing === standing ? undefined : standing };
}
