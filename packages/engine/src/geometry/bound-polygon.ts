import type { AreaLayer } from "../snapshot/layer.ts";
import { createLatitudeSeries, ringAreaAbout, type Surface, signedRingAreaOn } from "./authalic.ts";
import { areaBoundary, plotBoundary } from "./boundary.ts";
import { type BoundarySum, SMALL_PLOT_EDGES, setWindow, sumOverRings, tooComplex } from "./boundary-sum.ts";
import { areasAtPole, findRings, openRing, shiftsToMeet, type Workspace } from "./candidates.ts";
import { chainNodeCount, writeChainTree } from "./chain-tree.ts";
import { type Chains, openChains, sideOfRing } from "./chains.ts";
import { createDistanceWorkspace, PlotDistance } from "./distance.ts";
import { edgeMeetsPlot } from "./edge-meets-plot.ts";
import type { ExactPlot } from "./exact-kernel.ts";
import type { DistanceHit, MultiPolygonCoordinates, OverlapHit, Region, Relations } from "./kernel.ts";
import { overlapPolygons } from "./overlap-geometry.ts";
import type { Plot } from "./plot.ts";
import { RegionMeter } from "./region-area.ts";
import { relate } from "./relation.ts";
import { beginSmallPlot, sumOverRing } from "./small-plot-sum.ts";

/** Most units of work of one question; part of the semantics version. About 90 ms at worst, beside up to 150 for the check of the plot. */
const ALLOWED_WORK = 3_000_000;

/** Most edges of a plot that is asked edge by edge whether it meets an area; larger ones are measured, by their tree. */
const EDGE_BY_EDGE = 1000;

/** The plot's rings with their chain trees. */
interface PlotChains {
  readonly starts: Uint32Array;
  readonly boxes: Float32Array;
  readonly integrals: Float64Array;
}

/** A polygon or multipolygon, ready to be measured against layers. */
export class BoundPolygon implements ExactPlot {
  readonly plot: Plot;
  readonly #workspace: Workspace;
  readonly #sum: BoundarySum;
  readonly #edges: number;
  #area = -1;
  #chains: PlotChains | undefined;
  #distance: PlotDistance | undefined;

  constructor(plot: Plot, workspace: Workspace) {
    this.plot = plot;
    this.#workspace = workspace;
    this.#sum = workspace.sum;
    this.#edges = plot.xy.length / 2 - plot.ringStarts.length + 1;
  }

  get areaSquareMeters(): number {
    if (this.#area < 0) {
      let area = 0;
      this.#openPlotWindow();
      for (let ring = 0; ring + 1 < this.plot.ringStarts.length; ring++) area += this.#ringArea(ring);
      this.#area = Math.max(area, 0);
    }
    return this.#area;
  }

  intersections(layer: AreaLayer): OverlapHit[] {
    return this.#hitsOf(layer, -1);
  }

