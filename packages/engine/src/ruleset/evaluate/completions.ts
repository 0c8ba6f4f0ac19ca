import type { WorkMeter } from "../../base/work-meter.ts";
import type { AreaSetPlan, CheckPlan, ComparisonPlan, FactPlan } from "../compile/compile.ts";
import { MOST_THRESHOLDS, type Stretch, splitStretches } from "../facts/stretches.ts";
import { getFactName } from "../parse/fact-types.ts";
import type { Decision, Grounds } from "../select/land.ts";
import type { MeasuredValue } from "../select/measure.ts";
import { listAreaSets, listComparedValues } from "./compared-values.ts";

/** How a check is decided where facts that were not declared have some values. */
export interface CompletionTrial {
  readonly values: (
    comparison: ComparisonPlan,
    grounds: Grounds,
  ) => { readonly left: MeasuredValue; readonly right: MeasuredValue };
  readonly decide: (grounds: Grounds) => Decision;
  /** @param isSelecting whether a filter reads one of the facts */
  readonly supposing: (facts: Grounds["facts"], isSelecting: boolean) => Grounds;
}

/** Most completions that are tried. */
const MOST_COMPLETIONS = 256;
/** Units of work of a completion besides what deciding it takes. */
const TRIED_UNITS = 700;

/**
 * Decides a check by trying every completion of the facts that it reads and that were not declared, each at one value
 * of every stretch in which no condition changes its answer.
 *
 * @param allowedUnits of the meter, after which nothing more is tried
 * @returns undefined where such values do not stand for all: there are too many, or two of the facts are compared with
 *   each other and one of them elsewhere too
 * Fails: `GEOMETRY_TOO_COMPLEX` where the answer has less work left.
 */
export function decideByCompletions(
  check: CheckPlan,
  grounds: Grounds,
  trial: CompletionTrial,
  meter: WorkMeter,
  allowedUnits: number,
): Decision | undefined {
  const search = new CompletionSearch(check, grounds, trial, meter, meter.counted + allowedUnits);
  return search.isExhaustive ? search.decide() : undefined;
}

/**
 * True if a check holds with no completion of the facts that it reads and that have no value.
 *
 * @param allowedUnits of the meter, after which nothing more is tried
 * Fails: `GEOMETRY_TOO_COMPLEX` where the answer has less work left.
 */
export function neverHolds(
  check: CheckPlan,
  grounds: Grounds,
  trial: CompletionTrial,
  meter: WorkMeter,
  allowedUnits: number,
): boolean {
  const search = new CompletionSearch(check, grounds, trial, meter, meter.counted + allowedUnits);
  return search.isExhaustive && search.neverHolds();
}

/**
 * The numbers that a check compares one fact with, with all completions of its other facts that have no value.
 *
 * @param allowedUnits of the meter, after which nothing more is tried
 * @returns undefined where the completions that can be tried do not stand for all
 * Fails: `GEOMETRY_TOO_COMPLEX` where the answer has less work left.
 */
export function listValuesInCompletions(
  fact: string,
  check: CheckPlan,
  grounds: Grounds,
  trial: CompletionTrial,
  meter: WorkMeter,
  allowedUnits: number,
): Iterable<number> | undefined {
  const search = new CompletionSearch(check, grounds, trial, meter, meter.counted + allowedUnits, fact);
  return search.isExhaustive ? search.comparedWith(fact) : undefined;
}

class CompletionSearch {
  /** True if the values that are tried stand for all. */
  readonly isExhaustive: boolean;
  readonly #check: CheckPlan;
  readonly #grounds: Grounds;
  readonly #trial: CompletionTrial;
  readonly #meter: WorkMeter;
  readonly #lastUnit: number;
  /** Those that filters read come first: what is measured depends on them. */
  readonly #facts: readonly FactPlan[];
  readonly #filtered: ReadonlySet<string>;
  #isSettled = false;
  #left = MOST_COMPLETIONS;

