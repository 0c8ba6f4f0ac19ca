import type { ComparisonResult } from "@groundrule/engine";
import { type FactTongue, measuredOn, subjectText } from "@groundrule/words/declared";
import { figures } from "../languages/figures.ts";
import { language } from "../languages/language.ts";
import { formatMeasuredQuantity } from "./measure-text.ts";

/** The quantity of a comparison, in words, with the land on which it is measured. */
export function landMeasureText(measured: Pick<ComparisonResult, "measure" | "set" | "of" | "on">): string {
  return measuredOn(formatMeasuredQuantity(measured), measured.on, language.value);
}

/** The source of a threshold, in words: `4 × ‘Size of the property’`. */
export function formatThresholdSource(
  from: NonNullable<ComparisonResult["threshold_of"]>,
  tongue: FactTongue,
): string {
  const named = "fact" in from ? subjectText(tongue, from.fact) : landMeasureText(from);
  return from.times === 1 ? named : `${figures.value.plain(from.times)} × ${named}`;
}
