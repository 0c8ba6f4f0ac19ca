import type { Compass } from "@groundrule/words";
import type { FeatureCollection, Geometry } from "geojson";
import {
  AttributionControl,
  type GeoJSONSource,
  Map as MapLibreMap,
  type MapMouseEvent,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { PagePlot } from "../state/plot.ts";
import { type Box, computeUncoveredBox } from "./clear-box.ts";
import type { Position } from "./drawing/coordinates.ts";
import type { BaseMap } from "./layers/base-map.ts";
import type { BaseStyle } from "./layers/base-style.ts";
import { FeatureSender } from "./layers/feature-sender.ts";
import { buildGraticule } from "./layers/graticule.ts";
import { MapLayers } from "./layers/map-layers.ts";
import { buildMapLayers, fillId, type MapLook, PLOT_LAYERS, uncoveredId } from "./layers/map-look.ts";
import { type Bounds, PlotFeatures } from "./layers/plot-features.ts";
import { type PointedArea, toPointedArea } from "./pointed-area.ts";

setWorkerUrl(workerUrl);

/** Minimum diagonal in CSS pixels for a plot's shape to be visible. */
const SEEN = 24;
/** Maximum zoom: beyond it a small plot is no easier to see. */
const CLOSEST = 15;
/** Free margin around fitted content, and its minimum size, in CSS pixels. */
const MARGIN = 32;
const LEAST_ROOM = 96;
/** CSS pixels by which the legend grows when plots are answered: three more verdicts. */
const LEGEND_GROWS = 66;
const PLOT_SOURCES = ["plots", "plot-points", "plot-outlines"] as const;
/** Plots of which the look changes with one frame. */
const PAINTED = 2_000;
/** Selectors of elements that cover the map. */
const OVERLAYS = ".map-tools, .map-zoom, .map-form, .map-locator, .map-legend, .map-far, .maplibregl-ctrl";

/** The objects at a position on the map. */
export interface Found {
  readonly plotKey: string | undefined;
  readonly area: PointedArea | undefined;
  /** CSS pixels from the upper left of the map. */
  readonly point: { readonly x: number; readonly y: number };
}

/** The map of the page: MapLibre with our layers. Its content is passed in; user actions are reported by callbacks. */
export class PageMap {
  readonly map: MapLibreMap;
  readonly #layers: MapLayers;
  readonly #plots = new PlotFeatures();
  #credit = new AttributionControl({ compact: false });
  #look: MapLook | undefined;
  #compass: Compass = { n: "N", s: "S", e: "E", w: "W" };
  #isReady: boolean = false;
  #isGone: boolean = false;
  #whenReady: (() => void)[] = [];
  #dimmed: ReadonlySet<string> = new Set();
  readonly #areas = this.#createSender("plots");
  readonly #points = this.#createSender("plot-points");
  readonly #outlines = this.#createSender("plot-outlines");
  /** Changes of how plots are drawn, by their key. */
  readonly #unpainted = new Map<string, object>();

  /** @param container an empty element with a size */
  constructor(container: HTMLElement) {
    this.map = new MapLibreMap({
      container,
      style: { version: 8, sources: {}, layers: [] },
      center: [0, 10],
      zoom: 1,
      maxZoom: 20,
      maxPitch: 0,
      dragRotate: false,
      pitchWithRotate: false,
      attributionControl: false,
      fadeDuration: 0,
      refreshExpiredTiles: false,
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-left");
    this.map.addControl(this.#credit, "bottom-right");
    this.#layers = new MapLayers(this.map);
    this.map.once("load", () => {
      this.#isReady = true;
      if (this.#look !== undefined) this.#layers.apply(buildMapLayers(this.#look));
      for (const task of this.#whenReady.splice(0)) task();
      this.#drawGraticule();
    });
    this.map.on("moveend", () => this.#drawGraticule());
  }

  /** Runs a task once the map can be drawn on. */
  whenReady(task: () => void): void {
    if (this.#isReady) task();
    else this.#whenReady.push(task);
  }

  set look(look: MapLook) {
    this.#look = look;
    if (this.#isReady) this.#layers.apply(buildMapLayers(look));
  }

  showBaseMap({ land, borders }: BaseMap): void {
    this.#fill("land", land);
    this.#fill("borders", borders);
  }

  /** Letters of the points of the compass for the graticule's labels. */
  set compass(letters: Compass) {
    this.#compass = letters;
    this.#drawGraticule();
  }

  /** Uses the glyphs and sprites of a base map, and shows its attribution. */
  useSigns({ glyphs, sprite, attribution }: BaseStyle): void {
    if (attribution !== undefined) {
      this.map.removeControl(this.#credit);
      this.#credit = new AttributionControl({ compact: false, customAttribution: attribution });
      this.map.addControl(this.#credit, "bottom-right");
    }
    if (glyphs !== undefined) this.map.setGlyphs(glyphs);
    if (sprite !== undefined) this.map.setSprite(sprite);
  }

  showCountryNames(names: FeatureCollection): void {
    this.#fill("country-names", names);
  }

  /**
   * @param faded keys of the plots that are drawn without their status colour
   * @param crossed keys of those whose outlines cross themselves
   */
  showPlots(plots: readonly PagePlot[], faded?: ReadonlySet<string>, crossed?: ReadonlySet<string>): void {
    this.whenReady(() => {
      const { statuses, ...changes } = this.#plots.update(plots, faded, crossed);
      this.#areas.change(changes.areas);
      this.#points.change(changes.points);
      this.#outlines.change(changes.outlines);
      const isReshaped = changes.areas.put.length + changes.areas.removed.length > 0;
      for (const source of isReshaped ? (this.#look?.hatched ?? []) : [])
        this.map.refreshTiles(uncoveredId(source, "near"));
      this.#paint(statuses.map(([key, status]) => [key, { status }]));
    });
  }

  /**
   * Draws all plots but some at a fifth of their strength.
   *
   * @param keys of the others; undefined: none is dimmed
   */
  dimPlotsExcept(keys: ReadonlySet<string> | undefined, plots: readonly PagePlot[]): void {
    this.whenReady(() => {
      const dimmed = new Set(
        keys === undefined ? [] : plots.flatMap(({ key }) => (keys.has(key) ? [] : key)),
      );
      const changed = [...new Set([...this.#dimmed, ...dimmed])].filter(
        (key) => this.#dimmed.has(key) !== dimmed.has(key),
      );
      this.#paint(changed.map((key) => [key, { isDimmed: dimmed.has(key) }]));
      this.#dimmed = dimmed;
    });
  }

  /** Changes how plots are drawn, a few with each frame: the map applies all changes of a frame at once. */
  #paint(looks: readonly (readonly [key: string, look: object])[]): void {
    const isWaiting = this.#unpainted.size > 0;
    for (const [key, look] of looks) this.#unpainted.set(key, { ...this.#unpainted.get(key), ...look });
    if (!isWaiting) this.#paintSome();
  }

  #paintSome(): void {
    if (this.#isGone) return;
    for (const [id, look] of [...this.#unpainted].slice(0, PAINTED)) {
      this.#unpainted.delete(id);
      for (const source of PLOT_SOURCES) this.map.setFeatureState({ source, id }, look);
    }
    if (this.#unpainted.size > 0) requestAnimationFrame(() => this.#paintSome());
  }

  /** The property around the selected plot. */
  showProperty(property: Geometry | undefined): void {
    this.#fill("property", property ?? { type: "FeatureCollection", features: [] });
  }

  /** The surroundings of a plot, for the veil. */
  showVeil(around: Geometry): void {
    this.#fill("veil", around);
  }

  /** Corners drawn by keyboard, the last one below the crosshair. */
  showSketch(corners: readonly Position[], crosshair?: Position): void {
    const features: Geometry[] = corners.map(([x, y]) => ({ type: "Point", coordinates: [x, y] }));
    const line = [...corners, ...(crosshair === undefined ? [] : [crosshair])].map(([x, y]) => [x, y]);
    if (line.length >= 3) features.push({ type: "Polygon", coordinates: [[...line, line[0]!]] });
    else if (line.length === 2) features.push({ type: "LineString", coordinates: line });
    this.#fill("sketch", {
      type: "FeatureCollection",
      features: features.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
    });
  }

  /**
   * Moves the map so that a box is visible and uncovered; without animation if the user prefers reduced motion.
   * Elements that cover the map may be about to change, so they are measured once the page is updated.
   */
  fit(bounds: Bounds, maxZoom: number = CLOSEST): void {
    requestAnimationFrame(() => this.#fitNow(bounds, maxZoom));
  }

  #fitNow(bounds: Bounds, maxZoom: number): void {
    if (this.#isGone) return;
    const [west, south, east, north] = bounds;
    const { clientWidth, clientHeight } = this.map.getContainer();
    const { left, top, right, bottom } = this.#clear(LEGEND_GROWS);
    const margin = Math.min(MARGIN, (right - left) / 8, (bottom - top) / 8);
    const padding = {
      left: left + margin,
      top: top + margin,
      right: clientWidth - right + margin,
      bottom: clientHeight - bottom + margin,
    };
    const options = { padding, maxZoom, duration: prefersLessMotion() ? 0 : 500 };
    const limit = (latitude: number) => Math.max(-85, Math.min(85, latitude));
    this.map.fitBounds([west, limit(south), east, limit(north)], options);
  }

  /** Moves the map to an earlier view. */
  moveTo(view: { readonly center: [number, number]; readonly zoom: number }): void {
    this.map.easeTo({ ...view, duration: prefersLessMotion() ? 0 : 300 });
  }

  /** Moves the map to a box unless it is visible, uncovered and large enough. */
  fitUnlessSeen(bounds: Bounds): void {
    requestAnimationFrame(() => {
      if (this.map.isMoving() || !this.#isSeen(bounds)) this.#fitNow(bounds, CLOSEST);
    });
  }

  #isSeen([west, south, east, north]: Bounds): boolean {
    // The map may show another turn of the earth.
    const turn = 360 * Math.round((this.centre[0] - (west + east) / 2) / 360);
    const [low, high] = [this.map.project([west + turn, south]), this.map.project([east + turn, north])];
    const { left, top, right, bottom } = this.#clear();
    const isInView = low.x >= left && high.y >= top && high.x <= right && low.y <= bottom;
    return isInView && Math.hypot(high.x - low.x, high.y - low.y) >= SEEN;
  }

  /**
   * The part of the map that nothing covers; the whole map if that is too small.
   *
   * @param grows CSS pixels by which the open legend may grow
   */
  #clear(grows = 0): Box {
    const container = this.map.getContainer();
    const { left, top, width, height } = container.getBoundingClientRect();
    const whole = { left: 0, top: 0, right: width, bottom: height };
    const things = [...(container.parentElement?.querySelectorAll(OVERLAYS) ?? [])].map((thing): Box => {
      const box = thing.getBoundingClientRect();
      const above = thing.matches(".map-legend[open]") ? top + grows : top;
      return {
        left: box.left - left,
        top: box.top - above,
        right: box.right - left,
        bottom: box.bottom - top,
      };
    });
    const clear = computeUncoveredBox(whole, things);
    const isEnough = clear.right - clear.left >= LEAST_ROOM && clear.bottom - clear.top >= LEAST_ROOM;
    return isEnough ? clear : whole;
  }

  zoomBy(levels: number): void {
    this.map.zoomTo(Math.round(this.map.getZoom() + levels), { duration: prefersLessMotion() ? 0 : 250 });
  }

  get bounds(): Bounds {
    const bounds = this.map.getBounds();
    return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  }

  /** Boxes around the drawn plots. */
  get plotBoxes(): readonly Bounds[] {
    return this.#plots.boxes;
  }

  get centre(): Position {
    const { lng, lat } = this.map.getCenter();
    return [lng, lat];
  }

  /** CSS pixels from the middle of the map to a position. */
  pixelsFromCentre([longitude, latitude]: Position): number {
    const [at, centre] = [this.map.project([longitude, latitude]), this.map.project(this.map.getCenter())];
    return Math.hypot(at.x - centre.x, at.y - centre.y);
  }

  /** Pans the map in CSS pixels, without animation: a key that is held down repeats faster than any animation. */
  move(right: number, down: number): void {
    this.map.panBy([right, down], { duration: 0 });
  }

  /** The areas in view, each once, at most `most`; sources that are switched off are not included. */
  areasInView(most: number, isRasters?: true): readonly PointedArea[] {
    const layers = this.fillLayers(isRasters);
    if (layers.length === 0) return [];
    const found = new Map<string, PointedArea>();
    for (const { source, properties } of this.map.queryRenderedFeatures({ layers })) {
      const area = toPointedArea(source, properties);
      if (area === undefined) continue;
      const name = `${area.source_name} ${area.source_id}`;
      if (!found.has(name)) found.set(name, area);
      if (found.size >= most) break;
    }
    return [...found.values()];
  }

  find(event: MapMouseEvent): Found {
    const { x, y } = event.point;
    const layers = [...PLOT_LAYERS, ...this.fillLayers()].filter((id) => this.map.getLayer(id) !== undefined);
    const box: [[number, number], [number, number]] = [
      [x - 3, y - 3],
      [x + 3, y + 3],
    ];
    const plots = this.map.queryRenderedFeatures(box, { layers: layers.filter((id) => isPlotLayer(id)) });
    const areas = this.map.queryRenderedFeatures(event.point, {
      layers: layers.filter((id) => !isPlotLayer(id)),
    });
    const [area] = areas.flatMap(({ source, properties }) => toPointedArea(source, properties) ?? []);
    return {
      plotKey: plots[0]?.properties.key as string | undefined,
      area,
      point: { x, y },
    };
  }

  remove(): void {
    this.#isGone = true;
    this.map.remove();
  }

  /** The layers of the areas of sources, or of rasters alone, that are drawn; none before the map is ready. */
  fillLayers(isRasters?: true): string[] {
    if (!this.#isReady) return [];
    const shown = this.#look?.shown ?? [];
    return shown.flatMap(({ source, isRaster }) => (isRaster || !isRasters ? fillId(source) : []));
  }

  #createSender(source: (typeof PLOT_SOURCES)[number]): FeatureSender {
    return new FeatureSender((diff) => this.map.getSource<GeoJSONSource>(source)?.updateData(diff));
  }

  #fill(source: string, data: FeatureCollection | Geometry): void {
    this.whenReady(() => {
      void this.map.getSource<GeoJSONSource>(source)?.setData(data);
    });
  }

  #drawGraticule(): void {
    const [west, south, east, north] = this.bounds;
    this.#fill("graticule", buildGraticule({ west, south, east, north }, this.#compass));
  }
}

function isPlotLayer(id: string): boolean {
  return (PLOT_LAYERS as readonly string[]).includes(id);
}

function prefersLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
