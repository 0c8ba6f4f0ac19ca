import type { ComparisonOperator } from "../../verdict/verdict.ts";

/** Numbers between two bounds, some left out. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
  readonly lowIsOut: boolean;
  readonly highIsOut: boolean;
  readonly leftOut: readonly number[];
  /** Only whole numbers. */
  readonly whole: boolean;
}

export function createNumberRange(low: number, high: number, whole = false): NumberRange {
  return { low, high, lowIsOut: false, highIsOut: false, leftOut: [], whole };
}

/** The numbers of a range that meet a comparison. */
export function narrowRange(range: NumberRange, op: ComparisonOperator, threshold: number): NumberRange {
  switch (op) {
    case ">":
    case ">=":
      if (threshold < range.low || (threshold === range.low && (op === ">=" || range.lowIsOut))) return range;
      return { ...range, low: threshold, lowIsOut: op === ">" };
    case "<":
    case "<=":
      if (threshold > range.high || (threshold === range.high && (op === "<=" || range.highIsOut)))
        return range;
      return { ...range, high: threshold, highIsOut: op === "<" };
    case "=":
      return narrowRange(narrowRange(range, ">=", threshold), "<=", threshold);
    case "<>":
      return { ...range, leftOut: [...range.leftOut, threshold] };
  }
}

/** True if no number is in the range. */
export function isEmptyRange(range: NumberRange): boolean {
  const { low, high, lowIsOut, highIsOut, leftOut } = range;
  if (range.whole) {
    let least = lowIsOut ? Math.floor(low) + 1 : Math.ceil(low);
    const most = highIsOut ? Math.ceil(high) - 1 : Math.floor(high);
    while (least <= most && leftOut.includes(least)) least++;
    return !(least <= most);
  }
  return low > high || (low === high && (lowIsOut || highIsOut || leftOut.includes(low)));
}

/** The operator that holds of a number exactly where `op` does not. */
export const OPPOSITE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  ">": "<=",
  ">=": "<",
  "<": ">=",
  "<=": ">",
  "=": "<>",
  "<>": "=",
};

/** The equivalent operator with its sides exchanged. */
export const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  ">": "<",
  ">=": "<=",
  "<": ">",
  "<=": ">=",
  "=": "=",
  "<>": "<>",
};
