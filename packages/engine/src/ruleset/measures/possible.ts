import type { ComparisonOperator } from "../../verdict/verdict.ts";

/**
 * How content that the sources of a set do not tell could change the number of its areas: not at
 * all, only adding, only taking away, or either.
 */
export type Growth = "none" | "grows" | "shrinks" | "any";

/** A superset of the values that are possible: an interval, no value at all, or both. */
export interface PossibleValues {
  readonly low: number;
  /** Less than `low` where no number is possible. */
  readonly high: number;
  /** Whether the measure may have no value. */
  readonly none: boolean;
}

export const ANY_NUMBER: { readonly low: number; readonly high: number } = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
};

export const NO_VALUE: PossibleValues = { low: 1, high: 0, none: true };

export function exactly(value: number | null): PossibleValues {
  return value === null ? NO_VALUE : { low: value, high: value, none: false };
}

/** What more areas only add to, up to a bound, and fewer only lessen, down to 0. */
export function within(growth: Growth, value: number | null, most: number): PossibleValues {
  return {
    low: growth === "none" || growth === "grows" ? (value ?? 0) : 0,
    high: growth === "none" || growth === "shrinks" ? (value ?? 0) : most,
    none: value === null,
  };
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
