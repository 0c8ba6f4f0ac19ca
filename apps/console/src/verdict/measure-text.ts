import type { ComparisonResult } from "@groundrule/engine";
import { language, words } from "../languages/language.ts";

/** What a comparison compares, in words: `Distance to the nearest of “near park”`. */
export function measureText({ measure, set: name, of }: ComparisonResult): string {
  const say = words.value;
  const set = setText(name);
  if (typeof measure !== "string") {
    const [statistic, column] = Object.entries(measure)[0]!;
    return say.verdictColumn(statistic, column, set);
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

/** A value of a measure, as people say it; its exact figure stands in the record. */
export function valueText(measure: ComparisonResult["measure"], value: number | null): string {
  if (value === null) return words.value.verdictNoValue;
  if (typeof measure !== "string") return number(value);
  if (measure.endsWith("_ratio")) return share(value);
  if (measure.endsWith("_area_m2")) return area(value);
  if (measure === "min_distance_m") return distance(value);
  return number(value);
}

/** @param squareMeters area */
export function area(squareMeters: number): string {
  return squareMeters >= 1_000
    ? number(squareMeters / 10_000, { style: "unit", unit: "hectare" })
    : `${number(squareMeters)} m²`;
}

/** @param meters distance */
export function distance(meters: number): string {
  return meters >= 1_000
    ? number(meters / 1_000, { style: "unit", unit: "kilometer" })
    : number(meters, { style: "unit", unit: "meter" });
}

/** @param ratio from 0 to 1 */
export function share(ratio: number): string {
  return number(ratio, { style: "percent" });
}

/** Days, as an age. */
export function days(count: number): string {
  return number(count, { style: "unit", unit: "day", unitDisplay: "long" });
}

function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language.value, { maximumSignificantDigits: 4, ...options }).format(value);
}
