import { type Signal, signal } from "@preact/signals";
import { type Answerer, AnswerProblem } from "../answering/answerer.ts";
import { answerer, changePlots, plots, ruleset, sources, usage } from "../state/store.ts";

/** Where the page stands with who answers. */
export type Connection =
  | { readonly kind: "none" }
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly problem: AnswerProblem };

export const connection: Signal<Connection> = signal({ kind: "none" });

/** Whether the form that asks for a key or for snapshots is open. */
export const isConnectionOpen: Signal<boolean> = signal(false);

/**
 * Lets somebody else answer from now on: asks for the sources first, which shows whether the key is good. Who
 * answered before is let go, and what was answered is asked anew.
 */
export async function connect(next: Answerer, firstRuleset?: string): Promise<boolean> {
  connection.value = { kind: "connecting" };
  try {
    const [found, used] = await Promise.all([next.sources(), next.usage().catch(() => undefined)]);
    const before = answerer.peek();
    if (before !== next) before?.close();
    sources.value = found;
    usage.value = used;
    if (before !== undefined && before !== next) forgetAnswers();
    const first = await firstOf(next, firstRuleset);
    answerer.value = next;
    if (ruleset.peek() === undefined && first !== undefined) ruleset.value = { id: first, name: first };
    connection.value = { kind: "connected" };
    isConnectionOpen.value = false;
    return true;
  } catch (error) {
    next.close();
    const problem =
      error instanceof AnswerProblem ? error : new AnswerProblem("INTERNAL_ERROR", String(error));
    connection.value = { kind: "failed", problem };
    isConnectionOpen.value = true;
    return false;
  }
}

/** The ruleset to begin with: the one that is named, else the first of one's own, else none. */
async function firstOf(next: Answerer, named: string | undefined): Promise<string | undefined> {
  const rulesets = await next.rulesets();
  if (named !== undefined && rulesets.some(({ name }) => name === named)) return named;
  return rulesets.find(({ isPreset }) => !isPreset)?.name;
}

/** Answers of before say nothing of what is chosen now. */
export function forgetAnswers(): void {
  const old = plots.peek().filter(({ state }) => state.kind === "answered" || state.kind === "refused");
  changePlots(new Map(old.map(({ key }) => [key, { state: { kind: "new" } }])));
}
