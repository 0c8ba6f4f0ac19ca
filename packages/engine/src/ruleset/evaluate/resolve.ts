import { FIRST_DAY, LAST_DAY } from "../../base/calendar-day.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type { NeededFact, Resolution } from "../../verdict/verdict.ts";
import { type CheckPlan, type ComparisonPlan, type FactPlan, listFactsRead } from "../compile/compile.ts";
import { createPointStretch, type Stretch, splitStretches } from "../facts/stretches.ts";
import { isExact } from "../measures/possible.ts";
import type { Grounds } from "../select/land.ts";
import type { MeasuredValue } from "../select/measure.ts";
import { listAreaSets, listComparedValues } from "./compared-values.ts";
import { type CompletionTrial, listValuesInCompletions, neverHolds } from "./completions.ts";

/** Most facts that are supposed together. */
const MOST_TOGETHER = 3;
/** Units of work of some facts that are looked at together, and of a supposition besides what deciding it takes. */
const GROUP_UNITS = 100;
const TRIED_UNITS = 700;

/**
 * Changes of facts that would certainly keep a check from triggering, found by trial: each stretch between the
 * thresholds in its conditions is tried alone, then pairs and triples of facts that do not suffice alone. Facts that
 * the same comparison reads are not tried together: bounds of each would not show how they must differ.
 *
 * @param allowedUnits of the meter, after which nothing more is tried
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` where the answer has less work left.
 */
export function findResolutions(
  check: CheckPlan,
  grounds: Grounds,
  trial: CompletionTrial,
  meter: WorkMeter,
  allowedUnits: number,
): Iterable<Resolution> {
  const search = new Search(check, grounds, trial, meter, meter.counted + allowedUnits);
  return search.resolutions(check.facts);
}

/** A comparison, and what it compares as things are. */
interface ComparedNow {
  readonly comparison: ComparisonPlan;
  readonly values: ReturnType<CompletionTrial["values"]>;
}

/** One side of a comparison, seen from the fact on the other. */
interface ComparedSide {
  readonly plan: ComparisonPlan["left" | "right"];
  readonly value: MeasuredValue;
  readonly times: number;
}

class Search {
  readonly #check: CheckPlan;
  readonly #grounds: Grounds;
  readonly #trial: CompletionTrial;
  readonly #meter: WorkMeter;
  readonly #stretches = new Map<FactPlan, readonly Stretch[]>();
  readonly #filtered: ReadonlySet<string>;
  readonly #lastUnit: number;
  /** Units of work that completions may still take: a third of all, so that facts are tried together as well. */
  #completingUnits: number;
  /** Pairs of facts that one comparison reads; a fact with itself, where it is on both sides and one of them. */
  readonly #entwined: ReadonlySet<string>;
  #compared: readonly ComparedNow[] | undefined;
  /**
   * Facts that are compared with what depends on other facts without a value, by more completions than can be tried:
   * between two thresholds of such a fact, not all values come to the same with each completion.
   */
  readonly #varying = new Set<string>();

