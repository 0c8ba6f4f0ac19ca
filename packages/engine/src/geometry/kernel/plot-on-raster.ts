import type { WorkMeter } from "../../base/work-meter.ts";
import { ELLIPSOID, type Surface } from "../earth/authalic.ts";
import type { OverlapGeometry } from "../overlap/overlap-geometry.ts";
import { EXAMINED } from "../overlap/region.ts";
import type { Relations } from "../overlap/relation.ts";
import { getCellWalk } from "../raster/cell-walk.ts";
import { type CellRange, cellsNearLines, cellsNearPolygons } from "../raster/cells-near.ts";
import { Lattice } from "../raster/lattice.ts";
import { BACKGROUND, type CellRuns, NODATA, type RasterLayer } from "../raster/raster-layer.ts";
import { leastCertainShare } from "../raster/rounding.ts";
import { RowReader } from "../raster/row-reader.ts";
import { measureValueShares, type Shares } from "../raster/shares.ts";
import { traceCellOutlines } from "../raster/trace.ts";
import { createAreaLayer } from "../trees/create-layer.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { BoundPlot, Kernel, OverlapHit } from "./kernel.ts";

/** Units of work of a run of cells that is looked at for its value. */
const RUN_UNITS = 6;
const READ_UNITS = 20;

/** A plot on the cells of one raster. Each method fails with a `DamagedTile` where cells cannot be read. */
export class PlotOnRaster {
  readonly layer: RasterLayer;
  readonly lattice: Lattice;
  readonly reader: RowReader;
  readonly #kernel: Kernel;
  readonly #bound: BoundPlot;
  readonly #meter: WorkMeter;
  #shares: Shares | undefined;
  #outlines: Outlines | undefined;
  readonly #traced = new Map<number, AreaLayer>();

  constructor(kernel: Kernel, bound: BoundPlot, layer: RasterLayer, meter: WorkMeter) {
    this.#kernel = kernel;
    this.#bound = bound;
    this.#meter = meter;
    this.layer = layer;
    const [west, , east] = bound.plot.bbox;
    this.lattice = new Lattice(layer.grid, (west + east) / 2);
    this.reader = new RowReader(layer, this.lattice, meter);
  }

