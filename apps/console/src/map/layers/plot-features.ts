import type { Feature, FeatureCollection, Geometry, Point, Position } from "geojson";
import type { PagePlot } from "../../state/plot.ts";
import { type PlotStatus, toPlotStatus } from "../../state/plot-status.ts";
import { computeDrawnShape, toOutline } from "../drawing/drawn-shape.ts";

/** The updates that a map needs after the plots changed. */
export interface PlotChanges {
  /** All plots, if one was added, removed or reshaped. */
  readonly shapes?: {
    readonly areas: FeatureCollection;
    readonly points: FeatureCollection<Point>;
    readonly boxes: readonly Bounds[];
  };
  /** The outlines of all plots that are refused or cross themselves, if they changed. */
  readonly outlines?: FeatureCollection;
  /** Plots whose status changed. */
  readonly statuses: readonly (readonly [key: string, status: PlotLook])[];
}

/** The status of a plot, or that it is not shown. */
export type PlotLook = PlotStatus | "FADED";

interface SentPlot {
  readonly geometry: Geometry;
  status: PlotLook;
}

/**
 * Plots as features of the map. A run of 10,000 plots changes their status thousands of times and their shapes never,
 * so shapes are passed on only when one changes, and statuses one by one.
 */
export class PlotFeatures {
  #sent = new Map<string, SentPlot>();
  #refused = "";

  /**
   * @param faded keys of plots whose status is not shown
   * @param crossed keys of plots whose outlines cross themselves, which are drawn as they were sent even before they
   *   are refused
   */
  update(
    plots: readonly PagePlot[],
    faded?: ReadonlySet<string>,
    crossed?: ReadonlySet<string>,
  ): PlotChanges {
    const shown = plots.flatMap((plot): Shown[] => {
      const geometry = computeDrawnShape(plot);
      if (geometry === undefined) return [];
      const status = toPlotStatus(plot);
      // A refused plot is drawn as an outline, which has no colour to fade.
      const isFaded = status !== "REFUSED" && faded?.has(plot.key) === true;
      return [{ key: plot.key, id: plot.id, geometry, status: isFaded ? "FADED" : status }];
    });
    const isSameShape =
      shown.length === this.#sent.size &&
      shown.every(({ key, geometry }) => this.#sent.get(key)?.geometry === geometry);
    const refused = shown.filter(({ status, key }) => status === "REFUSED" || crossed?.has(key) === true);
    const keys = refused.map(({ key }) => key).join();
    const isOutlined = keys !== this.#refused || (!isSameShape && keys !== "");
    this.#refused = keys;
    const outlines = isOutlined && { outlines: buildOutlineFeatures(refused) };
    if (!isSameShape) {
      this.#sent = new Map(shown.map(({ key, geometry, status }) => [key, { geometry, status }]));
      return {
        shapes: buildPlotShapes(shown),
        ...outlines,
        statuses: shown.map(({ key, status }) => [key, status]),
      };
    }
    const statuses: [string, PlotLook][] = [];
    for (const { key, status } of shown) {
      const sent = this.#sent.get(key)!;
      if (status === sent.status) continue;
      sent.status = status;
      statuses.push([key, status]);
    }
    return { ...outlines, statuses };
  }
}

interface Shown {
  readonly key: string;
  readonly id: string;
  readonly geometry: Geometry;
  readonly status: PlotLook;
}

/**
 * As lines: the map would leave out a ring whose loops cancel each other's area, and clips crossed rings in odd ways.
 */
function buildOutlineFeatures(plots: readonly Shown[]): FeatureCollection {
  const features = plots.flatMap(({ key, id, geometry }): Feature[] => {
    const outline = toOutline(geometry);
    return outline === undefined ? [] : [{ type: "Feature", properties: { key, id }, geometry: outline }];
  });
  return { type: "FeatureCollection", features };
}

function buildPlotShapes(plots: readonly Shown[]): NonNullable<PlotChanges["shapes"]> {
  const areas: Feature[] = [];
  const points: Feature<Point>[] = [];
  const boxes: Bounds[] = [];
  for (const { key, id, geometry } of plots) {
    const bounds = computeGeometryBounds(geometry);
    if (bounds === undefined) continue;
    boxes.push(bounds);
    areas.push({ type: "Feature", properties: { key, id }, geometry });
    points.push({
      type: "Feature",
      properties: { key, id, until: computeDotMaxZoom(geometry, bounds) },
      geometry: { type: "Point", coordinates: computeBoundsCenter(bounds) },
    });
  }
  return {
    areas: { type: "FeatureCollection", features: areas },
    points: { type: "FeatureCollection", features: points },
    boxes,
  };
}

/** `[west, south, east, north]` in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

/** The box around a geometry's finite positions; `undefined` if it has none. */
export function computeGeometryBounds(geometry: Geometry): Bounds | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of iteratePositions(geometry)) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (x! < west) west = x!;
    if (x! > east) east = x!;
    if (y! < south) south = y!;
    if (y! > north) north = y!;
  }
  return west <= east ? [west, south, east, north] : undefined;
}

/** The box around the map's drawing of a plot. */
export function computePlotBounds(plot: Pick<PagePlot, "geometry" | "input">): Bounds | undefined {
  const shape = computeDrawnShape(plot);
  return shape && computeGeometryBounds(shape);
}

/** The box around boxes; `undefined` if there are none. */
export function joinBounds(all: Iterable<Bounds | undefined>): Bounds | undefined {
  let joined: Bounds | undefined;
  for (const bounds of all) {
    const [a, b] = [joined ?? bounds, bounds ?? joined];
    if (a === undefined || b === undefined) continue;
    joined = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
  }
  return joined;
}

function* iteratePositions(geometry: Geometry): Generator<Position> {
  if (geometry.type === "GeometryCollection") {
    for (const member of geometry.geometries) yield* iteratePositions(member);
    return;
  }
  yield* iterateNestedPositions(geometry.coordinates);
}

function* iterateNestedPositions(value: unknown): Generator<Position> {
  if (!Array.isArray(value)) return;
  if (typeof value[0] === "number") yield value as Position;
  else for (const member of value) yield* iterateNestedPositions(member);
}

function computeBoundsCenter([west, south, east, north]: Bounds): Position {
  return [(west + east) / 2, (south + north) / 2];
}

/** Size in CSS pixels below which a plot is shown as a dot. */
const DOT = 8;

/** The zoom at which a plot is large enough to be seen as an area; up to there a dot represents it. */
function computeDotMaxZoom(geometry: Geometry, [west, south, east, north]: Bounds): number {
  if (geometry.type === "Point" || geometry.type === "MultiPoint") return 24;
  const degrees = Math.max(east - west, north - south, 1e-9);
  // At zoom 0 the map of 512 pixels is 360 degrees wide.
  return Math.min(24, Math.max(0, Math.log2((DOT * 360) / (512 * degrees))));
}
