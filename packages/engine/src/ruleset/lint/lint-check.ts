import { canonicalJson } from "../../verdict/canonical-json.ts";
import { printedNumber } from "../../verdict/rounding.ts";
import type { ComparisonOperator } from "../../verdict/verdict.ts";
import {
  EARTH_SQUARE_METERS,
  MEASURES,
  type Measure,
  type MeasureEntry,
  measureWord,
} from "../measures/measures.ts";
import { isEmptyRange, type NumberRange, narrow, numberRange, OPPOSITE } from "../measures/number-range.ts";
import { comparisonsOf, setKind } from "../parse/parse.ts";
import type { AreaSet, Check, Comparison, RulesetSet, SetComparison } from "../parse/schema.ts";
import type { LintFindings } from "./lint-findings.ts";
import { SetRegions, type Sets } from "./set-regions.ts";

/**
 * Finds what checks do not likely mean, from the ruleset alone: conditions that never or always
 * hold, thresholds in another unit than the measure's, counts that a shared border adds to.
 */
export function lintChecks(checks: readonly Check[], sets: Sets, findings: LintFindings): void {
  const regions = new SetRegions(sets);
  for (const [i, check] of checks.entries()) lintCheck(check, `/checks/${i}`, sets, regions, findings);
}

function lintCheck(
  check: Check,
  pointer: string,
  sets: Sets,
  regions: SetRegions,
  findings: LintFindings,
): void {
  const { mode, comparisons } = comparisonsOf(check);
  const items = comparisons.flatMap(({ comparison, pointer: below }) =>
    isPlain(comparison) ? itemOf(comparison, pointer + below, sets, regions) : [],
  );
  for (const item of items) {
    if (!lintUnit(item, findings)) lintDistance(item, findings);
    lintShareOf(item, regions, findings);
  }
  lintRepeated(items, findings);
  lintCertainty(items, mode, items.length === comparisons.length, pointer, findings);
  if (check.outcome !== "NOTICE") lintBorder(items, mode, findings);
}

/** A measure that is compared with a number. */
type PlainComparison = SetComparison & { readonly value?: number };

function isPlain(comparison: Comparison): comparison is PlainComparison {
  return !("fact" in comparison) && typeof comparison.value !== "object";
}

/** A comparison with its defaults, and what its measure can be. */
interface Item {
  readonly pointer: string;
  readonly set: RulesetSet;
  readonly setName: string;
  readonly measure: Measure;
  readonly entry: MeasureEntry;
  readonly op: ComparisonOperator;
  readonly value: number;
  readonly of: string | undefined;
  readonly on: "plot" | "property";
  /** Every number the measure can print, whatever the data. */
  readonly range: NumberRange;
  /** Whether it can have no value: of the property, where it is not declared. */
  readonly canBeNull: boolean;
}

function itemOf(comparison: PlainComparison, pointer: string, sets: Sets, regions: SetRegions): Item {
  const { set: setName, measure = "count", op = ">", value = 0, of, on = "plot" } = comparison;
  const set = sets[setName]!;
  const entry = MEASURES[measureWord(measure)];
  const { within_m = isReaching(set, measure) ? Number.POSITIVE_INFINITY : 0, min_m = 0 } = set as AreaSet;
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
    range: entry.range({
      kind: setKind(set),
      isFlat: !regions.canOverlap(setName),
      isPart: of === undefined || regions.isPartOf(setName, of),
      minMeters: min_m,
      maxMeters: within_m,
    }),
    canBeNull: entry.ofEmptySet === null || entry.isNullable || of !== undefined || on === "property",
  };
}

/** Whether a comparison with a number measures areas up to it, beyond those that the set selects. */
function isReaching(set: RulesetSet, measure: Measure): boolean {
  if (measure !== "min_distance_m" || !("sources" in set)) return false;
  return set.within_m === undefined && (set.relation ?? "intersects") === "intersects";
}

function shown({ measure, setName, op, value, of, on }: Item): string {
  const measured = typeof measure === "string" ? measure : JSON.stringify(measure);
  const ofSet = of === undefined ? "" : ` of "${of}"`;
  return `${measured} of "${setName}"${ofSet}${on === "property" ? " on the property" : ""} ${op} ${value}`;
}

/** What holds only with another value than null, and never with a number it can be. */
function neverHolds({ range, op, value }: Item): boolean {
  return isEmptyRange(narrow(range, op, value));
}

function alwaysHolds({ range, op, value, canBeNull }: Item): boolean {
  return !canBeNull && isEmptyRange(narrow(range, OPPOSITE[op], value));
}

/** @param isWhole whether there is no comparison besides, which may hold or not */
function lintCertainty(
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
    findings.warn("CHECK_NEVER", item.pointer, `${shown(item)} never holds: it is ${rangeText(item)}`);
  } else if (isAlways) {
    const item = always[0]!;
    findings.warn("CHECK_ALWAYS", item.pointer, `${shown(item)} always holds: it is ${rangeText(item)}`);
  } else if (mode === "all" && areContradictory(items)) {
    findings.warn("CHECK_NEVER", pointer, 'the comparisons under "all" contradict each other');
  } else if (mode === "any" && leaveNothingOut(items)) {
    findings.warn("CHECK_ALWAYS", pointer, 'one of the comparisons under "any" holds for any data');
  } else {
    for (const item of mode === "all" ? always : []) {
      findings.warn("COMPARISON_ALWAYS", item.pointer, `${shown(item)} always holds, so it has no effect`);
    }
    for (const item of mode === "any" ? never : []) {
      findings.warn("COMPARISON_NEVER", item.pointer, `${shown(item)} never holds, so it has no effect`);
    }
  }
}

