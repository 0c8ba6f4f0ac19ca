import { type Signal, signal } from "@preact/signals";
import { type Answerer, type AnswerProblem, problemIn } from "../answering/answerer.ts";
import { answerer, holder, ruleset, sources, usage } from "../state/store.ts";

/** Where the page stands with who answers. */
export type Connection =
  | { readonly kind: "none" }
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly problem: AnswerProblem };

export const connection: Signal<Connection> = signal({ kind: "none" });

/** Whether the form that asks for a key or for snapshots is open. */
export const isConnectionOpen: Signal<boolean> = signal(false);

let attempts = 0;

/**
 * Lets somebody else answer from now on: asks for the sources first, which shows whether the key is good. Only when
 * all of it is known is who answered before let go. Of two that are asked at once the later one answers.
 */
export async function connect(next: Answerer, firstRuleset?: string): Promise<boolean> {
  const attempt = ++attempts;
  connection.value = { kind: "connecting" };
  try {
    const [found, whose, used, first] = await Promise.all([
      next.sources(),
      next.holder?.(),
      next.usage().catch(() => undefined),
      firstOf(next, firstRuleset),
    ]);
    if (attempt !== attempts) {
      next.close();
      return false;
    }
    const before = answerer.peek();
    sources.value = found;
    holder.value = whose;
    usage.value = used;
    answerer.value = next;
    if (before !== next) before?.close();
    if (ruleset.peek() === undefined && first !== undefined) ruleset.value = { id: first, name: first };
    connection.value = { kind: "connected" };
    isConnectionOpen.value = false;
    return true;
  } catch (error) {
    next.close();
    if (attempt !== attempts) return false;
    connection.value = { kind: "failed", problem: problemIn(error) };
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
