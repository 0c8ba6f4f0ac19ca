import { WorkMeter } from "../../base/work-meter.ts";
import { ELLIPSOID } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { openRing } from "../trees/candidates.ts";
import { toDegreesBox } from "../trees/cells.ts";
import { type Chains, createChains, sideOfRing } from "../trees/chains.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { PlotParts } from "../trees/plot-parts.ts";
import { PlotRings } from "../trees/plot-rings.ts";
import { createRingList, type RingList, searchRings } from "../trees/ring-index.ts";
import { PairSearch } from "./pair-search.ts";
import { PlotTree } from "./plot-tree.ts";

/** An area near the plot. */
export interface DistanceHit {
  readonly area: number;
  /** Metres between the two closed sets; 0 where they share a point. */
  readonly distanceMeters: number;
}

/**
 * Shortest geodesics from one plot to the areas of layers, on the WGS 84 ellipsoid.
 *
 * Both are closed sets with edges straight in longitude and latitude; longitudes of either may run
 * past ±180. Where they share a point, decided exactly, the distance is 0.
 *
 * Error: ≤ 1 µm up to 50 km, ≤ 1 mm beyond.
 * Mathematics and bounds: `docs/semantics/distance.md`.
 * One question at a time among the plots that share a workspace.
 */
export class PlotDistance {
  readonly #plot: Plot;
  readonly #workspace: DistanceWorkspace;
  readonly #meter: WorkMeter;
  /** The plot's rings with their chain trees, and its parts; built when first needed. */
  #rings: PlotRings | undefined;
  #parts: PlotParts | undefined;

  constructor(plot: Plot, workspace: DistanceWorkspace, meter: WorkMeter = new WorkMeter()) {
    meter.add(EDGE_UNITS * (plot.xy.length / 2));
    this.#plot = plot;
    this.#meter = meter;
    this.#workspace = workspace;
  }

