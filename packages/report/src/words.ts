import type {
  CheckResult,
  ComparisonResult,
  Outcome,
  SourceOutcome,
  Verdict,
  VerdictStatus,
} from "@groundrule/engine";
import type { Words } from "@groundrule/words/en/report";
import { type FactTongue, formatOperator, measuredOn, subjectText } from "@groundrule/words/fact-text";
import { FACT_WORDS } from "@groundrule/words/fact-words";
import { findMeasureUnit } from "@groundrule/words/figures";
import { holds } from "@groundrule/words/holds";
import type { Language, Tongue } from "@groundrule/words/languages";
import { gapWord } from "@groundrule/words/open-reason";

/** A sign next to each word, so that no meaning depends on colour alone. */
export const SIGNS = {
  COMPLIANT: "✓",
  WARNING: "!",
  NON_COMPLIANT: "✕",
  DEGRADED: "?",
  NOTICE: "i",
} as const;

/** A verdict's or an outcome's word. */
export function formatOutcome(words: Words, outcome: VerdictStatus | Outcome): string {
  return {
    COMPLIANT: words.compliant,
    WARNING: words.warning,
    NON_COMPLIANT: words.nonCompliant,
    DEGRADED: words.degraded,
    NOTICE: words.notice,
  }[outcome];
}

/** Reservation shown with the reason of a verdict; undefined if every check was decided. */
export function describeVerdictReservation(
  { verdict, at_least, checks }: Verdict,
  { words, formats, language }: Tongue,
): string | undefined {
  if (verdict === "DEGRADED") return `${words.degradedMeans} ${describeCertainOutcome(words, at_least)}`;
  const count = (status: CheckResult["status"], say: typeof words.openChecks): string | undefined => {
    const open = checks.filter((check) => check.status === status).length;
    return open === 0 ? undefined : say(formats.plain(open), checks.length, formats.plain(checks.length));
  };
  const found = [
    count("not_covered", words.openChecks),
    count("undetermined", words.undeterminedChecks),
    count("not_declared", FACT_WORDS[language].openFacts),
  ]
    .filter((text) => text !== undefined)
    .join(" ");
  if (found === "") return undefined;
  return verdict === "COMPLIANT" ? `${found} ${words.countsAsCompliant}` : found;
}

/** Outcome that is certain in spite of failed sources, in words that nobody mistakes for a pass. */
function describeCertainOutcome(words: Words, atLeast: Verdict["at_least"]): string {
  if (atLeast === "WARNING") return words.certainWarning;
  return atLeast === "NON_COMPLIANT" ? words.certainNonCompliant : words.certainCompliant;
}

export interface Verbal {
  readonly text: string;
  /** The figure that was compared, as the record has it, where the text rounds it. */
  readonly exact?: string;
}

/** Title of a comparison's measure, for a set of areas or records: `Share of the plot covered by “cleared”`. */
export function formatMeasureTitle(
  { set, measure, of, on }: Pick<ComparisonResult, "set" | "measure" | "of" | "on">,
  holding: "areas" | "records",
  { words, language }: Tongue,
): string {
  const whole = of === undefined ? undefined : `“${of}”`;
  const title = words.measure({ measure, set: `“${set}”`, holding, of: whole });
  const named = title ?? `${typeof measure === "string" ? measure : JSON.stringify(measure)} “${set}”`;
  return measuredOn(named, on, language);
}

/** Source of a threshold: `4 × ‘Size of the property’`; undefined if the ruleset states a number. */
export function thresholdSourceText(
  { threshold_of: from }: Pick<ComparisonResult, "threshold_of">,
  holding: (set: string) => "areas" | "records",
  tongue: Tongue,
  facts: FactTongue,
): string | undefined {
  if (from === undefined) return undefined;
  const named =
    "fact" in from ? subjectText(facts, from.fact) : formatMeasureTitle(from, holding(from.set), tongue);
  return from.times === 1 ? named : `${tongue.formats.plain(from.times)} × ${named}`;
}

/**
 * A value of a measure in its unit, as precise as its threshold needs.
 *
 * @param threshold itself where it is what is written: then the text has all its digits
 */
export function formatMeasuredValue(
  { measure }: Pick<ComparisonResult, "measure">,
  value: number | null,
  threshold: number,
  { words, formats }: Tongue,
): Verbal {
  if (value === null) return { text: words.unknown };
  const unit = findMeasureUnit(measure);
  const text = formats.inUnit(unit, value, threshold);
  if (value === 0 || unit === "count" || unit === "column") return { text };
  return { text, exact: unit === "share" ? String(value) : `${value} ${unit}` };
}

/** An operator as mathematics writes it. */
export function formatComparisonOperator({ op }: Pick<ComparisonResult, "op">): string {
  return formatOperator(op);
}

/**
 * Result of a comparison, on the values as printed. A single comparison decides its check and has the check's outcome;
 * one of several is met or not. Unknown if there is no value.
 */
export function formatComparisonResult(
  comparison: ComparisonResult,
  { comparisons, declared = [], status, outcome, triggered }: CheckResult,
  words: Words,
): string {
  if (comparison.value === null || comparison.threshold === null) return words.unknown;
  const isMet = holds(comparison);
  if (comparisons.length + declared.length > 1 || status !== "ok" || triggered !== isMet)
    return isMet ? words.met : words.notMet;
  if (!isMet || outcome === null) return words.notTriggered;
  return outcome === "NON_COMPLIANT" ? words.checkFailed : formatOutcome(words, outcome);
}

/** The result of a check, in a word. */
export function formatCheckResult(
  check: Pick<CheckResult, "status" | "open" | "outcome" | "triggered">,
  words: Words,
  language: Language,
): string {
  const { status, outcome, triggered } = check;
  if (status === "failed") return words.undecided;
  if (status !== "ok") {
    const isWaived = outcome === null || outcome === "NOTICE";
    return `${gapWord(check, language)}: ${isWaived ? words.waived : formatOutcome(words, outcome)}`;
  }
  return !triggered || outcome === null ? words.notTriggered : formatOutcome(words, outcome);
}

/** True if a check is one to look at first: it triggers, or it is not answered. */
export function isLoud({ triggered, status }: CheckResult): boolean {
  return triggered || status !== "ok";
}

/** True if the evaluation was to do without a source. */
export function isOmitted({ status }: Partial<Pick<SourceOutcome, "status">>): boolean {
  return status === "without";
}

/** The part of the plot that a source covers, and whether that was only assumed. */
export function formatCoverage(
  { coverage, coverage_known, overage }: SourceOutcome,
  words: Words,
): string | undefined {
  const parts: string[] = [];
  if (coverage !== undefined) {
    const text = {
      full: words.coversFull,
      partial: words.coversPart,
      none: words.coversNothing,
      undeclared: words.coversUndeclared,
    }[coverage];
    parts.push(coverage_known === "derived" ? words.coversAssumed(text) : text);
  }
  if (overage === true) parts.push(words.tooOld);
  return parts.length === 0 ? undefined : parts.join("; ");
}
