import { EngineError } from "../../base/errors.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type {
  CheckResult,
  ComparisonOperator,
  ComparisonResult,
  DeclaredComparison,
  Resolution,
} from "../../verdict/verdict.ts";
import {
  type CheckPlan,
  type ComparisonPlan,
  type FactPlan,
  listSetsReachedOn,
  type MeasuredPlan,
  type ThresholdPlan,
} from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import type { AreaFact } from "../measures/area-facts.ts";
import {
  ANY_NUMBER,
  decideComparison,
  isExact,
  multiplyRounded,
  toExactValues,
} from "../measures/possible.ts";
import { toFactNumber } from "../parse/fact-types.ts";
import type { Decision, Grounds, Land } from "../select/land.ts";
import { type MeasuredValue, measureSet } from "../select/measure.ts";
import { type CompletionTrial, decideByCompletions } from "./completions.ts";
import { gatherEvidence } from "./evidence.ts";
import { explainOpenCheck } from "./open-reasons.ts";
import { findResolutions } from "./resolve.ts";

/** Units of work of a comparison with a fact, and of one that is tried again. */
const DECLARED_UNITS = 500;
/** Units of work that an evaluation spends at most on finding what would change its checks. */
const RESOLVING_UNITS = 2_250_000;
/** Units of work that an evaluation spends at most on completions of facts that were not declared. */
const COMPLETING_UNITS = 1_500_000;
/** Units of work of an area whose value is compared. */
const COMPARED_UNITS = 20;

/** A check's answer, and the areas with which its evidence begins. */
export interface JudgedCheck {
  readonly result: CheckResult;
  readonly exhibited: readonly AreaFact[];
}

interface ComparedValues extends Decision {
  readonly left: MeasuredValue;
  readonly right: MeasuredValue;
}

/** The value of a measure on a property that the input does not have. */
const NOT_DECLARED: MeasuredValue = { value: null, possible: { ...ANY_NUMBER, none: true } };

/** Judges the checks of one evaluation. */
export class Judge {
  readonly #plot: Land;
  readonly #property: Land | undefined;
  readonly #grounds: Grounds;
  readonly #limit: number;
  readonly #meter: WorkMeter;
  #resolvingUnits = RESOLVING_UNITS;
  #completingUnits = COMPLETING_UNITS;

  /**
   * @param property absent where no check measures it, or the input tells of none
   * @param limit evidence items a check
   */
  constructor(plot: Land, property: Land | undefined, facts: Facts, limit: number, meter: WorkMeter) {
    this.#plot = plot;
    this.#property = property;
    this.#grounds = { facts, selectors: { plot: plot.selector, property: property?.selector } };
    this.#limit = limit;
    this.#meter = meter;
  }

