import { type Signal, signal } from "@preact/signals";
import type { PagePlot } from "./plot.ts";
import { answerer, createPlotKey, plots, ruleset, selectedKey } from "./store.ts";

/** An action on the list that can be undone. */
export interface Action {
  /** A description of the action. */
  readonly text: string;
  /** Restores the list. */
  undo(): void;
}

/** Actions that can be undone, the latest last. */
export const actions: Signal<readonly Action[]> = signal([]);

/** Maximum actions kept. */
const MOST = 20;

/**
 * Changes the plots of the list in a step that can be undone. Plots that were added or changed otherwise since then
 * stay as they are.
 *
 * @param change called with a function that returns the key of a new plot
 * @param also restores other state that was changed
 */
export function changePlotsUndoably(
  text: string,
  change: (keyOf: () => string) => void,
  also: () => void = () => {},
): void {
  const before = plots.peek();
  const selected = selectedKey.peek();
  const terms = [answerer.peek(), ruleset.peek()] as const;
  change(createPlotKey);
  const after = plots.peek();
  const undo = (): void => {
    also();
    const isSame = answerer.peek() === terms[0] && ruleset.peek() === terms[1];
    const done = new Map(after.map((plot) => [plot.key, plot]));
    const lost = new Set(
      before.filter((plot) => done.get(plot.key)?.input !== plot.input || !done.has(plot.key)),
    );
    const known = new Set(before.map(({ key }) => key));
    const now = new Map(plots.peek().map((plot) => [plot.key, plot]));
    const restored = before.flatMap((plot): PagePlot[] => {
      const at = now.get(plot.key);
      // A plot that was changed again since then keeps that change.
      if (!lost.has(plot)) return at === undefined ? [] : [at];
      if (at !== undefined && at.input !== done.get(plot.key)?.input) return [at];
      const isKept = isSame || plot.state.kind === "unread";
      return [isKept && plot.state.kind !== "asking" ? plot : { ...plot, state: { kind: "new" } }];
    });
    const made = new Set(after.flatMap(({ key }) => (known.has(key) ? [] : [key])));
    const come = plots.peek().filter(({ key }) => !known.has(key) && !made.has(key));
    plots.value = [...restored, ...come];
    if (selected !== undefined && restored.some(({ key }) => key === selected)) selectedKey.value = selected;
  };
  actions.value = [...actions.peek(), { text, undo }].slice(-MOST);
}

/** Undoes the latest action; returns its description, undefined if there was none. */
export function undoLastAction(): string | undefined {
  const last = actions.peek().at(-1);
  if (last === undefined) return undefined;
  actions.value = actions.peek().slice(0, -1);
  last.undo();
  return last.text;
}