  /** @param lastUnit of the meter, at which nothing more is tried */
  constructor(
    check: CheckPlan,
    grounds: Grounds,
    trial: CompletionTrial,
    meter: WorkMeter,
    lastUnit: number,
  ) {
    this.#check = check;
    this.#grounds = grounds;
    this.#trial = trial;
    this.#meter = meter;
    this.#lastUnit = lastUnit;
    this.#completingUnits = (lastUnit - meter.counted) / 3;
    this.#filtered = new Set(
      [...listAreaSets(check, grounds.selectors)].flatMap(({ set }) => set.where?.facts ?? []),
    );
    this.#entwined = this.#pairs();
  }

  *resolutions(facts: readonly FactPlan[]): Generator<Resolution> {
    let left = facts;
    for (let count = 1; count <= MOST_TOGETHER && left.length >= count; count++) {
      const spent = new Set<FactPlan>();
      for (const group of generateCombinations(left, count)) {
        if (this.#meter.counted >= this.#lastUnit) return;
        this.#meter.add(GROUP_UNITS);
        const ways = this.#ways(group);
        for (const way of ways) yield { facts: way };
        if (ways.length > 0) for (const fact of group) spent.add(fact);
      }
      left = left.filter((fact) => !spent.has(fact));
    }
  }

  /** How some facts together would make the check not trigger: each way names all of them. */
  #ways(facts: readonly FactPlan[]): NeededFact[][] {
    const [first, ...others] = facts as [FactPlan, ...FactPlan[]];
    if (facts.some((one) => facts.some((other) => this.#entwined.has(`${one.fact} ${other.fact}`))))
      return [];
    const lifting = this.#splitStretches(first).flatMap((stretch) => {
      const fixed = this.#completed(new Map([[first.fact, stretch.witness]]), others);
      return fixed === undefined ? [] : [{ stretch, fixed }];
    });
    if (others.length === 0)
      return mergeStretches(lifting.map(({ stretch }) => stretch)).map((run) => [this.#needed(first, run)]);
    const [one] = lifting;
    if (one === undefined) return [];
    // Around the values that were found, each fact can be varied to lift the check while the others stay.
    const way: NeededFact[] = [];
    for (const fact of facts) {
      const fitting = this.#splitStretches(fact).filter(({ witness }) =>
        this.#lifts(new Map([...one.fixed, [fact.fact, witness]])),
      );
      const found = one.fixed.get(fact.fact)!;
      const run = mergeStretches(fitting).find(({ low, high }) => low <= found && found <= high);
      // Where the work for the search ran out, what was found does not lift the check a second time.
      if (run === undefined) return [];
      way.push(this.#needed(fact, run));
    }
    return [way];
  }

  /** The values that lift the check, with those of the facts that are not yet supposed; undefined where there are none. */
  #completed(
    supposed: ReadonlyMap<string, number>,
    facts: readonly FactPlan[],
  ): ReadonlyMap<string, number> | undefined {
    const [next, ...others] = facts;
    if (next === undefined) return this.#lifts(supposed) ? supposed : undefined;
    for (const { witness } of this.#splitStretches(next)) {
      const found = this.#completed(new Map([...supposed, [next.fact, witness]]), others);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #lifts(supposed: ReadonlyMap<string, number>): boolean {
    if (this.#meter.counted >= this.#lastUnit) return false;
    this.#meter.add(TRIED_UNITS);
    const isSelecting = [...supposed.keys()].some((fact) => this.#filtered.has(fact));
    const facts = this.#grounds.facts.supposing(supposed);
    if (facts === undefined) return false;
    const grounds = this.#trial.supposing(facts, isSelecting);
    if (!this.#trial.decide(grounds).canHold) return true;
    const isComplete = this.#check.facts.every(({ fact }) => !facts.isAbsent(fact));
    if (isComplete || [...supposed.keys()].some((fact) => this.#varying.has(fact))) return false;
    return this.#neverHolds(grounds, isSelecting);
  }

  /** True if the check holds with no completion of the facts that still have no value. */
  #neverHolds(grounds: Grounds, isSelecting: boolean): boolean {
    const trial: CompletionTrial = {
      ...this.#trial,
      supposing: (facts, selects) => this.#trial.supposing(facts, isSelecting || selects),
    };
    const never = this.#completing((units) => neverHolds(this.#check, grounds, trial, this.#meter, units));
    return never === true;
  }

  #splitStretches(fact: FactPlan): readonly Stretch[] {
    if (this.#meter.counted >= this.#lastUnit) return [];
    let stretches = this.#stretches.get(fact);
    if (stretches === undefined) {
      stretches =
        fact.type === "document"
          ? [createPointStretch(1)]
          : splitStretches(fact, this.#grounds.facts.range(fact), () => this.#findThresholds(fact));
      this.#stretches.set(fact, stretches);
    }
    return stretches;
  }

  /** Both sides of each comparison at present. */
  #values(): readonly ComparedNow[] {
    this.#compared ??= this.#check.comparisons.map((comparison) => ({
      comparison,
      values: this.#trial.values(comparison, this.#grounds),
    }));
    return this.#compared;
  }

  /** The numbers at which some condition on a fact changes its answer. */
  #findThresholds({ fact, type }: FactPlan): readonly number[] {
    const { facts } = this.#grounds;
    // A day of a document decides whether it is valid today.
    const thresholds = fact.includes(".") && type === "date" ? [facts.today] : [];
    const bound = ({ possible }: MeasuredValue, times = 1): void => {
      // The ends of the calendar are none.
      if (type !== "date" || isExact(possible)) thresholds.push(possible.low / times, possible.high / times);
    };
    const sides = this.#sidesAgainst(fact);
    for (const { value, times } of sides) bound(value, times);
    if (sides.some(({ value }) => !isExact(value.possible))) {
      for (const value of this.#comparedInCompletions(fact, sides)) thresholds.push(value);
    }
    if (!this.#filtered.has(fact)) return thresholds;
    if (this.#isFilteredWithAbsent(fact)) this.#varying.add(fact);
    // Areas that the fact leaves out as it was told count too.
    const { selectors } = this.#trial.supposing(facts.supposing(new Map([[fact, undefined]]))!, true);
    for (const { set, selector } of listAreaSets(this.#check, selectors)) {
      for (const value of listComparedValues(set, selector, fact, facts)) thresholds.push(value);
    }
    return thresholds;
  }

  /** The other sides of the comparisons of a fact, as things are. */
  #sidesAgainst(fact: string): ComparedSide[] {
    return this.#values().flatMap(({ comparison: { left, right }, values }) => [
      ...("fact" in left && left.fact === fact ? [{ plan: right, value: values.right, times: 1 }] : []),
      ...("fact" in right && right.fact === fact
        ? [{ plan: left, value: values.left, times: right.times }]
        : []),
    ]);
  }

  /** The numbers that a fact is compared with by completions of the others; none where they cannot all be tried. */
  #comparedInCompletions(fact: string, sides: readonly ComparedSide[]): Iterable<number> {
    const { facts } = this.#grounds;
    const compared = sides.some(({ plan }) => "fact" in plan && facts.isAbsent(plan.fact))
      ? undefined
      : this.#completing((units) =>
          listValuesInCompletions(fact, this.#check, this.#grounds, this.#trial, this.#meter, units),
        );
    if (compared === undefined) this.#varying.add(fact);
    return compared ?? [];
  }

  /** True if a filter compares a fact with another one that has no value. */
  #isFilteredWithAbsent(fact: string): boolean {
    const { facts, selectors } = this.#grounds;
    return [...listAreaSets(this.#check, selectors)].some(({ set }) =>
      set.where?.compared.some(
        (one) => one.fact === fact && one.against.fact !== undefined && facts.isAbsent(one.against.fact),
      ),
    );
  }

  /** Spends units of work that completions may still take; undefined where none are left. */
  #completing<Result>(attempt: (units: number) => Result): Result | undefined {
    if (this.#completingUnits <= 0) return undefined;
    const { counted } = this.#meter;
    this.#meter.add(TRIED_UNITS);
    const result = attempt(this.#completingUnits);
    this.#completingUnits -= this.#meter.counted - counted;
    return result;
  }

  #pairs(): ReadonlySet<string> {
    const pairs = new Set<string>();
    for (const { left, right } of this.#check.comparisons) {
      const [own, others] = [listFactsRead(left), listFactsRead(right)];
      const isThreshold = "fact" in left || "fact" in right;
      for (const one of [...own, ...others]) {
        for (const other of [...own, ...others]) if (one !== other) pairs.add(`${one} ${other}`);
        if (isThreshold && own.includes(one) && others.includes(one)) pairs.add(`${one} ${one}`);
      }
    }
    return pairs;
  }

  #needed({ fact, type }: FactPlan, { low, high, lowIsOut, highIsOut }: Stretch): NeededFact {
    const { facts } = this.#grounds;
    if (type === "document") return { fact, valid: true };
    if (type === "boolean" || type === "text") {
      const one_of = Array.from({ length: high - low + 1 }, (_, i) => facts.valueAt(fact, low + i));
      return { fact, one_of };
    }
    const valueAt = (number: number): number | string => facts.valueAt(fact, number) as number | string;
    const [first, last] = type === "date" ? [FIRST_DAY, LAST_DAY] : [-Infinity, Infinity];
    return {
      fact,
      ...(low !== first && (lowIsOut ? { above: low } : { at_least: valueAt(low) })),
      ...(high !== last && (highIsOut ? { below: high } : { at_most: valueAt(high) })),
    };
  }
}

function* generateCombinations<Item>(items: readonly Item[], count: number): Generator<Item[]> {
  if (count === 0) yield [];
  else {
    for (const [i, item] of items.entries()) {
      for (const others of generateCombinations(items.slice(i + 1), count - 1)) yield [item, ...others];
    }
  }
}

/** Stretches that follow upon each other as one. */
function mergeStretches(stretches: readonly Stretch[]): Stretch[] {
  const runs: Stretch[] = [];
  for (const next of stretches) {
    const last = runs.at(-1);
    if (last !== undefined && followsStretch(last, next)) {
      runs[runs.length - 1] = { ...last, high: next.high, highIsOut: next.highIsOut };
    } else runs.push(next);
  }
  return runs;
}

/** Whole numbers follow upon each other by 1; others where one ends and the next begins, and either holds the bound. */
function followsStretch(last: Stretch, next: Stretch): boolean {
  if (next.low === last.high) return last.highIsOut !== next.lowIsOut;
  return next.low === last.high + 1 && !last.highIsOut && !next.lowIsOut && Number.isInteger(last.high);
}
