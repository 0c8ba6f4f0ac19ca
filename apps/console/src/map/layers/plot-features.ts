import type { Feature, Geometry, Position } from "geojson";
import type { PagePlot } from "../../state/plot.ts";
import { type PlotStatus, toPlotStatus } from "../../state/plot-status.ts";
import { computeDrawnShape, toOutline } from "../drawing/drawn-shape.ts";

/** Features of a source that changed. */
export interface FeatureChanges {
  readonly put: readonly Feature[];
  /** Keys of features that are not shown any more. */
  readonly removed: readonly string[];
}

/** The updates that a map needs after the plots changed. */
export interface PlotChanges {
  readonly areas: FeatureChanges;
  readonly points: FeatureChanges;
  /** Outlines of plots that are refused or cross themselves. */
  readonly outlines: FeatureChanges;
  /** Plots whose status changed. */
  readonly statuses: readonly (readonly [key: string, status: PlotLook])[];
}

/** The status of a plot, or that it is not shown. */
export type PlotLook = PlotStatus | "FADED";

interface SentPlot {
  readonly geometry: Geometry;
  /** The box around it; undefined if it has no finite position. */
  readonly bounds: Bounds | undefined;
  readonly isOutlined: boolean;
  readonly status: PlotLook;
}

/** Plots as features of the map: what changed is passed on, plot by plot. */
export class PlotFeatures {
  #sent = new Map<string, SentPlot>();

  /** The boxes of the plots. */
  get boxes(): Bounds[] {
    return [...this.#sent.values()].flatMap(({ bounds }) => (bounds === undefined ? [] : [bounds]));
  }

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
    const [areas, points, outlines] = [createChanges(), createChanges(), createChanges()];
    const statuses: [string, PlotLook][] = [];
    const before = this.#sent;
    this.#sent = new Map();
    for (const plot of plots) {
      const geometry = computeDrawnShape(plot);
      if (geometry === undefined) continue;
      const { key, id } = plot;
      const ownStatus = toPlotStatus(plot);
      const isRefused = ownStatus === "REFUSED";
      const isOutlined = isRefused || crossed?.has(key) === true;
      // A refused plot is drawn as an outline, which has no colour to fade.
      const status = !isRefused && faded?.has(key) === true ? "FADED" : ownStatus;
      const sent = before.get(key);
      before.delete(key);
      const isReshaped = geometry !== sent?.geometry;
      const bounds = isReshaped ? computeGeometryBounds(geometry) : sent.bounds;
      this.#sent.set(key, { geometry, bounds, isOutlined, status });
      if (status !== sent?.status) statuses.push([key, status]);
      if (isReshaped) {
        const until = bounds && computeDotMaxZoom(geometry, bounds);
        const middle = bounds && ({ type: "Point", coordinates: computeBoundsCenter(bounds) } as const);
        recordChange(areas, { key, id }, bounds && geometry);
        recordChange(points, { key, id, until }, middle);
      }
      if (isOutlined ? isReshaped || !sent?.isOutlined : sent?.isOutlined)
        recordChange(outlines, { key, id }, isOutlined ? toOutline(geometry) : undefined);
    }
    for (const key of before.keys()) for (const { removed } of [areas, points, outlines]) removed.push(key);
    return { areas, points, outlines, statuses };
  }
}

function createChanges(): { readonly put: Feature[]; readonly removed: string[] } {
  return { put: [], removed: [] };
}

/**
 * Outlines are lines: the map would leave out a ring whose loops cancel each other's area, and clips crossed rings in odd
 * ways.
 */
function recordChange(
  { put, removed }: ReturnType<typeof createChanges>,
  properties: { readonly key: string; readonly id: string; readonly until?: number | undefined },
  geometry: Geometry | undefined,
): void {
  if (geometry === undefined) removed.push(properties.key);
  else put.push({ type: "Feature", properties, geometry });
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
