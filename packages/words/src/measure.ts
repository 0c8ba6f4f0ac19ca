import type { ComparisonResult } from "@groundrule/engine";
import { measuredOn, subjectText } from "./fact-text.ts";
import { findMeasureUnit } from "./figures.ts";
import { type RulesetTongue, translateText } from "./ruleset-tongue.ts";
import type { Tongue } from "./tongue.ts";

/** The name of a comparison's measure: `Share of the plot covered by “cleared”`. */
export function formatMeasureTitle(
  { set, measure, of, on }: Pick<ComparisonResult, "set" | "measure" | "of" | "on">,
  tongue: RulesetTongue,
): string {
  const [word, column] =
    typeof measure === "string" ? [measure, ""] : (Object.entries(measure)[0] ?? ["", ""]);
  const { measures } = tongue.words;
  const name = quoteSet(set, tongue);
  const title = Object.hasOwn(measures, word)
    ? measures[word as keyof typeof measures]({
        set: name,
        of: of === undefined ? undefined : quoteSet(of, tongue),
        column,
      })
    : `${typeof measure === "string" ? measure : JSON.stringify(measure)} ${name}`;
  return measuredOn(title, on, tongue);
}

/** A comparison, or the part of one that is known. */
type Compared = Pick<ComparisonResult, "measure" | "threshold"> & Partial<Pick<ComparisonResult, "value">>;

/**
 * A value of a comparison, or its threshold, as precise as the threshold needs. Both are in one unit.
 *
 * @param shown the value or the threshold
 */
export function formatMeasuredValue(
  { measure, threshold, value }: Compared,
  shown: number | null,
  { words, formats }: Tongue,
): string {
  if (shown === null) return words.unknown;
  const greatest = Math.max(shown, threshold ?? shown, value ?? shown);
  return formats.inUnit(findMeasureUnit(measure), shown, [threshold ?? shown], greatest);
}

/** Source of a threshold that no number states: `4 × ‘Size of the property’`. */
export function formatThresholdSource(
  from: NonNullable<ComparisonResult["threshold_of"]>,
  tongue: RulesetTongue,
): string {
  const named = "fact" in from ? subjectText(tongue, from.fact) : formatMeasureTitle(from, tongue);
  return from.times === 1 ? named : `${tongue.formats.plain(from.times)} × ${named}`;
}

/** The name of a set in readable form, translated in a preset. */
function quoteSet(set: string, tongue: RulesetTongue): string {
  return `“${translateText(tongue, set.replaceAll("_", " "))}”`;
}
