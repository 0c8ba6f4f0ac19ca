import type { WorkMeter } from "../../base/work-meter.ts";
import { segmentsIntersectShifted } from "../earth/predicates.ts";
import { FAN_OUT, LEAF_EDGES, leafSpan, SINGLE_NODE_EDGES } from "../trees/chain-tree.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { AreaBox } from "./area-box.ts";
import { leastBoxChordSquared } from "./box-chord.ts";
import { leastBetween, leastChordSquared, ROUNDING } from "./chord-bounds.ts";
import { EdgePairs } from "./edge-pairs.ts";
import { PairQueue } from "./pair-queue.ts";
import {
  AXIS,
  CHILD_END,
  CHILD_START,
  HEIGHT,
  LEAST_RADIUS,
  NODE,
  LEAF_EDGES as PLOT_LEAF_EDGES,
  type PlotTree,
  placeEdge,
  RECORD,
} from "./plot-tree.ts";
import { FAR_METERS, Reach } from "./reach.ts";
import { SearchWork, STEPS_PER_AREA } from "./search-work.ts";
import { ShortestLine } from "./shortest-line.ts";
import { Slab } from "./slab.ts";

/**
 * The search for the shortest geodesic between a plot and one area: a queue of pairs of chains,
 * nearest first by a lower bound, and the lines that may still turn out to be the shortest.
 * Mathematics and bounds: `docs/semantics/distance.md`.
 */
export class PairSearch {
  /** Whether the envelope of a ring added meets the plot's: only then can they share a point. */
  envelopesMeet: boolean = false;

  #plot!: PlotTree;
  /** Edge records of the plot, filled in a leaf at a time. */
  #edges = new Float64Array(0);
  #layer: AreaLayer | undefined;
  #maxMeters = -1;
  readonly #work = new SearchWork();
  readonly #reach = new Reach();
  readonly #line: ShortestLine = new ShortestLine(this.#reach, this.#work);
  readonly #pairs: EdgePairs = new EdgePairs(this.#reach, this.#line, this.#work);
  readonly #slab = new Slab(this.#work);
  readonly #queue = new PairQueue();
  /** Of the area's node at hand, and of one it is compared with. */
  readonly #box = new AreaBox();

  // Positions from which the area's edges near the plot leaf at hand start; the record of the one being compared.
  readonly #near = new Float64Array(RECORD);
  readonly #nearPositions = new Uint32Array(Math.max(LEAF_EDGES, SINGLE_NODE_EDGES));

