import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { ComparisonOperator } from "../../verdict/verdict.ts";
import {
  createNumberRange,
  isEmptyRange,
  MIRRORED,
  type NumberRange,
  narrowRange,
  OPPOSITE,
} from "../measures/number-range.ts";
import { createLikeMatcher } from "../parse/like.ts";
import type { FilterArgument, FilterExpression } from "../parse/schema.ts";
import { type PropertyFacts, type PropertyLookUp, toComparableNumber } from "./column-values.ts";
import type { LintFindings } from "./findings.ts";

/**
 * Finds conditions of a filter that no area in the editions in use meets, or every one, and texts that no area has.
 *
 * @param isWhole whether every source of the set is open, so that the values found are all there are
 * @returns whether the filter is certainly true of no area
 */
export function findInFilter(
  filter: FilterExpression,
  pointer: string,
  lookUp: PropertyLookUp,
  isWhole: boolean,
  findings: LintFindings,
): boolean {
  return new FilterExaminer(lookUp, isWhole, findings).isNever(filter, pointer);
}

/** Texts of a column are searched up to this many. */
const TEXT_LIMIT = 10_000;
/** Names are suggested of columns with at most this many texts. */
const SUGGESTED_LIMIT = 1000;
/** Most texts that one finding names. */
const SHOWN = 3;
/** Units of work that the patterns of one ruleset may take; the conditions left over are not examined. */
const PATTERN_WORK = 3_000_000;

/** `property op literal`, the literal as a number: of a date its day. */
export interface Condition {
  readonly property: string;
  readonly op: ComparisonOperator;
  readonly value: number;
}

class FilterExaminer {
  readonly #lookUp: PropertyLookUp;
  readonly #isWhole: boolean;
  readonly #findings: LintFindings;

  constructor(lookUp: PropertyLookUp, isWhole: boolean, findings: LintFindings) {
    this.#lookUp = lookUp;
    this.#isWhole = isWhole;
    this.#findings = findings;
  }

  /** True if an expression is certainly true of no area; every part of it is examined. */
  isNever({ op, args }: FilterExpression, pointer: string): boolean {
    if (op === "and" || op === "or" || op === "not") {
      const isContradiction = op === "and" && this.#contradiction(args, pointer);
      const never = args.map((arg, i) => this.isNever(arg as FilterExpression, `${pointer}/args/${i}`));
      return op === "and" ? isContradiction || never.includes(true) : op === "or" && !never.includes(false);
    }
    const isOutOfRange = this.#outOfRange({ op, args }, pointer);
    return this.#texts(op, args, pointer) || isOutOfRange;
  }

  /** Conditions on one property under an `and` that no number meets together. */
  #contradiction(args: readonly FilterArgument[], pointer: string): boolean {
    const ranges = new Map<string, NumberRange>();
    for (const { property, op, value } of args.flatMap((arg) =>
      listPropertyConditions(arg as FilterExpression),
    )) {
      const range =
        ranges.get(property) ?? createNumberRange(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      ranges.set(property, narrowRange(range, op, value));
    }
    const empty = [...ranges].filter(([, range]) => isEmptyRange(range));
    for (const [property] of empty) {
      const message = `no value of "${property}" meets all of these conditions`;
      this.#findings.warn("FILTER_NEVER", pointer, message, "use OR if one of them is enough");
    }
    return empty.length > 0;
  }

