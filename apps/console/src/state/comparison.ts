import type { Verdict } from "@groundrule/engine";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Answer } from "../answering/answerer.ts";
import type { PagePlot } from "./plot.ts";
import { STANDINGS } from "./standing.ts";
import { plots } from "./store.ts";

/** What was answered about a plot before: by another ruleset, by somebody else, or on other editions. */
export interface EarlierAnswer {
  /** What was asked about; a plot that was reshaped since then is compared with nothing. */
  readonly input: object;
  readonly answer: Answer;
}

/** Earlier answers, by the key of the plot. */
export const earlier: Signal<ReadonlyMap<string, EarlierAnswer>> = signal(new Map());

/** Whether a person wants to see on the map what changed. */
export const isCompared: Signal<boolean> = signal(false);

/** Whether the page shows the earlier answers, in the place of the latest. */
export const isEarlierShown: Signal<boolean> = signal(false);

/** Both answers about one plot, in the shape that it has. */
export interface VerdictPair {
  readonly plot: PagePlot;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** Plots that were answered twice; none while some are still asked about. */
export const pairs: ReadonlySignal<readonly VerdictPair[]> = computed(() => {
  const all = plots.value;
  if (earlier.value.size === 0 || all.some(({ state }) => state.kind === "asking")) return [];
  return all.flatMap((plot) => {
    const before = earlierOf(plot)?.verdict;
    if (before === undefined || plot.state.kind !== "answered") return [];
    return { plot, before, after: plot.state.answer.verdict };
  });
});

/** Whether the slider is there and the map tells what changed. */
export const isComparing: ReadonlySignal<boolean> = computed(
  () => isCompared.value && pairs.value.length > 0,
);

/** Plots to which the map gives no colour while it tells what changed; undefined while it does not. */
export const faded: ReadonlySignal<ReadonlySet<string> | undefined> = computed(() => {
  if (!isComparing.value) return undefined;
  const moved = new Set(pairs.value.filter((pair) => moveOf(pair) !== 0).map(({ plot }) => plot.key));
  return new Set(plots.value.flatMap(({ key }) => (moved.has(key) ? [] : [key])));
});

/** The plots as the page shows them: with their latest answers, or with the earlier ones. */
export const seenPlots: ReadonlySignal<readonly PagePlot[]> = computed(() =>
  isComparing.value && isEarlierShown.value ? plots.value.map(asBefore) : plots.value,
);

/** A plot with its earlier answer; without one, as if nobody had asked. What can never be answered stays so. */
function asBefore(plot: PagePlot): PagePlot {
  const answer = earlierOf(plot);
  if (answer === undefined && plot.state.kind !== "answered") return plot;
  return { ...plot, state: answer === undefined ? { kind: "new" } : { kind: "answered", answer } };
}

function earlierOf({ key, input }: PagePlot): Answer | undefined {
  const kept = earlier.value.get(key);
  return kept?.input === input ? kept?.answer : undefined;
}

/** Whether a verdict became worse (1), better (-1), or neither: one that is not final cannot be compared. */
export function moveOf({ before, after }: Pick<VerdictPair, "before" | "after">): number {
  if (!isFinal(before) || !isFinal(after)) return 0;
  return Math.sign(STANDINGS.indexOf(before.verdict) - STANDINGS.indexOf(after.verdict));
}

export function isFinal({ verdict }: Verdict): boolean {
  return verdict !== "DEGRADED";
}

/** Keeps the answers of plots that are about to be answered otherwise; those of others stay. */
export function keepAnswers(of: readonly PagePlot[]): void {
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
