import type { WorkMeter } from "../../base/work-meter.ts";
import type { DistanceHit } from "../distance/distance.ts";
import type { Surface } from "../earth/authalic.ts";
import { isRaster, type Layer } from "../layer.ts";
import type { OverlapGeometry } from "../overlap/overlap-geometry.ts";
import { type AreaRef, EXAMINED, type Region } from "../overlap/region.ts";
import type { Relations } from "../overlap/relation.ts";
import type { Plot } from "../plot/plot.ts";
import { getCellWalk } from "../raster/cell-walk.ts";
import type { RasterGrid } from "../raster/grid.ts";
import { type JointMember, JointShares, MOST_MEMBERS } from "../raster/joint-shares.ts";
import { NODATA, type RasterLayer } from "../raster/raster-layer.ts";
import { walkByTiles } from "../raster/tile-order.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { BoundPlot, Kernel, OverlapHit } from "./kernel.ts";
import { PlotOnRaster } from "./plot-on-raster.ts";

/**
 * A plot ready to be measured against layers of rings, which its kernel does, and of cells. Not re-entrant.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX`, from every method, when the answer takes more work than is allowed; with a
 * `DamagedTile` where the cells of a raster cannot be read.
 */
export class PlotOnLayers {
  readonly #kernel: Kernel;
  readonly #bound: BoundPlot;
  readonly #meter: WorkMeter;
  /** Created when the first raster is measured. */
  #rasters: Map<RasterLayer, PlotOnRaster> | undefined;
  #joints: { readonly layers: readonly RasterLayer[]; readonly combinations: Combinations }[] | undefined;

  constructor(kernel: Kernel, plot: Plot, meter: WorkMeter) {
    this.#kernel = kernel;
    this.#meter = meter;
    this.#bound = kernel.bind(plot, meter);
  }

  get plot(): Plot {
    return this.#bound.plot;
  }

  /** Square metres; 0 for points and lines. */
  get areaSquareMeters(): number {
    return this.#bound.areaSquareMeters;
  }

  /** Square metres of one whole area of a layer. */
  wholeSquareMeters(layer: Layer, area: number): number {
    return isRaster(layer) ? layer.areaSquareMeters[area]! : this.#kernel.areaSquareMeters(layer, area);
  }

  /** As {@link BoundPlot.intersections}. */
  intersections(layer: Layer, isWanted?: (area: number) => boolean): OverlapHit[] {
    return isRaster(layer)
      ? this.#on(layer).intersections(isWanted)
      : this.#bound.intersections(layer, isWanted);
  }

  /** As {@link BoundPlot.relation}. */
  relation(layer: Layer, area: number): Relations {
    return isRaster(layer) ? this.#on(layer).relation(area) : this.#bound.relation(layer, area);
  }

  /** As {@link BoundPlot.distances}; no distance to a raster is measured. */
  distances(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    return this.#bound.distances(layer, maxMeters);
  }

  /** As {@link BoundPlot.nearestMeters}. */
  nearestMeters(
    layer: AreaLayer,
    maxMeters: number,
    isWanted: (area: number) => boolean,
    to: "area" | "boundary",
  ): number {
    return this.#bound.nearestMeters(layer, maxMeters, isWanted, to);
  }

  /** As {@link BoundPlot.overlapGeometry}. */
  overlapGeometry(layer: Layer, area: number): OverlapGeometry | null | "too_complex" {
    return isRaster(layer) ? this.#on(layer).overlapGeometry(area) : this.#bound.overlapGeometry(layer, area);
  }

  /** Share of a line's length, or of points, in the cells of a raster that are examined. */
  examinedRatio(layer: RasterLayer): number {
    return this.#on(layer).examinedRatio;
  }

  /** True if a plot of polygons shares a point with a cell of a raster that is not examined. */
  touchesUnexamined(layer: RasterLayer): boolean {
    return this.#on(layer).touchesUnexamined;
  }

  /** Square metres of the plot whose cells are not examined. */
  unexaminedSquareMeters(layer: RasterLayer): number {
    const examined: Region<Layer> = { op: "areas", areas: [{ layer, area: EXAMINED }] };
    return (
      this.#on(layer).unexaminedSquareMeters ??
      this.regionSquareMeters({ op: "difference", operands: [{ op: "plot" }, examined] })
    );
  }

