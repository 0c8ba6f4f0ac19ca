import type { VerdictStatus } from "@groundrule/engine";
import { words } from "../languages/language.ts";
import type { PlotState } from "./plot.ts";

/** How a plot stands, in the list and on the map: its verdict, or why it has none. */
export type PlotStanding = VerdictStatus | "NEW" | "ASKING" | "REFUSED";

/** In the order in which people look at them. */
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

/** What a standing is called. */
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
