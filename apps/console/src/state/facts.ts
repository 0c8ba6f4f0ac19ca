import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { AnswerProblem } from "../answering/answerer.ts";
import type { PagePlot } from "./plot.ts";

/** What asks for facts, and what questions need of it. */
export interface FactParts {
  /** What the chosen ruleset asks for; undefined as long as that is not known. */
  readonly askedFacts: ReadonlySignal<object | undefined>;
  /** Whether something was told, and it is not known yet what of it the ruleset asks for. */
  readonly isWaiting: () => boolean;
  /** The input of a plot with the facts that the ruleset asks for, or what is wrong with what its file tells. */
  readonly inputWithFacts: (plot: PagePlot) => object | AnswerProblem;
  /** The properties of a plot with the facts that are told of it, and without its property: to be opened again. */
  readonly toldProperties: (plot: PagePlot) => object;
  /** What the file of a plot tells that the ruleset does not ask for; undefined where that is nothing. */
  readonly unaskedOf: (plot: PagePlot) => Unasked | undefined;
}

/** What a ruleset does not ask for. */
export interface Unasked {
  /** What leaving it out is called. */
  readonly text: string;
  /** Leaves it out of all plots of the file. */
  readonly leaveOut: () => void;
}

/** No page needs them to begin with: nothing is told before they are there. */
export const factParts: Signal<FactParts | undefined> = signal(undefined);

/** The fact whose field a person wants to see. */
export const soughtFact: Signal<{ readonly fact: string } | undefined> = signal(undefined);
