import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { words } from "../languages/language.ts";
import type { MapView } from "../state/map-view.ts";
import { answerer, showCoverage, shownSources, sources, theme } from "../state/store.ts";
import type { Position } from "./drawing/coordinates.ts";
import type { BaseStyle } from "./layers/base-style.ts";
import {
  findSelectedYears,
  getForestColour,
  getRampEnds,
  type SelectedYears,
} from "./layers/cell-colours.ts";
import type { BaseTiles } from "./layers/map-look.ts";
import type { Bounds } from "./layers/plot-features.ts";
import type { PointedArea } from "./pointed-area.ts";
import { listSetsOfSource } from "./ruleset-plan.ts";
import { assignSourceColours, listRepeatedColourSources } from "./sources/source-colours.ts";

// State that the folders of the map share: how the map is used now, and what follows from the state of the page.

/** Keys of the plots that the view leaves out, because they lie far from the others. */
export const farPlots: Signal<readonly string[]> = signal([]);

/** The current mode of the map. */
export type MapMode = "looking" | "drawing" | "keyboard" | "editing" | "typing";

export const mode: Signal<MapMode> = signal("looking");

/** Instructions for drawing or changing a plot by pointer, finger or keyboard; undefined in other modes. */
export function describeDrawingHint(): string | undefined {
  const say = words.value;
  const isTouch = matchMedia("(pointer: coarse)").matches;
  switch (mode.value) {
    case "drawing":
      return isTouch ? say.mapDrawHintTouch : say.mapDrawHint;
    case "keyboard":
      return say.mapKeyboardHint;
    case "editing":
      return isTouch ? say.mapEditHintTouch : say.mapEditHint;
    default:
      return undefined;
  }
}

/** The position below the pointer, or below the crosshair. */
export const pointed: Signal<Position | undefined> = signal(undefined);
export const zoom: Signal<number> = signal(1);

/** Tiles of the operator's base map. */
export const baseTiles: Signal<BaseTiles | undefined> = signal(undefined);

/** The operator's style; undefined until it is loaded. */
export const baseStyle: Signal<BaseStyle | undefined> = signal(undefined);

/** True if the operator's base map could not be loaded. */
export const isBaseMissing: Signal<boolean> = signal(false);

/** The initial view without plots; undefined: the coverage of the ruleset's sources. */
export const startBounds: Signal<Bounds | undefined> = signal(undefined);

/** The exact view to start with, in place of {@link startBounds}. */
export const startView: Signal<MapView | undefined> = signal(undefined);

/** The view of the map since it was moved first; until then the one to start with. */
export const view: Signal<MapView | undefined> = signal(undefined);

/** True if areas to be shown could not be loaded. */
export const hasMissingTiles: Signal<boolean> = signal(false);

const prefersDark: Signal<boolean> = signal(false);

/** Follows the system's preferred theme; called when the page starts. */
export function followSystemTheme(): void {
  const query = matchMedia("(prefers-color-scheme: dark)");
  prefersDark.value = query.matches;
  query.addEventListener("change", () => {
    prefersDark.value = query.matches;
  });
}

export const isDark: ReadonlySignal<boolean> = computed(
  () => theme.value === "dark" || (theme.value === "system" && prefersDark.value),
);

/** Names of the sources that have areas to show. */
export const areaSourceNames: ReadonlySignal<readonly string[]> = computed(() =>
  sources.value
    .filter(({ kind, live }) => kind === "leaf" && live !== true)
    .map(({ source_name }) => source_name),
);

/** Sources whose areas are cell values. */
export const rasterNames: ReadonlySignal<ReadonlySet<string>> = computed(
  () => new Set(sources.value.flatMap(({ source_name, grid }) => (grid === undefined ? [] : source_name))),
);

/** The cell values visible on the map, by source. */
export const shownValues: Signal<ReadonlyMap<string, readonly PointedArea[]>> = signal(new Map());

/** Rasters of forest, over which others are drawn. */
export const forestNames: ReadonlySignal<ReadonlySet<string>> = computed(
  () =>
    new Set(
      sources.value.flatMap(({ source_name, grid, category }) =>
        grid !== undefined && category === "forest" ? source_name : [],
      ),
    ),
);

/** The colour of each source with areas. */
export const colours: ReadonlySignal<ReadonlyMap<string, string>> = computed(() => {
  const forest = [...forestNames.value].map((name) => [name, getForestColour(isDark.value)] as const);
  return new Map([...assignSourceColours(areaSourceNames.value, isDark.value), ...forest]);
});

/** True if rasters of years show all of them, in colours of their own. */
export const showAllYears: Signal<boolean> = signal(false);

/** The years that the chosen ruleset selects, by raster. */
export const selectedYears: ReadonlySignal<ReadonlyMap<string, SelectedYears>> = computed(
  () =>
    new Map(
      sources.value.flatMap(({ source_name, grid, observed_until }) => {
        const years =
          grid &&
          findSelectedYears(
            listSetsOfSource(source_name).map(({ where }) => where),
            observed_until,
          );
        return years === undefined ? [] : [[source_name, years]];
      }),
    ),
);

/** The colours in which the map draws a source; of a ramp, its ends. */
export function listDrawnColours(name: string): readonly string[] {
  if (selectedYears.value.has(name) && !showAllYears.value) return getRampEnds(isDark.value);
  const values = (shownValues.value.get(name) ?? []).flatMap(({ colour }) => colour ?? []);
  return values.length === 0 || forestNames.value.has(name) ? [colours.value.get(name)!] : values;
}

/** Sources with areas whose lines are dashed. */
export const dashed: ReadonlySignal<ReadonlySet<string>> = computed(() =>
  listRepeatedColourSources(areaSourceNames.value),
);

/** Sources whose areas the map shows: switched on, and available. */
export const drawnSources: ReadonlySignal<readonly string[]> = computed(() =>
  answerer.value === undefined
    ? []
    : areaSourceNames.value
        .filter((name) => shownSources.value.has(name))
        .toSorted((a, b) => Number(forestNames.value.has(b)) - Number(forestNames.value.has(a))),
);

/** The sources that the chosen ruleset uses, with groups expanded; empty until they are known. */
export const rulesetSources: Signal<ReadonlySet<string>> = signal(new Set());

/** Sources of the ruleset that do not cover everything, whose uncovered ground is hatched. */
export const hatchedSources: ReadonlySignal<readonly string[]> = computed(() => {
  if (!showCoverage.value || answerer.value === undefined) return [];
  return sources.value
    .filter(({ source_name, kind, live, coverage, grid }) => {
      const isBounded = /^(?:countries|polygons|cells)$/.test(coverage?.extent ?? "") || grid !== undefined;
      return kind === "leaf" && live !== true && isBounded && rulesetSources.value.has(source_name);
    })
    .map(({ source_name }) => source_name);
});
