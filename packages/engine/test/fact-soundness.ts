import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { EngineError } from "../src/base/errors.ts";
import { compileRuleset } from "../src/ruleset/compile/compile.ts";
import type { Check, Comparison, FactDeclaration, FilterExpression } from "../src/ruleset/parse/schema.ts";
import { roundAttributeNumber } from "../src/verdict/rounding.ts";
import type { CheckResult, FactDocument, FactValue, NeededFact } from "../src/verdict/verdict.ts";
import { TablesOfWorld } from "./differential.ts";
import {
  formatDay,
  listAllComparedFacts,
  listComparisons,
  listFactsRead,
  NaiveEvaluator,
  type Question,
} from "./naive-evaluator.ts";
import { planarKernel } from "./planar-kernel.ts";
import { FACT_DAYS, NUMBERS, pickItem, randomChance, randomFact, randomProperty } from "./random-rulesets.ts";
import { type CaseInput, evaluatePlan } from "./ruleset-cases.ts";

/** A question of which the engine promised what other facts belie. */
export interface FactFault {
  readonly question: Question;
  readonly check: string;
  readonly what: string;
  readonly facts: CaseInput["facts"];
}

export interface FactReport {
  readonly questions: number;
  /** Checks that are decided though they read what was not declared, and those that are open. */
  readonly decided: number;
  readonly open: number;
  readonly fillings: number;
  readonly removals: number;
  /** Entries of `resolve_by`, those of several facts, and declarations tried that satisfy one. */
  readonly entries: number;
  readonly jointEntries: number;
  readonly witnesses: number;
  /** Values of one fact that end a check. */
  readonly endings: number;
  /** Those of them that only completions find, and that no entry names. */
  readonly missed: number;
  /** How often entries say what of a fact. */
  readonly needs: Readonly<Record<string, number>>;
  readonly faults: readonly FactFault[];
}

type Facts = NonNullable<CaseInput["facts"]>;
type Checks = readonly CheckResult[];

