import type { ListedSource } from "@groundrule/contract";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Answerer, AnswerProblem, KeyHolder, PageUsage, RulesetChoice } from "../answering/answerer.ts";
import type { PagePlot } from "./plot.ts";

/** A piece of evidence that is highlighted, in the list or on the map. */
export interface EvidenceRef {
  readonly check?: string;
  readonly source_name: string;
  readonly source_id: string;
}

/** The chosen ruleset, with its name for people. */
export type ChosenRuleset = RulesetChoice & { readonly name: string };

export const plots: Signal<readonly PagePlot[]> = signal([]);
export const selectedKey: Signal<string | undefined> = signal(undefined);
/** Keys of the plots that the list's filter leaves; undefined while it leaves all. */
export const filteredKeys: Signal<ReadonlySet<string> | undefined> = signal(undefined);
/** The list's filter as text, by which the map knows that it was changed; empty: none. */
export const activeFilter: Signal<string> = signal("");
export const highlighted: Signal<EvidenceRef | undefined> = signal(undefined);
/** True if a piece of evidence is the highlighted one. */
export function isHighlighted({ source_name, source_id }: EvidenceRef): boolean {
  const lit = highlighted.value;
  return lit?.source_name === source_name && lit.source_id === source_id;
}

export const ruleset: Signal<ChosenRuleset | undefined> = signal(undefined);
export const answerer: Signal<Answerer | undefined> = signal(undefined);
/** True if plots can be evaluated: there is an answerer, and a ruleset with all its sources. */
export const canEvaluate: ReadonlySignal<boolean> = computed(
  () => answerer.value !== undefined && ruleset.value !== undefined && missingSources.value.length === 0,
);
/** Names of the sources that the chosen ruleset needs and the answerer does not have. */
export const missingSources: Signal<readonly string[]> = signal([]);
export const sources: Signal<readonly ListedSource[]> = signal([]);
/** Names of the sources whose areas the map shows. */
export const shownSources: Signal<ReadonlySet<string>> = signal(new Set());
export const showCoverage: Signal<boolean> = signal(true);
export const usage: Signal<PageUsage | undefined> = signal(undefined);
/** The latest fault of the service or of the key, until the service answers again. */
export const trouble: Signal<AnswerProblem | undefined> = signal(undefined);
/** True while the browser has no network. */
export const isOffline: Signal<boolean> = signal(false);
/** The owner of the page's key, who can see all requests. */
export const holder: Signal<KeyHolder | undefined> = signal(undefined);
export const theme: Signal<"system" | "light" | "dark"> = signal("system");

const byKey: ReadonlySignal<ReadonlyMap<string, PagePlot>> = computed(
  () => new Map(plots.value.map((plot) => [plot.key, plot])),
);

export const selectedPlot: ReadonlySignal<PagePlot | undefined> = computed(() =>
  selectedKey.value === undefined ? undefined : byKey.value.get(selectedKey.value),
);

/** Counts user choices of a plot and new lists: each scrolls the verdict, or the list's summary, into view. */
export const choices: Signal<number> = signal(0);

/** Counts returns from a plot to the list: each restores the view that the map had before. */
export const returns: Signal<number> = signal(0);

/** Selects the plot that the user chose, in a list, on the map, or by creating it. */
export function choosePlot(key: string): void {
  selectedKey.value = key;
  choices.value++;
}

let lastKey = 0;

/** The key of a new plot. */
export function createPlotKey(): string {
  return `plot-${++lastKey}`;
}

/** Adds plots at the end of the list, each with a key of its own, and returns them. */
export function addPlots(added: readonly Omit<PagePlot, "key">[]): readonly PagePlot[] {
  const keyed = added.map((plot) => ({ ...plot, key: createPlotKey() }));
  plots.value = [...plots.value, ...keyed];
  return keyed;
}

/** Applies changes to plots in one update; unknown keys are ignored. */
export function changePlots(changes: ReadonlyMap<string, Partial<Omit<PagePlot, "key">>>): void {
  plots.value = plots.value.map((plot) => {
    const change = changes.get(plot.key);
    return change === undefined ? plot : { ...plot, ...change };
  });
}

export function removePlots(keys: ReadonlySet<string>): void {
  plots.value = plots.value.filter(({ key }) => !keys.has(key));
  if (selectedKey.value !== undefined && keys.has(selectedKey.value)) selectedKey.value = undefined;
}

let runQuestions: ((keys: readonly string[]) => void) | undefined;

/** Evaluates plots. Nothing happens until a runner is registered. */
export function evaluatePlots(keys: readonly string[]): void {
  runQuestions?.(keys);
}

/** Registers the runner that {@link evaluatePlots} calls. */
export function registerPlotRunner(run: (keys: readonly string[]) => void): void {
  runQuestions = run;
}
