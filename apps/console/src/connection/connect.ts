import { type Signal, signal } from "@preact/signals";
import { type Answerer, type AnswerProblem, toAnswerProblem } from "../answering/answerer.ts";
import { answerer, holder, ruleset, sources, usage } from "../state/store.ts";

/** State of the connection to the service. */
export type Connection =
  | { readonly kind: "none" }
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly problem: AnswerProblem };

export const connection: Signal<Connection> = signal({ kind: "none" });

/** True while the form for a key or for snapshots is open. */
export const isConnectionOpen: Signal<boolean> = signal(false);

let attempts = 0;
let startRuleset: string | undefined;

/** Sets the name of the ruleset to start with, if a call of {@link switchAnswerer} names none. */
export function setStartRuleset(name: string | undefined): void {
  startRuleset = name;
}

/**
 * Switches to another answerer: requests its sources first, which shows if the key is valid. The previous answerer is
 * closed only when all is known. Of two concurrent calls the later one takes effect.
 */
export async function switchAnswerer(next: Answerer, firstRuleset?: string): Promise<boolean> {
  const attempt = ++attempts;
  connection.value = { kind: "connecting" };
  try {
    const [found, whose, used, first] = await Promise.all([
      next.sources(),
      next.holder?.(),
      next.usage().catch(() => undefined),
      selectStartRuleset(next, firstRuleset ?? startRuleset),
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
    connection.value = { kind: "failed", problem: toAnswerProblem(error) };
    isConnectionOpen.value = true;
    return false;
  }
}

/** The ruleset to start with: the named one, otherwise the user's first, otherwise none. */
async function selectStartRuleset(next: Answerer, named: string | undefined): Promise<string | undefined> {
  const rulesets = await next.rulesets();
  const wanted = named?.split("@")[0];
  if (rulesets.some(({ name }) => name === wanted)) return named;
  return rulesets.find(({ isPreset }) => !isPreset)?.name;
}
