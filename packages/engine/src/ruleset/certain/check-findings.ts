import type { ComparisonOperator } from "../../verdict/verdict.ts";
import {
  EARTH_SQUARE_METERS,
  getMeasureWord,
  MEASURES,
  type Measure,
  type MeasureEntry,
} from "../measures/measures.ts";
import {
  createNumberRange,
  isEmptyRange,
  type NumberRange,
  narrowRange,
  OPPOSITE,
} from "../measures/number-range.ts";
import { getSetKind, listComparisons } from "../parse/parse.ts";
import type { AreaSet, Check, Comparison, RulesetSet, SetComparison } from "../parse/schema.ts";
import type { LintFindings } from "./findings.ts";
import type { SetRegions, Sets } from "./set-regions.ts";

/** The comparisons of a check of measures with numbers. */
export function toItems(check: Check, pointer: string, sets: Sets, regions: SetRegions): readonly Item[] {
  return listComparisons(check).comparisons.flatMap(({ comparison, pointer: below }) =>
    isPlain(comparison) ? toItem(comparison, pointer + below, sets, regions) : [],
  );
}

/** Finds comparisons of a check that never or always hold, and distances beyond what a set selects. */
export function findInCheck(
  check: Check,
  items: readonly Item[],
  pointer: string,
  findings: LintFindings,
): void {
  const { mode, comparisons } = listComparisons(check);
  for (const item of items) warnDistanceBeyondSet(item, findings);
  addCertaintyFindings(items, mode, items.length === comparisons.length, pointer, findings);
}

/** A measure that is compared with a number. */
type PlainComparison = SetComparison & { readonly value?: number };

function isPlain(comparison: Comparison): comparison is PlainComparison {
  return !("fact" in comparison) && typeof comparison.value !== "object";
}

/** A comparison with its defaults, and what its measure can be. */
export interface Item {
  readonly pointer: string;
  readonly set: RulesetSet;
  readonly setName: string;
  readonly measure: Measure;
  readonly entry: MeasureEntry;
  readonly op: ComparisonOperator;
  readonly value: number;
  readonly of: string | undefined;
  readonly on: "plot" | "property";
  /** Every number the measure can print. */
  readonly range: NumberRange;
  /** True if the set has no area of the editions in use, which decides `range`. */
  readonly isEmpty: boolean;
  /** True if it can have no value: of the property, where it is not declared. */
  readonly canBeNull: boolean;
}

const NOTHING = createNumberRange(0, 0);
const NO_NUMBER = createNumberRange(1, 0);

function toItem(comparison: PlainComparison, pointer: string, sets: Sets, regions: SetRegions): Item {
  const { set: setName, measure = "count", op = ">", value = 0, of, on = "plot" } = comparison;
  const set = sets[setName]!;
  const entry = MEASURES[getMeasureWord(measure)];
  const { within_m = isReaching(set, measure) ? Number.POSITIVE_INFINITY : 0, min_m = 0 } = set as AreaSet;
  // Nothing within a distance is a distance beyond it.
  const isEmpty = regions.isEmpty(setName) && (entry.unit !== "m" || op === "<" || op === "<=" || op === "=");
  return {
    pointer,
    set,
    setName,
    measure,
    entry,
    op,
    value,
    of,
    on,
    isEmpty,
    range: isEmpty
      ? entry.ofEmptySet === null
        ? NO_NUMBER
        : NOTHING
      : entry.range({
          kind: getSetKind(set),
          isFlat: !regions.canOverlap(setName),
          isPart: of === undefined || regions.isPartOf(setName, of),
          minMeters: min_m,
          maxMeters: within_m,
        }),
    canBeNull: entry.ofEmptySet === null || entry.isNullable || of !== undefined || on === "property",
  };
}

/** True if a comparison with a number measures areas up to it, beyond those that the set selects. */
function isReaching(set: RulesetSet, measure: Measure): boolean {
  if (measure !== "min_distance_m" || !("sources" in set)) return false;
  return set.within_m === undefined && (set.relation ?? "intersects") === "intersects";
}

export function formatComparisonItem({ measure, setName, op, value, of, on }: Item): string {
  const measured = typeof measure === "string" ? measure : JSON.stringify(measure);
  const ofSet = of === undefined ? "" : ` of "${of}"`;
  return `${measured} of "${setName}"${ofSet}${on === "property" ? " on the property" : ""} ${op} ${value}`;
}

/** True if no number of the range meets the comparison. */
function neverHolds({ range, op, value }: Item): boolean {
  return isEmptyRange(narrowRange(range, op, value));
}

function alwaysHolds({ range, op, value, canBeNull }: Item): boolean {
  return !canBeNull && isEmptyRange(narrowRange(range, OPPOSITE[op], value));
}

