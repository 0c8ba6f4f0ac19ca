import { computed, effect, type Signal, signal } from "@preact/signals";
import type { MapMouseEvent } from "maplibre-gl";
import { figures, language } from "../languages/language.ts";
import { faded, seenPlots } from "../state/comparison.ts";
import { findings } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";
import {
  activeFilter,
  answerer,
  choosePlot,
  filteredKeys,
  highlighted,
  plots,
  returns,
  ruleset,
  selectedKey,
  selectedPlot,
  shownSources,
  sources,
} from "../state/store.ts";
import { DrawSession, evaluateWaitingPlots } from "./drawing/draw-session.ts";
import { subtractFromWorld } from "./drawing/drawn-shape.ts";
import { FaultMarkers } from "./drawing/fault-markers.tsx";
import { findPlotFaults } from "./drawing/faults-of.ts";
import { drawnProperty, followSelectedProperty } from "./drawn-property.ts";
import { buildCountryNames, createBaseMap, findCountryBounds } from "./layers/base-map.ts";
import { BASE } from "./layers/base-style.ts";
import type { MapLook } from "./layers/map-look.ts";
import { type Bounds, computeGeometryBounds, computePlotBounds, joinBounds } from "./layers/plot-features.ts";
import { serveReferenceTiles } from "./layers/reference-tiles.ts";
import { TileQueue } from "./layers/tile-queue.ts";
import {
  areaSourceNames,
  baseStyle,
  baseTiles,
  colours,
  dashed,
  drawnSources,
  farPlots,
  followSystemTheme,
  forestNames,
  hasMissingTiles,
  hatchedSources,
  isBaseMissing,
  isDark,
  mode,
  pointed,
  rasterNames,
  rulesetSources,
  selectedYears,
  showAllYears,
  shownValues,
  startBounds,
  startView,
  view,
  zoom,
} from "./map-state.ts";
import { computeNearBounds } from "./near-bounds.ts";
import { type Found, PageMap } from "./page-map.ts";
import { rulesetPlan } from "./ruleset-plan.ts";

/** Maximum cell values in the legend. */
const MOST_VALUES = 300;

/** The objects that the parts of the map share, once it is open. */
export interface MapParts {
  readonly page: PageMap;
  readonly session: DrawSession;
}

/** The map while it is open. */
export const openedMap: Signal<MapParts | undefined> = signal(undefined);

/** The area below the pointer, and where the pointer is. */
export const tip: Signal<Found | undefined> = signal(undefined);

const answererNumber = signal(0);
let tiles: TileQueue | undefined;

serveReferenceTiles(
  () => tiles,
  () => openedMap.peek()?.page.plotBoxes ?? [],
);
followSystemTheme();

/** Number of plots from which their dots have no rims. */
const DENSE = 500;
const isDense = computed(() => plots.value.length >= DENSE);

const look = computed<MapLook>(() => ({
  isDense: isDense.value,
  isDark: isDark.value,
  shown: drawnSources.value.map((source) => ({
    source,
    colour: colours.value.get(source)!,
    isDashed: dashed.value.has(source),
    isRaster: rasterNames.value.has(source),
    isForest: forestNames.value.has(source),
    years: showAllYears.value ? undefined : selectedYears.value.get(source),
  })),
  hatched: hatchedSources.value,
  highlighted: highlightedArea.value,
  isVeiled: isVeiled.value,
  selectedKey: selectedKey.value,
  editedKey: mode.value === "editing" ? selectedKey.value : undefined,
  tiles: baseTiles.value,
  style: baseStyle.value,
  answererNumber: answererNumber.value,
}));

/** Evidence of a register has no area. */
const highlightedArea = computed(() => {
  const evidence = highlighted.value;
  if (evidence === undefined || !areaSourceNames.value.includes(evidence.source_name)) return undefined;
  const { source_name, source_id } = evidence;
  return { source_name, source_id, isRaster: rasterNames.value.has(source_name) };
});

/** Plots whose outlines cross themselves: the map would leave out overlapping parts of their loops. */
const crossed = computed(
  () =>
    new Set(
      [...findings.value].flatMap(([key, found]) =>
        found.some(({ code }) => code === "RING_SELF_CROSSING") ? [key] : [],
      ),
    ),
);

/** True if the highlighted area is evidence of a check, which is about its overlap with the plot. */
const isVeiled = computed(
  () =>
    highlighted.value?.check !== undefined && subtractFromWorld(selectedPlot.value?.geometry) !== undefined,
);

