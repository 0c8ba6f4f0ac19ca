import type { WorkMeter } from "../../base/work-meter.ts";
import { createLatitudeSeries, ringAreaByFan, signedRingAreaOn } from "../earth/authalic.ts";
import type { Bbox } from "../earth/bbox.ts";
import { type BoundarySum, SMALL_PLOT_EDGES, settleWork, setWindow } from "../overlap/boundary-sum.ts";
import { beginGathering, gatherRing, runsCover } from "../overlap/fast/gather.ts";
import { computeLoadedPlotArea, loadSmallPlot } from "../overlap/fast/small-plot.ts";
import { sumOverGathered } from "../overlap/fast/small-plot-sum.ts";
import type { OverlapGeometry } from "../overlap/overlap-geometry.ts";
import { constructOverlapGeometry } from "../overlap/overlap-geometry.ts";
import type { AreaRef, Region } from "../overlap/region.ts";
import { RegionMeter } from "../overlap/region-area.ts";
import type { Relations } from "../overlap/relation.ts";
import { relateBoundaries } from "../overlap/relation.ts";
import { sumOverRings } from "../overlap/two-trees.ts";
import type { Plot } from "../plot/plot.ts";
import { type Boundary, buildAreaBoundary, buildPlotBoundary } from "../trees/boundary.ts";
import {
  areaBox,
  areasAtPole,
  findRingsNearParts,
  openRing,
  ringMeetsBox,
  shiftsToMeet,
} from "../trees/candidates.ts";
import { CELL_DEGREES, toDegreesBox } from "../trees/cells.ts";
import { type Chains, edgeCrossingParity, openChains, type Side, sideOfRing } from "../trees/chains.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { PlotRings } from "../trees/plot-rings.ts";
import { addRing, type RingList } from "../trees/ring-index.ts";
import { BoundDistances } from "./bound-distances.ts";
import type { BoundPlot, OverlapHit } from "./kernel.ts";
import type { Workspace } from "./workspace.ts";

/** Steps (of the double sum) of taking up an area, for its overlap or its relation, of a window of its own, of an edge and a ring of the plot's trees. */
const AREA_STEPS = 45;
const RELATION_STEPS = 20;
const WINDOW_STEPS = 60;
const EDGE_STEPS = 4;
const RING_STEPS = 75;
/** Boxes of an index compared in the time of a step. */
const COMPARED_A_STEP = 4;

/** Rings of an area that are near the plot: `found.rings[from…to)` of the workspace. */
interface NearRings {
  layer: AreaLayer;
  area: number;
  from: number;
  to: number;
  /** Degrees of longitude to add to the area's. */
  shift: number;
}

/** A polygon or multipolygon, ready to be measured against layers. */
export class BoundPolygon extends BoundDistances implements BoundPlot {
  readonly #workspace: Workspace;
  readonly #sum: BoundarySum;
  readonly #edges: number;
  readonly #meter: WorkMeter;
  #area = -1;
  #rings: PlotRings | undefined;
  #boundary: Boundary | undefined;
  /** For each ring, the polygon of which it is the outer ring, or −1. */
  #polygonOf: Int32Array | undefined;

  constructor(plot: Plot, workspace: Workspace, meter: WorkMeter) {
    super(plot, workspace, meter);
    this.#meter = meter;
    this.#workspace = workspace;
    this.#sum = workspace.sum;
    this.#edges = plot.xy.length / 2 - plot.ringStarts.length + 1;
  }