function rangeText({ range: { low, high, whole } }: Item): string {
  if (low === high) return String(low);
  if (high === Number.POSITIVE_INFINITY)
    return `${whole ? "a whole number from " : "at least "}${low}${whole ? " up" : ""}`;
  return high === EARTH_SQUARE_METERS ? `at least ${low}` : `${low} to ${high}`;
}

/** What one number is asked to be: the same measure of the same set on the same land. */
function keyOf({ setName, measure, of, on }: Item): string {
  return canonicalJson([setName, measure, of ?? null, on]);
}

function areContradictory(items: readonly Item[]): boolean {
  const ranges = new Map<string, NumberRange>();
  for (const item of items) {
    ranges.set(keyOf(item), narrow(ranges.get(keyOf(item)) ?? item.range, item.op, item.value));
  }
  if ([...ranges.values()].some(isEmptyRange)) return true;
  // Where a set must be empty, its other measures are those of an empty set.
  const empty = new Set(
    items
      .filter(({ entry }) => entry.unit === "count")
      .filter((item) => isEmptyRange(narrow(ranges.get(keyOf(item))!, ">", 0)))
      .map(({ setName, on }) => `${on} ${setName}`),
  );
  return items.some(
    ({ set, setName, measure, entry: { ofEmptySet }, of, on, op, value }) =>
      of === undefined &&
      !isReaching(set, measure) &&
      empty.has(`${on} ${setName}`) &&
      (ofEmptySet === null || isEmptyRange(narrow(numberRange(ofEmptySet, ofEmptySet), op, value))),
  );
}

/** Whether, for some measure, no number fails every comparison that is made with it. */
function leaveNothingOut(items: readonly Item[]): boolean {
  const ranges = new Map<string, NumberRange>();
  for (const item of items) {
    if (item.canBeNull) continue;
    ranges.set(keyOf(item), narrow(ranges.get(keyOf(item)) ?? item.range, OPPOSITE[item.op], item.value));
  }
  return [...ranges.values()].some(isEmptyRange);
}

function lintRepeated(items: readonly Item[], findings: LintFindings): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = canonicalJson([keyOf(item), item.op, item.value]);
    if (seen.has(key))
      findings.warn("COMPARISON_DUPLICATE", item.pointer, `this check already contains ${shown(item)}`);
    seen.add(key);
  }
}

/** A number of square metres below this is likelier one of hectares. */
const LIKELY_HECTARES_BELOW = 100;
/** A number of metres below this is likelier one of kilometres; the narrowest buffers in law are 30 m. */
export const LIKELY_KILOMETERS_BELOW = 25;

function lintUnit({ entry: { unit }, of, op, value, pointer, range }: Item, findings: LintFindings): boolean {
  const at = `${pointer}/value`;
  const isShare = unit === "share" && (of === undefined || range.high === 1);
  if (isShare && value > 1 && value <= 100) {
    findings.warn(
      "UNIT_SUSPICIOUS",
      at,
      `found ${value}, but a share is between 0 and 1`,
      `for ${value} % write ${printedNumber(value / 100)}`,
    );
    return true;
  }
  const comparesSize = op === ">" || op === ">=" || op === "<" || op === "<=";
  if (!comparesSize || value <= 0) return false;
  if (unit === "m²" && value < LIKELY_HECTARES_BELOW) {
    findings.info(
      "UNIT_SUSPICIOUS",
      at,
      `found ${value}, which is read as square metres`,
      `for ${value} ha write ${printedNumber(value * 10_000)}`,
    );
    return true;
  }
  if (unit === "m" && value < LIKELY_KILOMETERS_BELOW) {
    const hint = `for ${value} km write ${printedNumber(value * 1000)}`;
    findings.info("UNIT_SUSPICIOUS", at, `found ${value}, which is read as metres`, hint);
    return true;
  }
  return false;
}

function lintDistance({ entry, set, setName, op, value, pointer }: Item, findings: LintFindings): void {
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

function lintShareOf({ setName, of, pointer }: Item, regions: SetRegions, findings: LintFindings): void {
  if (of === undefined) return;
  if (of === setName) {
    const message = `the region of "${of}" is compared with itself: the ratio is 1, or null if the region is empty`;
    findings.warn("RATIO_OF_OTHERS", `${pointer}/of`, message);
  } else if (!regions.isPartOf(setName, of)) {
    findings.warn(
      "RATIO_OF_OTHERS",
      `${pointer}/of`,
      `the region of "${setName}" may lie outside that of "${of}", so the ratio can exceed 1`,
      `measure an intersection of "${setName}" and "${of}"`,
    );
  }
}

/** Counts of whatever meets the plot, which a neighbour's shared border adds to. */
function lintBorder(items: readonly Item[], mode: "all" | "any", findings: LintFindings): void {
  for (const item of items) {
    const { entry, set, setName, on, op, value, pointer } = item;
    if (entry.unit !== "count" || !("sources" in set)) continue;
    if (set.within_m !== undefined || (set.relation ?? "intersects") !== "intersects") continue;
    const isMet = (count: number): boolean => !isEmptyRange(narrow(numberRange(count, count), op, value));
    if (isMet(0) || !isMet(1)) continue;
    const asksForMore = items.some(
      (other) =>
        other.setName === setName &&
        other.on === on &&
        other.entry.isOfOverlap &&
        !isEmptyRange(narrow(other.range, other.op, other.value)),
    );
    if (mode === "all" && asksForMore) continue;
    findings.warn(
      "BORDER_COUNTS",
      pointer,
      `an area of "${setName}" that only shares a border with the plot is counted`,
      'to require a shared area, write "measure": "overlap_area_m2"',
    );
  }
}
