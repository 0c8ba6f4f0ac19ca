import { type LiveNeed, liveNeed } from "../../sources/live-source.ts";
import type { LiveEngineSource } from "../../sources/source-table.ts";
import { type CheckedInput, requireInput } from "../checked-input.ts";
import type { RulesetPlan } from "../compile.ts";
import { greatestDistances } from "./greatest-distances.ts";

/**
 * What an evaluation needs of live sources; nothing where the input has no plot.
 *
 * Fails: as the evaluation does for an input that lacks what a check asks for.
 */
export function evaluationNeeds(
  plan: RulesetPlan,
  live: readonly LiveEngineSource[],
  input: CheckedInput,
): LiveNeed[] {
  requireInput(plan, input);
  const { plot } = input;
  if (plot === undefined) return [];
  const within = greatestDistances(plan.sets);
  return live.map((source) => liveNeed(source.manifest.source_name, plot, within.get(source) ?? 0));
}
