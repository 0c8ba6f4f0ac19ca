import type { AreaSnapshot } from "../snapshot/snapshot.ts";
import { printedArea, printedNumber, printedRatio } from "../verdict/rounding.ts";
import type { ComparisonOperator } from "../verdict/verdict.ts";
import { type ColumnReader, type ComparisonPlan, columnOf, columnReader } from "./compile.ts";
import { exactSum } from "./exact-sum.ts";
import { measureWord } from "./parse.ts";
import type { Measure } from "./schema.ts";
import type { AreaSelection, Growth, Selection } from "./select.ts";

/** A measure's printed value, and every value it could have, whatever failed sources hold. */
export interface Measured {
  /** By what the open sources hold. Null: the measure has no value. */
  readonly value: number | null;
  readonly possible: PossibleValues;
}

/** A superset of the values that are possible: an interval, no value at all, or both. */
export interface PossibleValues {
  readonly low: number;
  /** Less than `low` where no number is possible. */
  readonly high: number;
  /** Whether the measure may have no value. */
  readonly none: boolean;
}

/** Something that has an area, unrounded. */
export interface Extent {
  readonly squareMeters: number;
}

/**
 * Measures the set of a comparison.
 *
 * @param of the selection that `overlap_ratio` is taken of, where not the plot
 */
export function measure(
  comparison: ComparisonPlan,
  selection: Selection,
  of: AreaSelection | undefined,
  plot: Extent,
): Measured {
  if (selection.kind === "subject") return counted(selection.recordCount, selection.growth);
  if (of !== undefined) return ratioOfRegions(selection, of, plot);
  const value = measuredValue(comparison.measure, selection, plot);
  if (selection.growth === "none") return { value, possible: exactly(value) };
  return { value, possible: possibleValues(comparison, value, selection.growth, plot) };
}

/** Whether a comparison can hold, and whether it can fail, for some possible value. */
export function decide(
  { low, high, none }: PossibleValues,
  op: ComparisonOperator,
  threshold: number,
): { readonly canHold: boolean; readonly canFail: boolean } {
  const some = low <= high;
  const [canHold, canFail] = SOME_VALUE[op](low, high, threshold);
  return { canHold: some && canHold, canFail: none || (some && canFail) };
}

/** For each operator: whether some value of an interval meets it, and whether some value does not. */
const SOME_VALUE: Readonly<
  Record<ComparisonOperator, (low: number, high: number, threshold: number) => readonly [boolean, boolean]>
> = {
  ">": (low, high, threshold) => [high > threshold, low <= threshold],
  ">=": (low, high, threshold) => [high >= threshold, low < threshold],
  "<": (low, high, threshold) => [low < threshold, high >= threshold],
  "<=": (low, high, threshold) => [low <= threshold, high > threshold],
  "=": (low, high, threshold) => [
    low <= threshold && threshold <= high,
    low !== threshold || high !== threshold,
  ],
  "<>": (low, high, threshold) => [
    low !== threshold || high !== threshold,
    low <= threshold && threshold <= high,
  ],
};

function measuredValue(wanted: Measure, selection: AreaSelection, plot: Extent): number | null {
  const { areas } = selection;
  if (typeof wanted !== "string") return columnValue(wanted, selection);
  switch (wanted) {
    case "count":
      return areas.length;
    case "overlap_area_m2":
      return printedArea(selection.squareMeters);
    case "overlap_ratio":
      return quotient(selection.squareMeters, plot.squareMeters);
    case "max_overlap_area_m2":
      return (
        extreme(
          areas.map((fact) => fact.overlapSquareMeters),
          "greatest",
        ) ?? 0
      );
    case "area_overlap_ratio":
      return areas.length === 0
        ? 0
        : extreme(
            areas.map((fact) => fact.areaOverlapRatio),
            "greatest",
          );
    case "min_distance_m":
      return extreme(
        areas.map((fact) => fact.distanceMeters),
        "least",
      );
  }
}