  /** A condition that, of all values in the sources, none or every one meets. */
  #outOfRange(expression: FilterExpression, pointer: string): boolean {
    const conditions = listPropertyConditions(expression);
    const property = conditions[0]?.property;
    if (property === undefined || !this.#isWhole) return false;
    const facts = this.#lookUp(property).filter(({ summary }) => summary.numbers !== undefined);
    if (facts.length === 0) return false;
    const ranges = facts.map(({ summary }) => summary.numbers!);
    const isMissed = (range: NumberRange): boolean =>
      conditions.some(({ op, value }) => !isEmptyRange(narrowRange(range, OPPOSITE[op], value)));
    const isNever = ranges.every((range) =>
      isEmptyRange(conditions.reduce((narrowed, { op, value }) => narrowRange(narrowed, op, value), range)),
    );
    if (isNever) {
      const message = `${describePropertyRange(property, facts)}, so this condition selects nothing`;
      this.#findings.warn("FILTER_NEVER", pointer, message);
    } else if (!ranges.some(isMissed) && facts.every(({ summary }) => summary.nullCount === 0)) {
      const message = `${describePropertyRange(property, facts)}, so this condition excludes nothing`;
      this.#findings.info("FILTER_ALWAYS", pointer, message);
    }
    return isNever;
  }

  /** True if case or wildcards keep every area from having one of the texts that a property is compared with. */
  #texts(op: string, args: readonly FilterArgument[], pointer: string): boolean {
    const at = `${pointer}/args`;
    switch (op) {
      case "in": {
        const items = args[1] as readonly FilterArgument[];
        return !items.map((item, i) => this.#isAbsent(op, args[0], item, `${at}/1/${i}`)).includes(false);
      }
      case "like":
        return this.#isAbsent(op, args[0], args[1], `${at}/1`);
      case "=":
      case "<>": {
        const isAbsent = [
          this.#isAbsent(op, args[0], args[1], `${at}/1`),
          this.#isAbsent(op, args[1], args[0], `${at}/0`),
        ].includes(true);
        return op === "=" && isAbsent;
      }
      default:
        return false;
    }
  }

  /** True if a property certainly never equals a text, or is like it, and only case or wildcards keep it from doing so. */
  #isAbsent(
    op: "in" | "like" | "=" | "<>",
    subject: FilterArgument | undefined,
    literal: FilterArgument | undefined,
    pointer: string,
  ): boolean {
    const [left, right] = [withoutCasei(subject), withoutCasei(literal)];
    const property = findPropertyName(left.argument);
    if (property === undefined || typeof right.argument !== "string") return false;
    const quoted = describeValue(right.argument);
    const wanted = right.isFolded ? right.argument.toUpperCase() : right.argument;
    if (left.isFolded && wanted !== wanted.toUpperCase()) {
      const message = `CASEI turns "${property}" into capitals, and so it never ${op === "like" ? "is like" : "equals"} ${quoted}`;
      this.#absent(op, pointer, message, `write ${BOTH_SIDES}`, true);
      return true;
    }
    const facts = this.#isWhole && !this.#findings.isFull ? this.#lookUp(property) : [];
    const textCount = facts.reduce((sum, { summary }) => sum + (summary.textCount ?? Infinity), 0);
    if (facts.length === 0 || textCount > TEXT_LIMIT) return false;
    const isPattern = op === "like";
    const isFound = isPattern
      ? this.#like(wanted, left.isFolded, facts) !== undefined
      : facts.some(({ summary: { texts, folded } }) => (left.isFolded ? folded!() : texts!()).has(wanted));
    if (isFound || this.#isSpent) return false;
    const capitals = wanted.toUpperCase();
    const inOtherCase = isPattern
      ? this.#like(capitals, true, facts)
      : facts.map(({ summary }) => summary.folded!().get(capitals)).find((text) => text !== undefined);
    const asPattern = capitals.replaceAll("*", "%").replaceAll("?", "_");
    const meant = inOtherCase ?? (/[%*?]/.test(wanted) ? this.#like(asPattern, true, facts) : undefined);
    if (op === "<>" && meant === undefined) return false;
    const known =
      textCount > SUGGESTED_LIMIT ? [] : facts.flatMap(({ summary }) => [...summary.texts!()]).sort();
    const nearest = isPattern
      ? formatTextExamples(known)
      : meant === undefined
        ? formatSuggestion(right.argument, known)
        : `; did you mean ${JSON.stringify(meant)}?`;
    const what = isPattern ? `a "${property}" like ${quoted}` : `${quoted} as "${property}"`;
    const message = `no area in the editions in use has ${what}${nearest}`;
    const isWildcard = inOtherCase === undefined && meant !== undefined;
    const hint = isWildcard ? WILDCARDS : `texts are compared exactly; write ${BOTH_SIDES} to ignore case`;
    this.#absent(op, pointer, message, nearest === "" ? undefined : hint, meant !== undefined);
    return meant !== undefined;
  }

  /** The first text that a pattern matches; undefined where none does, or once the work is spent. */
  #like(pattern: string, isFolded: boolean, facts: readonly PropertyFacts[]): string | undefined {
    const matches = createLikeMatcher(pattern);
    for (const { summary } of facts) {
      for (const text of summary.texts!()) {
        if (this.#isSpent) return undefined;
        if (matches(isFolded ? text.toUpperCase() : text, this.#findings.patterns)) return text;
      }
    }
    return undefined;
  }

  get #isSpent(): boolean {
    return this.#findings.patterns.counted > PATTERN_WORK;
  }

  #absent(op: string, pointer: string, message: string, hint: string | undefined, isCertain: boolean): void {
    const code = op === "like" && isCertain ? "FILTER_NEVER" : "VALUE_ABSENT";
    this.#findings.warn(code, pointer, message, hint, isCertain);
  }
}

const BOTH_SIDES = 'CASEI, in JSON "casei", on both sides';
const WILDCARDS =
  'only LIKE has wildcards: % for any run of characters, _ for one; write CASEI, in JSON "casei", on both sides to ignore case';

/** Names some of the texts of a column. */
function formatTextExamples(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const named = texts.slice(0, SHOWN).map((text) => JSON.stringify(text));
  return `; they have ${named.join(", ")}${texts.length > SHOWN ? ` and ${texts.length - SHOWN} more` : ""}`;
}

/** An argument without the `casei` around it. */
function withoutCasei(argument: FilterArgument | undefined): {
  readonly argument: FilterArgument | undefined;
  readonly isFolded: boolean;
} {
  let inner = argument;
  while (typeof inner === "object" && "op" in inner && inner.op === "casei") inner = inner.args[0];
  return { argument: inner, isFolded: inner !== argument };
}

const COMPARES: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">=", "between"]);

