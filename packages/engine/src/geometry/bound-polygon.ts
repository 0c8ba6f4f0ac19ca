import type { AreaLayer } from "../snapshot/layer.ts";
import { type Surface, signedRingAreaOn } from "./authalic.ts";
import {
  type BoundarySum,
  createBoundarySum,
  SMALL_PLOT_EDGES,
  setWindow,
  sumOverRings,
} from "./boundary-sum.ts";
import { areasAtPole, openRing, ringsNear, shiftsToMeet } from "./candidates.ts";
import { chainNodeCount, writeChainTree } from "./chain-tree.ts";
import { type Chains, openChains, sideOfRing } from "./chains.ts";
import type { BoundPlot, DistanceHit, MultiPolygonCoordinates, OverlapHit, Region, Relations } from "./kernel.ts";
import type { Plot } from "./plot.ts";
import { createSmallPlot, loadSmallPlot, type SmallPlot, sumOverRing } from "./small-plot-sum.ts";

/** Most units of work of one question; part of the semantics version. About 250 ms at worst. */
const ALLOWED_WORK = 30_000_000;

/** The plot's rings with their chain trees. */
interface PlotChains {
  readonly starts: Uint32Array;
  readonly boxes: Float32Array;
  readonly integrals: Float64Array;
}

/**
 * What the bound polygons of a kernel share: scratch space, so that binding a plot allocates next to
 * nothing. Nothing outlives a question in it but whose plot it was last set up for.
 */
export interface Workspace {
  readonly surface: Surface;
  readonly sum: BoundarySum;
  readonly small: SmallPlot;
  /** The plot whose bbox is the sum's window. */
  window: Plot | undefined;
}

export function createWorkspace(surface: Surface): Workspace {
  return { surface, sum: createBoundarySum(), small: createSmallPlot(), window: undefined };
}

/** A polygon or multipolygon, ready to be measured against layers. */
export class BoundPolygon implements BoundPlot {
  readonly plot: Plot;
  readonly areaSquareMeters: number;
  readonly #workspace: Workspace;
  readonly #sum: BoundarySum;
  #chains: PlotChains | undefined;

