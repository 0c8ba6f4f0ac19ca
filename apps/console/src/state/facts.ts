import type { FactValue } from "@groundrule/engine";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AnswerProblem } from "../answering/answerer.ts";
import type { PagePlot } from "./plot.ts";

/** Values of facts by name, as entered by the user; null: the file's value does not count. */
export type EnteredFacts = Readonly<Record<string, FactValue | null>>;

/** Facts that are the same for all plots of the list. */
export const sharedFacts: Signal<EnteredFacts> = signal({});

/** The form for facts, and the functions of it that questions need. */
export interface FactParts {
  /** The facts that the chosen ruleset asks for; undefined while unknown. */
  readonly rulesetFacts: ReadonlySignal<{ readonly body: object | undefined } | undefined>;
  /** True if facts were entered, and it is not known yet which of them the ruleset asks for. */
  readonly isWaiting: () => boolean;
  /** The input of a plot with the facts that the ruleset asks for, or the problem with its file's facts. */
  readonly inputWithFacts: (plot: PagePlot) => object | AnswerProblem;
  /** The properties of a plot with its facts, and without its property: for a file to be opened again. */
  readonly propertiesWithFacts: (plot: PagePlot) => object;
  /** Facts in a plot's file that the ruleset does not ask for; undefined if there are none. */
  readonly findUnusedFacts: (plot: PagePlot) => UnusedFacts | undefined;
}

/** Facts that a ruleset does not ask for. */
export interface UnusedFacts {
  /** The label of the button that removes them. */
  readonly text: string;
  /** Removes them from all plots of the file. */
  readonly leaveOut: () => void;
}

/** Not needed at the start of the page: no fact can be entered before it is loaded. */
export const factParts: Signal<FactParts | undefined> = signal(undefined);

/** The fact whose field is to be focused. */
export const soughtFact: Signal<{ readonly fact: string } | undefined> = signal(undefined);