/** Declares facts otherwise, in every way that comes to mind, and looks whether what a verdict said still stands. */
export function checkFactSoundness(
  questions: Iterable<Question>,
  count: number,
  fillings: number,
): FactReport {
  const faults: FactFault[] = [];
  const counts = { questions: 0, decided: 0, open: 0, fillings: 0, removals: 0 };
  const found = { entries: 0, jointEntries: 0, witnesses: 0, endings: 0, missed: 0 };
  const needs: Record<string, number> = {};
  const tables = new TablesOfWorld();
  for (const question of questions) {
    if (counts.questions === count) break;
    const trial = new Trial(question, tables);
    const checks = trial.ask(question.input);
    if (checks === undefined) continue;
    const random = createSeededRandom(counts.questions++);
    const fault = (check: string, what: string, facts: Facts) =>
      faults.push({ question, check, what, facts });
    for (let i = 0; i < fillings; i++) {
      const input = trial.filled(random);
      counts.fillings++;
      trial.ask(input)!.forEach((then, i) => {
        const now = checks[i]!;
        const isSame = then.status === "ok" && then.triggered === now.triggered;
        if (now.status === "ok" && !isSame && !(now.triggered && trial.isLifted(i, input.facts!)))
          fault(now.id, "was decided", input.facts!);
      });
    }
    for (const input of trial.withLess()) {
      counts.removals++;
      trial.ask(input)!.forEach((then, i) => {
        const now = checks[i]!;
        if ((now.triggered || now.status !== "ok") && then.status === "ok" && !then.triggered)
          fault(now.id, "ends for want of a fact", input.facts!);
      });
    }
    checks.forEach((now, i) => {
      if (now.status !== "ok") counts.open++;
      else if (trial.evaluator.absent(question.ruleset.checks[i]!).length > 0) counts.decided++;
      const ends = (facts: Facts): boolean => {
        const { status, triggered } = trial.ask({ ...question.input, facts })![i]!;
        return status === "ok" && !triggered;
      };
      const { resolve_by = [] } = now;
      if (now.status === "ok" && !now.triggered) {
        if (resolve_by.length > 0) fault(now.id, "has ended", {});
        return;
      }
      for (const entry of resolve_by) {
        found.entries++;
        if (entry.facts.length > 1) found.jointEntries++;
        for (const { fact: _, ...need } of entry.facts) {
          const words = Object.keys(need).sort().join(" ");
          needs[words] = (needs[words] ?? 0) + 1;
        }
        const what = JSON.stringify(entry.facts);
        const witnesses = trial.witnesses(random, entry.facts);
        if (witnesses.length === 0) fault(now.id, `${what} cannot be`, {});
        for (const facts of witnesses) {
          found.witnesses++;
          if (!ends(facts)) fault(now.id, `${what} does not suffice`, facts);
          if (entry.facts.length === 1 || trial.bringsMore(i, entry.facts)) continue;
          for (const left of new Set(entry.facts.map(({ fact }) => toFactName(fact)))) {
            const others = { ...facts, [left]: question.input.facts![left] ?? null };
            if (entry.facts.some(({ fact }) => toFactName(fact) !== left) && ends(others))
              fault(now.id, `${what} needs no ${left}`, others);
          }
        }
      }
      for (const name of trial.read(i)) {
        if (trial.isReadTwice(i, name) || trial.meetsAbsent(i, name)) continue;
        for (const value of trial.samples(random, name)) {
          const facts = { ...question.input.facts, [name]: value };
          // A number with more digits than a product prints equals no multiple of an absent fact, whichever it is.
          if (typeof value === "number" && roundAttributeNumber(value) !== value) continue;
          if (trial.asksForLess(i, facts) || !ends(facts)) continue;
          found.endings++;
          const own = resolve_by.filter(({ facts: all }) =>
            all.every(({ fact }) => toFactName(fact) === name),
          );
          // If a check reads several members of one document, an entry names one way among many.
          const isNamed = own.some(
            ({ facts: [one, ...more] }) => more.length > 0 || trial.meets(facts, one!),
          );
          if (isNamed) continue;
          // The search for what ends a check spends a bounded part of an answer's work on completions.
          if (!trial.evaluatorWith(facts).isDecided(question.ruleset.checks[i]!)) found.missed++;
          else fault(now.id, `ends by ${name}, which resolve_by does not tell`, facts);
        }
      }
    });
  }
  return { ...counts, ...found, needs, faults };
}

function toFactName(reference: string): string {
  return reference.split(".")[0]!;
}

/** One question, asked again and again with other facts. */
class Trial {
  readonly question: Question;
  readonly evaluator: NaiveEvaluator;
  readonly declarations: Readonly<Record<string, FactDeclaration>>;
  readonly declared: Facts;
  readonly #ask: (input: CaseInput) => Checks;