  get areaSquareMeters(): number {
    if (this.#area < 0) {
      let area = 0;
      this.#openPlotWindow();
      if (this.#edges <= SMALL_PLOT_EDGES) {
        const { small } = this.#workspace;
        loadSmallPlot(this.#sum, small, this.plot);
        const summed = computeLoadedPlotArea(this.#sum, small);
        if (summed > 0) {
          this.#area = summed;
          return summed;
        }
      }
      for (let ring = 0; ring + 1 < this.plot.ringStarts.length; ring++) area += this.#ringArea(ring);
      this.#area = Math.max(area, 0);
    }
    return this.#area;
  }

  intersections(layer: AreaLayer, isWanted: (area: number) => boolean = acceptAll): OverlapHit[] {
    const sum = this.#beginWork();
    const hits: OverlapHit[] = [];
    const shifts = shiftsToMeet(this.plot.bbox, layer);
    for (const shift of shifts) {
      const found = this.#findRings(layer, shift);
      // One object for all areas of the layer: this is done for each candidate of each plot.
      const near: NearRings = { layer, area: 0, from: 0, to: 0, shift };
      for (let i = 0; i < found.count; ) {
        const area = layer.ringAreas[found.rings[i]!]!;
        let end = i + 1;
        while (end < found.count && layer.ringAreas[found.rings[end]!] === area) end++;
        if (isWanted(area)) {
          sum.work += AREA_STEPS;
          if (sum.work > sum.allowed) settleWork(sum);
          near.area = area;
          near.from = i;
          near.to = end;
          const overlap = this.#overlap(near);
          if (overlap >= 0) hits.push(this.#hit(area, overlap));
        }
        i = end;
      }
    }
    const polar = this.plot.bbox[1] === -90 || this.plot.bbox[3] === 90;
    if (polar) {
      for (const area of areasAtPole(this.plot.bbox, layer)) {
        if (isWanted(area)) hits.push(this.#hit(area, 0));
      }
    }
    settleWork(sum);
    return polar || shifts.length > 1 ? this.#merged(hits) : hits;
  }

  relation(layer: AreaLayer, area: number): Relations {
    const near = this.#isPlain(layer) ? this.#ringsFound(layer, area) : undefined;
    const simple = near === undefined ? undefined : this.#relationFarFromEdges(near);
    if (simple !== undefined) return simple;
    const boundary = buildAreaBoundary(layer, area, this.plot.bbox, this.#meter);
    const own =
      near === undefined || this.plot.ringStarts.length <= FEW_RINGS
        ? this.#wholeBoundary()
        : buildPlotBoundary(this.plot, this.#meter, this.#plotRingsNear(near));
    const { meets, touches, covers, coveredBy } = relateBoundaries("polygon", own, boundary, this.#meter);
    // Boundaries that meet nowhere else meet in a pole.
    return { touches: touches || !meets, covers, coveredBy };
  }

  #wholeBoundary(): Boundary {
    this.#boundary ??= buildPlotBoundary(this.plot, this.#meter);
    return this.#boundary;
  }

  /** True if plot and layer stay away from the antimeridian and the poles, where relations need more care. */
  #isPlain(layer: AreaLayer): boolean {
    const [west, south, east, north] = this.plot.bbox;
    if (west <= -180 || east >= 180 || south === -90 || north === 90) return false;
    return shiftsToMeet(this.plot.bbox, layer).every((shift) => shift === 0);
  }

  /** The area's rings whose envelopes meet the plot's. */
  #ringsFound(layer: AreaLayer, area: number): NearRings {
    const [west, south, east, north] = this.plot.bbox;
    const { found } = this.#workspace;
    found.count = 0;
    this.#meter.add(layer.areaRings[area + 1]! - layer.areaRings[area]!);
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      if (ringMeetsBox(layer, ring, west, south, east, north)) addRing(found, ring);
    }
    return { layer, area, from: 0, to: found.count, shift: 0 };
  }

  /**
   * How an area that meets the plot stands to it where no edge of the plot comes near its rings, all of
   * which are found: some lie in the plot, the others outside, and no position of the plot's boundary
   * lies in the area. Undefined where that is not so.
   */
  #relationFarFromEdges(near: NearRings): Relations | undefined {
    const sum = this.#beginWork();
    const { layer, area, to } = near;
    const { rings: found } = this.#workspace.found;
    sum.work += RELATION_STEPS;
    let inside = 0;
    if (!this.#hasEdgeNear(near)) {
      for (let i = 0; i < to; i++) if (this.#holdsRing(layer, found[i]!, 0)) inside++;
    }
    settleWork(sum);
    if (inside === 0) return undefined;
    const rings = layer.areaRings[area + 1]! - layer.areaRings[area]!;
    return { touches: false, covers: false, coveredBy: inside === rings };
  }

  regionSquareMeters(region: Region, within?: AreaRef): number {
    if (region.op === "areas" && region.areas.length === 1) {
      const { layer, area } = region.areas[0]!;
      return this.intersections(layer, (each) => each === area)[0]?.overlapSquareMeters ?? 0;
    }
    const whole = this.areaSquareMeters;
    const window = within === undefined ? undefined : this.#boxShared(within);
    if (window === undefined) this.#openPlotWindow();
    else this.#openWindow(window, 0);
    this.#workspace.regions ??= new RegionMeter();
    const { regions } = this.#workspace;
    return regions.measure(this.#workspace, this.plot, window, region, whole, this.#meter);
  }

  overlapGeometry(layer: AreaLayer, area: number): OverlapGeometry | null | "too_complex" {
    return constructOverlapGeometry(this.plot, layer, area, this.#meter);
  }

  #beginWork(): BoundarySum {
    const sum = this.#sum;
    sum.meter = this.#meter;
    sum.work = 0;
    settleWork(sum);
    return sum;
  }

  #findRings(layer: AreaLayer, shift: number): RingList {
    const found = findRingsNearParts(this.#workspace, layer, this.plot, shift, this.#meter);
    settleWork(this.#sum);
    return found;
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

  /** Square metres of plot ∩ area, or −1 where they share no point. */
  #overlap(near: NearRings): number {
    const sum = this.#sum;
    const wholePlot = this.#isWindow(near);
    sum.touched = false;
    if (wholePlot && this.#edges <= SMALL_PLOT_EDGES) {
      return this.#overlapOfSmallPlot(near);
    }
    const box = computeRingsBox(near, this.#workspace.found);
    if (this.#edges <= SMALL_PLOT_EDGES) {
      const apart = this.#overlapOfSmallArea(near, box);
      if (apart !== undefined) return apart;
    }
    const sumUp = (): number => this.#sumOverNearRings(near, wholePlot ? undefined : box);
    if (this.#hasEdgeNear(near)) {
      const total = sumUp();
      if (sum.touched) return Math.min(Math.max(total, 0), this.areaSquareMeters);
      return this.#overlapUntouched(near, () => total);
    }
    return this.#overlapUntouched(near, sumUp);
  }

  /** The same of a plot of few edges, whose bbox is the window. */
  #overlapOfSmallPlot(near: NearRings): number {
    const { layer, from, to, shift } = near;
    const sum = this.#sum;
    const { small, found, gathered, chains } = this.#workspace;
    beginGathering(gathered, this.plot.bbox, shift);
    for (let i = from; i < to; i++) {
      openRing(sum.area, layer, found.rings[i]!, shift);
      gatherRing(gathered, sum.area, found.rings[i]!);
      this.#spend(sum.area);
    }
    // No edge of the area near the plot's bbox: all of it is covered, or nothing.
    if (gathered.chains === 0) {
      return runsCover(gathered, sum.area, this.plot.xy[0]!) ? this.areaSquareMeters : -1;
    }
    this.#openPlotWindow();
    loadSmallPlot(sum, small, this.plot);
    const total = sumOverGathered(sum, small, chains, gathered, layer);
    this.#spend(sum.area);
    if (!sum.touched) return this.#overlapUntouched(near, () => total);
    return Math.min(Math.max(total, 0), this.areaSquareMeters);
  }

  /**
   * Square metres of plot ∩ a small area, or −1, where no edge of the plot comes near the area's box, so
   * that the area lies inside or outside; else undefined.
   */
  #overlapOfSmallArea(
    { layer, area, from, to, shift }: NearRings,
    [w, south, e, north]: Bbox,
  ): number | undefined {
    const { xy, ringStarts } = this.plot;
    const [west, east] = [w + shift, e + shift];
    this.#sum.work += xy.length >> 1;
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      const last = ringStarts[ring + 1]!;
      let before = 15;
      for (let i = ringStarts[ring]!; i < last; i++) {
        const x = xy[2 * i]!;
        const y = xy[2 * i + 1]!;
        const beyond = (x < west ? 1 : x > east ? 2 : 0) | (y < south ? 4 : y > north ? 8 : 0);
        if ((before & beyond) === 0) return undefined;
        before = beyond;
      }
    }
    if (!this.#holdsRing(layer, this.#workspace.found.rings[from]!, shift)) return -1;
    const isWhole = to - from === layer.areaRings[area + 1]! - layer.areaRings[area]!;
    return isWhole ? layer.areaSquareMeters[area]! : undefined;
  }

  /**
   * The double sum of the area's rings and those of the plot, pair by pair, in a window. Rings whose
   * envelopes are apart contribute exactly 0, and are passed over.
   * @param box of the area's rings, where the window is not the plot's
   */
  #sumOverNearRings({ layer, from, to, shift }: NearRings, box: Bbox | undefined): number {
    const sum = this.#sum;
    const { found } = this.#workspace;
    if (box === undefined) this.#openPlotWindow();
    else this.#openWindow(box, shift);
    let total = 0;
    for (let i = from; i < to; i++) {
      openRing(sum.area, layer, found.rings[i]!, shift);
      const near = this.#ringsNear(layer, found.rings[i]!, shift);
      for (let k = 0; k < near.count; k++) {
        this.#plotRings().open(sum.plot, near.rings[k]!, 0);
        total += sumOverRings(sum, this.#workspace.chains.walk);
      }
    }
    return total;
  }

  /** True if an edge of the plot may share a point with one of the area's rings. */
  #hasEdgeNear({ layer, from, to, shift }: NearRings): boolean {
    const { found } = this.#workspace;
    const boxes = layer.chainBoxes;
    for (let i = from; i < to; i++) {
      const near = this.#ringsNear(layer, found.rings[i]!, shift);
      const root = 4 * (layer.chainStarts[found.rings[i]! + 1]! - 1);
      for (let k = 0; k < near.count; k++) {
        const [west, south, east, north] = toDegreesBox(boxes, root);
        const [w, e] = [west + shift - ROUNDING, east + shift + ROUNDING];
        if (this.#plotRings().hasEdgeNear(near.rings[k]!, w, south, e, north, this.#sum)) return true;
      }
    }
    return false;
  }

  /** The plot's rings whose envelopes meet that of an area's ring, ascending. */
  #ringsNear(layer: AreaLayer, ring: number, shift: number): RingList {
    const rings = this.#plotRings();
    const root = 4 * (layer.chainStarts[ring + 1]! - 1);
    const [west, south, east, north] = toDegreesBox(layer.chainBoxes, root);
    const near = rings.near(west + shift, south, east + shift, north);
    this.#sum.work += 1 + rings.takeCompared() / COMPARED_A_STEP;
    return near;
  }

  #plotRings(): PlotRings {
    if (this.#rings === undefined) {
      this.#rings = new PlotRings(this.plot, this.#workspace.surface);
      this.#sum.work += EDGE_STEPS * this.#edges + RING_STEPS * this.#rings.count;
    }
    return this.#rings;
  }

  /** Square metres of plot ∩ area, or −1, where no edge of the one meets an edge of the other: then whole rings lie inside or outside. */
  #overlapUntouched(near: NearRings, sumUp: () => number): number {
    const { layer, area, from, to, shift } = near;
    const { plot } = this;
    const { rings } = this.#workspace.found;
    let ringsInPlot = 0;
    for (let i = from; i < to; i++) if (this.#holdsRing(layer, rings[i]!, shift)) ringsInPlot++;
    if (ringsInPlot === 0) {
      // No boundary of the area within the plot: each polygon is covered whole or not at all.
      let covered = 0;
      let polygons = 0;
      for (const polygon of this.#polygonsNear(near)) {
        const first = plot.polygonStarts[polygon]!;
        if (!this.#areaHolds(near, first)) continue;
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
      const anyWithin = this.#plotRingsNear(near).some((ring) => this.#areaHolds(near, ring));
      if (!anyWithin) return layer.areaSquareMeters[area]!;
    }
    return Math.min(Math.max(sumUp(), 0), this.areaSquareMeters);
  }

  /** The plot's rings of which the area's rings may hold a position, ascending. */
  #plotRingsNear({ layer, from, to, shift }: NearRings): readonly number[] {
    const rings = this.plot.ringStarts.length - 1;
    if (rings <= FEW_RINGS) return Array.from({ length: rings }, (_, ring) => ring);
    const near = new Set<number>();
    for (let i = from; i < to; i++) {
      const found = this.#ringsNear(layer, this.#workspace.found.rings[i]!, shift);
      for (let k = 0; k < found.count; k++) near.add(found.rings[k]!);
    }
    return [...near].sort((a, b) => a - b);
  }

  /** The plot's polygons of which the area may hold a position, ascending. */
  #polygonsNear(area: NearRings): readonly number[] {
    const { polygonStarts } = this.plot;
    const polygons = polygonStarts.length - 1;
    if (polygons === 1) return FIRST;
    if (polygons <= FEW_RINGS) return Array.from({ length: polygons }, (_, polygon) => polygon);
    this.#polygonOf ??= indexPolygonsByOuterRing(this.plot);
    const near: number[] = [];
    for (const ring of this.#plotRingsNear(area)) {
      const polygon = this.#polygonOf[ring]!;
      if (polygon >= 0) near.push(polygon);
    }
    return near;
  }

  #spend(chains: Chains): void {
    const sum = this.#sum;
    sum.work += chains.work;
    chains.work = 0;
    if (sum.work > sum.allowed) settleWork(sum);
  }

  /** True if the first position of an area's ring lies in the plot. */
  #holdsRing(layer: AreaLayer, ring: number, shift: number): boolean {
    const { bbox } = this.plot;
    const west = bbox[0];
    const south = bbox[1];
    const east = bbox[2];
    const north = bbox[3];
    const root = 4 * (layer.chainStarts[ring + 1]! - 1);
    const boxes = layer.chainBoxes;
    // A ring in the plot has its envelope in the plot's, but for the outward rounding.
    if ((boxes[root + 2]! - boxes[root]!) * CELL_DEGREES > 1.001 * (east - west) + 1e-4) return false;
    const i = layer.ringStarts[ring]!;
    const x = layer.xy[2 * i]!;
    const y = layer.xy[2 * i + 1]!;
    if (y < south || y > north || x + shift < west || x + shift > east) return false;
    const chains = this.#sum.plot;
    if (this.#edges <= SMALL_PLOT_EDGES) return this.#smallPlotHolds(x, y, shift);
    const plotRings = this.#plotRings();
    const near = plotRings.near(x + shift, y, x + shift, y);
    this.#sum.work += plotRings.takeCompared() / COMPARED_A_STEP;
    let inside = false;
    for (let k = 0; k < near.count; k++) {
      plotRings.open(chains, near.rings[k]!, -shift);
      const side = sideOfRing(chains, x, y);
      this.#spend(chains);
      if (side === 2) return true;
      if (side === 1) inside = !inside;
    }
    return inside;
  }

  /** True if a plot of few edges contains a position, shifted. */
  #smallPlotHolds(x: number, y: number, shift: number): boolean {
    const { xy, ringStarts } = this.plot;
    const chains = this.#sum.plot;
    let inside: Side = 0;
    for (let r = 0; r + 1 < ringStarts.length; r++) {
      const [from, to] = [ringStarts[r]!, ringStarts[r + 1]!];
      openChains(chains, xy, from, to, chains.boxes, chains.integrals, 0, -shift);
      const side = edgeCrossingParity(chains, from, to - 1, x, y);
      if (side === 2) return true;
      if (side === 1) inside = inside === 1 ? 0 : 1;
    }
    this.#spend(chains);
    return inside === 1;
  }

