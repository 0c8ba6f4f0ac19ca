import type { AreaLayer } from "../snapshot/layer.ts";
import { ELLIPSOID } from "./authalic.ts";
import { openRing } from "./candidates.ts";
import { chainNodeCount, writeChainTree } from "./chain-tree.ts";
import { type Chains, createChains, openChains, sideOfRing } from "./chains.ts";
import type { DistanceHit } from "./kernel.ts";
import { PairSearch } from "./pair-search.ts";
import type { Plot } from "./plot.ts";
import { PlotTree } from "./plot-tree.ts";
import { createRingList, type RingIndex, type RingList, ringIndexOf, searchRings } from "./ring-index.ts";

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
  readonly #tree: PlotTree;
  readonly #workspace: DistanceWorkspace;
  /** The plot's rings with their chain trees; built when first needed. */
  #plotChains: Chains[] | undefined;

  constructor(plot: Plot, workspace: DistanceWorkspace) {
    this.#plot = plot;
    this.#tree = new PlotTree(plot);
    this.#workspace = workspace;
  }

  /**
   * Every area of the layer whose distance to the plot is at most `maxMeters`, ascending by index.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` when the work counted exceeds what is allowed.
   */
  within(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    if (!(maxMeters >= 0)) throw new Error(`a greatest distance is at least 0, found ${maxMeters}`);
    const hits: DistanceHit[] = [];
    if (layer.index === undefined || layer.bbox === undefined) return hits;
    const { search, found } = this.#workspace;
    search.begin(this.#tree, layer, maxMeters);
    const firstTurn = this.#findRings(layer);
    for (let from = 0; from < found.length; ) {
      const area = layer.ringAreas[Math.floor(found[from]! / TURNS)]!;
      search.beginArea();
      let to = from;
      for (; to < found.length; to++) {
        const ring = Math.floor(found[to]! / TURNS);
        if (layer.ringAreas[ring] !== area) break;
        search.addRing(ring, 360 * (firstTurn + (found[to]! % TURNS)));
      }
      const distanceMeters =
        search.envelopesMeet && this.#holds(layer, from, to, firstTurn) ? 0 : search.shortest();
      if (distanceMeters <= maxMeters) hits.push({ area, distanceMeters });
      from = to;
    }
    return hits;
  }

  /** Finds the rings within reach, at every turn of longitude; returns the first turn. */
  #findRings(layer: AreaLayer): number {
    const { west, south, east, north, latReach, lonReach } = this.#tree;
    const { found, rings } = this.#workspace;
    const index = indexOf(this.#workspace, layer);
    const bbox = layer.bbox!;
    found.length = 0;
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
      for (let i = 0; i < rings.count; i++) found.push(rings.rings[i]! * TURNS + turn - first);
    }
    if (last > first) found.sort(ascending);
    return first;
  }

  /**
   * Whether the area holds a position of the plot, or the plot one of the area. If so they share a
   * point; if not, they do only where their boundaries meet, which is left to the search: a
   * polygon is connected, so one position tells for all of it.
   */
  #holds(layer: AreaLayer, from: number, to: number, firstTurn: number): boolean {
    const plot = this.#plot;
    for (let polygon = 0; polygon + 1 < plot.polygonStarts.length; polygon++) {
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

  /** Whether a position lies in the closed area. Parity counts turn by turn: each is a copy of the plane. */
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
      const side = sideOfRing(chains, lon, lat);
      if (side === 2) return true;
      if (side === 1) inside ^= 1 << turn;
    }
    return inside !== 0;
  }

  /** Whether the closed plot holds a position whose longitude is to be shifted. */
  #plotHolds(lon: number, lat: number, shift: number): boolean {
    this.#plotChains ??= chainsOf(this.#plot);
    let inside = 0;
    for (const chains of this.#plotChains) {
      chains.shift = -shift;
      const side = sideOfRing(chains, lon, lat);
      if (side === 2) return true;
      inside ^= side;
    }
    return inside !== 0;
  }
}

/** Scratch memory of distance questions, to be shared by plots asked about one after another. */
export interface DistanceWorkspace {
  readonly search: PairSearch;
  readonly chains: Chains;
  readonly indexes: WeakMap<AreaLayer, RingIndex>;
  readonly rings: RingList;
  /** Rings within reach, as ring · TURNS + number of the turn by which their longitudes are shifted. */
  readonly found: number[];
}

export function createDistanceWorkspace(): DistanceWorkspace {
  return {
    search: new PairSearch(),
    chains: createChains(),
    indexes: new WeakMap(),
    rings: createRingList(),
    found: [],
  };
}

function indexOf(workspace: DistanceWorkspace, layer: AreaLayer): RingIndex {
  let index = workspace.indexes.get(layer);
  if (index === undefined) {
    index = ringIndexOf(layer);
    if (index === undefined) throw new Error(`${layer.sourceName} has no rings`);
    workspace.indexes.set(layer, index);
  }
  return index;
}

/** More turns of longitude than a plot and a layer can be apart and around. */
const TURNS = 16;

function ascending(a: number, b: number): number {
  return a - b;
}

/** A cursor on each ring of a plot, with its chain tree. */
function chainsOf(plot: Plot): Chains[] {
  const all: Chains[] = [];
  for (let ring = 0; ring + 1 < plot.ringStarts.length; ring++) {
    const from = plot.ringStarts[ring]!;
    const to = plot.ringStarts[ring + 1]!;
    const nodes = chainNodeCount(to - from - 1);
    const boxes = new Float32Array(4 * nodes);
    const integrals = new Float64Array(nodes);
    writeChainTree(plot.xy, from, to, boxes, integrals, ELLIPSOID);
    const chains = createChains();
    openChains(chains, plot.xy, from, to, boxes, integrals, 0, 0);
    all.push(chains);
  }
  return all;
}
