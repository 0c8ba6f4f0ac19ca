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
/** How often the map zooms out, two levels at a time, to find a place for an example. */
const WIDENED = 3;
/** Approximate share of an example within the area whose edge it crosses. */
const EXAMPLE_PART = 0.4;
/** Selectors of elements that cover the map. */
const OVERLAYS = ".map-tools, .map-zoom, .map-form, .map-locator, .map-legend, .map-far, .maplibregl-ctrl";

/** The objects at a position on the map. */
export interface Found {
  readonly plotKey: string | undefined;
  readonly area: PointedArea | undefined;
  /** CSS pixels from the upper left of the map. */
  readonly point: { readonly x: number; readonly y: number };
}

/** Position of an example relative to the drawn areas. */
export type ExamplePlace = "edge" | "near" | "away";

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
  #plotBoxes: readonly Bounds[] = [];

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
      const { shapes, outlines, statuses } = this.#plots.update(plots, faded, crossed);
      if (shapes !== undefined) {
        this.#fill("plots", shapes.areas);
        this.#fill("plot-points", shapes.points);
        this.#plotBoxes = shapes.boxes;
        for (const source of this.#look?.hatched ?? []) this.map.refreshTiles(uncoveredId(source, "near"));
      }
      if (outlines !== undefined) this.#fill("plot-outlines", outlines);
      for (const [key, status] of statuses) {
        for (const source of ["plots", "plot-points"]) {
          this.map.setFeatureState({ source, id: key }, { status });
        }
      }
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
      for (const key of new Set([...this.#dimmed, ...dimmed])) {
        if (this.#dimmed.has(key) === dimmed.has(key)) continue;
        for (const source of ["plots", "plot-points", "plot-outlines"]) {
          this.map.setFeatureState({ source, id: key }, { isDimmed: dimmed.has(key) });
        }
      }
      this.#dimmed = dimmed;
    });
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
    return this.#plotBoxes;
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
    const layers = this.#fillLayers(isRasters);
    if (!this.#isReady || layers.length === 0) return [];
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

  /**
   * A position in view for an example plot: on the edge of the drawn area nearest to the middle of the map, a few
   * kilometres outside of it, or far from every drawn area; undefined if there is none. Cells are everywhere: with a
   * raster drawn, the cell nearest to the middle of the map counts as across their edges, a place without any cells near it as near, and
   * only areas with rings count for far.
   */
  exampleInView(place: ExamplePlace): Position | undefined {
    const rasters = this.#fillLayers(true);
    if (place !== "away" && this.#isReady && rasters.length > 0)
      return place === "edge" ? this.#findCell(rasters) : this.#findEdgeOfCells(rasters);
    const layers = this.#fillLayers().filter((layer) => !rasters.includes(layer));
    if (!this.#isReady || layers.length === 0) return undefined;
    const { clientWidth, clientHeight } = this.map.getContainer();
    // Ground outside of the view is not known to be free.
    const isFree = (position: Position): boolean => {
      const at = this.map.project(position as [number, number]);
      const isInView = at.x >= 0 && at.y >= 0 && at.x <= clientWidth && at.y <= clientHeight;
      return isInView && this.map.queryRenderedFeatures(at, { layers }).length === 0;
    };
    /** True if nothing is drawn there or at these distances around it, in kilometres. */
    const isFreeAround = (at: Position, ...distances: readonly number[]): boolean =>
      isFree(at) && distances.every((km) => listSurroundingPositions(at, km).every(isFree));
    if (place === "away") return this.#gridInView().find((at) => isFreeAround(at, 2, 5, 8, 12));
    const edge = this.#edgeInView(layers);
    if (edge === undefined) return undefined;
    if (place === "edge") {
      const farFromPart = (at: Position): number => {
        const inside = [0.4, 0.8]
          .flatMap((km) => listSurroundingPositions(at, km))
          .filter((each) => !isFree(each));
        return Math.abs(inside.length / 16 - EXAMPLE_PART);
      };
      return [edge, ...listSurroundingPositions(edge, 0.3), ...listSurroundingPositions(edge, 0.6)].reduce(
        (best, at) => (farFromPart(at) < farFromPart(best) ? at : best),
      );
    }
    return [3, 4, 6]
      .flatMap((km) => listSurroundingPositions(edge, km))
      .find((at) => isFreeAround(at, 0.7, 1.5));
  }

  #findCell(layers: string[]): Position | undefined {
    return [this.centre, ...this.#gridInView()].find(
      (at) => this.map.queryRenderedFeatures(this.map.project(at as [number, number]), { layers }).length > 0,
    );
  }

  /**
   * A position around which a plot has no cells of some raster while its neighbours do, and no area with rings except
   * those that cover the whole view.
   */
  #findEdgeOfCells(rasters: readonly string[]): Position | undefined {
    const layers = this.#fillLayers();
    type Place = [x: number, y: number];
    const drawnIn = (box: Place | [Place, Place]): string[] =>
      this.map
        .queryRenderedFeatures(box, { layers })
        .map(({ layer: { id }, properties }) =>
          rasters.includes(id) ? id : `${id} ${properties.source_id}`,
        );
    /** Sources drawn in a square, with this many kilometres from its middle to each side. */
    const drawnAround = (at: Position, kilometres: number): string[] => {
      const corners = listSurroundingPositions(at, kilometres * Math.SQRT2);
      // The northwest and the southeast corner.
      const [from, to] = [3, 7].map((i) => this.map.project(corners[i] as Place));
      return drawnIn([
        [from!.x, from!.y],
        [to!.x, to!.y],
      ]);
    };
    const { clientWidth: right, clientHeight: bottom } = this.map.getContainer();
    const corners: Place[] = [[1, 1], [right - 1, 1], [1, bottom - 1], [right - 1, bottom - 1]]; // biome-ignore format: a line
    const [first = [], ...others] = corners.map(drawnIn);
    const everywhere = first.filter((area) => others.every((each) => each.includes(area)));
    return this.#gridInView().find((at) => {
      const here = drawnAround(at, 1.2);
      if (here.some((each) => !rasters.includes(each) && !everywhere.includes(each))) return false;
      const missing = rasters.filter((raster) => !here.includes(raster));
      return missing.length > 0 && drawnAround(at, 6).some((each) => missing.includes(each));
    });
  }

  /**
   * Like {@link exampleInView}, but zooms out until a place far from all areas is in view, and moves to the rasters if
   * none of their cells is.
   */
  async findExample(
    place: ExamplePlace,
    findRasters: () => Promise<Bounds | undefined>,
  ): Promise<Position | undefined> {
    for (let steps = 0; ; steps++) {
      const found = this.exampleInView(place);
      if (found !== undefined || steps === (place === "away" ? WIDENED : 1)) return found;
      const rasters = place === "away" ? undefined : await findRasters();
      if (rasters === undefined && place !== "away") return undefined;
      const drawn = this.map.once("idle");
      if (rasters === undefined) this.map.jumpTo({ zoom: this.map.getZoom() - 2 });
      else this.map.fitBounds([...rasters], { duration: 0 });
      await drawn;
    }
  }

  /** Positions all over the view, those in its middle first. */
  #gridInView(): readonly Position[] {
    const { clientWidth, clientHeight } = this.map.getContainer();
    const parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
    return parts
      .flatMap((y, i) => parts.map((x, j) => ({ x, y, far: i + j })))
      .sort((a, b) => a.far - b.far)
      .map(({ x, y }): Position => {
        const { lng, lat } = this.map.unproject([x * clientWidth, y * clientHeight]);
        return [lng, lat];
      });
  }

  #edgeInView(layers: string[]): Position | undefined {
    const { clientWidth, clientHeight } = this.map.getContainer();
    const isWell = (at: { readonly x: number; readonly y: number }): boolean =>
      Math.abs(at.x / clientWidth - 0.5) < 0.35 && Math.abs(at.y / clientHeight - 0.5) < 0.35;
    let nearest: { readonly position: Position; readonly pixels: number } | undefined;
    for (const { geometry } of this.map.queryRenderedFeatures({ layers })) {
      const polygons =
        geometry.type === "Polygon"
          ? [geometry.coordinates]
          : geometry.type === "MultiPolygon"
            ? geometry.coordinates
            : [];
      for (const [outer = []] of polygons) {
        for (const [x, y] of outer) {
          const position: Position = [x!, y!];
          const pixels = this.pixelsFromCentre(position);
          if (
            !isWell(this.map.project(position as [number, number])) ||
            pixels >= (nearest?.pixels ?? Infinity)
          )
            continue;
          nearest = { position, pixels };
        }
      }
    }
    return nearest?.position;
  }

  find(event: MapMouseEvent): Found {
    const { x, y } = event.point;
    const layers = [...PLOT_LAYERS, ...this.#fillLayers()].filter(
      (id) => this.map.getLayer(id) !== undefined,
    );
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

  #fillLayers(isRasters?: true): string[] {
    const shown = this.#look?.shown ?? [];
    return shown.flatMap(({ source, isRaster }) => (isRaster || !isRasters ? fillId(source) : []));
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

/** Eight positions around one, at a distance in kilometres: accurate enough to choose a place, not to measure. */
function listSurroundingPositions([longitude, latitude]: Position, kilometres: number): readonly Position[] {
  const up = kilometres / 111.2;
  const aside = up / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  return Array.from({ length: 8 }, (_, i): Position => {
    const angle = (i * Math.PI) / 4;
    return [longitude + aside * Math.cos(angle), latitude + up * Math.sin(angle)];
  });
}

function isPlotLayer(id: string): boolean {
  return (PLOT_LAYERS as readonly string[]).includes(id);
}

function prefersLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
