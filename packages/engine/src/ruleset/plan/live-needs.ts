import { buildLiveNeed, type LiveNeed } from "../../sources/live-source.ts";
import type { LiveEngineSource } from "../../sources/source-table.ts";
import type { RulesetPlan } from "../compile/compile.ts";
import { type CheckedInput, requireCompleteInput } from "../select/checked-input.ts";
import { findGreatestDistances } from "./greatest-distances.ts";

/**
 * Queries that an evaluation makes to live sources; none if the input has no plot.
 *
 * Fails: as the evaluation does for an input that lacks what a check asks for.
 */
export function listEvaluationNeeds(
  plan: RulesetPlan,
  live: readonly LiveEngineSource[],
  input: CheckedInput,
): LiveNeed[] {
  requireCompleteInput(plan, input);
  const { plot, property } = input;
  if (plot === undefined) return [];
  const within = findGreatestDistances(plan.plotSets);
  const around = findGreatestDistances(plan.propertySets);
  const onProperty = new Set(
    plan.propertySets.flatMap((set) => (set.kind === "area" ? set.sources : [])).map(({ source }) => source),
  );
  return live.map((source) => {
    const { source_name } = source.manifest;
    const need = buildLiveNeed(source_name, plot, within.get(source) ?? 0);
    if (property === undefined || !onProperty.has(source)) return need;
    const { boxes, wide } = buildLiveNeed(source_name, property, around.get(source) ?? 0);
    return { source_name, boxes: [...need.boxes, ...boxes], wide: [...need.wide, ...wide] };
  });
}