  constructor(plot: Plot, workspace: Workspace) {
    this.plot = plot;
    this.#workspace = workspace;
    this.#sum = workspace.sum;
    let area = 0;
    for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++) area += this.#ringArea(ring);
    this.areaSquareMeters = area;
  }

  intersections(layer: AreaLayer): OverlapHit[] {
    this.#sum.work = 0;
    this.#sum.allowed = ALLOWED_WORK;
    const hits: OverlapHit[] = [];
    const shifts = shiftsToMeet(this.plot.bbox, layer);
    for (const shift of shifts) {
      const rings = ringsNear(this.plot.bbox, layer, shift);
      for (let i = 0; i < rings.length; ) {
        const area = layer.ringAreas[rings[i]!]!;
        let end = i + 1;
        while (end < rings.length && layer.ringAreas[rings[end]!] === area) end++;
        const overlap = this.#overlap(layer, area, rings, i, end, shift);
        if (overlap !== undefined) hits.push(this.#hit(area, overlap));
        i = end;
      }
    }
    const [, south, , north] = this.plot.bbox;
    if (south === -90 || north === 90) {
      for (const area of areasAtPole(this.plot.bbox, layer)) hits.push(this.#hit(area, 0));
    }
    return shifts.length > 1 || hits.length > 1 ? this.#merged(hits) : hits;
  }

  #hit(area: number, overlapSquareMeters: number): OverlapHit {
    const ratio = this.areaSquareMeters > 0 ? Math.min(1, overlapSquareMeters / this.areaSquareMeters) : 0;
    return { area, overlapSquareMeters, overlapRatio: ratio };
  }

  /** One hit an area, ascending: an area can be met at several longitudes 360° apart. */
  #merged(hits: OverlapHit[]): OverlapHit[] {
    hits.sort((a, b) => a.area - b.area);
    const merged: OverlapHit[] = [];
    for (const hit of hits) {
      const last = merged[merged.length - 1];
      if (last === undefined || last.area !== hit.area) {
        merged.push(hit);
      } else {
        const total = Math.min(last.overlapSquareMeters + hit.overlapSquareMeters, this.areaSquareMeters);
        merged[merged.length - 1] = this.#hit(hit.area, total);
      }
    }
    return merged;
  }

  /** Square metres of plot ∩ area, or undefined where they share no point. `rings[from…to)` are the area's near the plot. */
  #overlap(
    layer: AreaLayer,
    area: number,
    rings: readonly number[],
    from: number,
    to: number,
    shift: number,
  ): number | undefined {
    const sum = this.#sum;
    const whole = this.#openWindow(layer, rings, from, to, shift);
    sum.touched = false;
    let total = 0;
    if (whole && this.plot.xy.length / 2 - this.plot.ringStarts.length + 1 <= SMALL_PLOT_EDGES) {
      const { small } = this.#workspace;
      if (small.plot !== this.plot) loadSmallPlot(sum, small, this.plot);
      for (let i = from; i < to; i++) {
        openRing(sum.area, layer, rings[i]!, shift);
        total += sumOverRing(sum, small);
      }
      const overlap = Math.min(Math.max(total, 0), this.areaSquareMeters);
      return sum.touched ? overlap : this.#overlapUntouched(layer, area, rings, from, to, shift, overlap);
    }
    this.#workspace.small.plot = undefined;
    for (let i = from; i < to; i++) {
      openRing(sum.area, layer, rings[i]!, shift);
      for (let ring = 0; ring + 1 < this.plot.ringStarts.length; ring++) {
        this.#openPlotRing(sum.plot, ring, 0);
        total += sumOverRings(sum);
      }
    }
    const overlap = Math.min(Math.max(total, 0), this.areaSquareMeters);
    return sum.touched ? overlap : this.#overlapUntouched(layer, area, rings, from, to, shift, overlap);
  }

  /** The same, where no edge of the one meets an edge of the other: then whole rings lie inside or outside. */
  #overlapUntouched(
    layer: AreaLayer,
    area: number,
    rings: readonly number[],
    from: number,
    to: number,
    shift: number,
    overlap: number,
  ): number | undefined {
    const { plot } = this;
    let ringsInPlot = 0;
    for (let i = from; i < to; i++) if (this.#holdsRing(layer, rings[i]!, shift)) ringsInPlot++;
    if (ringsInPlot === 0) {
      // No boundary of the area within the plot: each polygon is covered whole or not at all.
      let covered = 0;
      let polygons = 0;
      for (let polygon = 0; polygon + 1 < plot.polygonStarts.length; polygon++) {
        const first = plot.polygonStarts[polygon]!;
        if (!this.#areaHolds(layer, rings, from, to, shift, first)) continue;
        polygons++;
        for (let ring = first; ring < plot.polygonStarts[polygon + 1]!; ring++) covered += this.#ringArea(ring);
      }
      if (polygons === 0) return undefined;
      return polygons + 1 === plot.polygonStarts.length ? this.areaSquareMeters : covered;
    }
    if (ringsInPlot === layer.areaRings[area + 1]! - layer.areaRings[area]!) {
      let anyWithin = false;
      for (let ring = 0; ring + 1 < plot.ringStarts.length && !anyWithin; ring++) {
        anyWithin = this.#areaHolds(layer, rings, from, to, shift, ring);
      }
      if (!anyWithin) return layer.areaSquareMeters[area]!;
    }
    return overlap;
  }

  /** Whether the first position of an area's ring lies in the plot. */
  #holdsRing(layer: AreaLayer, ring: number, shift: number): boolean {
    const i = layer.ringStarts[ring]!;
    let inside = false;
    for (let r = 0; r + 1 < this.plot.ringStarts.length; r++) {
      this.#openPlotRing(this.#sum.plot, r, -shift);
      const side = sideOfRing(this.#sum.plot, layer.xy[2 * i]!, layer.xy[2 * i + 1]!);
      if (side === 2) return true;
      if (side === 1) inside = !inside;
    }
    return inside;
  }

  /** Whether the first position of a ring of the plot lies in the area. */
  #areaHolds(
    layer: AreaLayer,
    rings: readonly number[],
    from: number,
    to: number,
    shift: number,
    plotRing: number,
  ): boolean {
    const i = this.plot.ringStarts[plotRing]!;
    let inside = false;
    for (let r = from; r < to; r++) {
      openRing(this.#sum.area, layer, rings[r]!, shift);
      const side = sideOfRing(this.#sum.area, this.plot.xy[2 * i]!, this.plot.xy[2 * i + 1]!);
      if (side === 2) return true;
      if (side === 1) inside = !inside;
    }
    return inside;
  }

  /** Makes the window the plot's bbox, unless the area is so much smaller that its own share would lose digits. */
  #openWindow(layer: AreaLayer, rings: readonly number[], from: number, to: number, shift: number): boolean {
    const [west, south, east, north] = this.plot.bbox;
    let w = Infinity;
    let s = Infinity;
    let e = -Infinity;
    let n = -Infinity;
    for (let i = from; i < to; i++) {
      const root = 4 * (layer.chainStarts[rings[i]! + 1]! - 1);
      w = Math.min(w, layer.chainBoxes[root]!);
      s = Math.min(s, layer.chainBoxes[root + 1]!);
      e = Math.max(e, layer.chainBoxes[root + 2]!);
      n = Math.max(n, layer.chainBoxes[root + 3]!);
    }
    if (8 * (e - w + (n - s)) < east - west + (north - south)) {
      setWindow(
        this.#sum,
        this.#workspace.surface,
        Math.max(w + shift, west),
        Math.max(s, south),
        Math.min(e + shift, east),
        Math.min(n, north),
      );
      this.#workspace.window = undefined;
      return false;
    }
    if (this.#workspace.window !== this.plot) {
      setWindow(this.#sum, this.#workspace.surface, west, south, east, north);
      this.#workspace.window = this.plot;
    }
    return true;
  }

  #openPlotRing(chains: Chains, ring: number, shift: number): void {
    const { xy, ringStarts } = this.plot;
    const { starts, boxes, integrals } = this.#plotChains();
    openChains(chains, xy, ringStarts[ring]!, ringStarts[ring + 1]!, boxes, integrals, starts[ring]!, shift);
  }

  #plotChains(): PlotChains {
    if (this.#chains !== undefined) return this.#chains;
    const { xy, ringStarts } = this.plot;
    const rings = ringStarts.length - 1;
    const starts = new Uint32Array(rings + 1);
    for (let r = 0; r < rings; r++) {
      starts[r + 1] = starts[r]! + chainNodeCount(ringStarts[r + 1]! - ringStarts[r]! - 1);
    }
    const boxes = new Float32Array(4 * starts[rings]!);
    const integrals = new Float64Array(starts[rings]!);
    for (let r = 0; r < rings; r++) {
      const [a, b] = [starts[r]!, starts[r + 1]!];
      writeChainTree(
        xy,
        ringStarts[r]!,
        ringStarts[r + 1]!,
        boxes.subarray(4 * a, 4 * b),
        integrals.subarray(a, b),
        this.#workspace.surface,
      );
    }
    this.#chains = { starts, boxes, integrals };
    return this.#chains;
  }

  /** Signed square metres of a ring: holes count negative. */
  #ringArea(ring: number): number {
    const { xy, ringStarts } = this.plot;
    this.#workspace.window = undefined;
    return signedRingAreaOn(this.#workspace.surface, xy, ringStarts[ring]!, ringStarts[ring + 1]!, this.#sum.series);
  }
}
