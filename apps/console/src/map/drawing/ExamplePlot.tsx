import type { JSX } from "preact";
import { words } from "../../languages/language.ts";
import { findRasterBounds, openedMap } from "../map-session.ts";
import { addExamplePlot } from "./draw-session.ts";
import type { ExamplePlace } from "./find-example.ts";

/**
 * Offers example plots to try before drawing: across the edge of an area in view, near one, and far from all. The
 * ruleset decides their verdicts.
 */
export function ExamplePlot(): JSX.Element | null {
  const parts = openedMap.value;
  if (parts === undefined) return null;
  const say = words.value;
  const { page } = parts;
  const add = async (place: ExamplePlace): Promise<void> => {
    const { ExampleFinder } = await import("./find-example.ts");
    addExamplePlot((await new ExampleFinder(page).find(place, findRasterBounds)) ?? page.centre);
  };
  return (
    <div class="map-examples">
      <button type="button" class="primary" onClick={() => void add("edge")}>
        {say.mapExample}
      </button>
      <button type="button" class="map-link" onClick={() => void add("near")}>
        {say.mapExampleNear}
      </button>
      <button type="button" class="map-link" onClick={() => void add("away")}>
        {say.mapExampleAway}
      </button>
    </div>
  );
}
