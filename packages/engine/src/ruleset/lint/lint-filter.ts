import { parseCalendarDay } from "../../base/calendar-day.ts";
import { suggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { ColumnSummary } from "../../snapshot/snapshot.ts";
import type { ComparisonOperator } from "../../verdict/verdict.ts";
import {
  isEmptyRange,
  MIRRORED,
  type NumberRange,
  narrow,
  numberRange,
  OPPOSITE,
} from "../measures/number-range.ts";
import { filterTree } from "../parse/cql2.ts";
import type { AreaSet, FilterArgument, FilterExpression } from "../parse/schema.ts";
import type { LintFindings } from "./lint-findings.ts";

/** What one open source of a set holds under a property. */
export interface PropertyFacts {
  readonly sourceName: string;
  readonly rowCount: number;
  readonly summary: ColumnSummary;
}

/** What the open sources of a set hold under a property; only those that have it. */
export type PropertyLookUp = (property: string) => readonly PropertyFacts[];

/**
 * Finds what a filter does not likely mean, from what the columns hold: conditions that no row or
 * every row meets, texts that no row has, days compared as text, values that are missing.
 *
 * @param isWhole whether every source of the set is open, so that what they hold is all there is
 */
export function lintFilter(
  set: AreaSet,
  pointer: string,
  lookUp: PropertyLookUp,
  isWhole: boolean,
  findings: LintFindings,
): void {
  if (set.where === undefined) return;
  const linter = new FilterLinter(lookUp, isWhole, findings);
  linter.condition(filterTree(set.where, `${pointer}/where`, findings.texts), `${pointer}/where`);
  if (set.unknown !== "include") linter.nulls();
}

/** Texts of a column are searched up to this many. */
const TEXT_LIMIT = 10_000;
/** Names are suggested of columns with at most this many texts. */
const SUGGESTED_LIMIT = 1000;
const LOOKS_LIKE_A_DAY = /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}$/;

/** `property op literal`, the literal as a number: of a date its day. */
export interface Condition {
  readonly property: string;
  readonly op: ComparisonOperator;
  readonly value: number;
}

class FilterLinter {
  readonly #lookUp: PropertyLookUp;
  readonly #isWhole: boolean;
  readonly #findings: LintFindings;
  /** Pointer of the first place each property is compared at. */
  readonly #compared = new Map<string, string>();
  readonly #askedForNull = new Set<string>();

  constructor(lookUp: PropertyLookUp, isWhole: boolean, findings: LintFindings) {
    this.#lookUp = lookUp;
    this.#isWhole = isWhole;
    this.#findings = findings;
  }

  condition({ op, args }: FilterExpression, pointer: string): void {
    if (op === "and" || op === "or" || op === "not") {
      if (op === "and") this.#contradiction(args, pointer);
      args.forEach((arg, i) => {
        this.condition(arg as FilterExpression, `${pointer}/args/${i}`);
      });
      return;
    }
    if (op === "isNull") {
      const property = propertyOf(args[0]);
      if (property !== undefined) this.#askedForNull.add(property);
      return;
    }
    this.#noteProperties(args, pointer);
    this.#outOfRange({ op, args }, pointer);
    if (op === "=" || op === "in") this.#absentTexts(op, args, pointer);
    if (COMPARES.has(op)) this.#daysAsText(args, pointer);
  }

  /** Values that are missing, of properties the filter never asks `isNull` of. */
  nulls(): void {
    for (const [property, pointer] of this.#compared) {
      if (this.#askedForNull.has(property)) continue;
      for (const { sourceName, rowCount, summary } of this.#lookUp(property)) {
        const { nullCount } = summary;
        if (nullCount === 0) continue;
        this.#findings.warn(
          "NULLS_IN_COLUMN",
          pointer,
          `"${property}" is null in ${nullCount} of ${rowCount} areas of "${sourceName}"; for those the filter is neither true nor false`,
          'these areas are excluded and counted as undetermined; test the property with IS NULL, in JSON "isNull", or set "unknown": "include"',
        );
      }
    }
  }

