import type { JSX } from "preact";
import type { PlotStanding } from "../../state/standing.ts";
import { SourceSwatch } from "../AreaTip.tsx";
import { standingColours } from "../layers/map-look.ts";
import { isDark } from "../map-state.ts";

/** How plots of a standing are drawn on the map: what is refused has an outline alone. */
export function StandingSwatch({ standing }: { readonly standing: PlotStanding }): JSX.Element {
  return <SourceSwatch colour={standingColours(isDark.value)[standing]} isOutline={standing === "REFUSED"} />;
}
