import type { WorkMeter } from "../../base/work-meter.ts";
import type { DistanceHit } from "../distance/distance.ts";
import type { Surface } from "../earth/authalic.ts";
import type { OverlapGeometry } from "../overlap/overlap-geometry.ts";
import type { AreaRef, Region } from "../overlap/region.ts";
import type { Relations } from "../overlap/relation.ts";
import type { Plot } from "../plot/plot.ts";
import type { AreaLayer } from "../trees/layer.ts";

/** An area that shares at least one point with the plot (closed sets: touching counts). */
export interface OverlapHit {
  /** Index of the area in its layer. */
  readonly area: number;
  /** Square metres of plot ∩ area; 0 where they only touch, and for points and lines. */
  readonly overlapSquareMeters: number;
  /**
   * Share of the plot that the area covers, 0 to 1: of its area for polygons, of its length for
   * lines, 1 for a point in the closed area.
   */
  readonly overlapRatio: number;
  /** For a raster: the number of cells whose shared area with a polygon prints as more than 0 m². */
  readonly cells?: number;
}

/**
 * How plots are measured against layers. Two implementations: `reference` (flatbush and turf,
 * spherical, the oracle) and the default one (exact on the WGS 84 ellipsoid).
 *
 * A kernel never decides what a hit means; it answers geometry questions in layer order
 * (ascending area index), unrounded.
 */
export interface Kernel {
  /** Name of the kernel in answers. */
  readonly name: "default" | "reference";
  /** Version of the meaning of results; raised whenever any verdict could change. 0: not stable. */
  readonly semantics: number;
  /**
   * The surface on which cells of rasters are measured one by one; undefined: cells are measured as outlines, like
   * other areas.
   */
  readonly surface: Surface | undefined;
  /** Square metres of one whole area. */
  areaSquareMeters(layer: AreaLayer, area: number): number;
  /**
   * Readies a plot for the questions of one answer.
   *
   * @param meter the answer's; by default one of its own
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` when the answer takes more work than is allowed; so do the methods
   * of the result.
   */
  bind(plot: Plot, meter?: WorkMeter): BoundPlot;
}

/**
 * A plot made ready by {@link Kernel.bind}. Not re-entrant: one question at a time.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX`, from every method, when the answer takes more work than is allowed.
 */
export interface BoundPlot {
  readonly plot: Plot;
  /** Square metres; 0 for points and lines. */
  readonly areaSquareMeters: number;
  /**
   * Every area of the layer that shares a point with the plot, ascending by area index.
   *
   * @param isWanted whether an area is asked about; the others are passed over. Default: every one is
   */
  intersections(layer: AreaLayer, isWanted?: (area: number) => boolean): OverlapHit[];
  /** Relation to the plot of an area that {@link intersections} found. */
  relation(layer: AreaLayer, area: number): Relations;
  /** Every area whose distance is at most `maxMeters`, ascending by area index. */
  distances(layer: AreaLayer, maxMeters: number): DistanceHit[];
  /**
   * Metres from the plot to the nearest of some areas of a layer; `Infinity` where none of them lies within
   * `maxMeters`.
   *
   * @param isWanted whether an area is one of them
   * @param to `boundary`: to the edges of areas, also where the plot lies inside one
   */
  nearestMeters(
    layer: AreaLayer,
    maxMeters: number,
    isWanted: (area: number) => boolean,
    to: "area" | "boundary",
  ): number;
  /**
   * Square metres of (region ∩ plot); nothing is counted twice.
   * @param within an area in which the region is known to lie: a kernel may look nowhere else
   */
  regionSquareMeters(region: Region, within?: AreaRef): number;
  /**
   * plot ∩ area as people look at it: polygons of a polygon, the parts of a line, points of points. Null
   * where they share less than that, and only touch.
   */
  overlapGeometry(layer: AreaLayer, area: number): OverlapGeometry | null | "too_complex";
}
