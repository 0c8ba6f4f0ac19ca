import type { ComparisonResult } from "@groundrule/engine";
import { findMeasureUnit } from "@groundrule/words/figures";
import { figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";

/** The quantity of a comparison, in words: `Distance to the nearest area of “near park”`. */
export function formatMeasuredQuantity({
  measure,
  set: name,
  of,
}: Pick<ComparisonResult, "measure" | "set" | "of">): string {
  const say = words.value;
  const set = formatSetName(name);
  if (typeof measure !== "string") {
    const [statistic, column] = Object.entries(measure)[0]! as [keyof typeof say.verdictColumn, string];
    return say.verdictColumn[statistic](column, set);
  }
  switch (measure) {
    case "count":
      return say.verdictCount(set);
    case "overlap_area_m2":
      return say.verdictOverlapArea(set);
    case "max_overlap_area_m2":
      return say.verdictMaxOverlap(set);
    case "overlap_ratio":
      return of === undefined
        ? say.verdictOverlapRatio(set)
        : say.verdictOverlapRatioOf(set, formatSetName(of));
    case "area_overlap_ratio":
      return say.verdictAreaRatio(set);
    case "min_distance_m":
      return say.verdictDistance(set);
    default:
      return `${measure} ${set}`;
  }
}

/** A set's name in the ruleset, in readable form without surrounding blanks. */
function formatSetName(name: string): string {
  return `“${name.replaceAll("_", " ")}”`;
}

/** A measured value in words, next to its threshold; the exact figure is in the record. */
export function formatMeasuredValue(
  { measure, threshold }: Pick<ComparisonResult, "measure" | "threshold">,
  value: number | null,
): string {
  if (value === null) return words.value.verdictNoValue;
  return figures.value.inUnit(findMeasureUnit(measure), value, threshold ?? value);
}