  constructor(question: Question, tables: TablesOfWorld) {
    const { ruleset, strict = false, now = "" } = question;
    this.question = question;
    this.evaluator = new NaiveEvaluator(question);
    this.declarations = ruleset.facts!;
    this.declared = Object.fromEntries(
      Object.entries(question.input.facts ?? {}).filter(([, value]) => value !== null),
    );
    const { table } = tables.of(question);
    let plan: ReturnType<typeof compileRuleset> | undefined;
    this.#ask = (input) => {
      plan ??= compileRuleset(table, ruleset);
      return evaluatePlan(plan, planarKernel, input, { strict, now }).checks;
    };
  }

  /** Undefined where the question is refused. */
  ask(input: CaseInput): Checks | undefined {
    try {
      return this.#ask(input);
    } catch (error) {
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }

  /** The input with values in place of all that is absent. */
  filled(random: Random): CaseInput {
    const { input } = this.question;
    const facts: Record<string, FactValue | null> = { ...this.declared };
    for (const name of Object.keys(this.declarations))
      if (facts[name] === undefined) facts[name] = pickItem(random, this.samples(random, name));
    const isPlaced = input.property !== undefined || input.boxes === undefined;
    let property = input.property;
    while (!isPlaced && (property === undefined || !this.isAround(property)))
      property = randomProperty(random, input.boxes);
    return { ...input, facts, ...(property !== undefined && { property }) };
  }

  isAround(boxes: NonNullable<CaseInput["property"]>): boolean {
    const cells = this.evaluator.toCells(boxes);
    return [...this.evaluator.plot].every((cell) => cells.has(cell));
  }

  /** The input without one thing that it tells, and without all of them. */
  withLess(): CaseInput[] {
    const { property, ...bare } = this.question.input;
    const placed = property === undefined ? {} : { property };
    const names = Object.keys(this.declared);
    const without = names.map((name) => ({ ...bare, ...placed, facts: { ...this.declared, [name]: null } }));
    return [
      ...without,
      ...(names.length > 1 ? [{ ...bare, ...placed, facts: {} }] : []),
      ...(property === undefined ? [] : [{ ...bare, facts: this.declared }]),
    ];
  }

  /** True if the check is lifted by a valid document that it misses by name. */
  isLifted(check: number, facts: Facts): boolean {
    const before = this.evaluator;
    const after = this.evaluatorWith(facts);
    return listComparisons(this.question.ruleset.checks[check]!).some(
      (one) =>
        "fact" in one &&
        one.op === "not_valid" &&
        before.declaredValue(one.fact) === null &&
        after.declaredValue(one.fact) === true,
    );
  }

  /** True if the check requires a document to be valid and it is not: no entry suggests an invalid one. */
  asksForLess(check: number, facts: Facts): boolean {
    const then = this.evaluatorWith(facts);
    return listComparisons(this.question.ruleset.checks[check]!).some(
      (one) =>
        "fact" in one &&
        then.findType(one.fact) === "document" &&
        one.op !== "not_valid" &&
        then.declaredValue(one.fact) === false,
    );
  }

  evaluatorWith(facts: Facts): NaiveEvaluator {
    const { boxes: _, property: __, ...input } = this.question.input;
    return new NaiveEvaluator({ ...this.question, world: { sources: {} }, input: { ...input, facts } });
  }

  /** The facts that a check reads. */
  read(check: number): ReadonlySet<string> {
    const references = this.references(this.question.ruleset.checks[check]!);
    return new Set(references.map(toFactName).filter((name) => name !== "evaluated_on"));
  }

  references(check: Check): readonly string[] {
    const compared = listComparisons(check).flatMap((comparison): string[] => {
      const { value } = comparison;
      return [
        ...("fact" in comparison ? [comparison.fact] : []),
        ...(typeof value === "object" && "fact" in value ? [value.fact] : []),
      ];
    });
    const filters = this.evaluator.reached([check]).flatMap((name) => {
      const set = this.question.ruleset.sets[name]!;
      return "sources" in set && set.where !== undefined ? listFactsRead(set.where as FilterExpression) : [];
    });
    return [...compared, ...filters];
  }

  /** True if a document that was not declared supplies members that the check reads besides those in the entry. */
  bringsMore(check: number, needs: readonly NeededFact[]): boolean {
    const brought = needs
      .map(({ fact }) => toFactName(fact))
      .filter((name) => this.declared[name] === undefined);
    return this.references(this.question.ruleset.checks[check]!).some(
      (read) => brought.includes(toFactName(read)) && needs.every(({ fact }) => fact !== read),
    );
  }

  /** True if a comparison reads a fact, or members of one document, more than once: bounds do not show what ends it. */
  isReadTwice(check: number, name: string): boolean {
    const checked = this.question.ruleset.checks[check]!;
    return listComparisons(checked).some((one) => {
      const read = this.references({ ...checked, all: [one] } as Check);
      return read.filter((reference) => toFactName(reference) === name).length > 1;
    });
  }

  /** True if a comparison compares a fact with another one that has no value. */
  meetsAbsent(check: number, name: string): boolean {
    return listComparisons(this.question.ruleset.checks[check]!).some((one) => {
      const read = listAllComparedFacts(one);
      const others = read.filter((fact) => toFactName(fact) !== name);
      return (
        others.length < read.length && others.some((fact) => this.evaluator.declaredValue(fact) === null)
      );
    });
  }

  /** Values at and beside all that a fact could be compared with. */
  samples(random: Random, name: string): FactValue[] {
    const declaration = this.declarations[name]!;
    const { type, values, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = declaration;
    switch (type) {
      case "boolean":
        return [false, true];
      case "text":
        return [...values!];
      case "date":
        return this.days();
      case "number":
        return this.numbers().filter((number) => number >= min && number <= max);
      case "document":
        return Array.from({ length: 12 }, () => {
          const document = randomFact(random, declaration) as FactDocument;
          const [first, last] = [pickItem(random, this.days()), pickItem(random, this.days())].sort();
          const area_m2 = pickItem(
            random,
            this.numbers().filter((number) => number >= 0),
          );
          return {
            ...document,
            ...(randomChance(random, 0.5) && {
              issued_on: first!,
              ...(document.valid_until !== undefined && { valid_until: last! }),
            }),
            ...(document.area_m2 !== undefined && randomChance(random, 0.7) && { area_m2 }),
          };
        });
    }
  }

  days(): string[] {
    const declared = Object.values(this.declared).flatMap((value) =>
      typeof value === "object" && value !== null
        ? [value.issued_on, value.valid_until ?? "2199-01-01"]
        : typeof value === "string" && /^\d{4}-/.test(value)
          ? [value]
          : [],
    );
    return [...new Set([...FACT_DAYS, ...declared])].flatMap((day) =>
      [-1, 0, 1].map((step) => formatDay(Date.parse(day) / 86_400_000 + step)),
    );
  }

  /** Thresholds, told numbers and measured values, multiplied as they are compared, and what is a step beside them. */
  numbers(): number[] {
    this.#numbers ??= this.allNumbers();
    return this.#numbers;
  }

  #numbers: number[] | undefined;

  allNumbers(): number[] {
    const compared: readonly Comparison[] = this.question.ruleset.checks.flatMap(listComparisons);
    const timed = [1];
    const values: number[] = [...NUMBERS];
    for (const comparison of compared) {
      const { value } = comparison;
      if (typeof value === "number") values.push(value);
      if (typeof value === "object") timed.push(value.times ?? 1);
      const { value: left, threshold } = this.evaluator.judge(comparison);
      values.push(...[left, threshold.value].filter((one) => one !== null));
    }
    for (const { min, max } of Object.values(this.declarations)) values.push(min ?? 0, max ?? 0);
    const exact = [...new Set(timed)].flatMap((times) =>
      values.flatMap((one) => [one, one / times, one * times]),
    );
    return [...new Set(exact)].flatMap((one) => [one - 0.01, one, one + 0.01]);
  }

  /** Facts that declare what an entry asks for: at its ends, and between. */
  witnesses(random: Random, needs: readonly NeededFact[]): Facts[] {
    const found: Facts[] = [];
    for (let i = 0; i < 6; i++) {
      const facts: Record<string, FactValue | null> = { ...this.declared };
      let isPossible = true;
      for (const name of new Set(needs.map(({ fact }) => toFactName(fact)))) {
        const own = needs.filter(({ fact }) => toFactName(fact) === name);
        const value =
          this.declarations[name]!.type === "document"
            ? this.documentThatMeets(random, name, own, i)
            : this.valueThatMeets(random, own[0]!, i);
        if (value === undefined) isPossible = false;
        else facts[name] = value;
      }
      if (isPossible) found.push(facts);
    }
    return found;
  }

  /** The least value, the greatest, or one between. */
  valueThatMeets(random: Random, need: NeededFact, i: number): Exclude<FactValue, FactDocument> {
    if (need.one_of !== undefined) return need.one_of[i % need.one_of.length]!;
    const isDay = this.evaluator.findType(need.fact) === "date";
    const inside = (isDay ? this.days() : this.numbers()).filter(
      (value) => this.equals(need.fact, value) && valueMeetsNeed(value, need),
    );
    const ends = [need.at_least, need.at_most].filter((end) => end !== undefined);
    if (i < ends.length) return ends[i]!;
    if (inside.length > 0) return pickItem(random, inside);
    if (ends.length > 0) return ends[0]!;
    return need.above === undefined
      ? need.below! - 1
      : need.below === undefined
        ? need.above + 1
        : (need.above + need.below) / 2;
  }

  equals(reference: string, value: number | string): boolean {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } =
      this.declarations[reference] ?? {};
    return (
      typeof value === "string" ||
      (value >= min && value <= max && !(reference.endsWith("area_m2") && value < 0))
    );
  }

  /** A document that meets all of these: as it is told but for that, or else as it comes. */
  documentThatMeets(
    random: Random,
    name: string,
    needs: readonly NeededFact[],
    i: number,
  ): FactDocument | undefined {
    const today = this.evaluator.declaredValue("evaluated_on") as string;
    for (let k = 0; k < 200; k++) {
      const declared = this.declared[name] as FactDocument | undefined;
      const start = declared ?? (pickItem(random, this.samples(random, name)) as FactDocument);
      const draft: { -readonly [Member in keyof FactDocument]: FactDocument[Member] } = { ...start };
      const isNeeded = (member: string) => needs.some(({ fact }) => fact === `${name}.${member}`);
      for (const need of needs) {
        const member = need.fact.split(".")[1] as "area_m2" | "issued_on" | "valid_until" | undefined;
        if (member === undefined) continue;
        draft[member] = this.valueThatMeets(random, need, k === 0 ? i : 9) as never;
      }
      if (needs.some(({ valid }) => valid === true) && k % 4 < 3) {
        if (!isNeeded("issued_on") && draft.issued_on > today)
          draft.issued_on = randomChance(random, 0.5) ? today : "2015-03-01";
        if (!isNeeded("valid_until") && draft.valid_until !== undefined && draft.valid_until < today)
          draft.valid_until = randomChance(random, 0.5) ? today : "2090-03-01";
      }
      if (!isNeeded("issued_on") && draft.valid_until !== undefined && draft.issued_on > draft.valid_until)
        draft.issued_on = draft.valid_until;
      if (!isNeeded("valid_until") && draft.valid_until !== undefined && draft.issued_on > draft.valid_until)
        draft.valid_until = draft.issued_on;
      if ((draft.valid_until ?? draft.issued_on) < draft.issued_on) continue;
      if (needs.every((need) => this.meets({ [name]: draft }, need))) return draft;
    }
    return undefined;
  }

  /** True if facts satisfy an entry. */
  meets(facts: Facts, need: NeededFact): boolean {
    const value = this.evaluatorWith(facts).declaredValue(need.fact);
    return value !== null && valueMeetsNeed(value, need);
  }
}

function valueMeetsNeed(value: Exclude<FactValue, FactDocument>, need: NeededFact): boolean {
  const { valid, one_of, at_least, above, at_most, below } = need;
  return (
    (valid === undefined || value === valid) &&
    (one_of === undefined || one_of.includes(value)) &&
    (at_least === undefined || value >= at_least) &&
    (above === undefined || (value as number) > above) &&
    (at_most === undefined || value <= at_most) &&
    (below === undefined || (value as number) < below)
  );
}
