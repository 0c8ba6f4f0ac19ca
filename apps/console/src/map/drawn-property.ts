import { effect, type Signal, signal } from "@preact/signals";
import type { Geometry } from "geojson";
import { place } from "../state/placing.ts";
import { selectedPlot } from "../state/store.ts";
import { isOnEarth } from "./on-earth.ts";

/** The property of the selected plot, as drawn on the map; undefined if it has none, or it cannot be placed. */
export const drawnProperty: Signal<Geometry | undefined> = signal(undefined);

/** Keeps it in step with the selected plot; returns a function that stops this. */
export function followSelectedProperty(): () => void {
  let last: object | undefined;
  return effect(() => {
    const { property, crs } = (selectedPlot.value?.input ?? {}) as {
      readonly property?: object;
      readonly crs?: string;
    };
    if (property === last) return;
    last = property;
    drawnProperty.value = crs === undefined && isOnEarth(property) ? property : undefined;
    if (property === undefined || crs === undefined) return;
    void place([property], crs).then(([placed]) => {
      if (last === property) drawnProperty.value = placed;
    });
  });
}
