import type { WorkMeter } from "../../base/work-meter.ts";
import { computeLeafSpan, FAN_OUT } from "../trees/chain-tree.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { RingList } from "../trees/ring-index.ts";
import { AreaBox } from "./bounds/area-box.ts";
import { leastBoxChordSquared } from "./bounds/box-chord.ts";
import { leastChordSquared, ROUNDING } from "./bounds/chord-bounds.ts";
import { ChainPairs } from "./chain-pairs.ts";
import { PairQueue } from "./pair-queue.ts";
import { AXIS, CHILD_END, CHILD_START, LEAST_RADIUS, NODE, type PlotTree } from "./plot-tree.ts";
import { FAR_METERS, Reach } from "./reach.ts";
import { SearchWork, STEPS_PER_AREA } from "./search-work.ts";
import { ShortestLine } from "./shortest-line.ts";

/**
 * The search for the shortest geodesic between a plot and one area: a queue of pairs of chains,
 * nearest first by a lower bound, and the lines that may still turn out to be the shortest.
 * Mathematics and bounds: `docs/semantics/distance.md`.
 */
export class PairSearch {
  /** True if the envelope of any ring added meets the plot's: only then can they share a point. */
  envelopesMeet: boolean = false;
  /** A sum of no meaning: it makes the reads of {@link touchRings} be done. */
  touched = 0;

  #plot!: PlotTree;
  #layer: AreaLayer | undefined;
  #maxMeters = -1;
  readonly #work = new SearchWork();
  readonly #reach = new Reach();
  readonly #line: ShortestLine = new ShortestLine(this.#reach, this.#work);
  readonly #chains: ChainPairs = new ChainPairs(this.#reach, this.#line, this.#work);
  readonly #queue = new PairQueue();
  /** Box of the area's node at hand. */
  readonly #box = new AreaBox();

  /** Turns to the questions between a plot and a layer. */
  begin(plot: PlotTree, layer: AreaLayer, maxMeters: number, meter: WorkMeter): void {
    this.#maxMeters = Math.min(maxMeters, LONGEST_GEODESIC);
    this.#work.begin(meter);
    plot.setReach(this.#maxMeters);
    this.#plot = plot;
    this.#layer = layer;
    this.#chains.begin(plot, layer);
  }

  /** True if a ring's envelope lies within the plot's. */
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

  /**
   * Reads something of each ring that is about to be added: these reads wait for memory all at once, those of the
   * search, each of which decides what is read next, would one by one.
   */
  touchRings(found: RingList): void {
    const { xy, ringStarts, ringAreas, chainStarts, chainBoxes } = this.#layer!;
    const { rings, count } = found;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const ring = rings[k]!;
      const at = 2 * ringStarts[ring]!;
      // A ring of 64 positions is a kilobyte: four places of it bring most of that.
      const step = (ringStarts[ring + 1]! - ringStarts[ring]!) >> 1;
      sum += xy[at]! + xy[at + step]! + xy[at + 2 * step]! + xy[at + 3 * step]!;
      sum += ringAreas[ring]! + chainBoxes[4 * (chainStarts[ring + 1]! - 1)]!;
    }
    this.touched = sum;
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
    let count = Math.ceil(edgeCount / computeLeafSpan(edgeCount));
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

  /** Meters the steps done since the last call. Fails: `GEOMETRY_TOO_COMPLEX`. */
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
    const plotIsLeaf = plot.isChain(plotNode);
    if (level === 0 && plotIsLeaf) {
      this.#compareChains(ring, index, shift, plotNode);
      return;
    }
    let first = layer.chainStarts[ring]!;
    const edgeCount = layer.ringStarts[ring + 1]! - layer.ringStarts[ring]! - 1;
    let count = Math.ceil(edgeCount / computeLeafSpan(edgeCount));
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

  /** Compares a leaf of a ring's tree with a chain of the plot. */
  #compareChains(ring: number, index: number, shift: number, plotNode: number): void {
    const box = this.#box;
    box.read(this.#layer!, this.#layer!.chainStarts[ring]! + index, shift);
    this.#reach.setNear();
    if (this.#maxMeters >= FAR_METERS) {
      const square = this.#leastSquared(box.west, box.south, box.east, box.north, plotNode);
      if (square >= FAR_METERS * FAR_METERS) {
        this.#reach.setFar(box, this.#plot, plotNode, square, this.#work);
      }
    }
    this.#chains.compare(ring, index, shift, plotNode, box);
  }
}

/** Metres no shortest geodesic exceeds: half a meridian is 20,003,931. */
const LONGEST_GEODESIC = 20_004_000;
/** Degrees that rounding to cells may add to an envelope, and more. */
const ENVELOPE_SLACK = 1e-4;
