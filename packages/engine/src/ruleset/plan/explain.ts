import type { WorkMeter } from "../../base/work-meter.ts";
import { isRaster } from "../../geometry/layer.ts";
import type { Plot } from "../../geometry/plot/plot.ts";
import { countCandidateAreas } from "../../geometry/trees/count-candidates.ts";
import { isLive } from "../../sources/live-source.ts";
import type { EngineSource } from "../../sources/source-table.ts";
import type { RoleScheme } from "../../subjects/schemes.ts";
import {
  type AreaSetPlan,
  listMeasuredPlans,
  type MeasuredPlan,
  type RulesetPlan,
  type SetPlan,
} from "../compile/compile.ts";
import { getFilterTree } from "../parse/cql2.ts";
import { formatFilter } from "../parse/filter-text.ts";
import type { RulesetSet } from "../parse/schema.ts";
import { type CheckedInput, findInputFaults } from "../select/checked-input.ts";
import { findGreatestDistances } from "./greatest-distances.ts";
import type { Need, Plan, PlannedCheck, PlannedSet, PlannedSource, PlanStep } from "./plan.ts";

export type PlannedKernel = Pick<Plan, "kernel" | "semantics">;

/**
 * The plan of an evaluation: what each set reads, in which order, and what it needs of the input.
 * Measures nothing: candidates are those the index offers.
 */
export function explainEvaluation(
  plan: RulesetPlan,
  kernel: PlannedKernel,
  input: CheckedInput,
  meter: WorkMeter,
): Plan {
  const { plot, schemes } = input;
  const within = findGreatestDistances(plan.sets);
  const { missing, unsupported } = findInputFaults(plan, input);
  const refusals = [...missing, ...unsupported];
  return {
    ask: "evaluate",
    ...kernel,
    ruleset: {
      name: plan.origin?.name ?? plan.ruleset.name ?? null,
      version: plan.origin?.version ?? null,
      digest: plan.digest,
    },
    input: describePlannedInput(plot, schemes),
    sources: plan.sources.map((source) => planSource(source, plot, within.get(source), meter)),
    sets: plan.sets.map((set) => planSet(set, plan.ruleset.sets[set.name]!, plot, meter)),
    checks: plan.checks.map((check): PlannedCheck => {
      const measured = listMeasuredPlans(check);
      const sets = measured.flatMap(({ set, of }) => (of === undefined ? [set] : [set, of]));
      const needs = measured.flatMap(({ set, on }) =>
        listSetWithOperands(set).flatMap((one) => listSetNeeds(one, on)),
      );
      const reached = [...new Set(sets.flatMap(listSetWithOperands))];
      const failed = reached
        .flatMap(listSetSources)
        .filter((source) => "failed" in source && !isLive(source));
      return {
        id: check.id,
        sets: [...new Set(sets.map(({ name }) => name))],
        needs: [...new Set(needs)],
        ...(check.facts.length > 0 && { facts: check.facts.map(({ fact }) => fact) }),
        failed_sources: [...new Set(failed.map(({ manifest }) => manifest.source_name))].sort(),
      };
    }),
    steps: listEvaluationSteps(plan),
    refusals,
  };
}

/**
 * The plan of a question about areas.
 *
 * @param withinMeters the greatest distance asked for; absent for intersections
 */
export function explainAreaQuestion(
  sources: readonly EngineSource[],
  kernel: PlannedKernel,
  plot: Plot,
  withinMeters: number | undefined,
  meter: WorkMeter,
): Plan {
  return {
    ask: withinMeters === undefined ? "intersections" : "distance",
    ...kernel,
    ruleset: null,
    input: describePlannedInput(plot, []),
    sources: sources.map((source) => planSource(source, plot, withinMeters, meter)),
    sets: [],
    checks: [],
    steps: sources.filter(isQueried).map((source) => createMeasureStep(source, withinMeters)),
    refusals: [],
  };
}

/** The plan of a question about a subject. */
export function explainSubjectQuestion(
  registers: readonly EngineSource[],
  kernel: PlannedKernel,
  scheme: RoleScheme,
): Plan {
  return {
    ask: "subjects",
    ...kernel,
    ruleset: null,
    input: describePlannedInput(undefined, [scheme]),
    sources: registers.map((source) => planSource(source, undefined, undefined, undefined)),
    sets: [],
    checks: [],
    steps: registers.filter(isOpen).map(lookUpStep),
    refusals: [],
  };
}

/** Description of the input in a plan. */
export function describePlannedInput(plot: Plot | undefined, schemes: readonly RoleScheme[]): Plan["input"] {
  return {
    geometry:
      plot === undefined
        ? null
        : { dimension: plot.dimension, position_count: plot.xy.length / 2, bbox: plot.bbox },
    schemes: schemes.map(({ type, role }) => ({ type, ...(role !== undefined && { role }) })),
  };
}