/**
 * Creates a map in an element and binds it to the state of the page.
 *
 * Fails: with an error of the map if the browser cannot draw one.
 */
export function openMapInElement(container: HTMLElement): MapParts & { readonly close: () => void } {
  const page = new PageMap(container);
  const session = new DrawSession(page);
  const faults = new FaultMarkers(page);
  page.showBaseMap(createBaseMap());
  const stop = [
    effect(() => {
      tiles?.close();
      tiles = answerer.value === undefined ? undefined : new TileQueue(answerer.value);
      answererNumber.value = answererNumber.peek() + 1;
      hasMissingTiles.value = false;
    }),
    effect(() => {
      page.look = look.value;
    }),
    effect(() => page.showPlots(seenPlots.value, faded.value, crossed.value)),
    effect(() => page.dimPlotsExcept(filteredKeys.value, plots.value)),
    effect(() => {
      void showRulesetSources();
    }),
    effect(() => {
      const plot = selectedPlot.value;
      faults.show(plot, plot === undefined ? undefined : findPlotFaults(plot));
    }),
    effect(() => {
      void selectedKey.value;
      // The highlighted area was evidence of another plot.
      highlighted.value = undefined;
    }),
    effect(() => {
      const around = subtractFromWorld(selectedPlot.value?.geometry);
      if (around !== undefined) page.showVeil(around);
    }),
    followSelectedProperty(),
    effect(() => page.showProperty(drawnProperty.value)),
    evaluateWaitingPlots(),
    fitToNewPlots(page),
    fitToFilter(page),
    rememberViewOfList(page),
    fitToSelected(page),
    fitToProperty(page),
    fitToSources(page),
    effect(() => page.showCountryNames(buildCountryNames(language.value))),
    effect(() => {
      page.compass = figures.value.compass;
    }),
    effect(() => {
      const style = baseStyle.value;
      if (style !== undefined) page.whenReady(() => page.useSigns(style));
    }),
    listenToMapEvents(page, session, container),
  ];
  openedMap.value = { page, session };
  return {
    page,
    session,
    close: () => {
      openedMap.value = undefined;
      for (const each of stop) each();
      session.close();
      faults.close();
      tiles?.close();
      tiles = undefined;
      page.remove();
    },
  };
}

/** Shows the sources of the ruleset and their coverage; changes nothing if they cannot be determined. */
async function showRulesetSources(): Promise<void> {
  const [by, chosen] = [answerer.value, ruleset.value];
  if (by === undefined || chosen === undefined) {
    rulesetSources.value = new Set();
    return;
  }
  try {
    const plan = await by.explain({ input: {}, ruleset: chosen });
    if (answerer.peek() !== by || ruleset.peek() !== chosen) return;
    const names = plan.sources.map(({ source_name }) => source_name);
    rulesetPlan.value = plan;
    rulesetSources.value = new Set(names);
    shownSources.value = new Set(names);
  } catch {
    // The ruleset's panel reports its errors.
    rulesetSources.value = new Set();
  }
}