  #noteProperties(args: readonly FilterArgument[], pointer: string): void {
    args.forEach((arg, i) => {
      const property = propertyOf(arg);
      if (property !== undefined && !this.#compared.has(property)) {
        this.#compared.set(property, `${pointer}/args/${i}/property`);
      }
      if (isExpression(arg)) this.#noteProperties(arg.args, `${pointer}/args/${i}`);
    });
  }

  /** Conditions on one property under an `and` that no number meets together. */
  #contradiction(args: readonly FilterArgument[], pointer: string): void {
    const ranges = new Map<string, NumberRange>();
    for (const { property, op, value } of args.flatMap((arg) => conditionsOf(arg as FilterExpression))) {
      const range = ranges.get(property) ?? numberRange(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      ranges.set(property, narrow(range, op, value));
    }
    for (const [property, range] of ranges) {
      if (!isEmptyRange(range)) continue;
      this.#findings.warn(
        "FILTER_NEVER",
        pointer,
        `no value of "${property}" meets all of these conditions`,
        "use OR if one of them is enough",
      );
    }
  }

  /** A condition that, of all values the sources hold, none or every one meets. */
  #outOfRange(expression: FilterExpression, pointer: string): void {
    const conditions = conditionsOf(expression);
    const property = conditions[0]?.property;
    if (property === undefined || !this.#isWhole) return;
    const facts = this.#lookUp(property).filter(({ summary }) => summary.range !== undefined);
    if (facts.length === 0) return;
    const held = facts.map(({ summary }) => summary.range!);
    const ranges = held.map(({ least, greatest }) => numberRange(asNumber(least)!, asNumber(greatest)!));
    const meets = (range: NumberRange): NumberRange =>
      conditions.reduce((narrowed, { op, value }) => narrow(narrowed, op, value), range);
    const isMissed = (range: NumberRange): boolean =>
      conditions.some(({ op, value }) => !isEmptyRange(narrow(range, OPPOSITE[op], value)));
    const [first] = held.map(({ least }) => least).sort(byValue);
    const last = held
      .map(({ greatest }) => greatest)
      .sort(byValue)
      .at(-1);
    const holds = `"${property}" ranges from ${String(first)} to ${String(last)} in the sources of the set`;
    if (ranges.every((range) => isEmptyRange(meets(range)))) {
      this.#findings.warn("FILTER_NEVER", pointer, `${holds}, so this condition currently selects nothing`);
    } else if (facts.every(({ summary }) => summary.nullCount === 0) && !ranges.some(isMissed)) {
      this.#findings.info("FILTER_ALWAYS", pointer, `${holds}, so this condition currently excludes nothing`);
    }
  }

  #absentTexts(op: string, args: readonly FilterArgument[], pointer: string): void {
    const sides = op === "in" ? [args] : [args, [args[1]!, args[0]!]];
    for (const [turn, [subject, literal]] of sides.entries()) {
      const property = propertyOf(subject);
      if (property === undefined || literal === undefined) continue;
      const at = `${pointer}/args/${1 - turn}`;
      if (op === "in") {
        (literal as readonly FilterArgument[]).forEach((item, i) => {
          this.#absentText(property, item, `${at}/${i}`);
        });
      } else this.#absentText(property, literal, at);
    }
  }

  #absentText(property: string, literal: FilterArgument, pointer: string): void {
    if (typeof literal !== "string" || !this.#isWhole || this.#findings.isFull) return;
    const facts = this.#lookUp(property);
    const textCount = facts.reduce(
      (sum, { summary }) => sum + (summary.textCount ?? Number.POSITIVE_INFINITY),
      0,
    );
    if (facts.length === 0 || textCount > TEXT_LIMIT) return;
    const texts = facts.map(({ summary }) => summary.texts!());
    if (texts.some((held) => held.has(literal))) return;
    const known = textCount > SUGGESTED_LIMIT ? [] : texts.flatMap((held) => [...held]);
    const meant = suggestion(literal, known);
    this.#findings.warn(
      "VALUE_ABSENT",
      pointer,
      `no area of the set's sources has ${describeValue(literal)} as "${property}"${meant}`,
      meant === ""
        ? undefined
        : 'texts are compared exactly; use CASEI, in JSON "casei", on both sides to ignore case',
    );
  }

  #daysAsText(args: readonly FilterArgument[], pointer: string): void {
    const property = args.map(propertyOf).find((name) => name !== undefined);
    const day = args.findIndex((arg) => typeof arg === "string" && LOOKS_LIKE_A_DAY.test(arg));
    if (property === undefined || day < 0) return;
    if (!this.#lookUp(property).some(({ summary }) => summary.texts !== undefined)) return;
    this.#findings.warn(
      "DATE_AS_TEXT",
      `${pointer}/args/${day}`,
      `found ${describeValue(args[day])} compared with "${property}", a column of texts: the two are compared as texts`,
      `declare the column a date in the source's manifest and write DATE('YYYY-MM-DD'), in JSON {"date": "YYYY-MM-DD"}`,
    );
  }
}

const COMPARES: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">=", "between"]);

/** An expression as conditions on one property that must all hold; none where it is nothing of the kind. */
export function conditionsOf({ op, args }: FilterExpression): Condition[] {
  if (op === "between") {
    const property = propertyOf(args[0]);
    const [low, high] = [asNumber(args[1]), asNumber(args[2])];
    if (property === undefined || low === undefined || high === undefined) return [];
    return [
      { property, op: ">=", value: low },
      { property, op: "<=", value: high },
    ];
  }
  if (!COMPARES.has(op)) return [];
  const comparison = op as ComparisonOperator;
  const [left, right] = [propertyOf(args[0]), propertyOf(args[1])];
  const [low, high] = [asNumber(args[0]), asNumber(args[1])];
  if (left !== undefined && high !== undefined) return [{ property: left, op: comparison, value: high }];
  if (right !== undefined && low !== undefined)
    return [{ property: right, op: MIRRORED[comparison], value: low }];
  return [];
}

function propertyOf(argument: FilterArgument | undefined): string | undefined {
  return typeof argument === "object" && "property" in argument ? argument.property : undefined;
}

function isExpression(argument: FilterArgument): argument is FilterExpression {
  return typeof argument === "object" && "op" in argument;
}

/** A number as it is, a day as its number; undefined of anything else. */
function asNumber(value: FilterArgument | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return parseCalendarDay(value);
  return typeof value === "object" && "date" in value ? parseCalendarDay(value.date) : undefined;
}

function byValue(a: number | string, b: number | string): number {
  return asNumber(a)! - asNumber(b)!;
}
