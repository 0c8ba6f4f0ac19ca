import type { Words } from "@groundrule/words/en/report";
import type { CheckState, PlotStatus } from "./portfolio-rows.ts";

/** The word for what became of a plot. */
export function getPlotStatusWords(words: Words): Readonly<Record<PlotStatus, string>> {
  return {
    COMPLIANT: words.compliant,
    WARNING: words.warning,
    NON_COMPLIANT: words.nonCompliant,
    DEGRADED: words.degraded,
    ERROR: words.noVerdictWord,
    UNASKED: words.notCheckedWord,
  };
}

/** The word for what became of a check on a plot. */
export function getCheckStateWords(words: Words): Readonly<Record<CheckState, string>> {
  return {
    NON_COMPLIANT: words.nonCompliant,
    WARNING: words.warning,
    NOTICE: words.notice,
    failed: words.undecided,
    not_covered: words.notCoveredWord,
    not_declared: words.notDeclaredWord,
    undetermined: words.undeterminedWord,
    not_triggered: words.notTriggered,
  };
}
