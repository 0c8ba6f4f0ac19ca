import { formatSuggestion } from "@groundrule/engine/internal";
import type * as z from "zod";

/**
 * Describes the value that a schema expected: `expected a string`. Passed to a parse, it replaces every message that
 * the schema does not have itself, so that callers never read the validator's own sentences.
 */
export function describeExpectation(issue: z.core.$ZodRawIssue): string {
  return `expected ${describeExpectedValue(issue as Refusal)}`;
}

type Refusal = z.core.$ZodIssue | z.core.$ZodRawIssue<z.core.$ZodIssue>;

function describeExpectedValue(issue: Refusal): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? `a value of the type ${issue.expected}`;
    case "invalid_value": {
      const values = issue.values.map(String);
      const meant = typeof issue.input === "string" ? formatSuggestion(issue.input, values) : "";
      return values.length === 1 ? values[0]! : `one of ${values.join(", ")}${meant}`;
    }
    case "too_small":
      return describeSizeBound(
        issue.exact ? "exactly" : issue.inclusive === false ? "more than" : "at least",
        issue.minimum,
        issue.origin,
      );
    case "too_big":
      return describeSizeBound(
        issue.exact ? "exactly" : issue.inclusive === false ? "less than" : "at most",
        issue.maximum,
        issue.origin,
      );
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "regex" && issue.pattern !== undefined
        ? `a string that matches ${issue.pattern}`
        : `a string in the format ${issue.format}`;
    case "unrecognized_keys":
      return "no other members";
    case "invalid_key":
      return "valid member names";
    case "invalid_element":
      return "valid entries";
    case "invalid_union":
      return describeUnion(issue.errors);
    case "custom":
      return "a valid value";
  }
}

const TYPES: Readonly<Partial<Record<string, string>>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  tuple: "an array",
  null: "null",
  never: "no value",
};

const THINGS: Readonly<Partial<Record<string, readonly [one: string, many: string]>>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  object: ["member", "members"],
};

function describeSizeBound(bound: string, limit: number | bigint, origin: string): string {
  const things = THINGS[origin];
  return `${bound} ${limit}${things === undefined ? "" : ` ${things[Number(limit) === 1 ? 0 : 1]}`}`;
}

/** The first expectation of each alternative, without repetition. */
function describeUnion(alternatives: readonly (readonly z.core.$ZodIssue[])[]): string {
  const first = alternatives.flatMap(([issue]) => (issue === undefined ? [] : describeExpectedValue(issue)));
  return first.length === 0 ? "a valid value" : [...new Set(first)].join(" or ");
}
