import type { Verdict } from "@groundrule/engine";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Answer } from "../answering/answerer.ts";
import type { Outdated, PagePlot } from "./plot.ts";
import { PLOT_STATUSES } from "./plot-status.ts";
import { missingSources, plots } from "./store.ts";

/** An earlier answer about a plot: by another ruleset, by another answerer, or on other editions. */
export interface EarlierAnswer {
  /** The evaluated input; a plot that was reshaped since then is not compared. */
  readonly input: object;
  readonly answer: Answer;
}

/** Earlier answers, by the key of the plot. */
export const earlier: Signal<ReadonlyMap<string, EarlierAnswer>> = signal(new Map());

/** True if the user wants to see the changes on the map. */
export const isCompared: Signal<boolean> = signal(false);

/** True if the page shows the earlier answers instead of the latest. */
export const isEarlierShown: Signal<boolean> = signal(false);

/** Both answers about one plot, in its current shape. */
export interface VerdictPair {
  readonly plot: PagePlot;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** Plots with two answers; empty while some are still being evaluated. */
export const pairs: ReadonlySignal<readonly VerdictPair[]> = computed(() => {
  const all = plots.value;
  if (earlier.value.size === 0 || all.some(({ state }) => state.kind === "asking")) return [];
  return all.flatMap((plot) => {
    const before = findEarlierAnswer(plot)?.verdict;
    if (before === undefined || plot.state.kind !== "answered") return [];
    return { plot, before, after: plot.state.answer.verdict };
  });
});

/** True if the slider is shown and the map shows the changes. */
export const isComparing: ReadonlySignal<boolean> = computed(
  () => isCompared.value && pairs.value.length > 0,
);

/** Plots without colour on the map while it shows the changes; undefined while it does not. */
export const faded: ReadonlySignal<ReadonlySet<string> | undefined> = computed(() => {
  if (!isComparing.value) return undefined;
  const moved = new Set(
    pairs.value.filter((pair) => compareVerdicts(pair) !== 0).map(({ plot }) => plot.key),
  );
  return new Set(plots.value.flatMap(({ key }) => (moved.has(key) ? [] : [key])));
});

/** The plots with the answers that the page shows: the latest or the earlier ones. */
export const seenPlots: ReadonlySignal<readonly PagePlot[]> = computed(() =>
  isComparing.value && isEarlierShown.value ? plots.value.map(toEarlierPlot) : plots.value,
);

/** A plot with its earlier answer; without one, as if it had not been evaluated. An unanswerable plot stays so. */
function toEarlierPlot(plot: PagePlot): PagePlot {
  const answer = findEarlierAnswer(plot);
  if (answer === undefined && plot.state.kind !== "answered") return plot;
  return { ...plot, state: answer === undefined ? { kind: "new" } : { kind: "answered", answer } };
}

/** The answer that a plot had until its answers or the ruleset changed, while there is no other. */
export function findOutdated({ state, geometry, outdated }: PagePlot): Outdated | undefined {
  const isOpen = state.kind === "new" || state.kind === "asking";
  const isOther = missingSources.value.length > 0 || (isComparing.value && isEarlierShown.value);
  return isOpen && !isOther && outdated?.geometry === geometry ? outdated : undefined;
}

function findEarlierAnswer({ key, input }: PagePlot): Answer | undefined {
  const kept = earlier.value.get(key);
  return kept?.input === input ? kept?.answer : undefined;
}

/** 1 if a verdict became worse, -1 if better, otherwise 0: a verdict that is not final cannot be compared. */
export function compareVerdicts({ before, after }: Pick<VerdictPair, "before" | "after">): number {
  if (!isFinal(before) || !isFinal(after)) return 0;
  return Math.sign(PLOT_STATUSES.indexOf(before.verdict) - PLOT_STATUSES.indexOf(after.verdict));
}

export function isFinal({ verdict }: Verdict): boolean {
  return verdict !== "DEGRADED";
}

/** Stores the answers of plots that are about to be evaluated again; those of other plots stay. */
export function storeEarlierAnswers(of: readonly PagePlot[]): void {
  const kept = of.flatMap(({ key, input, state }) =>
    input !== undefined && state.kind === "answered" ? [[key, { input, answer: state.answer }] as const] : [],
  );
  if (kept.length > 0) earlier.value = new Map([...earlier.peek(), ...kept]);
  isEarlierShown.value = false;
}

/** Ends the comparison on the map. */
export function endComparison(): void {
  isCompared.value = false;
  isEarlierShown.value = false;
}