/** An expression as conditions on one property that must all hold; none where it is nothing of the kind. */
export function listPropertyConditions({ op, args }: FilterExpression): Condition[] {
  if (op === "between") {
    const property = findPropertyName(args[0]);
    const [low, high] = [toComparableNumber(args[1]), toComparableNumber(args[2])];
    if (property === undefined || low === undefined || high === undefined) return [];
    return [
      { property, op: ">=", value: low },
      { property, op: "<=", value: high },
    ];
  }
  if (!COMPARES.has(op)) return [];
  const comparison = op as ComparisonOperator;
  const [left, right] = [findPropertyName(args[0]), findPropertyName(args[1])];
  const [low, high] = [toComparableNumber(args[0]), toComparableNumber(args[1])];
  if (left !== undefined && high !== undefined) return [{ property: left, op: comparison, value: high }];
  if (right !== undefined && low !== undefined)
    return [{ property: right, op: MIRRORED[comparison], value: low }];
  return [];
}

/** The name of a property, of an argument that is one. */
export function findPropertyName(argument: FilterArgument | undefined): string | undefined {
  return typeof argument === "object" && "property" in argument ? argument.property : undefined;
}

/** The range of a property over several sources, in words. */
function describePropertyRange(property: string, facts: readonly PropertyFacts[]): string {
  const least = facts.reduce((a, b) => (b.summary.numbers!.low < a.summary.numbers!.low ? b : a));
  const greatest = facts.reduce((a, b) => (b.summary.numbers!.high > a.summary.numbers!.high ? b : a));
  const [low, high] = [least.summary.range!.least, greatest.summary.range!.greatest];
  return `"${property}" ranges from ${low} to ${high} in the editions in use`;
}
