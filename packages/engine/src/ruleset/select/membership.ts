import { parseCalendarDay } from "../../base/calendar-day.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type { AttributeValue } from "../../snapshot/snapshot.ts";
import type { AreaSetPlan, AreaSetSource, FactPlan } from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import { MOST_THRESHOLDS, splitStretches } from "../facts/stretches.ts";
import type { AreaFact } from "../measures/area-facts.ts";
import type { CompiledFilter, PropertyReader } from "../parse/cql2.ts";

// Answers that a filter can give, whatever facts that were not declared are, as a set of bits.
const TRUE = 1;
const FALSE = 2;
const UNKNOWN = 4;

/** The membership of an area in a set, and why it is not known. */
export interface Membership {
  /** `maybe`: what is not known decides. */
  readonly is: "in" | "out" | "maybe";
  /** For want of a value in a column, or of a country, the filter may have no answer. */
  readonly isUndetermined: boolean;
  /** The missing value leaves it open. */
  readonly byNull: boolean;
  /** A fact that was not declared leaves it open. */
  readonly byFact: boolean;
}

/** Most combinations of values of facts that are tried on one area. */
const MOST_COMBINATIONS = 128;

const IN: Membership = { is: "in", isUndetermined: false, byNull: false, byFact: false };
const OUT: Membership = { is: "out", isUndetermined: false, byNull: false, byFact: false };

/** Decides which areas belong to a set, by its countries and its filter. */
export class MembershipTest {
  readonly #set: AreaSetPlan;
  readonly #declared: Facts;
  readonly #meter: WorkMeter;
  /** Values of the facts that the filter reads, null where they were not declared. */
  readonly #values: readonly AttributeValue[];
  readonly #absent: readonly FactPlan[];

  constructor(set: AreaSetPlan, declared: Facts, meter: WorkMeter) {
    this.#set = set;
    this.#declared = declared;
    this.#meter = meter;
    const facts = set.where?.facts ?? [];
    this.#values = facts.map((fact) => declared.value(fact));
    this.#absent = facts.filter((_, i) => this.#values[i] === null).map((fact) => declared.findPlan(fact));
  }

  /**
   * Tests an area of one of the set's sources.
   *
   * @param country of the area; null where it has none
   */
  of(member: AreaSetSource, fact: AreaFact, country: string | null | undefined): Membership {
    const { countries, where, unknown } = this.#set;
    const isCountryUnknown = countries !== undefined && country === null;
    if (countries !== undefined && !isCountryUnknown && !countries.has(country!)) return OUT;
    let answers = where === undefined ? TRUE : this.#answers(where, member, fact);
    if (isCountryUnknown && (answers & TRUE) !== 0) answers = (answers & ~TRUE) | UNKNOWN;
    if (answers === TRUE) return IN;
    if (answers === FALSE) return OUT;
    const isUndetermined = (answers & UNKNOWN) !== 0;
    const byNull = isUndetermined && unknown === "open";
    const selecting = unknown === "include" ? TRUE | UNKNOWN : TRUE;
    const canBeIn = byNull || (answers & selecting) !== 0;
    const canBeOut = byNull || (answers & ~selecting) !== 0;
    if (canBeIn && canBeOut) {
      const byFact = (answers & (answers - 1)) !== 0;
      return { is: "maybe", isUndetermined, byNull, byFact };
    }
    return { is: canBeIn ? "in" : "out", isUndetermined, byNull: false, byFact: false };
  }

  #answers(where: CompiledFilter, { readers }: AreaSetSource, { area }: AreaFact): number {
    const reading =
      (values: readonly AttributeValue[]): PropertyReader =>
      (i) =>
        i < 0 ? values[-1 - i]! : readers[i]!(area);
    const answer = toBit(where.evaluate(reading(this.#values), this.#meter));
    if (answer !== UNKNOWN || this.#absent.length === 0) return answer;
    return this.#answersOfCompletions(where, reading);
  }

  /** Tries the facts that were not declared at a value of each stretch in which no comparison changes. */
  #answersOfCompletions(
    where: CompiledFilter,
    reading: (values: readonly AttributeValue[]) => PropertyReader,
  ): number {
    const absent = new Set(this.#absent.map(({ fact }) => fact));
    const areCompared = where.compared.some(
      ({ fact, against: { fact: other } }) =>
        other !== undefined && other !== fact && absent.has(fact) && absent.has(other),
    );
    if (areCompared) return TRUE | FALSE;
    let completions: AttributeValue[][] = [[...this.#values]];
    for (const plan of this.#absent) {
      const place = where.facts.indexOf(plan.fact);
      const values = this.#witnesses(where, plan, reading(this.#values));
      if (values === undefined || completions.length * values.length > MOST_COMBINATIONS) return TRUE | FALSE;
      completions = completions.flatMap((one) => values.map((value) => one.with(place, value)));
    }
    let answers = 0;
    for (const values of completions) {
      answers |= toBit(where.evaluate(reading(values), this.#meter));
      if (answers === (TRUE | FALSE | UNKNOWN)) break;
    }
    return answers;
  }

  #witnesses(where: CompiledFilter, plan: FactPlan, read: PropertyReader): AttributeValue[] | undefined {
    const thresholds: number[] = [];
    for (const { fact, against } of where.compared) {
      if (fact !== plan.fact) continue;
      const { literal, property } = against;
      const value =
        literal ??
        (property === undefined ? against.fact && this.#declared.value(against.fact) : read(property));
      const number = typeof value === "string" ? parseCalendarDay(value) : value;
      if (typeof number === "number") thresholds.push(number);
    }
    if (thresholds.length > MOST_THRESHOLDS) return undefined;
    const stretches = splitStretches(plan, this.#declared.range(plan), () => thresholds);
    return stretches.map(({ witness }) => this.#declared.valueAt(plan.fact, witness));
  }
}

function toBit(answer: boolean | null): number {
  return answer === null ? UNKNOWN : answer ? TRUE : FALSE;
}
