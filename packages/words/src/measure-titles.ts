import { getMeasuredColumn } from "@groundrule/engine/internal";
import type { NamedMeasure } from "./en/report.ts";

/** Titles of every measure of the engine; the engine itself has the English ones. */
export type MeasureTitles = Readonly<Record<MeasureWord, (named: NamedMeasure, column: string) => string>>;

type MeasureWord =
  | "count"
  | "overlap_area_m2"
  | "overlap_ratio"
  | "max_overlap_area_m2"
  | "area_overlap_ratio"
  | "min_distance_m"
  | "sum"
  | "min"
  | "max"
  | "avg"
  | "mean";

/** The name of a measure; undefined for one that the titles do not know. */
export function findMeasureTitle(titles: MeasureTitles, named: NamedMeasure): string | undefined {
  const { measure } = named;
  const word = typeof measure === "string" ? measure : (Object.keys(measure)[0] ?? "");
  return Object.hasOwn(titles, word)
    ? titles[word as MeasureWord](named, getMeasuredColumn(measure))
    : undefined;
}
