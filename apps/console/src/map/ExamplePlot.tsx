import type { JSX } from "preact";
import { words } from "../languages/language.ts";
import { addExamplePlot } from "./draw-session.ts";
import { openedMap } from "./map-session.ts";

/** An example plot in the middle of the map, for who wants to see a verdict before drawing. */
export function ExamplePlot(): JSX.Element | null {
  const parts = openedMap.value;
  if (parts === undefined) return null;
  return (
    <button type="button" onClick={() => addExamplePlot(parts.page.centre)}>
      {words.value.mapExample}
    </button>
  );
}
