import type { Plan } from "@groundrule/engine/rulesets";
import { type Signal, signal } from "@preact/signals";

/** The plan of an evaluation by the chosen ruleset; undefined until it is known. */
export const rulesetPlan: Signal<Plan | undefined> = signal(undefined);

/** The sets of the chosen ruleset that select areas or records of a source. */
export function listSetsOfSource(name: string): Plan["sets"] {
  const all = rulesetPlan.value?.sets ?? [];
  return all.filter(({ sources }) => sources.some(({ source_name }) => source_name === name));
}