/** @param isWhole whether there is no comparison besides, which may hold or not */
function addCertaintyFindings(
  items: readonly Item[],
  mode: "all" | "any",
  isWhole: boolean,
  pointer: string,
  findings: LintFindings,
): void {
  const never = items.filter(neverHolds);
  const always = items.filter(alwaysHolds);
  const isNever = mode === "all" ? never.length > 0 : isWhole && never.length === items.length;
  const isAlways = mode === "all" ? isWhole && always.length === items.length : always.length > 0;
  if (isNever) {
    const item = never[0]!;
    findings.warn(
      "CHECK_NEVER",
      item.pointer,
      `${formatComparisonItem(item)} never holds: ${describeCertaintyReason(item)}`,
    );
  } else if (isAlways) {
    const item = always[0]!;
    findings.warn(
      "CHECK_ALWAYS",
      item.pointer,
      `${formatComparisonItem(item)} always holds: ${describeCertaintyReason(item)}`,
    );
  } else if (mode === "all" && haveCommonSet(items) && areContradictory(items)) {
    findings.warn("CHECK_NEVER", pointer, 'the comparisons under "all" contradict each other');
  } else if (mode === "any" && haveCommonSet(items) && leaveNothingOut(items)) {
    findings.warn("CHECK_ALWAYS", pointer, 'one of the comparisons under "any" holds for any data');
  } else {
    for (const item of mode === "all" ? always : []) {
      findings.warn(
        "COMPARISON_ALWAYS",
        item.pointer,
        `${formatComparisonItem(item)} always holds, so it has no effect`,
      );
    }
    for (const item of mode === "any" ? never : []) {
      findings.warn(
        "COMPARISON_NEVER",
        item.pointer,
        `${formatComparisonItem(item)} never holds, so it has no effect`,
      );
    }
  }
}

function describeCertaintyReason(item: Item): string {
  return item.isEmpty
    ? `no area in the editions in use is in "${item.setName}"`
    : `it is ${describeItemRange(item)}`;
}

function describeItemRange({ range: { low, high, whole } }: Item): string {
  if (low === high) return String(low);
  if (high === Number.POSITIVE_INFINITY)
    return `${whole ? "a whole number from " : "at least "}${low}${whole ? " up" : ""}`;
  return high === EARTH_SQUARE_METERS ? `at least ${low}` : `${low} to ${high}`;
}

/** The number that comparisons of the same measure of the same set on the same land share. */
export function toMeasureKey({ setName, measure, of, on }: Item): string {
  return JSON.stringify([setName, measure, of, on]);
}

/** True if two comparisons are of one set: only these contradict or complete each other. */
function haveCommonSet(items: readonly Item[]): boolean {
  return items.some((item, i) => items.some(({ setName }, j) => j < i && setName === item.setName));
}

function areContradictory(items: readonly Item[]): boolean {
  const ranges = new Map<string, NumberRange>();
  for (const item of items) {
    ranges.set(
      toMeasureKey(item),
      narrowRange(ranges.get(toMeasureKey(item)) ?? item.range, item.op, item.value),
    );
  }
  if ([...ranges.values()].some(isEmptyRange)) return true;
  // Where a set must be empty, its other measures are those of an empty set.
  const empty = new Set(
    items
      .filter(({ entry }) => entry.unit === "count")
      .filter((item) => isEmptyRange(narrowRange(ranges.get(toMeasureKey(item))!, ">", 0)))
      .map(({ setName, on }) => `${on} ${setName}`),
  );
  return items.some(
    ({ set, setName, measure, entry: { ofEmptySet }, of, on, op, value }) =>
      of === undefined &&
      !isReaching(set, measure) &&
      empty.has(`${on} ${setName}`) &&
      (ofEmptySet === null ||
        isEmptyRange(narrowRange(createNumberRange(ofEmptySet, ofEmptySet), op, value))),
  );
}

/** True if, for some measure, no number fails every comparison that is made with it. */
function leaveNothingOut(items: readonly Item[]): boolean {
  const ranges = new Map<string, NumberRange>();
  for (const item of items) {
    if (item.canBeNull) continue;
    ranges.set(
      toMeasureKey(item),
      narrowRange(ranges.get(toMeasureKey(item)) ?? item.range, OPPOSITE[item.op], item.value),
    );
  }
  return [...ranges.values()].some(isEmptyRange);
}

function warnDistanceBeyondSet(
  { entry, set, setName, op, value, pointer }: Item,
  findings: LintFindings,
): void {
  if (entry.unit !== "m" || (op !== "<" && op !== "<=") || isReaching(set, "min_distance_m")) return;
  const { within_m = 0 } = set as AreaSet;
  if (value <= within_m) return;
  const selects = within_m === 0 ? "only areas that intersect the plot" : `nothing beyond ${within_m} m`;
  findings.warn(
    "DISTANCE_BEYOND_SET",
    `${pointer}/value`,
    `found ${value} m, but set "${setName}" selects ${selects}`,
    `write "within_m": ${value} in the set`,
  );
}
