import type { ComparisonResult } from "@groundrule/engine";
import { getMeasuredColumn } from "@groundrule/engine/internal";
import { measuredOn, subjectText } from "./fact-text.ts";
import { findMeasureUnit } from "./figures.ts";
import type { RulesetTongue } from "./ruleset-tongue.ts";
import type { Tongue } from "./tongue.ts";

/** The name of a comparison's measure: `Share of the plot covered by “cleared”`. */
export function formatMeasureTitle(
  { set, measure, of, on }: Pick<ComparisonResult, "set" | "measure" | "of" | "on">,
  tongue: RulesetTongue,
): string {
  const word = typeof measure === "string" ? measure : (Object.keys(measure)[0] ?? "");
  const { measures } = tongue.words;
  const name = quoteSet(set, tongue);
  const title = Object.hasOwn(measures, word)
    ? measures[word as keyof typeof measures]({
        set: name,
        of: of === undefined ? undefined : quoteSet(of, tongue),
        column: getMeasuredColumn(measure),
      })
    : `${typeof measure === "string" ? measure : JSON.stringify(measure)} ${name}`;
  return measuredOn(title, on, tongue);
}

/** A value of a measure in its unit, as precise as the threshold beside it needs. */
export function formatMeasuredValue(
  { measure, threshold }: Pick<ComparisonResult, "measure" | "threshold">,
  value: number | null,
  { words, formats }: Tongue,
): string {
  if (value === null) return words.unknown;
  return formats.inUnit(findMeasureUnit(measure), value, threshold ?? value);
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
function quoteSet(set: string, { translations }: RulesetTongue): string {
  const name = set.replaceAll("_", " ");
  return `“${translations[name] ?? name}”`;
}