  judge(check: CheckPlan): JudgedCheck {
    const comparisons: ComparisonResult[] = [];
    const declared: DeclaredComparison[] = [];
    const open: ComparisonPlan[] = [];
    const decision = this.#decide(check, this.#grounds, (comparison, values) => {
      const { left } = comparison;
      if (values.canHold && values.canFail) open.push(comparison);
      if ("set" in left) comparisons.push(buildMeasuredResult(left, comparison, values));
      else declared.push(this.#declaredResult(left, comparison, values));
    });
    const { canHold, canFail } = isOpen(decision) ? this.#completed(check, decision) : decision;
    const triggered = canHold && !canFail;
    const answer =
      canHold && canFail
        ? this.#open(check, open)
        : ({ outcome: triggered ? check.outcome : null, triggered, status: "ok" } as const);
    const isResolvable = canHold && check.facts.length > 0 && this.#resolvingUnits > 0;
    const resolve_by = isResolvable ? this.#resolutions(check) : [];
    const { exhibited, ...evidence } = gatherEvidence(
      check,
      this.#grounds.selectors,
      this.#limit,
      this.#meter,
    );
    const result: CheckResult = {
      id: check.id,
      ...(check.title !== undefined && { title: check.title }),
      ...answer,
      comparisons,
      ...(declared.length > 0 && { declared }),
      ...(resolve_by.length > 0 && { resolve_by }),
      ...evidence,
    };
    return { result, exhibited };
  }

  /** Where the work that is left does not suffice, what was found until then; no more is looked for. */
  #resolutions(check: CheckPlan): Resolution[] {
    const found: Resolution[] = [];
    const { counted } = this.#meter;
    try {
      for (const resolution of this.#search(check)) found.push(resolution);
      this.#resolvingUnits -= this.#meter.counted - counted;
    } catch (error) {
      if (!isTooComplex(error)) throw error;
      this.#meter.counted = counted;
      this.#resolvingUnits = 0;
    }
    return found;
  }

  #search(check: CheckPlan): Iterable<Resolution> {
    return findResolutions(
      check,
      this.#grounds,
      { ...this.#trials(check), decide: (grounds) => this.#decide(check, grounds) },
      this.#meter,
      this.#resolvingUnits,
    );
  }

  /** The values that a check compares where other facts are supposed. */
  #trials(check: CheckPlan): Omit<CompletionTrial, "decide"> {
    const onPlot = listSetsReachedOn([check], "plot");
    const onProperty = listSetsReachedOn([check], "property");
    const { plot, property } = this.#grounds.selectors;
    return {
      values: (comparison, grounds) => this.#compare(comparison, grounds),
      supposing: (facts, isSelecting) => ({
        facts,
        selectors: isSelecting
          ? { plot: plot.supposing(facts, onPlot), property: property?.supposing(facts, onProperty) }
          : this.#grounds.selectors,
      }),
    };
  }

  #decide(
    { mode, comparisons }: CheckPlan,
    grounds: Grounds,
    note?: (comparison: ComparisonPlan, values: ComparedValues) => void,
  ): Decision {
    const isAll = mode === "all";
    let canHold = isAll;
    let canFail = !isAll;
    for (const comparison of comparisons) {
      if (note === undefined) {
        // In another trial, only whether it can hold matters.
        if (canHold !== isAll) break;
        this.#meter.add(DECLARED_UNITS);
      }
      const one = this.#compare(comparison, grounds);
      note?.(comparison, one);
      canHold = isAll ? canHold && one.canHold : canHold || one.canHold;
      canFail = isAll ? canFail || one.canFail : canFail && one.canFail;
    }
    return { canHold, canFail };
  }

  /** Decides again by every completion of the facts that were not declared. */
  #completed(check: CheckPlan, decision: Decision): Decision {
    if (!check.facts.some(({ fact }) => this.#grounds.facts.isAbsent(fact))) return decision;
    const decide = (grounds: Grounds): Decision => this.#decide(check, grounds, () => {});
    const trial = { ...this.#trials(check), decide };
    const { counted } = this.#meter;
    try {
      const completed = decideByCompletions(check, this.#grounds, trial, this.#meter, this.#completingUnits);
      this.#completingUnits -= this.#meter.counted - counted;
      return completed ?? decision;
    } catch (error) {
      if (!isTooComplex(error)) throw error;
      this.#meter.counted = counted;
      this.#completingUnits = 0;
      return decision;
    }
  }

  /**
   * Explains a check that is not certain.
   *
   * @param open those of its comparisons that are not
   */
  #open(
    check: CheckPlan,
    open: readonly ComparisonPlan[],
  ): Pick<CheckResult, "outcome" | "triggered" | "status" | "open"> {
    const lands = { plot: this.#plot, property: this.#property, facts: this.#grounds.facts };
    const explained = explainOpenCheck(check.comparisons, open, lands);
    const outcome = explained.status === "failed" ? null : check.uncovered;
    return { outcome, triggered: false, ...explained };
  }

  #compare({ left, op, right }: ComparisonPlan, grounds: Grounds): ComparedValues {
    const { facts } = grounds;
    if (!("set" in left) || "fact" in right) this.#meter.add(DECLARED_UNITS);
    if ("fact" in left && (op === "valid" || op === "not_valid")) {
      // Without the document, nothing is lifted.
      const isBrought = !facts.isAbsent(left.fact);
      const possible = isBrought || op === "valid" ? facts.possible(left) : toExactValues(0);
      const wanted = toExactValues(op === "valid" ? 1 : 0);
      return compareMeasuredValues({ value: null, possible }, "=", { value: null, possible: wanted });
    }
    const compared =
      "set" in left ? this.#measure(left, grounds) : { value: null, possible: facts.possible(left) };
    return compareMeasuredValues(compared, op, this.#threshold(right, left, grounds));
  }

  #measure(measured: MeasuredPlan, { selectors }: Grounds): MeasuredValue {
    const { set, of, on } = measured;
    const land = on === "plot" ? this.#plot : this.#property;
    const selector = on === "plot" ? selectors.plot : selectors.property;
    if (land === undefined || selector === undefined) return NOT_DECLARED;
    const whole = of === undefined ? undefined : selector.get(of);
    const selection = selector.get(set);
    if (selection.kind !== "subject") {
      this.#meter.add(COMPARED_UNITS * (selection.areas.length + selection.possible.length));
    }
    return measureSet(measured, selection, whole, land.extent);
  }

  #threshold(right: ThresholdPlan, left: MeasuredPlan | FactPlan, grounds: Grounds): MeasuredValue {
    if ("value" in right) {
      const type = "fact" in left ? left.type : "number";
      const values = "fact" in left ? grounds.facts.listTexts(left.fact) : undefined;
      const value = toFactNumber(type, right.value, values)!;
      return { value, possible: toExactValues(value) };
    }
    const { times } = right;
    const { value, possible } =
      "set" in right ? this.#measure(right, grounds) : getDeclaredValue(right, grounds);
    if (times === 1) return { value, possible };
    const multiplied = multiplyRounded(possible, times);
    return {
      value: value === null ? null : multiplyRounded(toExactValues(value), times).low,
      possible: multiplied,
    };
  }

  #declaredResult(left: FactPlan, { op, right }: ComparisonPlan, values: ComparedValues): DeclaredComparison {
    const { facts } = this.#grounds;
    const result = { fact: left.fact, op, value: facts.value(left.fact) };
    if (op === "valid" || op === "not_valid") return result;
    if ("value" in right) return { ...result, threshold: right.value! };
    const number = findKnownValue(values.right, values);
    const threshold = number === null ? null : facts.valueAt(left.fact, number);
    return { ...result, threshold, threshold_of: describeThresholdSource(right) };
  }
}

