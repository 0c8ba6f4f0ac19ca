import { roundAttributeNumber } from "../../verdict/rounding.ts";
import type { ComparisonOperator } from "../../verdict/verdict.ts";

/**
 * How unknown content of a set's sources could change the number of its areas: not at all, only adding, only removing,
 * or either.
 */
export type Growth = "none" | "grows" | "shrinks" | "any";

/** A superset of the values that are possible: an interval, no value at all, or both. */
export interface PossibleValues {
  readonly low: number;
  /** Less than `low` where no number is possible. */
  readonly high: number;
  /** True if the measure may have no value. */
  readonly none: boolean;
}

export const ANY_NUMBER: { readonly low: number; readonly high: number } = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
};

export const NO_VALUE: PossibleValues = { low: 1, high: 0, none: true };

export function toExactValues(value: number | null): PossibleValues {
  return value === null ? NO_VALUE : { low: value, high: value, none: false };
}

/** Possible values of a measure that more areas only increase, up to a bound, and fewer only decrease, down to 0. */
export function boundByGrowth(growth: Growth, value: number | null, most: number): PossibleValues {
  return {
    low: growth === "none" || growth === "grows" ? (value ?? 0) : 0,
    high: growth === "none" || growth === "shrinks" ? (value ?? 0) : most,
    none: value === null,
  };
}

/**
 * Decides if a comparison can hold, and if it can fail, for some possible values; if either side has no value, it
 * fails.
 */
export function decideComparison(
  left: PossibleValues,
  op: ComparisonOperator,
  right: PossibleValues,
): { readonly canHold: boolean; readonly canFail: boolean } {
  const some = left.low <= left.high && right.low <= right.high;
  const none = left.none || right.none;
  const [canHold, canFail] = DECIDED[op](left, right);
  return { canHold: some && canHold, canFail: none || (some && canFail) };
}

/** Values that are multiplied by a number greater than 0, as they print. */
export function multiplyRounded({ low, high, none }: PossibleValues, times: number): PossibleValues {
  return { low: roundAttributeNumber(low * times), high: roundAttributeNumber(high * times), none };
}

/** True if exactly one value is possible; no value counts as one. */
export function isExact({ low, high, none }: PossibleValues): boolean {
  return none ? low > high : low === high;
}

type Pair = (left: PossibleValues, right: PossibleValues) => readonly [boolean, boolean];

const meet: Pair = (left, right) => [
  left.low <= right.high && right.low <= left.high,
  left.low !== left.high || right.low !== right.high || left.low !== right.low,
];

/** For each operator: whether some pair of values of two intervals meets it, and whether some pair does not. */
const DECIDED: Readonly<Record<ComparisonOperator, Pair>> = {
  ">": (left, right) => [left.high > right.low, left.low <= right.high],
  ">=": (left, right) => [left.high >= right.low, left.low < right.high],
  "<": (left, right) => [left.low < right.high, left.high >= right.low],
  "<=": (left, right) => [left.low <= right.high, left.high > right.low],
  "=": meet,
  "<>": (left, right) => {
    const [canMeet, canDiffer] = meet(left, right);
    return [canDiffer, canMeet];
  },
};
