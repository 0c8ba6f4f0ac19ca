import type { FactPlan } from "../compile/compile.ts";
import type { PossibleValues } from "../measures/possible.ts";

/** Numbers that a fact may be, between two thresholds at which a condition changes its answer. */
export interface Stretch {
  readonly low: number;
  readonly high: number;
  readonly lowIsOut: boolean;
  readonly highIsOut: boolean;
  /** One of them. */
  readonly witness: number;
}

/** Most thresholds of a fact between which each stretch is tried. */
export const MOST_THRESHOLDS = 64;

/**
 * Everything that a fact may be, in stretches in which no condition changes its answer.
 *
 * @param range what its declaration allows, as `Facts.range` returns it
 * @param thresholds the numbers at which conditions change their answers; read only for numbers and dates
 */
export function splitStretches(
  { type }: Pick<FactPlan, "type">,
  range: PossibleValues,
  thresholds: () => readonly number[],
): readonly Stretch[] {
  if (type === "number" || type === "date") return cutRange(range, thresholds(), type === "date");
  return Array.from({ length: range.high + 1 }, (_, i) => createPointStretch(i));
}

export function createPointStretch(value: number): Stretch {
  return { low: value, high: value, lowIsOut: false, highIsOut: false, witness: value };
}

/**
 * A range in stretches: each threshold by itself, and what lies between two of them. Of very many, what lies
 * between the first and the last is left out.
 */
function cutRange({ low, high }: PossibleValues, thresholds: readonly number[], isWhole: boolean): Stretch[] {
  const within = thresholds
    .map((each) => (isWhole ? Math.round(each) : each))
    .filter((each) => each >= low && each <= high);
  const bounds = [...new Set(within.filter(Number.isFinite))].sort((a, b) => a - b);
  const isMany = bounds.length > MOST_THRESHOLDS;
  const stretches: Stretch[] = [];
  let from = low;
  let fromIsOut = false;
  const add = (to: number, toIsOut: boolean): void => {
    const stretch = isWhole
      ? { low: fromIsOut ? from + 1 : from, high: toIsOut ? to - 1 : to, lowIsOut: false, highIsOut: false }
      : { low: from, high: to, lowIsOut: fromIsOut, highIsOut: toIsOut };
    const isEmpty =
      stretch.low > stretch.high || (stretch.low === stretch.high && (stretch.lowIsOut || stretch.highIsOut));
    if (!isEmpty)
      stretches.push({ ...stretch, witness: pickNumberBetween(stretch.low, stretch.high, isWhole) });
  };
  for (const bound of isMany ? [bounds[0]!, bounds.at(-1)!] : bounds) {
    if (!isMany || from === low) add(bound, true);
    stretches.push(createPointStretch(bound));
    [from, fromIsOut] = [bound, true];
  }
  add(high, false);
  return stretches;
}

function pickNumberBetween(low: number, high: number, isWhole: boolean): number {
  if (low === Number.NEGATIVE_INFINITY) return high === Number.POSITIVE_INFINITY ? 0 : high - 1;
  if (high === Number.POSITIVE_INFINITY) return low + 1;
  const middle = low + (high - low) / 2;
  return isWhole ? Math.floor(middle) : middle;
}
