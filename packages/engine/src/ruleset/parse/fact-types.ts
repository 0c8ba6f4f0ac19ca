import { parseCalendarDay } from "../../base/calendar-day.ts";
import type { FactDeclaration, FactType, Ruleset } from "./schema.ts";

/** The day of the evaluation, which every ruleset may name as a fact and none declares. */
export const EVALUATED_ON = "evaluated_on";

/** The members of a document that may be named, and what each is. */
const DOCUMENT_MEMBERS: Readonly<Record<string, FactType>> = {
  area_m2: "number",
  issued_on: "date",
  valid_until: "date",
};

/** The facts that a ruleset declares, by name. */
export type FactDeclarations = NonNullable<Ruleset["facts"]>;

/** The name of the fact that a reference such as `asv.area_m2` is of. */
export function getFactName(reference: string): string {
  return reference.split(".")[0]!;
}

/**
 * Type of the value for a reference; undefined if no such fact is declared.
 *
 * @param reference `asv`, or `asv.area_m2`
 */
export function findReferencedType(facts: FactDeclarations, reference: string): FactType | undefined {
  if (reference === EVALUATED_ON) return "date";
  const [name, member] = reference.split(".") as [string, string?];
  const declared = Object.hasOwn(facts, name) ? facts[name]!.type : undefined;
  if (member === undefined) return declared;
  return declared === "document" ? DOCUMENT_MEMBERS[member] : undefined;
}

/** Every reference that a ruleset may make, in order. */
export function listFactReferences(facts: FactDeclarations): string[] {
  const own = Object.entries(facts).flatMap(([name, { type }]) =>
    type === "document"
      ? [name, ...Object.keys(DOCUMENT_MEMBERS).map((member) => `${name}.${member}`)]
      : [name],
  );
  return [...own, EVALUATED_ON];
}

/**
 * A value of a fact as a number, so that all are compared in one way: a day as its day number, `false` and `true` as
 * 0 and 1, a text as its place among those declared; undefined where the declaration has no such value.
 */
export function toFactNumber(
  type: FactType,
  value: unknown,
  values: FactDeclaration["values"],
): number | undefined {
  switch (type) {
    case "number":
      return typeof value === "number" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? Number(value) : undefined;
    case "date":
      return typeof value === "string" ? parseCalendarDay(value) : undefined;
    case "text": {
      const place = values?.indexOf(value as string) ?? -1;
      return place < 0 ? undefined : place;
    }
    case "document":
      return undefined;
  }
}

/** Description of a fact's values, placed after "expected". */
export function describeFactValues({
  type,
  values,
  min,
  max,
}: Pick<FactDeclaration, "type" | "values" | "min" | "max">): string {
  switch (type) {
    case "number": {
      if (min !== undefined && max !== undefined) return `a number from ${min} to ${max}`;
      if (min !== undefined) return `a number of at least ${min}`;
      return max === undefined ? "a number" : `a number of at most ${max}`;
    }
    case "boolean":
      return "true or false";
    case "date":
      return "a calendar day YYYY-MM-DD";
    case "text":
      return `one of ${values!.map((value) => JSON.stringify(value)).join(", ")}`;
    case "document":
      return "a document {id, issuer, issued_on, valid_until?, area_m2?}";
  }
}