function planSource(
  source: EngineSource,
  plot: Plot | undefined,
  within: number | undefined,
  meter: WorkMeter | undefined,
): PlannedSource {
  const { source_name, kind, collected_at, observed_until } = source.manifest;
  const dated = {
    ...(collected_at !== undefined && { collected_at }),
    ...(observed_until !== undefined && { observed_until }),
  };
  const reach = { ...(within !== undefined && { within_m: within }) };
  if ("failed" in source) {
    if (isLive(source)) {
      const status = "ok";
      return {
        source_name,
        kind,
        status,
        live: true,
        ...dated,
        feature_count: 0,
        candidates: null,
        ...reach,
      };
    }
    const { failed: reason } = source;
    return { source_name, kind, status: "failed", reason, feature_count: 0, candidates: null, ...reach };
  }
  if ("without" in source) {
    return { source_name, kind, status: "without", feature_count: 0, candidates: null, ...reach };
  }
  const { edition, feature_count } = source.snapshot.meta;
  return {
    source_name,
    kind,
    status: "ok",
    edition,
    ...dated,
    feature_count,
    candidates: countSourceCandidates(source, plot, meter, within),
    ...reach,
  };
}

function countSourceCandidates(
  source: EngineSource,
  plot: Plot | undefined,
  meter: WorkMeter | undefined,
  within = 0,
): number | null {
  if (plot === undefined || meter === undefined || !isOpen(source) || source.snapshot.kind !== "leaf")
    return null;
  const { layer } = source.snapshot;
  return isRaster(layer) ? layer.areaCount : countCandidateAreas(layer, plot.bbox, within, meter);
}

function planSet(set: SetPlan, written: RulesetSet, plot: Plot | undefined, meter: WorkMeter): PlannedSet {
  const where = "sources" in written ? written.where : undefined;
  const sources = listSetSources(set).map((source) => ({
    source_name: source.manifest.source_name,
    edition: isOpen(source) ? source.snapshot.meta.edition : null,
  }));
  return {
    name: set.name,
    kind: set.kind,
    ...(where !== undefined && { where: formatFilter(getFilterTree(where)) }),
    needs: [...new Set(listSetWithOperands(set).flatMap((one) => listSetNeeds(one, "plot")))],
    sources,
    ...(set.kind === "derived" && { operands: { op: set.op, sets: set.operands.map(({ name }) => name) } }),
    candidates: set.kind === "area" ? countSetCandidates(set, plot, meter) : null,
  };
}

function countSetCandidates(
  { sources, within }: AreaSetPlan,
  plot: Plot | undefined,
  meter: WorkMeter,
): number | null {
  if (plot === undefined) return null;
  return sources.reduce(
    (sum, { source }) => sum + (countSourceCandidates(source, plot, meter, within?.maxMeters) ?? 0),
    0,
  );
}

/** Each source is measured once, when the first set needs it; sets come after those they are made of. */
function listEvaluationSteps(plan: RulesetPlan): PlanStep[] {
  const steps: PlanStep[] = [];
  for (const [sets, on] of [
    [plan.plotSets, undefined],
    [plan.propertySets, "property"],
  ] as const) {
    const within = findGreatestDistances(sets);
    const measured = new Set<EngineSource>();
    for (const set of sets) {
      for (const source of listSetSources(set).filter(isQueried)) {
        if (set.kind === "subject") steps.push(lookUpStep(source));
        else if (!measured.has(source)) steps.push(createMeasureStep(source, within.get(source), on));
        measured.add(source);
      }
      steps.push({ do: "select", set: set.name });
    }
  }
  for (const { id } of plan.checks) steps.push({ do: "judge", check: id });
  return steps;
}

function createMeasureStep(
  { manifest }: EngineSource,
  within: number | undefined,
  on?: "property",
): PlanStep {
  return {
    do: "measure",
    source_name: manifest.source_name,
    ...(within !== undefined && { within_m: within }),
    ...(on !== undefined && { on }),
  };
}

function lookUpStep({ manifest }: EngineSource): PlanStep {
  return { do: "look_up", source_name: manifest.source_name };
}

function isOpen(source: EngineSource): source is Extract<EngineSource, { readonly snapshot: unknown }> {
  return "snapshot" in source;
}

/** True if a question queries the source: all but those that failed. */
function isQueried(source: EngineSource): boolean {
  return isOpen(source) || isLive(source);
}

function listSetSources(set: SetPlan): readonly EngineSource[] {
  if (set.kind === "derived") return [];
  return set.kind === "subject" ? set.registers : set.sources.map(({ source }) => source);
}

function listSetNeeds(set: SetPlan, on: MeasuredPlan["on"]): Need[] {
  if (set.kind === "derived") return [];
  if (set.kind === "area") return on === "plot" ? ["geometry"] : ["geometry", "property"];
  return [set.asks === undefined ? "identifier" : `identifier:${set.asks}`];
}

/** A set and all it is made of, each once. */
function listSetWithOperands(set: SetPlan): SetPlan[] {
  const found = new Set<SetPlan>([set]);
  for (const one of found) if (one.kind === "derived") for (const operand of one.operands) found.add(operand);
  return [...found];
}