  /** True if the first position of a ring of the plot lies in the area. */
  #areaHolds({ layer, from, to, shift }: NearRings, plotRing: number): boolean {
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
   * True if the window is the plot's bbox. It is the box of the area's rings instead where the area is so much smaller
   * that its own share would lose digits.
   */
  #isWindow(near: NearRings): boolean {
    const { layer, from } = near;
    const [west, south, east, north] = this.plot.bbox;
    const { found } = this.#workspace;
    const least = (east - west + (north - south)) / 8;
    // Most often the first ring is large enough.
    const root = 4 * (layer.chainStarts[found.rings[from]! + 1]! - 1);
    const boxes = layer.chainBoxes;
    const size = boxes[root + 2]! - boxes[root]! + (boxes[root + 3]! - boxes[root + 1]!);
    if (size * CELL_DEGREES >= least) return true;
    const [w, s, e, n] = computeRingsBox(near, found);
    return e - w + (n - s) >= least;
  }

  #openWindow([w, s, e, n]: Bbox, shift: number): void {
    const [west, south, east, north] = this.plot.bbox;
    const { surface } = this.#workspace;
    this.#workspace.window = undefined;
    this.#sum.work += WINDOW_STEPS;
    setWindow(
      this.#sum,
      surface,
      Math.max(w + shift, west),
      Math.max(s, south),
      Math.min(e + shift, east),
      Math.min(n, north),
    );
  }

  /** The box that the plot and an area share; undefined where there is none, or at more than one turn. */
  #boxShared({ layer, area }: AreaRef): Bbox | undefined {
    if (shiftsToMeet(this.plot.bbox, layer).some((shift) => shift !== 0)) return undefined;
    const [west, south, east, north] = this.plot.bbox;
    this.#meter.add(layer.areaRings[area + 1]! - layer.areaRings[area]!);
    const [w, s, e, n] = areaBox(layer, area);
    const box: Bbox = [Math.max(w, west), Math.max(s, south), Math.min(e, east), Math.min(n, north)];
    return box[0] < box[2] && box[1] < box[3] ? box : undefined;
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

  /** Signed square metres of a ring: holes count negative. The window is the plot's bbox. */
  #ringArea(ring: number): number {
    const { xy, ringStarts } = this.plot;
    const { series, originX, window } = this.#sum;
    const from = ringStarts[ring]!;
    const to = ringStarts[ring + 1]!;
    const area = ringAreaByFan(xy, from, to, originX, series.centerDegrees, series);
    // A ring much thinner than its bbox keeps more digits as a fan about one of its own positions.
    const bbox = 2 * series.terms[1]! * (window.east - window.west) * (window.north - window.south);
    if (Math.abs(area) > 0.01 * bbox) return area;
    return signedRingAreaOn(this.#workspace.surface, xy, from, to, createLatitudeSeries());
  }
}

function acceptAll(): boolean {
  return true;
}

/** Up to so many rings are looked at one by one. */
const FEW_RINGS = 8;
const FIRST: readonly number[] = [0];
/** Degrees that shifting a longitude may round off, and more. */
const ROUNDING = 1e-12;

/** The box of an area's rings, in the area's longitudes. */
function computeRingsBox({ layer, from, to }: NearRings, { rings }: RingList): Bbox {
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
  return [w * CELL_DEGREES, s * CELL_DEGREES, e * CELL_DEGREES, n * CELL_DEGREES];
}

function indexPolygonsByOuterRing({ polygonStarts, ringStarts }: Plot): Int32Array {
  const polygonOf = new Int32Array(ringStarts.length - 1).fill(-1);
  for (let polygon = 0; polygon + 1 < polygonStarts.length; polygon++) {
    polygonOf[polygonStarts[polygon]!] = polygon;
  }
  return polygonOf;
}
