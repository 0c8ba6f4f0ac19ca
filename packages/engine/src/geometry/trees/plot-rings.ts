import { createLatitudeSeries, type Surface } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { CELL_DEGREES, cellBoxesMeet, toCellBox } from "./cells.ts";
import { chainNodeCount, FAN_OUT, writeChainTree } from "./chain-tree.ts";
import { type Chains, createChains, getLevelSpan, openChains } from "./chains.ts";
import { buildRingIndex, createRingList, type RingIndex, type RingList, searchRings } from "./ring-index.ts";

/** From so many rings on they are searched by an index; fewer are looked at one by one. */
const INDEXED_FROM = 8;
/**
 * Degrees by which a queried box is grown: so envelopes that are not found are further apart than any coordinates
 * between them, counted from wherever, can round together.
 */
const APART = 1e-9;

/** A plot's rings (or lines) with their chain trees, and an index over their envelopes. */
export class PlotRings {
  readonly #plot: Plot;
  /** First node of each ring in the two arrays below; one entry more. */
  readonly #nodes: Uint32Array;
  readonly #boxes: Int32Array;
  readonly #integrals: Float64Array;
  #index: RingIndex | undefined;
  readonly #found: RingList = createRingList();
  readonly #chains: Chains = createChains();

  constructor(plot: Plot, surface: Surface) {
    const { xy, ringStarts } = plot;
    const rings = ringStarts.length - 1;
    const starts = new Uint32Array(rings + 1);
    for (let r = 0; r < rings; r++) {
      starts[r + 1] = starts[r]! + chainNodeCount(ringStarts[r + 1]! - ringStarts[r]! - 1);
    }
    const boxes = new Int32Array(4 * starts[rings]!);
    const integrals = new Float64Array(starts[rings]!);
    const series = createLatitudeSeries();
    for (let r = 0; r < rings; r++) {
      const [a, b] = [starts[r]!, starts[r + 1]!];
      const [nodeBoxes, nodeIntegrals] = [boxes.subarray(4 * a, 4 * b), integrals.subarray(a, b)];
      writeChainTree(xy, ringStarts[r]!, ringStarts[r + 1]!, nodeBoxes, nodeIntegrals, surface, series);
    }
    this.#plot = plot;
    this.#nodes = starts;
    this.#boxes = boxes;
    this.#integrals = integrals;
  }

  get count(): number {
    return this.#nodes.length - 1;
  }

  open(chains: Chains, ring: number, shift: number): void {
    const { xy, ringStarts } = this.#plot;
    const [from, to] = [ringStarts[ring]!, ringStarts[ring + 1]!];
    openChains(chains, xy, from, to, this.#boxes, this.#integrals, this.#nodes[ring]!, shift);
  }

  /** Where in `boxes` the envelope of a ring begins. */
  #rootOf(ring: number): number {
    return 4 * (this.#nodes[ring + 1]! - 1);
  }

  /**
   * Rings whose envelopes meet the closed box or are less than a nanodegree from it, ascending: all
   * that share a point with anything in it. The list is the index's own, until the next search.
   */
  near(west: number, south: number, east: number, north: number): RingList {
    const found = this.#found;
    const boxes = this.#boxes;
    const [w, s, e, n] = [west - APART, south - APART, east + APART, north + APART];
    if (this.count >= INDEXED_FROM) {
      this.#index ??= this.#buildIndex();
      searchRings(this.#index, w, s, e, n, found);
      return found;
    }
    const cells = toCellBox(w, s, e, n);
    found.count = 0;
    found.compared += this.count;
    for (let ring = 0; ring < this.count; ring++) {
      if (!cellBoxesMeet(boxes, this.#rootOf(ring), cells, 0)) continue;
      found.rings[found.count++] = ring;
    }
    return found;
  }

  #buildIndex(): RingIndex {
    const envelopes = new Int32Array(4 * this.count);
    for (let ring = 0; ring < this.count; ring++) {
      const at = this.#rootOf(ring);
      envelopes.set(this.#boxes.subarray(at, at + 4), 4 * ring);
    }
    return buildRingIndex(envelopes);
  }

  /** The boxes that searches compared since the last call. */
  takeCompared(): number {
    const { compared } = this.#found;
    this.#found.compared = 0;
    return compared;
  }

  /**
   * True if an edge of a ring may share a point with the closed box; false: none does.
   * @param work receives the nodes and edges looked at
   */
  hasEdgeNear(
    ring: number,
    west: number,
    south: number,
    east: number,
    north: number,
    work: { work: number },
  ): boolean {
    const chains = this.#chains;
    this.open(chains, ring, 0);
    chains.work = 0;
    const top = chains.levels - 1;
    const near = nodeHasEdgeNear(chains, top, chains.levelStarts[top]!, west, south, east, north);
    work.work += chains.work;
    return near;
  }
}

function nodeHasEdgeNear(
  chains: Chains,
  level: number,
  node: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  chains.work++;
  const { boxes, xy } = chains;
  const box = 4 * (chains.node + node);
  if (
    boxes[box]! * CELL_DEGREES > east ||
    boxes[box + 1]! * CELL_DEGREES > north ||
    boxes[box + 2]! * CELL_DEGREES < west ||
    boxes[box + 3]! * CELL_DEGREES < south
  ) {
    return false;
  }
  const index = node - chains.levelStarts[level]!;
  if (level > 0) {
    const below = chains.levelStarts[level - 1]!;
    const last = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
    for (let child = below + index * FAN_OUT; child < last; child++) {
      if (nodeHasEdgeNear(chains, level - 1, child, west, south, east, north)) return true;
    }
    return false;
  }
  const start = chains.first + index * getLevelSpan(chains, level);
  const end = Math.min(start + chains.leaf, chains.first + chains.edges);
  for (let i = start; i < end; i++) {
    if (!edgeIsApart(xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!, west, south, east, north)) {
      return true;
    }
  }
  chains.work += (end - start) >> 3;
  return false;
}

/** True if an edge certainly shares no point with a closed box. */
function edgeIsApart(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  if ((x0 < west && x1 < west) || (x0 > east && x1 > east)) return true;
  if ((y0 < south && y1 < south) || (y0 > north && y1 > north)) return true;
  // All four corners lie on one side of the edge's line, by more than rounding can hide.
  const dx = x1 - x0;
  const dy = y1 - y0;
  const a = dx * (south - y0);
  const b = dx * (north - y0);
  const c = dy * (west - x0);
  const d = dy * (east - x0);
  const doubt = 1e-14 * (Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d));
  const least = Math.min(a, b) - Math.max(c, d);
  const most = Math.max(a, b) - Math.min(c, d);
  return least > doubt || most < -doubt;
}