/** Sum, mean or extreme of a number column over the areas that have a value in it. */
function columnValue(wanted: Exclude<Measure, string>, { areas }: AreaSelection): number | null {
  const column = columnOf(wanted);
  const readers = new Map<AreaSnapshot, ColumnReader>();
  const values = areas.flatMap(({ snapshot, area }) => {
    let read = readers.get(snapshot);
    if (read === undefined) {
      read = columnReader(snapshot, column);
      readers.set(snapshot, read);
    }
    const value = read(area);
    return typeof value === "number" ? value : [];
  });
  if ("sum" in wanted) return printedNumber(exactSum(values));
  if ("avg" in wanted) return values.length === 0 ? null : printedNumber(exactSum(values) / values.length);
  return extreme(values, "min" in wanted ? "least" : "greatest");
}

/** The greatest or least of the values there are; null where there are none. */
function extreme(values: readonly (number | null)[], which: "greatest" | "least"): number | null {
  let found: number | null = null;
  for (const value of values) {
    if (value === null) continue;
    if (found === null || (which === "greatest" ? value > found : value < found)) found = value;
  }
  return found;
}

/**
 * What a measure could be, had the failed sources answered. More areas only add to counts, regions
 * and greatest values, and only lessen least values; a sum or a mean can move either way.
 */
function possibleValues(
  { set, measure: wanted }: ComparisonPlan,
  value: number | null,
  growth: Growth,
  plot: Extent,
): PossibleValues {
  const none = value === null;
  const word = measureWord(wanted);
  switch (word) {
    case "count":
      return { ...within(growth, value ?? 0, Number.POSITIVE_INFINITY), none };
    case "overlap_area_m2":
    case "max_overlap_area_m2":
      return { ...within(growth, value ?? 0, printedArea(plot.squareMeters)), none };
    case "overlap_ratio":
      return none ? exactly(null) : { ...within(growth, value, 1), none };
    case "area_overlap_ratio":
      return { ...within(growth, value ?? 0, 1), none };
    case "min_distance_m": {
      const bounds = set.kind === "area" ? set.within : undefined;
      return { low: bounds?.minMeters ?? 0, high: value ?? bounds?.maxMeters ?? 0, none };
    }
    case "min":
      return { ...ANY_NUMBER, high: value ?? Number.POSITIVE_INFINITY, none };
    case "max":
      return { ...ANY_NUMBER, low: value ?? Number.NEGATIVE_INFINITY, none };
    default:
      return { ...ANY_NUMBER, none };
  }
}

const ANY_NUMBER = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

function within(
  growth: Growth,
  value: number,
  most: number,
): { readonly low: number; readonly high: number } {
  return {
    low: growth === "none" || growth === "grows" ? value : 0,
    high: growth === "none" || growth === "shrinks" ? value : most,
  };
}

function exactly(value: number | null): PossibleValues {
  return value === null ? { low: 1, high: 0, none: true } : { low: value, high: value, none: false };
}

function counted(count: number, growth: Growth): Measured {
  return { value: count, possible: { ...within(growth, count, Number.POSITIVE_INFINITY), none: false } };
}

/** The ratio of two regions, both of which failed sources may change. */
function ratioOfRegions(part: AreaSelection, whole: AreaSelection, plot: Extent): Measured {
  const numerator = within(part.growth, part.squareMeters, plot.squareMeters);
  const denominator = within(whole.growth, whole.squareMeters, plot.squareMeters);
  const value = quotient(part.squareMeters, whole.squareMeters);
  const low = quotient(numerator.low, denominator.high);
  const high = quotient(numerator.high, denominator.low);
  if (low === null) return { value, possible: exactly(null) };
  return { value, possible: { low, high: high ?? Number.POSITIVE_INFINITY, none: high === null } };
}

function quotient(part: number, whole: number): number | null {
  return printedArea(whole) === 0 ? null : printedRatio(part / whole);
}