  /** Hits of one area, or (-1) of all. */
  #hitsOf(layer: AreaLayer, only: number): OverlapHit[] {
    this.#sum.work = 0;
    this.#sum.allowed = ALLOWED_WORK;
    const hits: OverlapHit[] = [];
    const shifts = shiftsToMeet(this.plot.bbox, layer);
    for (const shift of shifts) {
      const found = findRings(this.#workspace, layer, this.plot.bbox, shift);
      for (let i = 0; i < found.count; ) {
        const area = layer.ringAreas[found.rings[i]!]!;
        let end = i + 1;
        while (end < found.count && layer.ringAreas[found.rings[end]!] === area) end++;
        if (only < 0 || only === area) {
          const overlap = this.#overlap(layer, area, i, end, shift);
          if (overlap >= 0) hits.push(this.#hit(area, overlap));
        }
        i = end;
      }
    }
    const polar = this.plot.bbox[1] === -90 || this.plot.bbox[3] === 90;
    if (polar) {
      for (const area of areasAtPole(this.plot.bbox, layer)) {
        if (only < 0 || only === area) hits.push(this.#hit(area, 0));
      }
    }
    return polar || shifts.length > 1 ? this.#merged(hits) : hits;
  }

  /** Areas found by walking the index, then each area's rings until a point is shared. */
  meets(layer: AreaLayer): number[] {
    if (this.#edges > EDGE_BY_EDGE) return this.intersections(layer).map(({ area }) => area);
    this.#sum.work = 0;
    this.#sum.allowed = ALLOWED_WORK;
    const met: number[] = [];
    const shifts = shiftsToMeet(this.plot.bbox, layer);
    for (const shift of shifts) {
      const found = findRings(this.#workspace, layer, this.plot.bbox, shift);
      for (let i = 0; i < found.count; ) {
        const area = layer.ringAreas[found.rings[i]!]!;
        let end = i + 1;
        while (end < found.count && layer.ringAreas[found.rings[end]!] === area) end++;
        if (this.#sharesPoint(layer, i, end, shift)) met.push(area);
        i = end;
      }
    }
    const polar = this.plot.bbox[1] === -90 || this.plot.bbox[3] === 90;
    if (polar) met.push(...areasAtPole(this.plot.bbox, layer));
    return polar || shifts.length > 1 ? [...new Set(met)].sort((a, b) => a - b) : met;
  }

  relation(layer: AreaLayer, area: number): Relations {
    const boundary = areaBoundary(this.#workspace, layer, area, this.plot.bbox);
    const { meets, touches, covers, coveredBy } = relate("polygon", plotBoundary(this.plot), boundary);
    // What meets nowhere else meets in a pole.
    return { touches: touches || !meets, covers, coveredBy };
  }

  distances(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    this.#workspace.distance ??= createDistanceWorkspace();
    this.#distance ??= new PlotDistance(this.plot, this.#workspace.distance);
    return this.#distance.within(layer, maxMeters);
  }

  regionSquareMeters(region: Region): number {
    if (region.op === "areas" && region.areas.length === 1) {
      const { layer, area } = region.areas[0]!;
      return this.#hitsOf(layer, area)[0]?.overlapSquareMeters ?? 0;
    }
    this.#openPlotWindow();
    this.#workspace.regions ??= new RegionMeter();
    return this.#workspace.regions.measure(this.#workspace, this.plot, region, this.areaSquareMeters);
  }

  overlapGeometry(layer: AreaLayer, area: number): MultiPolygonCoordinates | null {
    return overlapPolygons(this.#workspace, this.plot, layer, area);
  }

  #hit(area: number, overlapSquareMeters: number): OverlapHit {
    const whole = this.areaSquareMeters;
    return {
      area,
      overlapSquareMeters,
      overlapRatio: whole > 0 ? Math.min(1, overlapSquareMeters / whole) : 0,
    };
  }

  /** One hit an area, ascending: an area can be met at several longitudes 360° apart, or at a pole. */
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

  /** Square metres of plot ∩ area, or −1 where they share no point. `found.rings[from…to)` are the area's near the plot. */
  #overlap(layer: AreaLayer, area: number, from: number, to: number, shift: number): number {
    const sum = this.#sum;
    const { small, found } = this.#workspace;
    const wholePlot = this.#openWindow(layer, from, to, shift);
    sum.touched = false;
    let total = 0;
    if (wholePlot && this.#edges <= SMALL_PLOT_EDGES) {
      beginSmallPlot(small, this.plot);
      for (let i = from; i < to; i++) {
        openRing(sum.area, layer, found.rings[i]!, shift);
        total += sumOverRing(sum, small);
      }
    } else {
      // The pieces of the small plot share their space with those of a leaf.
      small.loaded = false;
      for (let i = from; i < to; i++) {
        openRing(sum.area, layer, found.rings[i]!, shift);
        for (let ring = 0; ring + 1 < this.plot.ringStarts.length; ring++) {
          this.#openPlotRing(sum.plot, ring, 0);
          total += sumOverRings(sum);
        }
      }
    }
    if (!sum.touched) return this.#overlapUntouched(layer, area, from, to, shift, total);
    return Math.min(Math.max(total, 0), this.areaSquareMeters);
  }

  #sharesPoint(layer: AreaLayer, from: number, to: number, shift: number): boolean {
    const sum = this.#sum;
    const { rings } = this.#workspace.found;
    // The cheapest first: most plots that meet a large area have their first position in it.
    for (let polygon = 0; polygon + 1 < this.plot.polygonStarts.length; polygon++) {
      if (this.#areaHolds(layer, from, to, shift, this.plot.polygonStarts[polygon]!)) return true;
    }
    for (let i = from; i < to; i++) {
      openRing(sum.area, layer, rings[i]!, shift);
      if (edgeMeetsPlot(sum, this.plot)) return true;
    }
    for (let i = from; i < to; i++) if (this.#holdsRing(layer, rings[i]!, shift)) return true;
    return false;
  }

  /** The same, where no edge of the one meets an edge of the other: then whole rings lie inside or outside. */
  #overlapUntouched(
    layer: AreaLayer,
    area: number,
    from: number,
    to: number,
    shift: number,
    total: number,
  ): number {
    const { plot } = this;
    const { rings } = this.#workspace.found;
    let ringsInPlot = 0;
    for (let i = from; i < to; i++) if (this.#holdsRing(layer, rings[i]!, shift)) ringsInPlot++;
    if (ringsInPlot === 0) {
      // No boundary of the area within the plot: each polygon is covered whole or not at all.
      let covered = 0;
      let polygons = 0;
      for (let polygon = 0; polygon + 1 < plot.polygonStarts.length; polygon++) {
        const first = plot.polygonStarts[polygon]!;
        if (!this.#areaHolds(layer, from, to, shift, first)) continue;
        polygons++;
        if (plot.polygonStarts.length === 2) return this.areaSquareMeters;
        this.#openPlotWindow();
        for (let ring = first; ring < plot.polygonStarts[polygon + 1]!; ring++)
          covered += this.#ringArea(ring);
      }
      if (polygons === 0) return -1;
      return polygons + 1 === plot.polygonStarts.length ? this.areaSquareMeters : covered;
    }
    if (ringsInPlot === layer.areaRings[area + 1]! - layer.areaRings[area]!) {
      let anyWithin = false;
      for (let ring = 0; ring + 1 < plot.ringStarts.length && !anyWithin; ring++) {
        anyWithin = this.#areaHolds(layer, from, to, shift, ring);
      }
      if (!anyWithin) return layer.areaSquareMeters[area]!;
    }
    return Math.min(Math.max(total, 0), this.areaSquareMeters);
  }

  #spend(chains: Chains): void {
    const sum = this.#sum;
    sum.work += chains.work;
    chains.work = 0;
    if (sum.work > sum.allowed) throw tooComplex(sum.work, sum.allowed);
  }

  /** Whether the first position of an area's ring lies in the plot. */
  #holdsRing(layer: AreaLayer, ring: number, shift: number): boolean {
    const { bbox } = this.plot;
    const west = bbox[0];
    const south = bbox[1];
    const east = bbox[2];
    const north = bbox[3];
    const root = 4 * (layer.chainStarts[ring + 1]! - 1);
    const boxes = layer.chainBoxes;
    // A ring in the plot has its envelope in the plot's, but for the outward rounding.
    if (boxes[root + 2]! - boxes[root]! > 1.001 * (east - west) + 1e-4) return false;
    const i = layer.ringStarts[ring]!;
    const x = layer.xy[2 * i]!;
    const y = layer.xy[2 * i + 1]!;
    if (y < south || y > north || x + shift < west || x + shift > east) return false;
    let inside = false;
    for (let r = 0; r + 1 < this.plot.ringStarts.length; r++) {
      this.#openPlotRing(this.#sum.plot, r, -shift);
      const side = sideOfRing(this.#sum.plot, x, y);
      this.#spend(this.#sum.plot);
      if (side === 2) return true;
      if (side === 1) inside = !inside;
    }
    return inside;
  }

  /** Whether the first position of a ring of the plot lies in the area. */
  #areaHolds(layer: AreaLayer, from: number, to: number, shift: number, plotRing: number): boolean {
    const i = this.plot.ringStarts[plotRing]!;
    const { rings } = this.#workspace.found;
    let inside = false;
    for (let r = from; r < to; r++) {
      openRing(this.#sum.area, layer, rings[r]!, shift);
      const side = sideOfRing(this.#sum.area, this.plot.xy[2 * i]!, this.plot.xy[2 * i + 1]!);
      this.#spend(this.#sum.area);
      if (side === 2) return true;
      if (side === 1) inside = !inside;
    }
    return inside;
  }

  /**
   * Makes the window the plot's bbox, and says so, unless the area is so much smaller that its own
   * share would lose digits: then it is the box of the area's rings.
   */
  #openWindow(layer: AreaLayer, from: number, to: number, shift: number): boolean {
    const { bbox } = this.plot;
    const west = bbox[0];
    const south = bbox[1];
    const east = bbox[2];
    const north = bbox[3];
    const { rings } = this.#workspace.found;
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
    if (8 * (e - w + (n - s)) >= east - west + (north - south)) {
      this.#openPlotWindow();
      return true;
    }
    const { surface } = this.#workspace;
    this.#workspace.window = undefined;
    setWindow(
      this.#sum,
      surface,
      Math.max(w + shift, west),
      Math.max(s, south),
      Math.min(e + shift, east),
      Math.min(n, north),
    );
    return false;
  }

  #openPlotWindow(): void {
    if (this.#workspace.window === this.plot) return;
    const { bbox } = this.plot;
    const west = bbox[0];
    const south = bbox[1];
    const east = bbox[2];
    const north = bbox[3];
    setWindow(this.#sum, this.#workspace.surface, west, south, east, north);
    this.#workspace.window = this.plot;
    this.#workspace.small.loaded = false;
  }

  #openPlotRing(chains: Chains, ring: number, shift: number): void {
    const { xy, ringStarts } = this.plot;
    this.#chains ??= buildPlotChains(this.plot, this.#workspace.surface);
    const { starts, boxes, integrals } = this.#chains;
    openChains(chains, xy, ringStarts[ring]!, ringStarts[ring + 1]!, boxes, integrals, starts[ring]!, shift);
  }

  /** Signed square metres of a ring: holes count negative. The window is the plot's bbox. */
  #ringArea(ring: number): number {
    const { xy, ringStarts } = this.plot;
    const { series, originX, window } = this.#sum;
    const from = ringStarts[ring]!;
    const to = ringStarts[ring + 1]!;
    const area = ringAreaAbout(xy, from, to, originX, series.centerDegrees, series);
    // A ring much thinner than its bbox keeps more digits as a fan about one of its own positions.
    const bbox = 2 * series.terms[1]! * (window.east - window.west) * (window.north - window.south);
    if (Math.abs(area) > 0.01 * bbox) return area;
    return signedRingAreaOn(this.#workspace.surface, xy, from, to, createLatitudeSeries());
  }
}

function buildPlotChains(plot: Plot, surface: Surface): PlotChains {
  const { xy, ringStarts } = plot;
  const rings = ringStarts.length - 1;
  const starts = new Uint32Array(rings + 1);
  for (let r = 0; r < rings; r++) {
    starts[r + 1] = starts[r]! + chainNodeCount(ringStarts[r + 1]! - ringStarts[r]! - 1);
  }
  const boxes = new Float32Array(4 * starts[rings]!);
  const integrals = new Float64Array(starts[rings]!);
  const series = createLatitudeSeries();
  for (let r = 0; r < rings; r++) {
    const [a, b] = [starts[r]!, starts[r + 1]!];
    const [nodeBoxes, nodeIntegrals] = [boxes.subarray(4 * a, 4 * b), integrals.subarray(a, b)];
    writeChainTree(xy, ringStarts[r]!, ringStarts[r + 1]!, nodeBoxes, nodeIntegrals, surface, series);
  }
  return { starts, boxes, integrals };
}
