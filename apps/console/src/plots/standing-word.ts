import { words } from "../languages/language.ts";
import type { PlotStanding } from "./plot-order.ts";

/** What a plot's standing is called. */
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
