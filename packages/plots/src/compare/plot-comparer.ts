import type { AreaLayer, CrsTable, Plot } from "@groundrule/engine";
import { createPolygonLayer, exactKernel, WorkMeter } from "@groundrule/engine/internal";
import { computeProducerKey, type ToIso3 } from "../columns/producer-key.ts";
import type { PlotFeature } from "../plot-feature.ts";
import { parseOrRepairPlot } from "../taken-plot.ts";

/** How plots are compared. */
export interface ComparePlotsOptions {
  /** CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /** Overlaps of at most so many square metres are none; default 1. */
  readonly toleratedSquareMeters?: number | undefined;
  /** Bounds the work of reading and of measuring all plots together; absent: no bound. */
  readonly meter?: WorkMeter | undefined;
  /** Codes of countries: producers of `BR` and of `Brasil` are then of one country. Absent: of two. */
  readonly iso3Of?: ToIso3 | undefined;
  /** True if overlaps include their geometry. */
  readonly withGeometry?: boolean | undefined;
}

/** Two plots that share land. */
export interface PlotOverlap {
  /** The plot that came first. */
  readonly plot: OverlappingPlot;
  /** The plot that came after. */
  readonly other: OverlappingPlot;
  /** Land that they share, square metres on the ellipsoid; 0 for two points. */
  readonly squareMeters: number;
  /** True if the overlap is at least 99 % of each: the same land twice. */
  readonly isDuplicate: boolean;
  /** True if both plots belong to the same producer of the same country. */
  readonly isOfOneProducer: boolean;
  /** The land that they share, as GeoJSON, if requested. */
  readonly geometry?: object;
}

/** One of two plots that overlap. */
export interface OverlappingPlot extends Pick<PlotFeature, "number" | "id" | "line"> {
  /** Share of the plot in the overlap, 0 to 1. */
  readonly share: number;
}

/** Overlaps of at most so many square metres are ignored, unless the caller sets another limit: borders drawn twice. */
export const TOLERATED_OVERLAP_SQUARE_METERS = 1;

/** Plots that overlap by this share of each are the same land. */
const DUPLICATE_SHARE = 0.99;

/** Data kept for a plot besides its rings. */
interface Kept extends Pick<PlotFeature, "number" | "id" | "line"> {
  readonly producer: string;
}

/**
 * Compares plots with each other: polygons by the land they share, measured by the exact kernel over one index of all
 * of them, points by their position. Each pair is reported once. Plots that only touch share nothing. A polygon with
 * faults is compared as the repair that the engine proposes; one without a repair is left out.
 *
 * Memory: the positions of all polygons twice while `compare` begins, once after.
 */
export class PlotComparer {
  readonly #options: ComparePlotsOptions;
  readonly #meter: WorkMeter;
  /** Let go of by `compare`. */
  #polygons: ReturnType<typeof listPolygonRings>[] = [];
  readonly #kept: Kept[] = [];
  /** Plots that are points, by position. */
  readonly #points = new Map<string, Kept[]>();

