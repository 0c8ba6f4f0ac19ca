import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { seenPlots } from "../../state/comparison.ts";
import { findings, type PageFinding } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import type { PlotStatus } from "../../state/plot-status.ts";
import { activeFilter, filteredKeys, plots, selectedKey } from "../../state/store.ts";
import { filterAndSortPlots, type PlotOrder } from "./plot-order.ts";

/** Filter and order of the list: the worst plots first, unless the user chooses otherwise. */
export const order: Signal<PlotOrder> = signal({ text: "", status: undefined, by: "verdict" });

/** Kinds of findings by which the list can be filtered. */
export type FindingGroup = "errors" | "areas" | "warnings";

/** The findings whose plots are shown; undefined: all plots. */
export const findingFilter: Signal<FindingGroup | undefined> = signal(undefined);

/** Keys of the plots with errors, with an area other than the declared one, and with other warnings. */
export const findingGroups: ReadonlySignal<Readonly<Record<FindingGroup, ReadonlySet<string>>>> = computed(
  () => {
    const keysWith = (is: (finding: PageFinding) => boolean): ReadonlySet<string> =>
      new Set([...findings.value].flatMap(([key, found]) => (found.some(is) ? key : [])));
    return {
      errors: keysWith(({ severity }) => severity === "error"),
      areas: keysWith(({ code }) => code === "AREA_DIFFERS"),
      warnings: keysWith(({ severity, code }) => severity === "warning" && code !== "AREA_DIFFERS"),
    };
  },
);

/** The plots that the list shows. */
export const shown: ReadonlySignal<readonly PagePlot[]> = computed(() => {
  const ordered = filterAndSortPlots(seenPlots.value, order.value);
  if (findingFilter.value === undefined) return ordered;
  const keys = findingGroups.value[findingFilter.value];
  return ordered.filter(({ key }) => keys.has(key));
});

/** Number of plots in which columns are looked for. */
const LOOKED_AT = 100;

/** The columns of the user's files whose values fit into a cell, in the order in which they are found. */
export const ownColumns: ReadonlySignal<readonly string[]> = computed(() => {
  const found = new Set<string>();
  for (const { properties } of plots.value.slice(0, LOOKED_AT)) {
    for (const [name, value] of Object.entries(properties)) if (typeof value !== "object") found.add(name);
  }
  return [...found];
});

/** True while the list has the user's columns beside the names. */
export const isTable: Signal<boolean> = signal(false);

// The map dims the other plots and moves to those that are left.
effect(() => {
  const filter = [order.value.text.trim(), order.value.status, findingFilter.value].join(" ").trim();
  filteredKeys.value = filter === "" ? undefined : new Set(shown.value.map(({ key }) => key));
  activeFilter.value = filter;
});

/** Shows only plots with a status; all plots if only those are shown already. */
export function toggleStatusFilter(status: PlotStatus): void {
  findingFilter.value = undefined;
  order.value = { ...order.value, status: order.value.status === status ? undefined : status };
}

/** Shows only plots with certain findings; all plots if only those are shown already. */
export function toggleFindingFilter(group: FindingGroup): void {
  order.value = { ...order.value, status: undefined };
  findingFilter.value = findingFilter.value === group ? undefined : group;
}

/** Selects the next plot of the list, or the previous one. */
export function stepInList(step: 1 | -1): void {
  const at = shown.peek().findIndex(({ key }) => key === selectedKey.peek());
  const next = shown.peek()[at + step];
  if (at !== -1 && next !== undefined) selectedKey.value = next.key;
}