  /** Turns to the questions between a plot and a layer. */
  begin(plot: PlotTree, layer: AreaLayer, maxMeters: number, meter: WorkMeter): void {
    this.#maxMeters = Math.min(maxMeters, LONGEST_GEODESIC);
    this.#work.begin(meter);
    plot.setReach(this.#maxMeters);
    if (this.#plot !== plot) {
      // Another plot's edges took the place of this one's.
      plot.forgetPlaces();
      this.#plot = plot;
      const size = RECORD * PLOT_LEAF_EDGES * plot.leafCount;
      if (this.#edges.length < size) this.#edges = new Float64Array(2 * size);
      this.#slab.begin(plot.leafCount);
    }
    this.#layer = layer;
    this.#slab.beginLayer();
  }

  /** Whether a ring's envelope lies within the plot's. */
  envelopeWithin(ring: number, shift: number): boolean {
    const box = this.#box;
    box.read(this.#layer!, this.#layer!.chainStarts[ring + 1]! - 1, shift);
    const { west, south, east, north } = this.#plot;
    // The envelope is rounded outward: a little slack keeps what coincides.
    return (
      box.west >= west - ENVELOPE_SLACK &&
      box.south >= south - ENVELOPE_SLACK &&
      box.east <= east + ENVELOPE_SLACK &&
      box.north <= north + ENVELOPE_SLACK
    );
  }

  beginArea(): void {
    this.#work.steps += STEPS_PER_AREA;
    this.#queue.clear();
    this.#line.clear();
    this.envelopesMeet = false;
    this.#reach.set(this.#maxMeters + ROUNDING);
    this.#reach.setNear();
  }

  addRing(ring: number, shift: number): void {
    const layer = this.#layer!;
    const edgeCount = layer.ringStarts[ring + 1]! - layer.ringStarts[ring]! - 1;
    let count = Math.ceil(edgeCount / leafSpan(edgeCount));
    let level = 0;
    for (; count > 1; level++) count = Math.ceil(count / FAN_OUT);
    const key = this.#push(ring, level, layer.chainStarts[ring + 1]! - 1, 0, shift, this.#plot.root);
    if (key === 0) this.envelopesMeet = true;
  }

  /**
   * Metres of the shortest geodesic between the boundaries of the plot and of the rings added; 0
   * where they meet, Infinity where they are out of reach.
   */
  shortest(): number {
    const queue = this.#queue;
    while (queue.length > 0) {
      if (queue.leastKey > this.#reach.chordSquared) break;
      this.#expand(queue.pop());
      if (this.#line.touched) return 0;
      this.#work.settleMany();
    }
    this.#line.settle();
    this.#work.settleMany();
    return this.#line.meters;
  }

  /**
   * Meters the steps done since last asked.
   * Fails: `GEOMETRY_TOO_COMPLEX`.
   */
  settleWork(): void {
    this.#work.settle();
  }

  /**
   * Queues a pair of nodes unless it is out of reach, and returns its squared lower bound.
   * @param node of the area, among the layer's
   */
  #push(ring: number, level: number, node: number, index: number, shift: number, plotNode: number): number {
    const box = this.#box;
    box.read(this.#layer!, node, shift);
    const key = this.#leastSquared(box.west, box.south, box.east, box.north, plotNode);
    this.#work.steps++;
    if (key <= this.#reach.chordSquared) this.#queue.push(key, ring, index * 16 + level, shift, plotNode);
    return key;
  }

  /**
   * Squared lower bound of the chord, so of the geodesic, between an envelope and a plot node.
   *
   * chord² = meridian chord² + 4 p1 p2 sin²(Δλ/2), where the meridian chord is at least
   * 2 M sin(Δφ/2) for the least M, and sin x ≥ x − x³/6.
   */
  #leastSquared(west: number, south: number, east: number, north: number, plotNode: number): number {
    const boxes = this.#plot.nodes;
    const at = NODE * plotNode;
    const plotSouth = boxes[at + 1]!;
    const plotNorth = boxes[at + 3]!;
    const gapLon = Math.max(0, west - boxes[at + 2]!, boxes[at]! - east);
    const gapLat = Math.max(0, south - plotNorth, plotSouth - north);
    const least = leastChordSquared(
      gapLon,
      gapLat,
      this.#plot.meridianRadius,
      boxes[at + AXIS]!,
      Math.max(-south, north) - Math.max(-plotSouth, plotNorth),
    );
    if (least < FAR_METERS * FAR_METERS || least > this.#reach.chordSquared) return least;
    return Math.max(
      least,
      leastBoxChordSquared(west, south, east, north, boxes[at]!, plotSouth, boxes[at + 2]!, plotNorth),
    );
  }

  /** Splits the larger of the two nodes, or compares the edges of two leaves. */
  #expand(entry: number): void {
    const layer = this.#layer!;
    const plot = this.#plot;
    const queue = this.#queue;
    const ring = queue.rings[entry]!;
    const node = queue.nodes[entry]!;
    const shift = queue.shifts[entry]!;
    const plotNode = queue.plotNodes[entry]!;
    const level = node & 15;
    const index = node >>> 4;
    const plotIsLeaf = plotNode < plot.leafCount;
    if (level === 0 && plotIsLeaf) {
      this.#compareLeaves(ring, index, shift, plotNode);
      return;
    }
    let first = layer.chainStarts[ring]!;
    const edgeCount = layer.ringStarts[ring + 1]! - layer.ringStarts[ring]! - 1;
    let count = Math.ceil(edgeCount / leafSpan(edgeCount));
    for (let below = 1; below < level; below++) {
      first += count;
      count = Math.ceil(count / FAN_OUT);
    }
    // first: first node of the level below (of this level at level 0), count: how many it has.
    const own = level === 0 ? first + index : first + count + index;
    if (level > 0 && (plotIsLeaf || this.#isLarger(own, plotNode))) {
      const end = Math.min(count, (index + 1) * FAN_OUT);
      for (let child = index * FAN_OUT; child < end; child++) {
        this.#push(ring, level - 1, first + child, child, shift, plotNode);
      }
    } else {
      const end = plot.nodes[NODE * plotNode + CHILD_END]!;
      for (let child = plot.nodes[NODE * plotNode + CHILD_START]!; child < end; child++) {
        this.#push(ring, level, own, index, shift, child);
      }
    }
  }

  #isLarger(node: number, plotNode: number): boolean {
    const a = this.#box;
    a.read(this.#layer!, node, 0);
    const b = this.#plot.nodes;
    const at = NODE * plotNode;
    const shrink = b[at + AXIS]! / LEAST_RADIUS;
    return (
      (a.east - a.west) * shrink + a.north - a.south >=
      (b[at + 2]! - b[at]!) * shrink + b[at + 3]! - b[at + 1]!
    );
  }

  /** Compares the area edges of a leaf that are near a plot leaf with its edges, the nearest one first. */
  #compareLeaves(ring: number, index: number, shift: number, plotNode: number): void {
    const layer = this.#layer!;
    const reach = this.#reach;
    const slab = this.#slab;
    const xy = layer.xy;
    const last = layer.ringStarts[ring + 1]! - 1;
    const span = leafSpan(last - layer.ringStarts[ring]!);
    const start = layer.ringStarts[ring]! + index * span;
    const end = Math.min(start + span, last);
    this.#plot.placeLeaf(plotNode, this.#edges);
    const node = layer.chainStarts[ring]! + index;
    this.#box.read(layer, node, shift);
    this.#setReach(plotNode);
    this.#setSlab(node, shift, plotNode);
    const { lon, lat } = slab;
    const slabEnd = slab.start + reach.leafChord;

    // Without a slab all heights are 0 and every edge is collected.
    let count = 0;
    let nearest = 0;
    let lowest = Infinity;
    let before = (xy[2 * start]! + shift) * lon + xy[2 * start + 1]! * lat;
    for (let i = start + 1; i <= end; i++) {
      const height = (xy[2 * i]! + shift) * lon + xy[2 * i + 1]! * lat;
      const low = Math.min(before, height);
      if (low <= slabEnd) {
        if (low < lowest) {
          lowest = low;
          nearest = count;
        }
        this.#nearPositions[count++] = i - 1;
      }
      before = height;
    }
    this.#work.steps += end - start;
    if (count === 0) return;
    const chord = reach.leafChord;
    this.#compareWithLeaf(this.#nearPositions[nearest]!, shift, plotNode);
    if (count === 1) return;
    // The line just found shows the way across.
    if (reach.leafChord < chord) this.#setSlab(node, shift, plotNode);
    for (let k = 0; k < count && !this.#line.touched; k++) {
      if (k === nearest) continue;
      const i = 2 * this.#nearPositions[k]!;
      const low = Math.min(
        (xy[i]! + shift) * slab.lon + xy[i + 1]! * slab.lat,
        (xy[i + 2]! + shift) * slab.lon + xy[i + 3]! * slab.lat,
      );
      if (low - slab.start <= reach.leafChord) this.#compareWithLeaf(i / 2, shift, plotNode);
    }
  }

  /** Turns the reach to a plot leaf and the area's leaf whose box is at hand. */
  #setReach(plotNode: number): void {
    const { west, south, east, north } = this.#box;
    this.#reach.setNear();
    if (this.#maxMeters < FAR_METERS) return;
    const square = this.#leastSquared(west, south, east, north, plotNode);
    if (square >= FAR_METERS * FAR_METERS) {
      this.#reach.setFar(this.#box, this.#plot, plotNode, square, this.#work);
    }
  }

  #setSlab(node: number, shift: number, plotNode: number): void {
    if (this.#reach.far) {
      this.#slab.setFar(this.#box, node, shift, this.#plot, plotNode, this.#edges, this.#line);
    } else {
      this.#slab.setNear(this.#box, this.#plot, plotNode, this.#edges, this.#line);
    }
  }

  /** Compares the area's edge from a position on with every edge of a plot leaf. */
  #compareWithLeaf(position: number, shift: number, plotNode: number): void {
    const xy = this.#layer!.xy;
    const { nodes, frame, meridianRadius } = this.#plot;
    const edges = this.#edges;
    const slab = this.#slab;
    const reach = this.#reach;
    const node = NODE * plotNode;
    const lonA = xy[2 * position]! + shift;
    const latA = xy[2 * position + 1]!;
    const lonB = xy[2 * position + 2]! + shift;
    const latB = xy[2 * position + 3]!;
    const height =
      slab.lon !== 0 || slab.lat !== 0
        ? Math.min(lonA * slab.lon + latA * slab.lat, lonB * slab.lon + latB * slab.lat)
        : -Infinity;
    const axis = nodes[node + AXIS]!;
    if (!reach.far) {
      const least = this.#leastSquared(
        Math.min(lonA, lonB),
        Math.min(latA, latB),
        Math.max(lonA, lonB),
        Math.max(latA, latB),
        plotNode,
      );
      if (least > reach.chordSquared) return;
    }
    const near = this.#near;
    near[0] = lonA;
    near[1] = latA;
    near[2] = lonB;
    near[3] = latB;
    let placed = false;
    const pole = Math.max(-nodes[node + 1]!, nodes[node + 3]!);
    const start = RECORD * PLOT_LEAF_EDGES * plotNode;
    const end = start + RECORD * (nodes[node + CHILD_END]! - nodes[node + CHILD_START]!);
    // From the highest on: it is the nearest, or near it, and tells most others to be too far.
    for (
      let k = start, e = start + slab.top;
      k < end;
      k += RECORD, e = e + RECORD < end ? e + RECORD : start
    ) {
      if (height - edges[e + HEIGHT]! > reach.leafChord) continue;
      if (!reach.far) {
        const least = leastBetween(edges, e, near, 0, meridianRadius, axis, pole);
        if (least > reach.chordSquared) continue;
        if (least === 0 && this.#edgesMeet(edges, e, position, shift)) {
          this.#line.touched = true;
          return;
        }
      }
      if (!placed) placeEdge(near, 0, frame);
      placed = true;
      this.#pairs.compare(this.#plot, edges, e, near, 0, 0);
    }
    this.#work.steps += (end - start) / RECORD;
  }

  /** Whether an edge of the plot and the area's edge from a position on share a point; exact. */
  #edgesMeet(edges: Float64Array, e: number, position: number, shift: number): boolean {
    const xy = this.#layer!.xy;
    const i = 2 * position;
    return segmentsIntersectShifted(
      edges[e]!,
      edges[e + 1]!,
      edges[e + 2]!,
      edges[e + 3]!,
      xy[i]!,
      xy[i + 1]!,
      xy[i + 2]!,
      xy[i + 3]!,
      shift,
    );
  }
}

/** Metres no shortest geodesic exceeds: half a meridian is 20,003,931. */
const LONGEST_GEODESIC = 20_004_000;
/** Degrees that rounding to cells may add to an envelope, and more. */
const ENVELOPE_SLACK = 1e-4;
