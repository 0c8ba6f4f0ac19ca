import type { WorkMeter } from "../base/work-meter.ts";
import type { PlotOnLayers } from "../geometry/kernel/plot-on-layers.ts";
import type { PlotCoverage } from "../sources/plot-coverage.ts";
import { printedRatio } from "../verdict/rounding.ts";
import type { CheckResult, ComparisonResult } from "../verdict/verdict.ts";
import { type CheckPlan, type ComparisonPlan, reachedBy, type SetPlan } from "./compile.ts";
import { gatherEvidence } from "./evidence.ts";
import { measure } from "./measure.ts";
import type { AreaFact } from "./measures/area-facts.ts";
import { decide } from "./measures/possible.ts";
import type { Extent } from "./measures/ratio.ts";
import type { Selector } from "./select.ts";

/** Units of work of an area whose value is compared. */
const COMPARED_UNITS = 20;

/** A check's answer, and the areas with which its evidence begins. */
export interface JudgedCheck {
  readonly result: CheckResult;
  readonly exhibited: readonly AreaFact[];
}

interface JudgedComparison {
  readonly result: ComparisonResult;
  readonly canHold: boolean;
  readonly canFail: boolean;
}

/** Judges the checks of one evaluation. */
export class Judge {
  readonly #selector: Selector;
  readonly #coverage: PlotCoverage | undefined;
  readonly #plot: Extent;
  readonly #limit: number;
  readonly #meter: WorkMeter;

  /** @param limit evidence items a check */
  constructor(
    selector: Selector,
    coverage: PlotCoverage | undefined,
    plot: PlotOnLayers | undefined,
    limit: number,
    meter: WorkMeter,
  ) {
    this.#selector = selector;
    this.#coverage = coverage;
    this.#plot = { squareMeters: plot?.areaSquareMeters ?? 0 };
    this.#limit = limit;
    this.#meter = meter;
  }

  judge(check: CheckPlan): JudgedCheck {
    const comparisons: ComparisonResult[] = [];
    const isAll = check.mode === "all";
    let canHold = isAll;
    let canFail = !isAll;
    for (const comparison of check.comparisons) {
      const one = this.#compare(comparison);
      comparisons.push(one.result);
      canHold = isAll ? canHold && one.canHold : canHold || one.canHold;
      canFail = isAll ? canFail || one.canFail : canFail && one.canFail;
    }
    const triggered = canHold && !canFail;
    const answer =
      canHold && canFail
        ? this.#open(check)
        : ({ outcome: triggered ? check.outcome : null, triggered, status: "ok" } as const);
    const { exhibited, ...evidence } = gatherEvidence(check, this.#selector, this.#limit, this.#meter);
    const result: CheckResult = {
      id: check.id,
      ...(check.title !== undefined && { title: check.title }),
      ...answer,
      comparisons,
      ...evidence,
    };
    return { result, exhibited };
  }

  /** What becomes of a check that is not certain. */
  #open(check: CheckPlan): Pick<CheckResult, "outcome" | "triggered" | "status" | "covered_ratio"> {
    const sets = reachedBy(check);
    if ([...sets].some(namesFailedSource)) return { outcome: null, triggered: false, status: "failed" };
    const covered_ratio = this.#coveredRatio(sets);
    return {
      outcome: check.uncovered,
      triggered: false,
      status: "not_covered",
      ...(covered_ratio !== undefined && { covered_ratio }),
    };
  }

  /** Share of the plot that every entry of the sets covers; undefined where none is a set of areas. */
  #coveredRatio(sets: Iterable<SetPlan>): number | undefined {
    const areaSets = [...sets].filter((set) => set.kind === "area");
    if (areaSets.length === 0 || this.#coverage === undefined) return undefined;
    const uncovered = areaSets.flatMap((set) => this.#selector.get(set).unknown?.uncovered ?? []);
    const covered = this.#coverage.coveredSquareMeters(uncovered);
    const { squareMeters } = this.#plot;
    return squareMeters === 0 ? 0 : printedRatio(Math.min(Math.max(covered / squareMeters, 0), 1));
  }

  /** A value that is not certain is not printed: null says that it is not known. */
  #compare(comparison: ComparisonPlan): JudgedComparison {
    const { set, measure: measured, op, threshold, of } = comparison;
    const whole = of === undefined ? undefined : this.#selector.get(of);
    const selection = this.#selector.get(set);
    if (selection.kind !== "subject") this.#meter.add(COMPARED_UNITS * selection.areas.length);
    const { value, possible } = measure(comparison, selection, whole, this.#plot);
    const { canHold, canFail } = decide(possible, op, threshold);
    const result: ComparisonResult = {
      set: set.name,
      measure: measured as ComparisonResult["measure"],
      op,
      value: canHold && canFail ? null : value,
      threshold,
      ...(of !== undefined && { of: of.name }),
    };
    return { result, canHold, canFail };
  }
}

function namesFailedSource(set: SetPlan): boolean {
  if (set.kind === "derived") return false;
  const sources = set.kind === "area" ? set.sources.map(({ source }) => source) : set.registers;
  return sources.some((source) => "failed" in source);
}