/** Moves to new plots, unless they were drawn here. */
function fitToNewPlots(page: PageMap): () => void {
  let known = new Set<string>();
  let waiting: PagePlot[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fit = (): void => {
    // The surroundings of an example explain its verdict.
    fitToPlots(page, waiting, waiting.every(({ origin }) => origin === "example") ? 0.4 : 0);
    waiting = [];
  };
  return effect(() => {
    const added = plots.value.filter(({ key }) => !known.has(key));
    known = new Set(plots.value.map(({ key }) => key));
    const come = added.filter(({ origin }) => origin !== "drawn");
    if (come.length === 0) return;
    waiting = [...waiting, ...come];
    clearTimeout(timer);
    // A large file arrives in batches, which are one list.
    if (come.length < DENSE) fit();
    else timer = setTimeout(fit, TOGETHER_MS);
  });
}

/** Changes within this time move the map once: batches of a file, letters of a search. */
const TOGETHER_MS = 300;

/**
 * Moves to plots, but for those far from the others, which are noted.
 *
 * @param around share of the view to add on each side
 */
export function fitToPlots(page: PageMap, shown: readonly PagePlot[], around = 0): void {
  const placed = shown.flatMap((plot) => {
    const bounds = computePlotBounds(plot);
    return bounds === undefined ? [] : [{ key: plot.key, bounds }];
  });
  const near = computeNearBounds(placed.map(({ bounds }) => bounds));
  if (near === undefined) return;
  farPlots.value = near.far.map((i) => placed[i]!.key);
  const [west, south, east, north] = near.bounds;
  const [aside, up] = [around * (east - west), around * (north - south)];
  page.whenReady(() => page.fit([west - aside, south - up, east + aside, north + up]));
}

/** Moves to the plots that the list's filter leaves, once it was changed. */
function fitToFilter(page: PageMap): () => void {
  let before = activeFilter.peek();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return effect(() => {
    const filter = activeFilter.value;
    clearTimeout(timer);
    if (filter === before) return;
    timer = setTimeout(() => {
      before = filter;
      viewOfList = undefined;
      const keys = filteredKeys.peek();
      fitToPlots(
        page,
        plots.peek().filter(({ key }) => keys?.has(key) ?? true),
      );
    }, TOGETHER_MS);
  });
}

/** The view before a plot was selected; undefined if no plot was, or the list has another view now. */
let viewOfList: { readonly center: [number, number]; readonly zoom: number } | undefined;

/** Returns to the view that the map had before a plot of the list was selected. */
function rememberViewOfList(page: PageMap): () => void {
  const { map } = page;
  const stop = effect(() => {
    if (selectedKey.value === undefined) return;
    viewOfList ??= { center: map.getCenter().toArray(), zoom: map.getZoom() };
  });
  const stopReturns = effect(() => {
    if (returns.value === 0 || viewOfList === undefined) return;
    page.moveTo(viewOfList);
    viewOfList = undefined;
  });
  return () => {
    stop();
    stopReturns();
  };
}

/** Moves to the plot that is selected in a list, if it is not visible. */
function fitToSelected(page: PageMap): () => void {
  return effect(() => {
    const key = selectedKey.value;
    const plot = selectedPlot.peek();
    const bounds = key === selectedHere || plot === undefined ? undefined : computePlotBounds(plot);
    if (bounds !== undefined) page.whenReady(() => page.fitUnlessSeen(bounds));
  });
}

/** Includes the property of the selected plot in the view once it is drawn. */
function fitToProperty(page: PageMap): () => void {
  return effect(() => {
    const property = drawnProperty.value;
    const plot = selectedPlot.peek();
    if (property === undefined || plot === undefined || plot.key === selectedHere) return;
    const bounds = joinBounds([computePlotBounds(plot), computeGeometryBounds(property)]);
    if (bounds !== undefined) page.whenReady(() => page.fitUnlessSeen(bounds));
  });
}

/** The plot that was selected on the map, which does not move. */
let selectedHere: string | undefined;

function choosePlotOnMap(key: string): void {
  selectedHere = key;
  choosePlot(key);
}

/** Without plots, the map starts at the configured place, otherwise where the ruleset's sources have coverage. */
function fitToSources(page: PageMap): () => void {
  return effect(() => {
    const exact = startView.value;
    if (exact !== undefined) {
      const { longitude, latitude, zoom } = exact;
      if (plots.peek().length === 0) page.map.jumpTo({ center: [longitude, latitude], zoom });
      return;
    }
    const configured = startBounds.value;
    if (configured !== undefined) {
      if (plots.peek().length === 0) page.whenReady(() => page.fit(configured));
      return;
    }
    const rasters = answerer.value?.place === "here" ? [...rasterNames.value] : [];
    if (plots.peek().length > 0) return;
    if (rasters.length > 0) {
      void findBoundsOfSources(rasters).then((found) => {
        if (found !== undefined && plots.peek().length === 0) page.whenReady(() => page.fit(found));
      });
      return;
    }
    if (rulesetSources.value.size === 0) return;
    const by = sources.peek().filter(({ source_name }) => rulesetSources.value.has(source_name));
    const countries = [...new Set(by.flatMap(({ country_coverage }) => country_coverage ?? []))].map(
      findCountryBounds,
    );
    const all = joinBounds(countries);
    if (all === undefined) return;
    const isNear = all[2] - all[0] <= WIDEST_START;
    const start = isNear ? all : countries.find((bounds) => bounds !== undefined);
    page.whenReady(() => page.fit(start!));
  });
}

/** The box of all that sources of areas show, from their tiles; undefined if it is empty or cannot be loaded. */
async function findBoundsOfSources(names: readonly string[]): Promise<Bounds | undefined> {
  const queue = tiles;
  if (queue === undefined) return undefined;
  const { findSourceBounds } = await import("./layers/source-bounds.ts");
  return joinBounds(
    await Promise.all(names.map((name) => findSourceBounds(queue, name).catch(() => undefined))),
  );
}

/** The tiles of the current answerer; undefined while there is none. */
export function getTileQueue(): TileQueue | undefined {
  return tiles;
}

/** Moves the map to the areas of a source. */
export async function zoomToSource(name: string): Promise<void> {
  const bounds = await findBoundsOfSources([name]);
  if (bounds !== undefined) openedMap.peek()?.page.fit(bounds);
}

/** The box of the rasters that the map draws, where an example has something to show. */
export async function findRasterBounds(): Promise<Bounds | undefined> {
  return findBoundsOfSources(drawnSources.peek().filter((name) => rasterNames.peek().has(name)));
}

/** Degrees: if countries are further apart, the map starts at the first of them. */
const WIDEST_START = 120;

function listenToMapEvents(page: PageMap, session: DrawSession, container: HTMLElement): () => void {
  const { map } = page;
  let waiting: MapMouseEvent | undefined;
  const look = (event: MapMouseEvent) => {
    if (waiting === undefined) {
      requestAnimationFrame(() => {
        const last = waiting;
        waiting = undefined;
        if (last !== undefined) updateTipAtPointer(page, last);
      });
    }
    waiting = event;
  };
  const press = (event: KeyboardEvent) => {
    if (!session.press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  map.on("mousemove", look);
  map.on("mouseout", () => {
    waiting = undefined;
    pointed.value = undefined;
    hideTip();
  });
  map.on("movestart", hideTip);
  const formatCamera = (): string => `${map.getCenter().toArray()} ${map.getZoom()}`;
  const first = formatCamera();
  map.on("moveend", () => {
    // A map that was only resized is where it was.
    if (view.peek() === undefined && formatCamera() === first) return;
    const { lng, lat } = map.getCenter().wrap();
    view.value = { longitude: lng, latitude: lat, zoom: map.getZoom() };
  });
  map.on("error", ({ error, ...of }) => {
    // A cancelled tile is not missing.
    if ((error as Partial<Error>).name === "AbortError") return;
    const { sourceId } = of as { readonly sourceId?: string };
    const isOurs = sourceId !== undefined && sourceId !== "tiles" && !sourceId.startsWith(BASE);
    (isOurs || (baseTiles.peek() ?? baseStyle.peek()) === undefined ? hasMissingTiles : isBaseMissing).value =
      true;
  });
  map.on("dataloading", () => container.setAttribute("aria-busy", "true"));
  map.on("idle", () => {
    container.setAttribute("aria-busy", "false");
    shownValues.value = Map.groupBy(page.areasInView(MOST_VALUES, true), ({ source_name }) => source_name);
  });
  map.on("zoom", () => {
    zoom.value = map.getZoom();
  });
  map.on("click", (event) => {
    if (mode.peek() !== "looking" && mode.peek() !== "typing") return;
    const found = page.find(event);
    if (found.plotKey !== undefined) choosePlotOnMap(found.plotKey);
    else tip.value = found.area === undefined ? undefined : found;
  });
  container.addEventListener("keydown", press, { capture: true });
  return () => container.removeEventListener("keydown", press, { capture: true });
}

function updateTipAtPointer(page: PageMap, event: MapMouseEvent): void {
  const isDrawing = mode.peek() === "drawing" || mode.peek() === "editing";
  if (mode.peek() !== "keyboard") pointed.value = [event.lngLat.lng, event.lngLat.lat];
  // While the map moves, the area below the pointer changes with every frame.
  if (isDrawing || page.map.isMoving()) return;
  const found = page.find(event);
  page.map.getCanvas().style.cursor = found.plotKey === undefined ? "" : "pointer";
  tip.value = found.area === undefined ? undefined : found;
  highlightFoundArea(found);
}

function highlightFoundArea({ area }: Found): void {
  const now = highlighted.peek();
  if (area === undefined) {
    if (isPointedHere) highlighted.value = undefined;
    isPointedHere = false;
    return;
  }
  isPointedHere = true;
  if (now?.source_name === area.source_name && now.source_id === area.source_id) return;
  highlighted.value = { source_name: area.source_name, source_id: area.source_id };
}

/** True if the highlight comes from the pointer on the map, not from the list. */
let isPointedHere = false;

function hideTip(): void {
  tip.value = undefined;
  if (isPointedHere) highlighted.value = undefined;
  isPointedHere = false;
}