  /**
   * @param lastUnit of the meter, at which nothing more is tried
   * @param kept a fact that is not completed
   */
  constructor(
    check: CheckPlan,
    grounds: Grounds,
    trial: CompletionTrial,
    meter: WorkMeter,
    lastUnit: number,
    kept?: string,
  ) {
    this.#lastUnit = lastUnit;
    this.#check = check;
    this.#grounds = grounds;
    this.#trial = trial;
    this.#meter = meter;
    const sets = [...listAreaSets(check, grounds.selectors)].map(({ set }) => set);
    const isAbsent = (fact: string): boolean => fact !== kept && grounds.facts.isAbsent(fact);
    this.#filtered = new Set(sets.flatMap((set) => set.where?.facts ?? []).filter(isAbsent));
    const read = check.comparisons.filter(({ op }) => op !== "not_valid");
    const compared = new Set(read.flatMap(listComparedFacts).filter(isAbsent));
    // `not_valid` holds for a document that was not declared: none of its facts is missing.
    const lifting = new Set(
      check.comparisons.filter(({ op }) => op === "not_valid").flatMap(listComparedFacts),
    );
    const absent = check.facts.filter(
      ({ fact }) => isAbsent(fact) && (compared.has(fact) || this.#filtered.has(fact)),
    );
    const rank = ({ fact }: FactPlan): number => (this.#filtered.has(fact) ? 0 : 1);
    this.#facts = absent.sort((a, b) => rank(a) - rank(b));
    this.isExhaustive =
      absent.length > 0 &&
      ![...this.#filtered].some((fact) => compared.has(fact)) &&
      !absent.some(({ fact }) => lifting.has(getFactName(fact))) &&
      new Set(absent.map(({ fact }) => getFactName(fact))).size === absent.length &&
      !sets.some((set) => comparesTwoAbsentFacts(set, isAbsent)) &&
      !check.comparisons.some((one) => this.#isEntwined(one, isAbsent));
  }

  decide(): Decision | undefined {
    let canHold = false;
    let canFail = false;
    const isComplete = this.#tryAll((grounds) => {
      const one = this.#trial.decide(grounds);
      canHold ||= one.canHold;
      canFail ||= one.canFail;
      return canHold && canFail;
    });
    return isComplete ? { canHold, canFail } : undefined;
  }

  neverHolds(): boolean {
    return this.#tryAll((grounds) => this.#trial.decide(grounds).canHold) && !this.#isSettled;
  }

  comparedWith(fact: string): Iterable<number> | undefined {
    const compared = new Set<number>();
    const isComplete = this.#tryAll((grounds) => {
      for (const value of this.#comparedWith(fact, grounds)) compared.add(value);
      return compared.size > MOST_THRESHOLDS;
    });
    return isComplete && !this.#isSettled ? compared : undefined;
  }

  /**
   * Tries completions until one of them settles the question.
   *
   * @param settles receives the grounds of a completion
   * @returns false where some were left out and none of the others settles it
   */
  #tryAll(settles: (grounds: Grounds) => boolean): boolean {
    return this.#try(0, new Map(), this.#grounds, settles);
  }

  #try(
    from: number,
    supposed: ReadonlyMap<string, number>,
    grounds: Grounds,
    settles: (grounds: Grounds) => boolean,
  ): boolean {
    const fact = this.#facts[from];
    if (fact === undefined) {
      if (this.#left-- <= 0) return false;
      this.#isSettled = settles(grounds);
      return true;
    }
    const stretches = this.#splitStretches(fact, grounds);
    if (stretches === undefined) return false;
    for (const { witness } of stretches) {
      if (this.#meter.counted >= this.#lastUnit) return false;
      this.#meter.add(TRIED_UNITS);
      const values = new Map([...supposed, [fact.fact, witness]]);
      const facts = this.#grounds.facts.completing(values);
      const isSelecting = [...values.keys()].some((one) => this.#filtered.has(one));
      if (!this.#try(from + 1, values, this.#trial.supposing(facts, isSelecting), settles)) return false;
      // biome-ignore lint/suspicious/noUnnecessaryConditions: the call above changes it
      if (this.#isSettled) return true;
    }
    return true;
  }

  #splitStretches(fact: FactPlan, grounds: Grounds): readonly Stretch[] | undefined {
    const thresholds = [...new Set(this.#findThresholds(fact, grounds))];
    if (thresholds.length > MOST_THRESHOLDS) return undefined;
    return splitStretches(fact, grounds.facts.range(fact), () => thresholds);
  }

  /** The numbers at which some condition on a fact changes its answer, with the facts that are supposed already. */
  *#findThresholds({ fact }: FactPlan, grounds: Grounds): Iterable<number> {
    if (this.#filtered.has(fact)) {
      for (const { set, selector } of listAreaSets(this.#check, grounds.selectors)) {
        yield* listComparedValues(set, selector, fact, grounds.facts);
      }
      return;
    }
    yield* this.#comparedWith(fact, grounds);
  }

  *#comparedWith(fact: string, grounds: Grounds): Iterable<number> {
    for (const comparison of this.#check.comparisons) {
      const { left, right } = comparison;
      if ("fact" in left && left.fact === fact) {
        const { low, high } = this.#trial.values(comparison, grounds).right.possible;
        yield low;
        yield high;
      }
      if ("fact" in right && right.fact === fact) {
        const { low, high } = this.#trial.values(comparison, grounds).left.possible;
        yield low / right.times;
        yield high / right.times;
      }
    }
  }

  /** True if a comparison is one of two facts that were not declared, and one of them is read elsewhere too. */
  #isEntwined({ left, right }: ComparisonPlan, isAbsent: (fact: string) => boolean): boolean {
    if (!("fact" in left && "fact" in right && isAbsent(left.fact) && isAbsent(right.fact))) return false;
    const read = this.#check.comparisons.flatMap(listComparedFacts);
    return [left.fact, right.fact].some((fact) => read.filter((one) => one === fact).length > 1);
  }
}

/** The facts that a comparison compares, not those that the filters of its sets read. */
function listComparedFacts({ left, right }: ComparisonPlan): string[] {
  return [left, right].flatMap((side) => ("fact" in side ? side.fact : []));
}

function comparesTwoAbsentFacts({ where }: AreaSetPlan, isAbsent: (fact: string) => boolean): boolean {
  return (
    where?.compared.some(
      ({ fact, against: { fact: other } }) =>
        other !== undefined && other !== fact && isAbsent(fact) && isAbsent(other),
    ) === true
  );
}
