import type { VerdictStatus } from "@groundrule/engine";
import { words } from "../languages/language.ts";
import type { PlotState } from "./plot.ts";

/** The status of a plot, in the list and on the map: its verdict, or the reason why it has none. */
export type PlotStanding = VerdictStatus | "NEW" | "ASKING" | "REFUSED";

/** Statuses in display order. */
export const STANDINGS: readonly PlotStanding[] = [
  "NON_COMPLIANT",
  "REFUSED",
  "DEGRADED",
  "WARNING",
  "COMPLIANT",
  "ASKING",
  "NEW",
];

export function standingOf({ state }: { readonly state: PlotState }): PlotStanding {
  switch (state.kind) {
    case "answered":
      return state.answer.verdict.verdict;
    case "asking":
      return "ASKING";
    case "new":
      return "NEW";
    default:
      return "REFUSED";
  }
}

/** The word for a status. */
export function standingWord(standing: PlotStanding): string {
  const say = words.value;
  const said: Readonly<Record<PlotStanding, string>> = {
    COMPLIANT: say.mapCompliant,
    WARNING: say.mapWarning,
    NON_COMPLIANT: say.mapNonCompliant,
    DEGRADED: say.mapDegraded,
    NEW: say.mapNew,
    ASKING: say.mapAsking,
    REFUSED: say.mapRefused,
  };
  return said[standing];
}
