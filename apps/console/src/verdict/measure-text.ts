import type { ComparisonResult } from "@groundrule/engine";
import { unitOf } from "@groundrule/engine/internal";
import { figures } from "../languages/figures.ts";
import { words } from "../languages/language.ts";

/** What a comparison compares, in words: `Distance to the nearest area of “near park”`. */
export function measureText({
  measure,
  set: name,
  of,
}: Pick<ComparisonResult, "measure" | "set" | "of">): string {
  const say = words.value;
  const set = setText(name);
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
      return of === undefined ? say.verdictOverlapRatio(set) : say.verdictOverlapRatioOf(set, setText(of));
    case "area_overlap_ratio":
      return say.verdictAreaRatio(set);
    case "min_distance_m":
      return say.verdictDistance(set);
    default:
      return `${measure} ${set}`;
  }
}

/** A set as people read it: its name is what a ruleset calls it, without blanks. */
function setText(name: string): string {
  return `“${name.replaceAll("_", " ")}”`;
}

/**
 * A value of a measure, as people say it, beside the threshold that it is compared with; its exact figure stands in the
 * record.
 */
export function valueText(
  { measure, threshold }: Pick<ComparisonResult, "measure" | "threshold">,
  value: number | null,
): string {
  if (value === null) return words.value.verdictNoValue;
  return figures.value.inUnit(unitOf(measure), value, threshold ?? value);
}