  /**
   * Every area of the layer whose distance to the plot is at most `maxMeters`, ascending by index.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` when the work counted exceeds what is allowed.
   */
  within(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    const hits: DistanceHit[] = [];
    this.#forEachNear(layer, maxMeters, acceptAll, "area", (hit) => {
      hits.push(hit);
    });
    return hits;
  }

  /**
   * The least distance to areas of the layer, or to their edges; `Infinity` where it is more than `maxMeters`.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` when the work counted exceeds what is allowed.
   */
  nearest(
    layer: AreaLayer,
    maxMeters: number,
    isWanted: (area: number) => boolean,
    to: "area" | "boundary",
  ): number {
    let least = Infinity;
    this.#forEachNear(layer, maxMeters, isWanted, to, ({ distanceMeters }) => {
      least = Math.min(least, distanceMeters);
    });
    return least;
  }

  #forEachNear(
    layer: AreaLayer,
    maxMeters: number,
    isWanted: (area: number) => boolean,
    distanceTo: "area" | "boundary",
    take: (hit: DistanceHit) => void,
  ): void {
    if (!(maxMeters >= 0)) throw new Error(`a greatest distance is at least 0, found ${maxMeters}`);
    if (layer.index === undefined || layer.bbox === undefined) return;
    const { search, tree } = this.#workspace;
    tree.hold(this.#plot, this);
    search.begin(tree, layer, maxMeters, this.#meter);
    const firstTurn = this.#findRings(layer);
    const { found, foundCount } = this.#workspace;
    for (let from = 0; from < foundCount; ) {
      const area = layer.ringAreas[Math.floor(found[from]! / TURNS)]!;
      const wanted = isWanted(area);
      if (wanted) search.beginArea();
      let to = from;
      for (; to < foundCount; to++) {
        const ring = Math.floor(found[to]! / TURNS);
        if (layer.ringAreas[ring] !== area) break;
        if (wanted) search.addRing(ring, 360 * (firstTurn + (found[to]! % TURNS)));
      }
      if (wanted) {
        const isInside =
          distanceTo === "area" && search.envelopesMeet && this.#holds(layer, from, to, firstTurn);
        const distanceMeters = isInside ? 0 : search.shortest();
        if (distanceMeters <= maxMeters) take({ area, distanceMeters });
      }
      from = to;
    }
    search.settleWork();
  }

  /** Finds the rings within reach, at every turn of longitude; returns the first turn. */
  #findRings(layer: AreaLayer): number {
    const { west, south, east, north, latReach, lonReach } = this.#workspace.tree;
    const workspace = this.#workspace;
    const { rings } = workspace;
    const index = layer.index!;
    const bbox = layer.bbox!;
    let count = 0;
    const first = Math.ceil((west - lonReach - bbox[2]) / 360);
    const last = Math.floor((east + lonReach - bbox[0]) / 360);
    if (last - first >= TURNS) throw new Error(`longitudes span ${last - first + 1} turns`);
    for (let turn = first; turn <= last; turn++) {
      const shift = 360 * turn;
      searchRings(
        index,
        west - lonReach - shift,
        south - latReach,
        east + lonReach - shift,
        north + latReach,
        rings,
      );
      if (workspace.found.length < count + rings.count) {
        const larger = new Float64Array(2 * (count + rings.count));
        larger.set(workspace.found);
        workspace.found = larger;
      }
      for (let i = 0; i < rings.count; i++) {
        workspace.found[count++] = rings.rings[i]! * TURNS + turn - first;
      }
      workspace.search.touchRings(rings);
    }
    if (last > first) workspace.found.subarray(0, count).sort();
    workspace.foundCount = count;
    return first;
  }

  /**
   * True if the area contains a position of the plot, or the plot one of the area; then they share a point. Otherwise
   * they share one only where their boundaries meet, which is left to the search. A polygon is connected, so one
   * position decides for all of it.
   */
  #holds(layer: AreaLayer, from: number, to: number, firstTurn: number): boolean {
    const plot = this.#plot;
    for (const polygon of this.#partsNear(layer, from, to, firstTurn)) {
      const at = 2 * plot.ringStarts[plot.polygonStarts[polygon]!]!;
      if (this.#areaHolds(layer, from, to, firstTurn, plot.xy[at]!, plot.xy[at + 1]!)) return true;
    }
    if (plot.dimension !== "polygon") return false;
    const { search, found } = this.#workspace;
    for (let i = from; i < to; i++) {
      const ring = Math.floor(found[i]! / TURNS);
      const shift = 360 * (firstTurn + (found[i]! % TURNS));
      if (layer.ringRoles[ring] !== 0 || !search.envelopeWithin(ring, shift)) continue;
      const at = 2 * layer.ringStarts[ring]!;
      if (this.#plotHolds(layer.xy[at]!, layer.xy[at + 1]!, shift)) return true;
    }
    return false;
  }

  /** True if a position lies in the closed area. Parity counts turn by turn: each turn is a copy of the plane. */
  #areaHolds(
    layer: AreaLayer,
    from: number,
    to: number,
    firstTurn: number,
    lon: number,
    lat: number,
  ): boolean {
    const { chains, found } = this.#workspace;
    let inside = 0;
    for (let i = from; i < to; i++) {
      const turn = found[i]! % TURNS;
      openRing(chains, layer, Math.floor(found[i]! / TURNS), 360 * (firstTurn + turn));
      chains.work = 0;
      const side = sideOfRing(chains, lon, lat);
      this.#meter.add(UNITS_A_STEP * chains.work);
      if (side === 2) return true;
      if (side === 1) inside ^= 1 << turn;
    }
    return inside !== 0;
  }

  /** True if the closed plot contains a position, given the shift of its longitude. */
  #plotHolds(lon: number, lat: number, shift: number): boolean {
    this.#rings ??= new PlotRings(this.#plot, ELLIPSOID);
    const near = this.#rings.near(lon + shift, lat, lon + shift, lat);
    const { plotChains: chains } = this.#workspace;
    let inside = 0;
    let work = Math.ceil(this.#rings.takeCompared() / COMPARED_A_UNIT);
    for (let k = 0; k < near.count; k++) {
      this.#rings.open(chains, near.rings[k]!, -shift);
      chains.work = 0;
      const side = sideOfRing(chains, lon, lat);
      work += UNITS_A_STEP * chains.work;
      inside = side === 2 ? 2 : inside ^ side;
      if (inside === 2) break;
    }
    this.#meter.add(work);
    return inside !== 0;
  }

  /** The plot's polygons (lines, points) whose envelopes meet one of the area's: all that it may hold a position of. */
  #partsNear(layer: AreaLayer, from: number, to: number, firstTurn: number): readonly number[] {
    const count = this.#plot.polygonStarts.length - 1;
    if (count <= ALL_PARTS.length) return ALL_PARTS[count - 1]!;
    this.#parts ??= new PlotParts(this.#plot);
    const { found } = this.#workspace;
    const near = new Set<number>();
    for (let i = from; i < to; i++) {
      const root = 4 * (layer.chainStarts[Math.floor(found[i]! / TURNS) + 1]! - 1);
      const shift = 360 * (firstTurn + (found[i]! % TURNS));
      const [west, south, east, north] = toDegreesBox(layer.chainBoxes, root);
      const list = this.#parts.near(west + shift, south, east + shift, north);
      for (let k = 0; k < list.count; k++) near.add(list.rings[k]!);
    }
    this.#meter.add(Math.ceil(this.#parts.takeCompared() / COMPARED_A_UNIT) + UNITS_A_PART * near.size);
    return [...near].sort(compareNumbers);
  }
}

function acceptAll(): boolean {
  return true;
}

/** Scratch memory of distance questions, shared by plots that are measured one after another. */
export interface DistanceWorkspace {
  readonly search: PairSearch;
  readonly chains: Chains;
  readonly plotChains: Chains;
  readonly rings: RingList;
  readonly tree: PlotTree;
  /** Rings within reach, as ring · TURNS + number of the turn by which their longitudes are shifted; how many. */
  found: Float64Array;
  foundCount: number;
}

export function createDistanceWorkspace(): DistanceWorkspace {
  return {
    search: new PairSearch(),
    chains: createChains(),
    plotChains: createChains(),
    rings: createRingList(),
    tree: new PlotTree(),
    found: new Float64Array(64),
    foundCount: 0,
  };
}

/** The parts of plots of so few that they are looked at one by one. */
const ALL_PARTS: readonly (readonly number[])[] = Array.from({ length: 8 }, (_, i) => [
  ...Array(i + 1).keys(),
]);

/** Units of work of an edge of the plot that is put into trees and placed. */
const EDGE_UNITS = 40;
/**
 * Units of work for a node or an edge examined and for a part of the plot, and boxes of an index compared in the time
 * of one unit.
 */
const UNITS_A_STEP = 3;
const UNITS_A_PART = 30;
const COMPARED_A_UNIT = 2;

/** More turns of longitude than a plot and a layer can be apart and around. */
const TURNS = 16;

function compareNumbers(a: number, b: number): number {
  return a - b;
}
