import type { ReportTongue } from "@groundrule/words/languages";

import type { CheckState, PlotStatus } from "./portfolio-rows.ts";

/** The word for what became of a plot. */
export function getPlotStatusWords(words: ReportTongue["words"]): Readonly<Record<PlotStatus, string>> {
  return {
    ...words.outcomes,
    ERROR: words.refused,
    UNASKED: words.notChecked,
  };
}

/** The word for what became of a check on a plot. */
export function getCheckStateWords(words: ReportTongue["words"]): Readonly<Record<CheckState, string>> {
  return {
    NON_COMPLIANT: words.outcomes.NON_COMPLIANT,
    WARNING: words.outcomes.WARNING,
    NOTICE: words.outcomes.NOTICE,
    failed: words.undecided,
    not_covered: words.notCoveredWord,
    not_declared: words.notDeclaredWord,
    undetermined: words.undeterminedWord,
    not_triggered: words.passed,
  };
}