  /**
   * As {@link BoundPlot.regionSquareMeters}. Regions of rasters alone whose lines are a common grid's are summed cell
   * by cell; beside areas with rings, or on grids of their own, cells are areas with outlines.
   */
  regionSquareMeters(region: Region<Layer>, within?: AreaRef<Layer>): number {
    if (!hasLayer(region, isRaster)) {
      return this.#bound.regionSquareMeters(region as Region, within as AreaRef | undefined);
    }
    if (this.plot.dimension !== "polygon") return 0;
    if (this.#kernel.surface !== undefined && !hasLayer(region, isOfRings)) {
      const combinations = this.#combinations([...collectRasters(region)]);
      if (combinations !== undefined) return this.#sum(combinations, region);
    }
    const isVector = within !== undefined && !isRaster(within.layer);
    const outlined = this.#outlined(region);
    return this.#bound.regionSquareMeters(outlined, isVector ? (within as AreaRef) : undefined);
  }

  #on(layer: RasterLayer): PlotOnRaster {
    this.#rasters ??= new Map();
    let on = this.#rasters.get(layer);
    if (on === undefined) {
      on = new PlotOnRaster(this.#kernel, this.#bound, layer, this.#meter);
      this.#rasters.set(layer, on);
    }
    return on;
  }

  /** Square metres of each combination of the values of some rasters in the plot; for one raster, its own shares. */
  #combinations(layers: readonly RasterLayer[]): Combinations | undefined {
    this.#joints ??= [];
    const known = this.#joints.find((joint) => layers.every((layer) => joint.layers.includes(layer)));
    if (known !== undefined) return known.combinations;
    const [first] = layers;
    const combinations = layers.length === 1 ? this.#ownShares(first!) : this.#jointShares(layers);
    if (combinations !== undefined) this.#joints.push({ layers, combinations });
    return combinations;
  }

  #ownShares(layer: RasterLayer): Combinations {
    const { values, squareMeters } = this.#on(layer).shares;
    return { layers: [layer], squareMeters, valueIn: (at) => values[at]! };
  }

  #jointShares(layers: readonly RasterLayer[]): Combinations | undefined {
    const joint = computeJointShares(
      layers.map((layer) => this.#on(layer)),
      this.plot,
      this.areaSquareMeters,
      this.#kernel.surface!,
      this.#meter,
    );
    return (
      joint && {
        layers,
        squareMeters: joint.squareMeters,
        valueIn: (combination, member) => joint.values[combination * layers.length + member]!,
      }
    );
  }

  /** The region's part of the plot: all of it to the bit where no combination outside shares area with it. */
  #sum({ layers, squareMeters, valueIn }: Combinations, region: Region<Layer>): number {
    const holds = compileRegionTest(region, layers);
    this.#meter.add(COMBINATION_UNITS * squareMeters.length);
    let inside = 0;
    let outside = 0;
    for (let i = 0; i < squareMeters.length; i++) {
      if (holds((member) => valueIn(i, member))) inside += squareMeters[i]!;
      else outside += squareMeters[i]!;
    }
    const whole = this.areaSquareMeters;
    return outside === 0 && inside > 0 ? whole : Math.min(inside, whole);
  }

  /** The region with outlines in place of cells. */
  #outlined(region: Region<Layer>): Region {
    if (region.op === "plot") return region;
    if (region.op !== "areas") {
      return { op: region.op, operands: region.operands.map((operand) => this.#outlined(operand)) };
    }
    const areas: AreaRef[] = [];
    const ofRasters = new Map<RasterLayer, Set<number>>();
    for (const { layer, area } of region.areas) {
      if (!isRaster(layer)) areas.push({ layer, area });
      else ofRasters.set(layer, (ofRasters.get(layer) ?? new Set()).add(area));
    }
    for (const [layer, wanted] of ofRasters) {
      const on = this.#on(layer);
      const [first] = wanted;
      const outline =
        wanted.size === 1 ? on.outline(first!) : on.traceOutline((value) => includesValue(wanted, value));
      if (outline.ringCount > 0) areas.push({ layer: outline, area: 0 });
    }
    return { op: "areas", areas };
  }
}

/** Units of work for one combination of values in a region. */
const COMBINATION_UNITS = 20;

/** Square metres of each combination of the values of some rasters in a plot. */
interface Combinations {
  readonly layers: readonly RasterLayer[];
  readonly squareMeters: ArrayLike<number>;
  /** The value of one of the layers in a combination: an area, `BACKGROUND` or `NODATA`. */
  valueIn(combination: number, member: number): number;
}

