import type { VerdictStatus } from "@groundrule/engine";
import { tongue, words } from "../languages/language.ts";
import type { PlotState } from "./plot.ts";

/** The status of a plot, in the list and on the map: its verdict, or the reason why it has none. */
export type PlotStatus = VerdictStatus | "NEW" | "ASKING" | "REFUSED" | "UNANSWERED";

/** Statuses in display order. */
export const PLOT_STATUSES: readonly PlotStatus[] = [
  "NON_COMPLIANT",
  "REFUSED",
  "DEGRADED",
  "WARNING",
  "COMPLIANT",
  "UNANSWERED",
  "ASKING",
  "NEW",
];

export function toPlotStatus({ state }: { readonly state: PlotState }): PlotStatus {
  switch (state.kind) {
    case "answered":
      return state.answer.verdict.verdict;
    case "asking":
      return "ASKING";
    case "new":
      return "NEW";
    case "unanswered":
      return "UNANSWERED";
    default:
      return "REFUSED";
  }
}

/** The word for a status. */
export function plotStatusWord(status: PlotStatus): string {
  const { outcomes, notChecked, refused } = tongue.value.words;
  const said: Readonly<Record<PlotStatus, string>> = {
    ...outcomes,
    NEW: notChecked,
    ASKING: words.value.mapAsking,
    REFUSED: refused,
    UNANSWERED: words.value.mapUnanswered,
  };
  return said[status];
}
