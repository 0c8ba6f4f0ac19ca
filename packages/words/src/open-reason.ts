import type { CheckResult, OpenReason } from "@groundrule/engine";
import { findQuestion } from "./fact-text.ts";
import type { RulesetTongue } from "./ruleset-tongue.ts";
import type { Tongue } from "./tongue.ts";

/** Names a source as readers know it. */
export type SourceTitle = (sourceName: string) => string;

/** Reasons for an open check, a sentence for each; for a record that does not state them, a sentence about that. */
export function openTexts(
  { status, open }: Pick<CheckResult, "status" | "open">,
  tongue: Tongue | RulesetTongue,
  titleOf: SourceTitle = (name) => name,
): string[] {
  if (status === "ok") return [];
  if (open === undefined || open.length === 0) return [tongue.words.open.unstated];
  return open.map((reason) => formatOpenReason(reason, tongue, titleOf));
}

/** A fact by its question, where the ruleset is known; else by its name. */
function nameFact(fact: string, tongue: Tongue | RulesetTongue): string {
  const isKnown = "declarations" in tongue && Object.hasOwn(tongue.declarations, fact);
  return isKnown ? findQuestion(tongue, fact) : fact;
}

function formatOpenReason(reason: OpenReason, tongue: Tongue | RulesetTongue, titleOf: SourceTitle): string {
  const {
    words: { open: words },
    formats,
  } = tongue;
  const {
    source_name,
    covered_ratio = 0,
    age_days,
    max_age_days,
    areas = 0,
    fact,
    pointer = "",
    proposed,
  } = reason;
  const source = source_name === undefined ? "" : titleOf(source_name);
  switch (reason.because) {
    case "coverage":
      if (covered_ratio === 1) return words.surroundings(source);
      return covered_ratio === 0
        ? words.uncovered(source)
        : words.covered(source, formats.share(covered_ratio));
    case "age": {
      const most = formats.plain(max_age_days ?? 0);
      return age_days === undefined
        ? words.ageless(source, most)
        : words.old(source, formats.plain(age_days), most);
    }
    case "fact":
      return fact === undefined ? words.property : words.fact(nameFact(fact, tongue));
    case "null":
      return words.noValue(source, areas, formats.plain(areas));
    case "identifier":
      return proposed === undefined ? words.identifier(pointer) : words.proposed(pointer, proposed);
    case "left_out":
      return words.leftOut(source, areas, formats.plain(areas));
    case "failed":
      return words.failed(source);
    case "without":
      return words.without(source);
  }
}