  /** Square metres of a cell's share in the plot that may be no more than rounding. */
  get least(): number {
    return leastCertainShare(this.#bound.plot, this.layer.grid, this.#surface);
  }

  /** Share of each value in a plot of polygons. */
  get shares(): Shares {
    this.#shares ??= measureValueShares(
      this.#bound.plot,
      this.layer,
      this.lattice,
      this.reader,
      getCellWalk(this.#surface),
      this.least,
      this.#bound.areaSquareMeters,
      this.#meter,
    );
    return this.#shares;
  }

  intersections(isWanted: (area: number) => boolean = () => true): OverlapHit[] {
    if (!this.#isWalked)
      return this.#outlined().hits.filter(({ area }) => area !== EXAMINED && isWanted(area));
    const { values, squareMeters, cells, alone } = this.shares;
    const whole = this.#bound.areaSquareMeters;
    const hits: OverlapHit[] = [];
    for (let i = 0; i < values.length; i++) {
      const area = values[i]!;
      if (area >= BACKGROUND || !isWanted(area)) continue;
      // The plot's own area to the bit, where no other cell shares area with it.
      const overlapSquareMeters = area === alone ? whole : Math.min(squareMeters[i]!, whole);
      const overlapRatio = whole > 0 ? Math.min(1, overlapSquareMeters / whole) : 0;
      hits.push({ area, overlapSquareMeters, overlapRatio, cells: cells[i]! });
    }
    return hits;
  }

  /** Square metres of a plot of polygons that are not examined; undefined where cells are measured by outlines. */
  get unexaminedSquareMeters(): number | undefined {
    if (!this.#isWalked) return undefined;
    const { values, squareMeters, alone } = this.shares;
    const whole = this.#bound.areaSquareMeters;
    if (alone === NODATA) return whole;
    return values.at(-1) === NODATA ? Math.min(squareMeters.at(-1)!, whole) : 0;
  }

  /** True if a plot of polygons shares a point with a cell that is not examined. */
  get touchesUnexamined(): boolean {
    if (this.#isWalked) return this.shares.values.at(-1) === NODATA;
    return this.#bound.intersections(this.traceOutline((value) => value === NODATA)).length > 0;
  }

  /** Share of the plot that is examined, 0 to 1: of its length, or of its points. */
  get examinedRatio(): number {
    return this.#outlined().hits.find(({ area }) => area === EXAMINED)?.overlapRatio ?? 0;
  }

  /** Relation to the plot of an area that meets it. */
  relation(area: number): Relations {
    if (!this.#isWalked) {
      const { layer, areas } = this.#outlined();
      return this.#bound.relation(layer, areas.indexOf(area));
    }
    const { values, squareMeters, cells, alone } = this.shares;
    const at = values.indexOf(area);
    const isWithin = cells[at]! >= this.layer.areaCells[area]!;
    const coveredBy = isWithin && this.#bound.relation(this.outline(area), 0).coveredBy;
    return { touches: squareMeters[at] === 0, covers: area === alone, coveredBy };
  }

  overlapGeometry(area: number): OverlapGeometry | null | "too_complex" {
    if (this.#isWalked) return this.#bound.overlapGeometry(this.outline(area), 0);
    const { layer, areas } = this.#outlined();
    return this.#bound.overlapGeometry(layer, areas.indexOf(area));
  }

  /** The outlines of an area's cells near the plot, or of all that are examined: a layer of that one area. */
  outline(area: number): AreaLayer {
    let layer = this.#traced.get(area);
    if (layer === undefined) {
      layer = this.traceOutline(area === EXAMINED ? (value) => value !== NODATA : (value) => value === area);
      this.#traced.set(area, layer);
    }
    return layer;
  }

  /** The same of all cells that hold one of some values. */
  traceOutline(isOutlined: (value: number) => boolean): AreaLayer {
    const runs: number[] = [];
    for (const { row, from, to } of this.#rangesNear()) this.#select(row, from, to, isOutlined, runs);
    const rings = traceCellOutlines({ runs }, this.lattice, this.#meter);
    return createAreaLayer(this.layer.sourceName, [rings], this.#surface, isClockwise);
  }

  /** The runs of cells read last, for this plot or for another. */
  get #runs(): CellRuns {
    return getCellWalk(this.#surface).runs;
  }

  get #surface(): Surface {
    return this.#kernel.surface ?? ELLIPSOID;
  }

  /** True if areas are summed cell by cell; other plots, and other kernels, are measured against outlines. */
  get #isWalked(): boolean {
    return this.#kernel.surface !== undefined && this.#bound.plot.dimension === "polygon";
  }

  #rangesNear(): Iterable<CellRange> {
    const { plot } = this.#bound;
    return plot.dimension === "polygon"
      ? cellsNearPolygons(plot, this.lattice, getCellWalk(this.#surface), this.#meter)
      : cellsNearLines(plot, this.lattice, this.#meter);
  }

  /** Adds the runs of a row's cells that hold one of some values. */
  #select(
    row: number,
    from: number,
    to: number,
    isOutlined: (value: number) => boolean,
    runs: number[],
  ): void {
    const read = this.#runs;
    const units = this.reader.read(row, from, to, read);
    this.#meter.add(units + READ_UNITS + RUN_UNITS * read.count);
    let start = from;
    for (let i = 0; i < read.count; i++) {
      const end = read.ends[i]!;
      if (isOutlined(read.values[i]!)) {
        const last = runs.length - 3;
        if (last >= 0 && runs[last] === row && runs[last + 2] === start) runs[last + 2] = end;
        else runs.push(row, start, end);
      }
      start = end;
    }
  }

  /** Every value near the plot as an area of one layer, and all that is examined as the last. */
  #outlined(): Outlines {
    if (this.#outlines === undefined) {
      const runsByValue = new Map<number, number[]>();
      const examined: number[] = [];
      for (const { row, from, to } of this.#rangesNear()) {
        this.#select(row, from, to, (value) => value !== NODATA, examined);
        const read = this.#runs;
        let start = from;
        for (let i = 0; i < read.count; i++) {
          const [end, value] = [read.ends[i]!, read.values[i]!];
          if (value < this.layer.areaCount) {
            const runs = runsByValue.get(value);
            if (runs === undefined) runsByValue.set(value, [row, start, end]);
            else runs.push(row, start, end);
          }
          start = end;
        }
      }
      const areas = [...runsByValue.keys()].sort((a, b) => a - b);
      const all = [...areas.map((area) => runsByValue.get(area)!), examined];
      const rings = all.map((runs) => traceCellOutlines({ runs }, this.lattice, this.#meter));
      const layer = createAreaLayer(this.layer.sourceName, rings, this.#surface, isClockwise);
      const hits = this.#bound
        .intersections(layer)
        .map((hit) => ({ ...hit, area: areas[hit.area] ?? EXAMINED }));
      this.#outlines = { layer, areas, hits };
    }
    return this.#outlines;
  }
}

/** The values near a plot as areas with rings. */
interface Outlines {
  readonly layer: AreaLayer;
  /** Area of the raster that each area of the layer is. */
  readonly areas: readonly number[];
  /** By the raster's areas, {@link EXAMINED} among them. */
  readonly hits: readonly OverlapHit[];
}

/** True if an outline is that of a gap: its corners turn right more often than left. */
function isClockwise(ring: Float64Array): boolean {
  let doubled = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    doubled +=
      (ring[i]! - ring[0]!) * (ring[i + 3]! - ring[1]!) -
      (ring[i + 2]! - ring[0]!) * (ring[i + 1]! - ring[1]!);
  }
  return doubled < 0;
}
