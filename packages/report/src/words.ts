import type { CheckResult, ComparisonResult, SourceOutcome, Verdict } from "@groundrule/engine";
import { findMeasureUnit, formatMeasuredValue, gapWord, holds } from "@groundrule/words";
import type { ReportTongue } from "@groundrule/words/languages";

/** A sign next to each word, so that no meaning depends on colour alone. */
export const SIGNS = {
  COMPLIANT: "✓",
  WARNING: "!",
  NON_COMPLIANT: "✕",
  DEGRADED: "?",
  NOTICE: "i",
} as const;

/** Reservation shown with the reason of a verdict; undefined if every check was decided. */
export function describeVerdictReservation(
  { verdict, at_least, checks }: Verdict,
  { words, formats }: ReportTongue,
): string | undefined {
  if (verdict === "DEGRADED") return `${words.degradedMeans} ${describeCertainOutcome(words, at_least)}`;
  const count = (status: CheckResult["status"], say: typeof words.openChecks): string | undefined => {
    const open = checks.filter((check) => check.status === status).length;
    return open === 0 ? undefined : say(formats.plain(open), checks.length, formats.plain(checks.length));
  };
  const found = [
    count("not_covered", words.openChecks),
    count("undetermined", words.undeterminedChecks),
    count("not_declared", words.facts.openFacts),
  ]
    .filter((text) => text !== undefined)
    .join(" ");
  if (found === "") return undefined;
  return verdict === "COMPLIANT" ? `${found} ${words.countsAsCompliant}` : found;
}

/** Outcome that is certain in spite of failed sources, in words that nobody mistakes for a pass. */
function describeCertainOutcome(words: ReportTongue["words"], atLeast: Verdict["at_least"]): string {
  if (atLeast === "WARNING") return words.certainWarning;
  return atLeast === "NON_COMPLIANT" ? words.certainNonCompliant : words.certainCompliant;
}

export interface Verbal {
  readonly text: string;
  /** The figure that was compared, as the record has it, where the text rounds it. */
  readonly exact?: string;
}

/**
 * A value of a measure in its unit, as precise as its threshold needs.
 *
 * @param threshold itself where it is what is written: then the text has all its digits
 */
export function toVerbalValue(
  comparison: Pick<ComparisonResult, "measure" | "value">,
  value: number | null,
  threshold: number,
  tongue: ReportTongue,
): Verbal {
  const unit = findMeasureUnit(comparison.measure);
  const text = formatMeasuredValue({ ...comparison, threshold }, value, tongue);
  if (value === null || value === 0 || unit === "count" || unit === "column") return { text };
  return { text, exact: unit === "share" ? String(value) : `${value} ${unit}` };
}

/**
 * Result of a comparison, on the values as printed. A single comparison decides its check and has the check's outcome;
 * one of several is met or not. Unknown if there is no value.
 */
export function formatComparisonResult(
  comparison: ComparisonResult,
  { comparisons, declared = [], status, outcome, triggered }: CheckResult,
  words: ReportTongue["words"],
): string {
  if (comparison.value === null || comparison.threshold === null) return words.unknown;
  const isMet = holds(comparison);
  if (comparisons.length + declared.length > 1 || status !== "ok" || triggered !== isMet)
    return isMet ? words.met : words.notMet;
  if (!isMet || outcome === null) return words.passed;
  return outcome === "NON_COMPLIANT" ? words.checkFailed : words.outcomes[outcome];
}

/** The result of a check, in a word. */
export function formatCheckResult(
  check: Pick<CheckResult, "status" | "open" | "outcome" | "triggered">,
  tongue: ReportTongue,
): string {
  const { words } = tongue;
  const { status, outcome, triggered } = check;
  if (status === "failed") return words.undecided;
  if (status !== "ok") {
    const isWaived = outcome === null || outcome === "NOTICE";
    return `${gapWord(check, tongue)}: ${isWaived ? words.waived : words.outcomes[outcome]}`;
  }
  return !triggered || outcome === null ? words.passed : words.outcomes[outcome];
}

/** True if a check is one to look at first: it triggers, or it is not answered. */
export function isLoud({ triggered, status }: CheckResult): boolean {
  return triggered || status !== "ok";
}

/** True if a check keeps the verdict from being compliant. */
export function isDeciding({ status, outcome }: CheckResult): boolean {
  return status === "failed" || outcome === "NON_COMPLIANT" || outcome === "WARNING";
}

/** True if the evaluation was to do without a source. */
export function isOmitted({ status }: Partial<Pick<SourceOutcome, "status">>): boolean {
  return status === "without";
}

/** The part of the plot that a source covers, and whether that was only assumed. */
export function formatCoverage(
  { coverage, coverage_known, overage }: SourceOutcome,
  words: ReportTongue["words"],
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
