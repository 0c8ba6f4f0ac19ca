import type { JSX } from "preact";
import { words } from "../../languages/language.ts";
import { findRasterBounds, openedMap } from "../map-session.ts";
import type { ExamplePlace } from "../page-map.ts";
import { addExamplePlot } from "./draw-session.ts";

/**
 * Offers example plots to try before drawing: across the edge of an area in view, near one, and far from all. The
 * ruleset decides their verdicts.
 */
export function ExamplePlot(): JSX.Element | null {
  const parts = openedMap.value;
  if (parts === undefined) return null;
  const say = words.value;
  const { page } = parts;
  const add = (place: ExamplePlace): void => {
    void page.findExample(place, findRasterBounds).then((found) => addExamplePlot(found ?? page.centre));
  };
  return (
    <div class="map-examples">
      <button type="button" class="primary" onClick={() => add("edge")}>
        {say.mapExample}
      </button>
      <button type="button" class="map-link" onClick={() => add("near")}>
        {say.mapExampleNear}
      </button>
      <button type="button" class="map-link" onClick={() => add("away")}>
        {say.mapExampleAway}
      </button>
    </div>
  );
}