  /** @param options how plots are compared */
  constructor(options: ComparePlotsOptions = {}) {
    this.#options = options;
    this.#meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  }

  /** Units of work done so far: steps of the algorithms, never time. */
  get work(): number {
    return this.#meter.counted;
  }

  /** Takes a plot in. Fails: `GEOMETRY_TOO_COMPLEX` beyond the work that `meter` allows. */
  add(feature: PlotFeature): void {
    const { number, id, line, geometry, properties, crs } = feature;
    const kept: Kept = { number, id, line, producer: computeProducerKey(properties, this.#options.iso3Of) };
    for (const plot of this.#readPlots(geometry, crs, 0)) {
      if (plot.dimension === "point") this.#addPoints(kept, plot);
      else if (plot.dimension === "polygon") {
        this.#polygons.push(listPolygonRings(plot));
        this.#kept.push(kept);
      }
    }
  }

  /**
   * Every pair of plots that share more land than is tolerated, in the order of the first, then of the second; the
   * points after the polygons. To be called once.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` beyond the work that `meter` allows.
   */
  *compare(): Generator<PlotOverlap, void, undefined> {
    const layer = createPolygonLayer("plots", this.#polygons);
    this.#polygons = [];
    for (let area = 0; area < layer.areaCount; area++) yield* this.#compareArea(area, layer);
    for (const same of this.#points.values()) {
      for (let i = 1; i < same.length; i++) {
        if (same[0]!.number !== same[i]!.number) yield createPlotOverlap(same[0]!, same[i]!, 0, 1, 1);
      }
    }
  }

  *#compareArea(
    area: number,
    layer: ReturnType<typeof createPolygonLayer>,
  ): Generator<PlotOverlap, void, undefined> {
    const { toleratedSquareMeters = TOLERATED_OVERLAP_SQUARE_METERS, withGeometry = false } = this.#options;
    const bound = exactKernel.bind(createAreaPlot(layer, area), this.#meter);
    const kept = this.#kept;
    const own = kept[area]!;
    // Parts of one collection are no two plots.
    const isWanted = (other: number): boolean => other > area && kept[other]!.number !== own.number;
    const hits = bound.intersections(layer, isWanted);
    for (const { area: other, overlapSquareMeters } of hits) {
      if (!(overlapSquareMeters > toleratedSquareMeters)) continue;
      const share = computeOverlapShare(overlapSquareMeters, layer.areaSquareMeters[area]!);
      const otherShare = computeOverlapShare(overlapSquareMeters, layer.areaSquareMeters[other]!);
      const geometry = withGeometry ? bound.overlapGeometry(layer, other) : null;
      const overlap = createPlotOverlap(own, kept[other]!, overlapSquareMeters, share, otherShare);
      yield geometry === null || geometry === "too_complex" ? overlap : { ...overlap, geometry };
    }
  }

  #addPoints(kept: Kept, { xy }: Plot): void {
    for (let i = 0; i < xy.length; i += 2) {
      const key = `${xy[i]},${xy[i + 1]}`;
      const same = this.#points.get(key);
      if (same === undefined) this.#points.set(key, [kept]);
      else same.push(kept);
    }
  }

  /** The engine's plot for a geometry, or for its repair; for a collection, one for each geometry. */
  #readPlots(geometry: unknown, crs: string | undefined, depth: number): Plot[] {
    const { type, geometries } = (geometry ?? {}) as {
      readonly type?: unknown;
      readonly geometries?: unknown;
    };
    if (type === "GeometryCollection") {
      if (!Array.isArray(geometries) || depth > DEEPEST) return [];
      return geometries.flatMap((each) => this.#readPlots(each, crs, depth + 1));
    }
    if (typeof type !== "string" || type === "Feature") return [];
    const { crsTable, meter } = this.#options;
    const plot = parseOrRepairPlot(geometry, { crs, crsTable, meter });
    return plot === undefined ? [] : [plot];
  }
}

/**
 * Every pair of plots that share land: {@link PlotComparer} of plots at hand.
 *
 * @param options how plots are compared
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` beyond the work that `meter` allows.
 */
export function comparePlots(plots: Iterable<PlotFeature>, options: ComparePlotsOptions = {}): PlotOverlap[] {
  const comparer = new PlotComparer(options);
  for (const plot of plots) comparer.add(plot);
  return [...comparer.compare()];
}

/** Collections within collections that are looked into. */
const DEEPEST = 8;

function createPlotOverlap(
  plot: Kept,
  other: Kept,
  squareMeters: number,
  share: number,
  otherShare: number,
): PlotOverlap {
  return {
    plot: { number: plot.number, id: plot.id, line: plot.line, share },
    other: { number: other.number, id: other.id, line: other.line, share: otherShare },
    squareMeters,
    isDuplicate: share >= DUPLICATE_SHARE && otherShare >= DUPLICATE_SHARE,
    isOfOneProducer: plot.producer === other.producer,
  };
}

function computeOverlapShare(overlap: number, whole: number): number {
  return whole > 0 ? Math.min(1, overlap / whole) : 1;
}

/** An area of a layer as a plot. */
function createAreaPlot(layer: AreaLayer, area: number): Plot {
  const firstRing = layer.areaRings[area]!;
  const lastRing = layer.areaRings[area + 1]!;
  const first = layer.ringStarts[firstRing]!;
  const last = layer.ringStarts[lastRing]!;
  const xy = layer.xy.subarray(2 * first, 2 * last);
  const ringStarts = layer.ringStarts.slice(firstRing, lastRing + 1).map((start) => start - first);
  const polygonStarts: number[] = [];
  for (let ring = firstRing; ring < lastRing; ring++) {
    if (layer.ringRoles[ring] === 0) polygonStarts.push(ring - firstRing);
  }
  polygonStarts.push(lastRing - firstRing);
  let [west, south, east, north] = [xy[0]!, xy[1]!, xy[0]!, xy[1]!];
  for (let i = 2; i < xy.length; i += 2) {
    west = Math.min(west, xy[i]!);
    east = Math.max(east, xy[i]!);
    south = Math.min(south, xy[i + 1]!);
    north = Math.max(north, xy[i + 1]!);
  }
  return {
    dimension: "polygon",
    xy,
    ringStarts,
    polygonStarts: Uint32Array.from(polygonStarts),
    bbox: [west, south, east, north],
  };
}

/** The rings of a plot of polygons, as snapshots take them. */
function listPolygonRings({ xy, ringStarts, polygonStarts }: Plot): Float64Array[][] {
  return Array.from({ length: polygonStarts.length - 1 }, (_, polygon) =>
    Array.from({ length: polygonStarts[polygon + 1]! - polygonStarts[polygon]! }, (_, i) => {
      const ring = polygonStarts[polygon]! + i;
      return xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!);
    }),
  );
}
