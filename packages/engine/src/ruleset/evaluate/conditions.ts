import { WorkMeter } from "../../base/work-meter.ts";
import type { Kernel } from "../../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import type { Plot } from "../../geometry/plot/plot.ts";
import {
  type AreaSetPlan,
  type AreaSetSource,
  createAreaSetSource,
  type RulesetPlan,
  readKnownCountry,
} from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import { measureSourceAreas } from "../measures/area-facts.ts";
import { compileFilter, getFilterTree } from "../parse/cql2.ts";
import { RulesetFaults } from "../parse/faults.ts";
import { formatFilter } from "../parse/filter-text.ts";
import type { FilterArgument, FilterExpression, Ruleset } from "../parse/schema.ts";
import { selectCandidates } from "../select/select.ts";

/** A part of a `where` that is true or false of an area; the whole of it is one too. */
export interface FilterCondition {
  /** Name of the set. */
  readonly set: string;
  /** JSON pointer in the ruleset, as of the filter in CQL2-JSON. */
  readonly pointer: string;
  /** In CQL2-Text. */
  readonly text: string;
  /** In CQL2-JSON. */
  readonly condition: FilterExpression;
  /** True if it can have no answer: `isNull`, and conditions made only of `isNull`, always have one. */
  readonly canBeUnknown: boolean;
}

/** Numbers of areas for which a condition was true, was false, and had no answer because a value is missing. */
export interface ConditionAnswers {
  /** JSON pointer in the ruleset. */
  readonly pointer: string;
  /** Areas of which it is true. */
  readonly true: number;
  /** Areas of which it is false. */
  readonly false: number;
  /** Areas of which it is neither. */
  readonly unknown: number;
}

/**
 * The conditions of every `where` of a parsed ruleset, in its order, a condition before its parts.
 *
 * @param ruleset as `parseRuleset` returns it
 */
export function listFilterConditions({ sets }: Ruleset): FilterCondition[] {
  return Object.entries(sets).flatMap(([name, set]) =>
    "where" in set && set.where !== undefined
      ? listConditionAndParts(name, getFilterTree(set.where), `/sets/${name}/where`)
      : [],
  );
}

const CONNECTIVES: ReadonlySet<string> = new Set(["and", "or", "not"]);

function listConditionAndParts(set: string, condition: FilterExpression, pointer: string): FilterCondition[] {
  const parts = CONNECTIVES.has(condition.op)
    ? condition.args.flatMap((arg: FilterArgument, i) =>
        listConditionAndParts(set, arg as FilterExpression, `${pointer}/args/${i}`),
      )
    : [];
  const canBeUnknown = parts.length > 0 ? parts.some((part) => part.canBeUnknown) : condition.op !== "isNull";
  return [{ set, pointer, text: formatFilter(condition), condition, canBeUnknown }, ...parts];
}

/**
 * Answers of each condition of a ruleset's filters for the areas that its set considers for a plot. Every condition is
 * evaluated, even if the evaluation does not need its answer.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX`.
 */
export function answerConditions(
  plan: RulesetPlan,
  kernel: Kernel,
  plot: Plot | undefined,
  facts: Facts,
): ConditionAnswers[] {
  const meter = new WorkMeter();
  const bound = plot && new PlotOnLayers(kernel, plot, meter);
  const considered = new Map<string, readonly Considered[]>();
  for (const set of plan.sets) {
    if (set.kind !== "area" || set.where === undefined || bound === undefined) continue;
    considered.set(set.name, listConsideredAreas(set, bound, meter));
  }
  return listFilterConditions(plan.ruleset).map(({ set, pointer, condition }) => {
    const filter = compileFilter(condition, pointer, () => undefined, new RulesetFaults());
    const counts = { true: 0, false: 0, unknown: 0 };
    const values = filter.facts.map((fact) => facts.value(fact));
    for (const { source, areas } of considered.get(set) ?? []) {
      const { readers } = createAreaSetSource(source, filter);
      for (const area of areas) {
        const answer = filter.evaluate(
          (property) => (property < 0 ? values[-1 - property]! : readers[property]!(area)),
          meter,
        );
        counts[answer === null ? "unknown" : answer ? "true" : "false"]++;
      }
    }
    return { pointer, ...counts };
  });
}

/** Areas of a source that a set considers. */
interface Considered {
  readonly source: AreaSetSource["source"];
  readonly areas: readonly number[];
}

/** The areas that reach the filter of a set. */
function listConsideredAreas(set: AreaSetPlan, plot: PlotOnLayers, meter: WorkMeter): Considered[] {
  return set.sources.flatMap((member): Considered[] => {
    const { source } = member;
    if (!("snapshot" in source) || source.snapshot.kind !== "leaf") return [];
    const { snapshot } = source;
    const facts = measureSourceAreas(plot, snapshot, set.within?.maxMeters, meter);
    const areas = selectCandidates(set, facts).map(({ area }) => area);
    return [{ source, areas: areas.filter((area) => isInCountries(set, member, area)) }];
  });
}

function isInCountries({ countries }: AreaSetPlan, member: AreaSetSource, area: number): boolean {
  if (countries === undefined) return true;
  const country = readKnownCountry(member, area);
  return country !== null && countries.has(country);
}
