import { compareStrings } from "../../base/ascending.ts";
import { FIRST_DAY, formatCalendarDay, LAST_DAY, parseCalendarDay } from "../../base/calendar-day.ts";
import type { AttributeValue } from "../../snapshot/snapshot.ts";
import { jsonDigest, type TextDigest } from "../../verdict/digest.ts";
import { MS_PER_DAY } from "../../verdict/instant.ts";
import type { DeclaredFact, FactDocument } from "../../verdict/verdict.ts";
import type { FactPlan } from "../compile/compile.ts";
import { type PossibleValues, toExactValues } from "../measures/possible.ts";
import {
  EVALUATED_ON,
  type FactDeclarations,
  findReferencedType,
  getFactName,
  toFactNumber,
} from "../parse/fact-types.ts";
import type { DeclaredFacts } from "./require-facts.ts";

const NOTHING: ReadonlyMap<string, number> = new Map();

/** The facts of one evaluation: the ruleset's declarations, the applicant's values, and the day. */
export class Facts {
  readonly #declarations: FactDeclarations;
  readonly #declared: DeclaredFacts;
  /** Days since 1970-01-01. */
  readonly today: number;
  /** Values of references in place of those that were declared. */
  readonly #supposed: ReadonlyMap<string, number | undefined>;
  /** True if a supposed member of a document stands for another document, of which no more is known. */
  readonly #replacesDocuments: boolean;

  /** Declared values, as numbers, by reference; undefined if not declared. */
  readonly #numbers: Map<string, number | undefined>;

  /**
   * @param nowMs the instant of the evaluation
   * @param like one with the same facts, but for those that are supposed
   */
  constructor(
    declarations: FactDeclarations,
    declared: DeclaredFacts,
    nowMs: number,
    supposed: ReadonlyMap<string, number | undefined> = NOTHING,
    replacesDocuments = false,
    like?: Facts,
  ) {
    this.#declarations = declarations;
    this.#declared = declared;
    this.today = Math.floor(nowMs / MS_PER_DAY);
    this.#supposed = supposed;
    this.#replacesDocuments = replacesDocuments;
    this.#numbers = like === undefined ? new Map() : like.#numbers;
  }

  /**
   * The same with other values of some references, as `possible` returns them: 1 for a document that is valid,
   * undefined for a reference without a value. A member of a document supposes another document than the declared one.
   *
   * @returns undefined where no document has such members
   */
  supposing(values: ReadonlyMap<string, number | undefined>): Facts | undefined {
    for (const reference of values.keys()) {
      const [name, issuedOn, validUntil] = toDateReferences(reference);
      const today = values.get(name) === 1 ? this.today : undefined;
      const days = [values.get(issuedOn), today, values.get(validUntil)].filter((day) => day !== undefined);
      if (days.some((day, i) => day < days[i - 1]!)) return undefined;
    }
    return this.#with(values, true);
  }

  /** The same with values of references that have none. A declared document keeps its other members. */
  completing(values: ReadonlyMap<string, number>): Facts {
    return this.#with(new Map([...this.#supposed, ...values]), this.#replacesDocuments);
  }

  #with(values: ReadonlyMap<string, number | undefined>, replacesDocuments: boolean): Facts {
    return new Facts(
      this.#declarations,
      this.#declared,
      this.today * MS_PER_DAY,
      values,
      replacesDocuments,
      this,
    );
  }

  /** True if the value for a reference was not declared. */
  isAbsent(reference: string): boolean {
    return this.#number(reference) === undefined;
  }

  /** The value for a reference, in the form of a column's values; null if not declared. */
  value(reference: string): AttributeValue {
    const number = this.#number(reference);
    return number === undefined ? null : this.valueAt(reference, number);
  }

  /** A reference with its type. */
  findPlan(fact: string): FactPlan {
    return { fact, type: findReferencedType(this.#declarations, fact)! };
  }

  /** A number of {@link possible} as people write it. */
  valueAt(reference: string, number: number): Exclude<AttributeValue, null> {
    const declared = this.#declarations[reference];
    switch (findReferencedType(this.#declarations, reference)) {
      case "number":
        return number;
      case "date":
        return formatCalendarDay(number);
      case "text":
        return declared!.values![number]!;
      default:
        return number === 1;
    }
  }

  /** The texts that a fact may be. */
  listTexts(fact: string): readonly string[] | undefined {
    return this.#declarations[fact]?.values;
  }

  /** The numbers possible for a reference: one if it is declared, else those that its declaration allows. */
  possible(plan: FactPlan): PossibleValues {
    const number = this.#number(plan.fact);
    return number === undefined ? this.range(plan) : toExactValues(number);
  }

  /** The numbers that a declaration allows. */
  range({ fact, type }: FactPlan): PossibleValues {
    const { min, max, values } = this.#declarations[fact] ?? {};
    switch (type) {
      case "boolean":
      case "document":
        return { low: 0, high: 1, none: false };
      case "text":
        return { low: 0, high: values!.length - 1, none: false };
      case "date":
        return { low: FIRST_DAY, high: LAST_DAY, none: false };
      case "number": {
        // The land of a document is no less than none.
        const least = fact in this.#declarations ? Number.NEGATIVE_INFINITY : 0;
        return { low: min ?? least, high: max ?? Number.POSITIVE_INFINITY, none: false };
      }
    }
  }

  /** Entries of the verdict for the facts that the ruleset declares, by name: the order of members does not matter. */
  declared(digest: TextDigest | undefined): DeclaredFact[] {
    const declarations = Object.entries(this.#declarations).sort(([a], [b]) => compareStrings(a, b));
    return declarations.map(([fact, { type }]): DeclaredFact => {
      const value = Object.hasOwn(this.#declared, fact) ? this.#declared[fact]! : null;
      const isDocument = type === "document" && value !== null;
      return { fact, type, value, ...(isDocument && { digest: jsonDigest(value, digest) }) };
    });
  }

  #number(reference: string): number | undefined {
    if (this.#supposed.has(reference)) return this.#supposed.get(reference);
    // The validity of another document and its days are known together or not at all.
    const dates: readonly string[] = this.#replacesDocuments ? toDateReferences(reference) : [];
    if (dates.includes(reference) && dates.some((one) => this.#supposed.has(one))) return undefined;
    if (!this.#numbers.has(reference)) this.#numbers.set(reference, this.#read(reference));
    return this.#numbers.get(reference);
  }

  #read(reference: string): number | undefined {
    if (reference === EVALUATED_ON) return this.today;
    const [name, member] = reference.split(".") as [string, string?];
    if (!Object.hasOwn(this.#declared, name)) return undefined;
    const value = this.#declared[name]!;
    const { type, values } = this.#declarations[name]!;
    if (type !== "document") return toFactNumber(type, value, values);
    const document = value as FactDocument;
    if (member === undefined) return Number(this.#isValid(document));
    if (member === "area_m2") return document.area_m2;
    const day = member === "issued_on" ? document.issued_on : document.valid_until;
    return day === undefined ? undefined : parseCalendarDay(day);
  }

  /** From the day of its issue to the last of its validity, both inclusive. */
  #isValid({ issued_on, valid_until }: FactDocument): boolean {
    if (parseCalendarDay(issued_on)! > this.today) return false;
    return valid_until === undefined || this.today <= parseCalendarDay(valid_until)!;
  }
}

/** A document, and its days. */
function toDateReferences(reference: string): [name: string, issuedOn: string, validUntil: string] {
  const name = getFactName(reference);
  return [name, `${name}.issued_on`, `${name}.valid_until`];
}