function includesValue(areas: ReadonlySet<number>, value: number): boolean {
  return areas.has(value) || (value !== NODATA && areas.has(EXAMINED));
}

/** True if a region contains the cells with these values, one value per layer. */
function compileRegionTest(
  region: Region<Layer>,
  layers: readonly RasterLayer[],
): (valueIn: (member: number) => number) => boolean {
  if (region.op === "plot") return () => true;
  if (region.op === "areas") {
    const areas = layers.map(
      (layer) => new Set(region.areas.flatMap((ref) => (ref.layer === layer ? ref.area : []))),
    );
    return (valueIn) =>
      areas.some((wanted, member) => wanted.size > 0 && includesValue(wanted, valueIn(member)));
  }
  const [first, ...others] = region.operands.map((operand) => compileRegionTest(operand, layers));
  if (first === undefined) return () => false;
  switch (region.op) {
    case "union":
      return (valueIn) => first(valueIn) || others.some((holds) => holds(valueIn));
    case "intersection":
      return (valueIn) => first(valueIn) && others.every((holds) => holds(valueIn));
    case "difference":
      return (valueIn) => first(valueIn) && !others.some((holds) => holds(valueIn));
  }
}

function collectRasters(region: Region<Layer>, found: Set<RasterLayer> = new Set()): Set<RasterLayer> {
  if (region.op === "areas") {
    for (const { layer } of region.areas) if (isRaster(layer)) found.add(layer);
  } else if (region.op !== "plot") {
    for (const operand of region.operands) collectRasters(operand, found);
  }
  return found;
}

function hasLayer(region: Region<Layer>, isSuch: (layer: Layer) => boolean): boolean {
  if (region.op === "areas") return region.areas.some(({ layer }) => isSuch(layer));
  return region.op !== "plot" && region.operands.some((operand) => hasLayer(operand, isSuch));
}

function isOfRings(layer: Layer): boolean {
  return !isRaster(layer);
}

/**
 * The area of a plot of polygons in each combination of values of several rasters; undefined where they are too many,
 * or the lines of one of them are not all lines of another.
 *
 * @param squareMeters of the plot
 */
function computeJointShares(
  rasters: readonly PlotOnRaster[],
  plot: Plot,
  squareMeters: number,
  surface: Surface,
  meter: WorkMeter,
): JointShares | undefined {
  if (rasters.length > MOST_MEMBERS) return undefined;
  const finest = rasters.find((one) => rasters.every((other) => fitsGrid(one.layer.grid, other.layer.grid)));
  if (finest === undefined) return undefined;
  const { grid, cells } = finest.layer;
  const members = rasters.map(
    ({ layer, reader }): JointMember => ({ reader, ...findGridPlacement(grid, layer.grid)! }),
  );
  const joint = new JointShares(members, finest.lattice, finest.least, meter);
  walkByTiles(getCellWalk(surface), plot, finest.lattice, cells.tiling, false, joint, meter);
  joint.settle(squareMeters);
  return joint;
}

function fitsGrid(fine: RasterGrid, coarse: RasterGrid): boolean {
  return fine === coarse || findGridPlacement(fine, coarse) !== undefined;
}

/**
 * How the cells of a grid lie on a finer one all of whose lines they share, to the bit: both grids are of whole
 * numbers, so that equal lines are quotients of equal value.
 */
function findGridPlacement(fine: RasterGrid, coarse: RasterGrid): Omit<JointMember, "reader"> | undefined {
  const columnRatio = (coarse.s * fine.n) / (fine.s * coarse.n);
  const rowRatio = (coarse.t * fine.n) / (fine.t * coarse.n);
  const columnOffset = (coarse.a * fine.n - fine.a * coarse.n) / (fine.s * coarse.n);
  const rowOffset = (fine.b * coarse.n - coarse.b * fine.n) / (fine.t * coarse.n);
  const place = { columnRatio, rowRatio, columnOffset, rowOffset };
  const isSame = columnRatio === 1 && rowRatio === 1 && columnOffset === 0 && rowOffset === 0;
  if (isSame && fine.a === coarse.a && fine.b === coarse.b) return place;
  const isWhole = [fine, coarse].every(({ a, b, s, t, n }) => [a, b, s, t, n].every(Number.isSafeInteger));
  return isWhole && Object.values(place).every(Number.isInteger) ? place : undefined;
}
