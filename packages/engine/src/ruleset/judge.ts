import { EngineError } from "../base/errors.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import { printedRatio } from "../verdict/rounding.ts";
import type {
  CheckResult,
  ComparisonOperator,
  ComparisonResult,
  DeclaredComparison,
  Resolution,
} from "../verdict/verdict.ts";
import {
  type CheckPlan,
  type ComparisonPlan,
  type FactPlan,
  type MeasuredPlan,
  reachedOn,
  type SetPlan,
  type ThresholdPlan,
} from "./compile.ts";
import { gatherEvidence } from "./evidence.ts";
import { factNumber } from "./facts/fact-types.ts";
import type { Facts } from "./facts/facts.ts";
import { resolutions } from "./facts/resolve.ts";
import type { Decision, Grounds, Land } from "./land.ts";
import { type MeasuredValue, measure } from "./measure.ts";
import type { AreaFact } from "./measures/area-facts.ts";
import { ANY_NUMBER, decide, exactly, isExact, timesPrinted } from "./measures/possible.ts";
import type { Selector } from "./select.ts";

/** Units of work of a comparison with a fact, and of one that is tried again. */
const DECLARED_UNITS = 500;
/** Units of work that an evaluation spends at most on finding what would change its checks. */
const RESOLVING_UNITS = 3_000_000;
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

/** Of a property that nobody told of. */
const NOT_TOLD: MeasuredValue = { value: null, possible: { ...ANY_NUMBER, none: true } };

/** Judges the checks of one evaluation. */
export class Judge {
  readonly #plot: Land;
  readonly #property: Land | undefined;
  readonly #grounds: Grounds;
  readonly #limit: number;
  readonly #meter: WorkMeter;
  #resolvingUnits = RESOLVING_UNITS;

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
    const { canHold, canFail } = this.#decide(check, this.#grounds, (comparison, values) => {
      const { left } = comparison;
      if (values.canHold && values.canFail) open.push(comparison);
      if ("set" in left) comparisons.push(measuredResult(left, comparison, values));
      else declared.push(this.#declaredResult(left, comparison, values));
    });
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
      if (!(error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX")) throw error;
      this.#meter.counted = counted;
      this.#resolvingUnits = 0;
    }
    return found;
  }

  #search(check: CheckPlan): Iterable<Resolution> {
    const onPlot = reachedOn([check], "plot");
    const onProperty = reachedOn([check], "property");
    const { plot, property } = this.#grounds.selectors;
    return resolutions(
      check,
      this.#grounds,
      {
        values: (comparison, grounds) => this.#compare(comparison, grounds),
        decide: (grounds) => this.#decide(check, grounds),
        supposing: (facts, isSelecting) => ({
          facts,
          selectors: isSelecting
            ? { plot: plot.supposing(facts, onPlot), property: property?.supposing(facts, onProperty) }
            : this.#grounds.selectors,
        }),
      },
      this.#meter,
      this.#resolvingUnits,
    );
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
        // Tried again, only whether it can hold is asked.
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

  /**
   * What becomes of a check that is not certain.
   *
   * @param open those of its comparisons that are not
   */
  #open(
    check: CheckPlan,
    open: readonly ComparisonPlan[],
  ): Pick<CheckResult, "outcome" | "triggered" | "status" | "covered_ratio"> {
    const onPlot = reachedOn([check], "plot");
    const onProperty = reachedOn([check], "property");
    if ([...onPlot, ...onProperty].some(namesFailedSource)) {
      return { outcome: null, triggered: false, status: "failed" };
    }
    const { selectors } = this.#grounds;
    const { property } = selectors;
    const openOn = (land: MeasuredPlan["on"]) => reachedOn([{ comparisons: open }], land);
    const isSeen =
      (check.facts.length > 0 || (onProperty.length > 0 && property === undefined)) &&
      !openOn("plot").some((set) => hasUnseen(set, selectors.plot)) &&
      !(property !== undefined && openOn("property").some((set) => hasUnseen(set, property)));
    if (isSeen) return { outcome: check.uncovered, triggered: false, status: "not_declared" };
    const covered_ratio =
      coveredRatio(onPlot, this.#plot) ?? (this.#property && coveredRatio(onProperty, this.#property));
    return {
      outcome: check.uncovered,
      triggered: false,
      status: "not_covered",
      ...(covered_ratio !== undefined && { covered_ratio }),
    };
  }

  #compare({ left, op, right }: ComparisonPlan, grounds: Grounds): ComparedValues {
    const { facts } = grounds;
    if (!("set" in left) || "fact" in right) this.#meter.add(DECLARED_UNITS);
    if ("fact" in left && (op === "valid" || op === "not_valid")) {
      // Who brings no document lifts nothing.
      const isBrought = !facts.isAbsent(left.fact);
      const possible = isBrought || op === "valid" ? facts.possible(left) : exactly(0);
      const wanted = exactly(op === "valid" ? 1 : 0);
      return between({ value: null, possible }, "=", { value: null, possible: wanted });
    }
    const compared =
      "set" in left ? this.#measure(left, grounds) : { value: null, possible: facts.possible(left) };
    return between(compared, op, this.#threshold(right, left, grounds));
  }

  #measure(measured: MeasuredPlan, { selectors }: Grounds): MeasuredValue {
    const { set, of, on } = measured;
    const land = on === "plot" ? this.#plot : this.#property;
    const selector = on === "plot" ? selectors.plot : selectors.property;
    if (land === undefined || selector === undefined) return NOT_TOLD;
    const whole = of === undefined ? undefined : selector.get(of);
    const selection = selector.get(set);
    if (selection.kind !== "subject") {
      this.#meter.add(COMPARED_UNITS * (selection.areas.length + selection.undeclared.length));
    }
    return measure(measured, selection, whole, land.extent);
  }

  #threshold(right: ThresholdPlan, left: MeasuredPlan | FactPlan, grounds: Grounds): MeasuredValue {
    if ("value" in right) {
      const type = "fact" in left ? left.type : "number";
      const values = "fact" in left ? grounds.facts.textsOf(left.fact) : undefined;
      const value = factNumber(type, right.value, values)!;
      return { value, possible: exactly(value) };
    }
    const { times } = right;
    const { value, possible } =
      "set" in right ? this.#measure(right, grounds) : declaredValue(right, grounds);
    if (times === 1) return { value, possible };
    const multiplied = timesPrinted(possible, times);
    return { value: value === null ? null : timesPrinted(exactly(value), times).low, possible: multiplied };
  }

  #declaredResult(left: FactPlan, { op, right }: ComparisonPlan, values: ComparedValues): DeclaredComparison {
    const { facts } = this.#grounds;
    const result = { fact: left.fact, op, value: facts.value(left.fact) };
    if (op === "valid" || op === "not_valid") return result;
    if ("value" in right) return { ...result, threshold: right.value! };
    const number = told(values.right, values);
    const threshold = number === null ? null : facts.told(left.fact, number);
    return { ...result, threshold, threshold_of: thresholdOf(right) };
  }
}

