import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import { getFilterTree } from "./cql2.ts";
import {
  describeFactValues,
  EVALUATED_ON,
  type FactDeclarations,
  findReferencedType,
  listFactReferences,
  toFactNumber,
} from "./fact-types.ts";
import type { RulesetFaults } from "./faults.ts";
import {
  FACT_LIMIT,
  type FactComparison,
  type FactType,
  type Filter,
  type FilterArgument,
  type SetComparison,
} from "./schema.ts";

/** Holds the facts of a ruleset to what the types of them need. */
export function checkFactDeclarations(facts: FactDeclarations, faults: RulesetFaults): void {
  const names = Object.keys(facts);
  if (names.length > FACT_LIMIT) {
    faults.add("/facts", "LIMIT_EXCEEDED", `found ${names.length} facts, expected at most ${FACT_LIMIT}`);
    return;
  }
  for (const [name, fact] of Object.entries(facts)) {
    const pointer = `/facts/${name}`;
    if (name === EVALUATED_ON) {
      const message = `found "${EVALUATED_ON}", which is the day of the evaluation, expected another name`;
      faults.add(pointer, "VALUE_INVALID", message);
    }
    const isText = fact.type === "text";
    if (isText !== (fact.values !== undefined)) {
      const message = isText
        ? 'found a text without "values", expected the list of those it may be'
        : `found "values" of a ${fact.type}, expected it only of a text`;
      faults.add(
        isText ? pointer : `${pointer}/values`,
        isText ? "MEMBER_MISSING" : "FACT_UNSUITED",
        message,
      );
    }
    for (const member of ["unit", "min", "max"] as const) {
      if (fact.type === "number" || fact[member] === undefined) continue;
      const message = `found "${member}" of a ${fact.type}, expected it only of a number`;
      faults.add(`${pointer}/${member}`, "FACT_UNSUITED", message);
    }
    if (fact.min !== undefined && fact.max !== undefined && fact.min > fact.max) {
      faults.add(`${pointer}/min`, "VALUE_INVALID", `found ${fact.min}, expected at most max, ${fact.max}`);
    }
    const repeated = fact.values?.findIndex((value, i) => fact.values!.indexOf(value) !== i) ?? -1;
    if (repeated >= 0) {
      const message = `found ${JSON.stringify(fact.values![repeated])} twice, expected each value once`;
      faults.add(`${pointer}/values/${repeated}`, "NAME_DUPLICATE", message);
    }
  }
}

/** Every fact that a filter names is declared, and has a value that a column can have. */
export function checkFilterFacts(
  where: Filter,
  pointer: string,
  facts: FactDeclarations,
  faults: RulesetFaults,
): void {
  const visit = (argument: FilterArgument, at: string): void => {
    if (typeof argument !== "object") return;
    if (Array.isArray(argument)) return;
    if ("fact" in argument) {
      const type = requireFactType(argument.fact, `${at}/fact`, facts, faults);
      if (type === "document") faults.add(`${at}/fact`, "FACT_UNSUITED", wholeDocumentMessage(argument.fact));
    } else if ("op" in argument) {
      argument.args.forEach((each, i) => {
        visit(each, `${at}/args/${i}`);
      });
    }
  };
  visit(getFilterTree(where, pointer, faults.texts), pointer);
}

/** Holds the threshold of a measure to what it is compared with: a number. */
export function checkThresholdFact(
  { value }: SetComparison,
  pointer: string,
  facts: FactDeclarations,
  faults: RulesetFaults,
): void {
  if (typeof value !== "object" || !("fact" in value)) return;
  const type = requireFactType(value.fact, `${pointer}/value/fact`, facts, faults);
  if (type === undefined || type === "number") return;
  const message =
    type === "document" ? wholeDocumentMessage(value.fact) : typeMismatchMessage(value.fact, type, "number");
  faults.add(`${pointer}/value/fact`, "FACT_UNSUITED", message);
}

/** Holds a comparison of a fact to the type of that. */
export function checkFactComparison(
  { fact, op, value }: FactComparison,
  pointer: string,
  facts: FactDeclarations,
  faults: RulesetFaults,
): void {
  const type = requireFactType(fact, `${pointer}/fact`, facts, faults);
  if (type === undefined) return;
  const isDocument = type === "document";
  const asksValidity = op === "valid" || op === "not_valid";
  if (isDocument ? op !== undefined && !asksValidity : asksValidity) {
    const expected = isDocument
      ? '"valid" or "not_valid"; to compare a part of it, name that'
      : "one of > >= < <= = <>, since it is no document";
    const message = `found ${describeValue(op)} of "${fact}", expected ${expected}`;
    faults.add(`${pointer}/op`, "FACT_UNSUITED", message);
    return;
  }
  if (isDocument) {
    if (value === undefined) return;
    const message = `found ${describeValue(value)} beside "${op ?? "valid"}", expected no value`;
    faults.add(`${pointer}/value`, "FACT_UNSUITED", message);
    return;
  }
  if ((type === "boolean" || type === "text") && op !== undefined && op !== "=" && op !== "<>") {
    const message = `found "${op}" of "${fact}", a ${type}, expected "=" or "<>"`;
    faults.add(`${pointer}/op`, "FACT_UNSUITED", message);
  }
  if (value === undefined) {
    if (type === "boolean") return;
    const message = `found no value for "${fact}", expected ${describeFactValues(getDeclaredType(fact, type, facts))}`;
    faults.add(pointer, "MEMBER_MISSING", message);
  } else if (typeof value === "object") {
    const found =
      "fact" in value ? requireFactType(value.fact, `${pointer}/value/fact`, facts, faults) : "number";
    if (found === undefined) return;
    const isTimed = value.times !== undefined && type !== "number";
    if (found === type && type !== "text" && !isTimed) return;
    const message =
      found === "document" && "fact" in value
        ? wholeDocumentMessage(value.fact)
        : isTimed
          ? `found "times" with a ${type}, expected it only with numbers`
          : type === "text"
            ? `found a value that is not written out for "${fact}", a text, expected one of its own`
            : typeMismatchMessage("fact" in value ? value.fact : "a measure", found, type);
    faults.add(`${pointer}/value`, "FACT_UNSUITED", message);
  } else if (toFactNumber(type, value, facts[fact]?.values) === undefined) {
    const expected = describeFactValues(getDeclaredType(fact, type, facts));
    faults.add(`${pointer}/value`, "FACT_UNSUITED", `found ${describeValue(value)}, expected ${expected}`);
  }
}

/** A value may lie beyond the bounds of a fact: then the comparison is always or never true, which lint reports. */
function getDeclaredType(fact: string, type: FactType, facts: FactDeclarations) {
  const values = facts[fact]?.values;
  return { type, ...(values !== undefined && { values }) };
}

function requireFactType(
  reference: string,
  pointer: string,
  facts: FactDeclarations,
  faults: RulesetFaults,
): FactType | undefined {
  const type = findReferencedType(facts, reference);
  if (type === undefined) {
    faults.add(pointer, "FACT_UNKNOWN", () => {
      const meant = formatSuggestion(reference, listFactReferences(facts));
      return `found ${describeValue(reference)}, expected a fact that the ruleset declares under "facts"${meant}`;
    });
  }
  return type;
}

function wholeDocumentMessage(fact: string): string {
  return `found "${fact}", a document, expected one of its members: ${fact}.area_m2, ${fact}.issued_on or ${fact}.valid_until`;
}

function typeMismatchMessage(name: string, found: FactType, expected: FactType): string {
  return `found "${name}", a ${found}, expected a ${expected}`;
}
