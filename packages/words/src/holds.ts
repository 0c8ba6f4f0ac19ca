import type { ComparisonResult } from "@groundrule/engine";

/** True if a comparison holds; one without a value does not. */
export function holds({
  value,
  op,
  threshold,
}: Pick<ComparisonResult, "value" | "op" | "threshold">): boolean {
  if (value === null || threshold === null) return false;
  return {
    ">": value > threshold,
    ">=": value >= threshold,
    "<": value < threshold,
    "<=": value <= threshold,
    "=": value === threshold,
    "<>": value !== threshold,
  }[op];
}
