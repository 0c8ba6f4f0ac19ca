import type { EngineSource } from "../../sources/source-table.ts";
import {
  type AreaSetPlan,
  type ComparedSets,
  type ComparisonPlan,
  createAreaSetSource,
  type MeasuredPlan,
  type RegionSetPlan,
  type RulesetPlan,
  type SetPlan,
} from "../compile/compile.ts";

/** A plan with other sources in place of some of its own: the live ones, as they answer one question. */
export function buildAnsweringPlan(
  plan: RulesetPlan,
  answering: ReadonlyMap<EngineSource, EngineSource>,
): RulesetPlan {
  const of = (source: EngineSource): EngineSource => answering.get(source) ?? source;
  const sets = new Map<SetPlan, SetPlan>();
  // A set comes after those it is made of.
  for (const set of plan.sets) {
    if (set.kind === "area") sets.set(set, replaceAreaSetSources(set, of));
    else if (set.kind === "subject") sets.set(set, set);
    else sets.set(set, { ...set, operands: set.operands.map((one) => getReplacedSet(sets, one)) });
  }
  const measured = <Side extends object>(side: Side): Side =>
    "set" in side ? replaceMeasuredSets(sets, side as Side & MeasuredPlan) : side;
  const compared = ({ compared: own, showing }: ComparedSets): ComparedSets => ({
    compared: answered(own),
    showing: showing.map((set) => getReplacedSet(sets, set)),
  });
  const answered = (one: readonly SetPlan[]): SetPlan[] => one.map((set) => getReplacedSet(sets, set));
  return {
    ...plan,
    sources: plan.sources.map(of),
    sets: [...sets.values()],
    plotSets: answered(plan.plotSets),
    propertySets: answered(plan.propertySets),
    checks: plan.checks.map((check) => ({
      ...check,
      comparisons: check.comparisons.map(
        ({ left, op, right }): ComparisonPlan => ({ left: measured(left), op, right: measured(right) }),
      ),
      ...compared(check),
      onProperty: compared(check.onProperty),
    })),
  };
}

function replaceMeasuredSets<Side extends MeasuredPlan>(
  sets: ReadonlyMap<SetPlan, SetPlan>,
  side: Side,
): Side {
  return { ...side, set: getReplacedSet(sets, side.set), of: side.of && getReplacedSet(sets, side.of) };
}

function replaceAreaSetSources(set: AreaSetPlan, of: (source: EngineSource) => EngineSource): AreaSetPlan {
  return {
    ...set,
    entries: set.entries.map((entry) => entry.map(of)),
    sources: set.sources.map((member) => {
      const source = of(member.source);
      return source === member.source ? member : createAreaSetSource(source, set.where);
    }),
  };
}

function getReplacedSet<Plan extends SetPlan | RegionSetPlan>(
  sets: ReadonlyMap<SetPlan, SetPlan>,
  set: Plan,
): Plan {
  const found = sets.get(set);
  if (found === undefined) throw new Error(`set ${set.name} is reached by a check and not selected`);
  return found as Plan;
}