function measuredResult(
  { set, measure: measured, of, on }: MeasuredPlan,
  { op, right }: ComparisonPlan,
  values: ComparedValues,
): ComparisonResult {
  return {
    set: set.name,
    measure: measured as ComparisonResult["measure"],
    op: op as ComparisonResult["op"],
    value: told(values.left, values),
    threshold: told(values.right, values),
    ...(of !== undefined && { of: of.name }),
    ...(on === "property" && { on }),
    ...(!("value" in right) && { threshold_of: thresholdOf(right) }),
  };
}

/** Where neither a value nor its comparison is certain, null says that it is not known. */
function told({ value, possible }: MeasuredValue, { canHold, canFail }: Decision): number | null {
  return canHold && canFail && !isExact(possible) ? null : value;
}

/** Of a fact that nobody told there is no value, though its declaration may allow but one. */
function declaredValue(fact: FactPlan, { facts }: Grounds): MeasuredValue {
  const possible = facts.possible(fact);
  return { value: facts.isAbsent(fact.fact) ? null : possible.low, possible };
}

function thresholdOf(
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

function between(left: MeasuredValue, op: ComparisonPlan["op"], right: MeasuredValue): ComparedValues {
  const decision = decide(left.possible, op as ComparisonOperator, right.possible);
  return { ...decision, left, right };
}

/** Share of the land that every entry of the sets covers; undefined where none is a set of areas. */
function coveredRatio(sets: readonly SetPlan[], { coverage, extent, selector }: Land): number | undefined {
  const areaSets = sets.filter((set) => set.kind === "area");
  if (areaSets.length === 0 || coverage === undefined) return undefined;
  const uncovered = areaSets.flatMap((set) => selector.get(set).unknown?.uncovered ?? []);
  const covered = coverage.coveredSquareMeters(uncovered);
  const { squareMeters } = extent;
  return squareMeters === 0 ? 0 : printedRatio(Math.min(Math.max(covered / squareMeters, 0), 1));
}

/** Whether a set's sources may hold what they do not tell. */
function hasUnseen(set: SetPlan, selector: Selector): boolean {
  if (set.kind === "derived") return false;
  if (set.kind === "subject") return selector.get(set).growth !== "none";
  const { uncovered, isSurroundingsOpen, tooOld } = selector.get(set).unknown!;
  return uncovered.length > 0 || isSurroundingsOpen || tooOld.size > 0;
}

function namesFailedSource(set: SetPlan): boolean {
  if (set.kind === "derived") return false;
  const sources = set.kind === "area" ? set.sources.map(({ source }) => source) : set.registers;
  return sources.some((source) => "failed" in source);
}