function buildMeasuredResult(
  { set, measure: measured, of, on }: MeasuredPlan,
  { op, right }: ComparisonPlan,
  values: ComparedValues,
): ComparisonResult {
  return {
    set: set.name,
    measure: measured as ComparisonResult["measure"],
    op: op as ComparisonResult["op"],
    value: findKnownValue(values.left, values),
    threshold: findKnownValue(values.right, values),
    ...(of !== undefined && { of: of.name }),
    ...(on === "property" && { on }),
    ...(!("value" in right) && { threshold_of: describeThresholdSource(right) }),
  };
}

/** Null if neither a value nor its comparison is certain; otherwise the value. */
function findKnownValue({ value, possible }: MeasuredValue, { canHold, canFail }: Decision): number | null {
  return canHold && canFail && !isExact(possible) ? null : value;
}

/** A fact that was not declared has no value, even if its declaration allows only one. */
function getDeclaredValue(fact: FactPlan, { facts }: Grounds): MeasuredValue {
  const possible = facts.possible(fact);
  return { value: facts.isAbsent(fact.fact) ? null : possible.low, possible };
}

function describeThresholdSource(
  right: Exclude<ThresholdPlan, { readonly value: unknown }>,
): NonNullable<ComparisonResult["threshold_of"]> {
  const { times } = right;
  if ("fact" in right) return { fact: right.fact, times };
  const { set, measure: measured, of, on } = right;
  return {
    set: set.name,
    measure: measured as ComparisonResult["measure"],
    ...(of !== undefined && { of: of.name }),
    ...(on === "property" && { on }),
    times,
  };
}

function compareMeasuredValues(
  left: MeasuredValue,
  op: ComparisonPlan["op"],
  right: MeasuredValue,
): ComparedValues {
  const decision = decideComparison(left.possible, op as ComparisonOperator, right.possible);
  return { ...decision, left, right };
}

function isTooComplex(error: unknown): boolean {
  return error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX";
}

function isOpen({ canHold, canFail }: Decision): boolean {
  return canHold && canFail;
}
