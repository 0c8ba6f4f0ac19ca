import { isPlainName } from "./read-filter-text.ts";
import type { FilterArgument, FilterExpression } from "./schema.ts";

/**
 * A filter as CQL2-Text: keywords in upper case, one space between words, no more parentheses than needed. Reading
 * it gives the same tree, unless the filter is deeper or larger than a filter may be.
 */
export function formatFilter(filter: FilterExpression): string {
  const { op, args } = filter;
  switch (op) {
    case "and":
    case "or":
      return args.map((arg) => formatOperand(arg as FilterExpression, op)).join(` ${op.toUpperCase()} `);
    case "not": {
      const inner = args[0] as FilterExpression;
      return NEGATED_WITHIN.has(inner.op)
        ? formatPredicate(inner, "NOT ")
        : `NOT ${formatOperand(inner, op)}`;
    }
    default:
      return formatPredicate(filter, "");
  }
}

/** Predicates whose `NOT` is written in the middle of them. */
const NEGATED_WITHIN: ReadonlySet<string> = new Set(["isNull", "between", "in", "like"]);

function formatOperand(operand: FilterExpression, outer: "and" | "or" | "not"): string {
  const text = formatFilter(operand);
  return WITHIN[outer].has(operand.op) ? `(${text})` : text;
}

/** Operators that stand in parentheses under another: those that bind no closer, and a chain's own. */
const WITHIN: Readonly<Record<"and" | "or" | "not", ReadonlySet<string>>> = {
  or: new Set(["or"]),
  and: new Set(["or", "and"]),
  not: new Set(["or", "and", "not"]),
};

function formatPredicate({ op, args }: FilterExpression, not: "" | "NOT "): string {
  const [left, ...others] = args.map(formatArgument);
  switch (op) {
    case "isNull":
      return `${left} IS ${not}NULL`;
    case "between":
      return `${left} ${not}BETWEEN ${others.join(" AND ")}`;
    case "in":
    case "like":
      return `${left} ${not}${op.toUpperCase()} ${others[0]}`;
    default:
      return `${left} ${op} ${others[0]}`;
  }
}

function formatArgument(value: FilterArgument): string {
  switch (typeof value) {
    case "string":
      return quoteText(value, "'");
    case "number":
      return Object.is(value, -0) ? "-0" : String(value).toUpperCase();
    case "boolean":
      return value ? "TRUE" : "FALSE";
    default:
  }
  if (isList(value)) return `(${value.map(formatArgument).join(", ")})`;
  if ("property" in value)
    return isPlainName(value.property) ? value.property : quoteText(value.property, '"');
  if ("fact" in value) return `FACT(${quoteText(value.fact, "'")})`;
  if ("date" in value) return `DATE(${quoteText(value.date, "'")})`;
  return `CASEI(${formatArgument(value.args[0]!)})`;
}

function isList(value: object): value is readonly FilterArgument[] {
  return Array.isArray(value);
}

function quoteText(text: string, quote: string): string {
  return quote + text.replaceAll(quote, quote + quote) + quote;
}
