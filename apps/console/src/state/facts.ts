import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** What asks for facts, and what questions need of it. */
export interface FactParts {
  /** What the chosen ruleset asks for; undefined as long as that is not known. */
  readonly askedFacts: ReadonlySignal<object | undefined>;
  /** Whether something was told, and it is not known yet what of it the ruleset asks for. */
  readonly isWaiting: () => boolean;
  /** An input with the facts that the ruleset asks for. */
  readonly inputWithFacts: (input: object) => object;
}

/** No page needs them to begin with: nothing is told before they are there. */
export const factParts: Signal<FactParts | undefined> = signal(undefined);

/** The fact whose field a person wants to see. */
export const soughtFact: Signal<{ readonly fact: string } | undefined> = signal(undefined);
