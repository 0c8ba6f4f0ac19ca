import type { JSX } from "preact";
import { words } from "../../languages/language.ts";
import { openedMap } from "../map-session.ts";
import { addExamplePlot } from "./draw-session.ts";

/** An example plot across the edge of an area in view, else in the middle of the map: a verdict before drawing. */
export function ExamplePlot(): JSX.Element | null {
  const parts = openedMap.value;
  if (parts === undefined) return null;
  return (
    <button
      type="button"
      class="primary"
      onClick={() => addExamplePlot(parts.page.edgeInView ?? parts.page.centre)}
    >
      {words.value.mapExample}
    </button>
  );
}
