import { WorkMeter } from "../../base/work-meter.ts";
import { RADIANS_PER_DEGREE, sin } from "../earth/elementary.ts";
import { segmentsIntersectShifted } from "../earth/predicates.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../earth/wgs84.ts";
import { FAN_OUT, LEAF_EDGES, leafSpan, SINGLE_NODE_EDGES } from "../trees/chain-tree.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { leastBoxChordSquared } from "./box-chord.ts";
import {
  greatestChord,
  greatestGeodesic,
  leastBetween,
  leastChordSquared,
  leastGeodesic,
  ROUNDING,
} from "./chord-bounds.ts";
import { EdgeDistance } from "./edge-distance.ts";
import {
  AXIS,
  axisDistance,
  CHILD_END,
  CHILD_START,
  GREATEST_RADIUS,
  GREATEST_SAG,
  HEIGHT,
  LEAST_RADIUS,
  NODE,
  PER_SQUARE,
  PLACE,
  LEAF_EDGES as PLOT_LEAF_EDGES,
  type PlotTree,
  placeEdge,
  RECORD,
  SAG,
  WAY,
} from "./plot-tree.ts";
import { heightsOn, placeOn, TANGENT, TANGENT_ERROR, writeTangent } from "./tangent.ts";

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
  readonly #exact = new EdgeDistance();
  #layer: AreaLayer | undefined;
  #maxMeters = -1;
  /** Steps done and not yet metered. */
  #work = 0;
  /** Of the answer at hand. */
  #meter: WorkMeter = new WorkMeter(Infinity);

  /** No line longer than `#reach` is of interest any more; its chord is at most `#chord`. */
  #reach = 0;
  #chord = 0;
  #chordSquared = 0;

  // Of the leaves at hand: whether they are far apart, and radii between which lie those of the circles
  // that have chord and length of any line of interest between them; the longest such chord.
  #far: boolean = false;
  #leastRadius: number = LEAST_RADIUS;
  #greatestRadius: number = FLATTEST_RADIUS;
  #leafChord = 0;

  // Queue: a binary heap of keys (squared lower bounds, metres²) and the entries they belong to. Not a
  // LeastQueue: the tie and the second item which that one moves cost this search 3 to 5 % of its time.
  #queueLength = 0;
  #keys = new Float64Array(256);
  #entries = new Int32Array(256);
  // Entries: area ring, node in it as (index · 16 + level), shift of its longitudes, plot node.
  #entryCount = 0;
  #entryRings = new Int32Array(256);
  #entryNodes = new Uint32Array(256);
  #entryShifts = new Float64Array(256);
  #entryPlotNodes = new Int32Array(256);

  // Positions and edges that may be the ends of the shortest line, as records of CANDIDATE numbers.
  #candidateCount = 0;
  readonly #candidates = new Float64Array(CANDIDATE * MOST_CANDIDATES);
  #shortest = Infinity;
  /** Whether an edge of the one was found to meet an edge of the other. */
  #touched: boolean = false;

  // The slab between the leaves at hand: metres of height a degree of longitude and of latitude, the
  // height at which it starts; and the way from plot to area of the shortest line so far, in metres.
  #slabLon = 0;
  #slabLat = 0;
  #slabStart = 0;
  /** Which of the plot leaf's edges reaches highest. */
  #slabTop = 0;
  #wayEast = 0;
  #wayNorth = 0;
  /** Ends of the shortest line so far: longitude and latitude on the plot, on the area. */
  readonly #line = new Float64Array(4);
  #hasLine: boolean = false;
  /** Tangents of the plot's leaves, where placed, and that of the area's leaf at hand. */
  #tangents = new Float64Array(0);
  #tangentPlaced = new Uint8Array(0);
  readonly #tangent = new Float64Array(TANGENT);
  #tangentBox = -1;
  #tangentShift = 0;
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);

  // Positions from which the area's edges near the plot leaf at hand start; records of the one being
  // compared, and of halves of edges being cut.
  readonly #near = new Float64Array(RECORD);
  readonly #nearPositions = new Uint32Array(Math.max(LEAF_EDGES, SINGLE_NODE_EDGES));
  readonly #halves = new Float64Array(RECORD * 2 * MOST_CUTS);

  /** Turns to the questions between a plot and a layer. */
  begin(plot: PlotTree, layer: AreaLayer, maxMeters: number, meter: WorkMeter): void {
    this.#meter = meter;
    plot.setReach(Math.min(maxMeters, LONGEST_GEODESIC));
    if (this.#plot !== plot) {
      // Another plot's edges took the place of this one's.
      plot.forgetPlaces();
      this.#plot = plot;
      const size = RECORD * PLOT_LEAF_EDGES * plot.leafCount;
      if (this.#edges.length < size) this.#edges = new Float64Array(2 * size);
      if (this.#tangentPlaced.length < plot.leafCount) {
        this.#tangents = new Float64Array(2 * TANGENT * plot.leafCount);
        this.#tangentPlaced = new Uint8Array(2 * plot.leafCount);
      } else {
        this.#tangentPlaced.fill(0);
      }
    }
    this.#layer = layer;
    this.#tangentBox = -1;
    this.#maxMeters = Math.min(maxMeters, LONGEST_GEODESIC);
    this.#work = 0;
    this.#exact.inversesSolved = 0;
  }

  /** Whether a ring's envelope lies within the plot's. */
  envelopeWithin(ring: number, shift: number): boolean {
    const boxes = this.#layer!.chainBoxes;
    const box = 4 * (this.#layer!.chainStarts[ring + 1]! - 1);
    const { west, south, east, north } = this.#plot;
    // The envelope is rounded outward: a little slack keeps what coincides.
    return (
      boxes[box]! + shift >= west - ENVELOPE_SLACK &&
      boxes[box + 1]! >= south - ENVELOPE_SLACK &&
      boxes[box + 2]! + shift <= east + ENVELOPE_SLACK &&
      boxes[box + 3]! <= north + ENVELOPE_SLACK
    );
  }

  beginArea(): void {
    this.#work += STEPS_PER_AREA;
    this.#queueLength = 0;
    this.#entryCount = 0;
    this.#candidateCount = 0;
    this.#shortest = Infinity;
    this.envelopesMeet = false;
    this.#touched = false;
    this.#wayEast = 0;
    this.#wayNorth = 0;
    this.#hasLine = false;
    this.#leastRadius = LEAST_RADIUS;
    this.#greatestRadius = FLATTEST_RADIUS;
    this.#setReach(this.#maxMeters + ROUNDING);
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
    while (this.#queueLength > 0) {
      if (this.#keys[0]! > this.#chordSquared) break;
      this.#expand(this.#pop());
      if (this.#touched) return 0;
      if (this.#work > METERED_AT) this.settleWork();
    }
    this.#settle();
    if (this.#work > METERED_AT) this.settleWork();
    return this.#shortest;
  }

  /**
   * Meters the steps done since last asked.
   * Fails: `GEOMETRY_TOO_COMPLEX`.
   */
  settleWork(): void {
    const steps = this.#work + STEPS_PER_INVERSE * this.#exact.inversesSolved;
    this.#work = 0;
    this.#exact.inversesSolved = 0;
    this.#meter.add(UNITS_A_STEP * steps);
  }

  #setReach(meters: number): void {
    this.#reach = meters;
    this.#chord = greatestChord(meters, FLATTEST_RADIUS);
    this.#chordSquared = this.#chord * this.#chord;
    this.#leafChord =
      this.#greatestRadius === FLATTEST_RADIUS ? this.#chord : greatestChord(meters, this.#greatestRadius);
  }

  /**
   * Queues a pair of nodes unless it is out of reach, and returns its squared lower bound.
   * @param box the area node among the layer's
   */
  #push(ring: number, level: number, box: number, index: number, shift: number, plotNode: number): number {
    const boxes = this.#layer!.chainBoxes;
    const key = this.#leastSquared(
      boxes[4 * box]! + shift,
      boxes[4 * box + 1]!,
      boxes[4 * box + 2]! + shift,
      boxes[4 * box + 3]!,
      plotNode,
    );
    this.#work++;
    if (key > this.#chordSquared) return key;
    const entry = this.#entryCount++;
    if (entry === this.#entryRings.length) this.#growEntries();
    this.#entryRings[entry] = ring;
    this.#entryNodes[entry] = index * 16 + level;
    this.#entryShifts[entry] = shift;
    this.#entryPlotNodes[entry] = plotNode;

    let at = this.#queueLength++;
    if (at === this.#keys.length) {
      this.#keys = doubled(this.#keys);
      this.#entries = doubled(this.#entries);
    }
    const keys = this.#keys;
    const entries = this.#entries;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      entries[at] = entries[parent]!;
      at = parent;
    }
    keys[at] = key;
    entries[at] = entry;
    return key;
  }

  #growEntries(): void {
    this.#entryRings = doubled(this.#entryRings);
    this.#entryNodes = doubled(this.#entryNodes);
    this.#entryShifts = doubled(this.#entryShifts);
    this.#entryPlotNodes = doubled(this.#entryPlotNodes);
  }

  #pop(): number {
    const keys = this.#keys;
    const entries = this.#entries;
    const top = entries[0]!;
    const length = --this.#queueLength;
    const key = keys[length]!;
    const entry = entries[length]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      entries[at] = entries[child]!;
      at = child;
    }
    keys[at] = key;
    entries[at] = entry;
    return top;
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
    if (least < FAR_METERS * FAR_METERS || least > this.#chordSquared) return least;
    return Math.max(
      least,
      leastBoxChordSquared(west, south, east, north, boxes[at]!, plotSouth, boxes[at + 2]!, plotNorth),
    );
  }

  /** Splits the larger of the two nodes, or compares the edges of two leaves. */
  #expand(entry: number): void {
    const layer = this.#layer!;
    const plot = this.#plot;
    const ring = this.#entryRings[entry]!;
    const node = this.#entryNodes[entry]!;
    const shift = this.#entryShifts[entry]!;
    const plotNode = this.#entryPlotNodes[entry]!;
    const level = node & 15;
    const index = node >>> 4;
    const plotIsLeaf = plotNode < plot.leafCount;
    if (level === 0 && plotIsLeaf) {
      this.#compareLeaves(ring, index, shift, plotNode);
      return;
    }
    let box = layer.chainStarts[ring]!;
    const edgeCount = layer.ringStarts[ring + 1]! - layer.ringStarts[ring]! - 1;
    let count = Math.ceil(edgeCount / leafSpan(edgeCount));
    for (let below = 1; below < level; below++) {
      box += count;
      count = Math.ceil(count / FAN_OUT);
    }
    // box: first node of the level below (of this level at level 0), count: how many it has.
    const own = level === 0 ? box + index : box + count + index;
    if (level > 0 && (plotIsLeaf || this.#isLarger(own, plotNode))) {
      const end = Math.min(count, (index + 1) * FAN_OUT);
      for (let child = index * FAN_OUT; child < end; child++) {
        this.#push(ring, level - 1, box + child, child, shift, plotNode);
      }
    } else {
      const end = plot.nodes[NODE * plotNode + CHILD_END]!;
      for (let child = plot.nodes[NODE * plotNode + CHILD_START]!; child < end; child++) {
        this.#push(ring, level, own, index, shift, child);
      }
    }
  }

  #isLarger(box: number, plotNode: number): boolean {
    const a = this.#layer!.chainBoxes;
    const b = this.#plot.nodes;
    const at = NODE * plotNode;
    const shrink = b[at + AXIS]! / LEAST_RADIUS;
    return (
      (a[4 * box + 2]! - a[4 * box]!) * shrink + a[4 * box + 3]! - a[4 * box + 1]! >=
      (b[at + 2]! - b[at]!) * shrink + b[at + 3]! - b[at + 1]!
    );
  }

  /** Compares the area edges of a leaf that are near a plot leaf with its edges, the nearest one first. */
  #compareLeaves(ring: number, index: number, shift: number, plotNode: number): void {
    const layer = this.#layer!;
    const xy = layer.xy;
    const last = layer.ringStarts[ring + 1]! - 1;
    const span = leafSpan(last - layer.ringStarts[ring]!);
    const start = layer.ringStarts[ring]! + index * span;
    const end = Math.min(start + span, last);
    this.#plot.placeLeaf(plotNode, this.#edges);
    const box = 4 * (layer.chainStarts[ring]! + index);
    this.#setRadii(layer.chainBoxes, box, shift, plotNode);
    this.#setSlab(layer.chainBoxes, box, shift, plotNode);
    const slabLon = this.#slabLon;
    const slabLat = this.#slabLat;
    const slabEnd = this.#slabStart + this.#leafChord;

    // Without a slab all heights are 0 and every edge is collected.
    let count = 0;
    let nearest = 0;
    let lowest = Infinity;
    let before = (xy[2 * start]! + shift) * slabLon + xy[2 * start + 1]! * slabLat;
    for (let i = start + 1; i <= end; i++) {
      const height = (xy[2 * i]! + shift) * slabLon + xy[2 * i + 1]! * slabLat;
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
    this.#work += end - start;
    if (count === 0) return;
    const chord = this.#leafChord;
    this.#compareWithLeaf(this.#nearPositions[nearest]!, shift, plotNode);
    if (count === 1) return;
    // The line just found shows the way across.
    if (this.#leafChord < chord) this.#setSlab(layer.chainBoxes, box, shift, plotNode);
    for (let k = 0; k < count && !this.#touched; k++) {
      if (k === nearest) continue;
      const i = 2 * this.#nearPositions[k]!;
      const low = Math.min(
        (xy[i]! + shift) * this.#slabLon + xy[i + 1]! * this.#slabLat,
        (xy[i + 2]! + shift) * this.#slabLon + xy[i + 3]! * this.#slabLat,
      );
      if (low - this.#slabStart <= this.#leafChord) this.#compareWithLeaf(i / 2, shift, plotNode);
    }
  }

  /**
   * Lays a slab between a plot leaf and an area leaf: what is more than the reach above the plot
   * leaf in the slab's direction is out of reach.
   *
   * Between their points, chord² ≥ ((M Δφ)² + (p Δλ)²) (1 − g²/24)² for the least M and p and the
   * greatest gap g, so at least the length of (p Δλ, M Δφ) along any direction, shortened so. Heights
   * are that length, linear in longitude and latitude: edges need no allowance for bending.
   */
  #setSlab(boxes: Float32Array, box: number, shift: number, plotNode: number): void {
    const { nodes, meridianRadius } = this.#plot;
    const node = NODE * plotNode;
    const west = boxes[box]! + shift;
    const south = boxes[box + 1]!;
    const east = boxes[box + 2]! + shift;
    const north = boxes[box + 3]!;
    const plotWest = nodes[node]!;
    const plotSouth = nodes[node + 1]!;
    const plotEast = nodes[node + 2]!;
    const plotNorth = nodes[node + 3]!;
    const poleward = Math.max(-south, north) - Math.max(-plotSouth, plotNorth);
    const axis = nodes[node + AXIS]! - GREATEST_RADIUS * RADIANS_PER_DEGREE * Math.max(0, poleward);
    const gap =
      Math.max(east - plotWest, plotEast - west, north - plotSouth, plotNorth - south) * RADIANS_PER_DEGREE;
    this.#slabLon = 0;
    this.#slabLat = 0;
    this.#slabStart = 0;
    this.#slabTop = 0;
    if (this.#far) {
      this.#setFarSlab(boxes, box, shift, plotNode);
      return;
    }
    if (axis <= 0 || gap > 1) return;
    const scale = 1 - (gap * gap) / 24;
    let x = this.#wayEast;
    let y = this.#wayNorth;
    if (x === 0 && y === 0) {
      x = (west + east - plotWest - plotEast) * axis;
      y = (south + north - plotSouth - plotNorth) * meridianRadius;
    }
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) return;
    const slabLon = (x / length) * scale * axis * RADIANS_PER_DEGREE;
    const slabLat = (y / length) * scale * meridianRadius * RADIANS_PER_DEGREE;
    this.#slabLon = slabLon;
    this.#slabLat = slabLat;
    this.#setHeights(plotNode, slabLon, slabLat, 0);
  }

  /**
   * The slab between leaves far apart. A chord is at least as long as its part along any direction;
   * that of a leaf's points, on the plane that touches the ellipsoid in its middle, is linear in
   * longitude and latitude but for the tangent's error, by which the plot's heights are raised.
   */
  #setFarSlab(boxes: Float32Array, box: number, shift: number, plotNode: number): void {
    const nodes = this.#plot.nodes;
    const node = NODE * plotNode;
    const tangents = this.#tangents;
    const own = TANGENT * plotNode;
    if (this.#tangentPlaced[plotNode] === 0) {
      this.#tangentPlaced[plotNode] = 1;
      writeTangent(nodes[node]!, nodes[node + 1]!, nodes[node + 2]!, nodes[node + 3]!, tangents, own);
    }
    const tangent = this.#tangent;
    if (this.#tangentBox !== box || this.#tangentShift !== shift) {
      this.#tangentBox = box;
      this.#tangentShift = shift;
      this.#work += STEPS_PER_TANGENT;
      writeTangent(
        boxes[box]! + shift,
        boxes[box + 1]!,
        boxes[box + 2]! + shift,
        boxes[box + 3]!,
        tangent,
        0,
      );
    }
    const line = this.#line;
    const from = this.#from;
    const to = this.#to;
    if (this.#hasLine) {
      placeOn(tangents, own, line[0]!, line[1]!, from);
      placeOn(tangent, 0, line[2]!, line[3]!, to);
    } else {
      placeOn(tangents, own, tangents[own]!, tangents[own + 1]!, from);
      placeOn(tangent, 0, tangent[0]!, tangent[1]!, to);
    }
    let x = to[0]! - from[0]!;
    let y = to[1]! - from[1]!;
    let z = to[2]! - from[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1)) return;
    x /= length;
    y /= length;
    z /= length;
    heightsOn(tangents, own, x, y, z, from);
    heightsOn(tangent, 0, x, y, z, to);
    const raise = from[2]! - to[2]! + tangents[own + TANGENT_ERROR]! + tangent[TANGENT_ERROR]!;
    this.#setHeights(plotNode, from[0]!, from[1]!, raise);
    this.#slabLon = to[0]!;
    this.#slabLat = to[1]!;
  }

  /** Writes the height each edge of a plot leaf reaches, and which reaches highest. */
  #setHeights(plotNode: number, slabLon: number, slabLat: number, raise: number): void {
    const { nodes } = this.#plot;
    const node = NODE * plotNode;
    const edges = this.#edges;
    let top = -Infinity;
    let topEdge = 0;
    const start = RECORD * PLOT_LEAF_EDGES * plotNode;
    const end = start + RECORD * (nodes[node + CHILD_END]! - nodes[node + CHILD_START]!);
    for (let e = start; e < end; e += RECORD) {
      const height =
        Math.max(
          edges[e]! * slabLon + edges[e + 1]! * slabLat,
          edges[e + 2]! * slabLon + edges[e + 3]! * slabLat,
        ) + raise;
      edges[e + HEIGHT] = height;
      if (height > top) {
        top = height;
        topEdge = e - start;
      }
    }
    this.#slabStart = top;
    this.#slabTop = topEdge;
  }

  /**
   * Sets the radii of the leaves at hand. A line's is 1/k but for {@link RADIUS_ERROR}, k the curvature
   * of the normal section in the middle latitude (Euler),
   * k = w/a · (1 + N (w²/(1 − e²) − 1)), N = (M Δφ (1 − Δφ²/24) / chord)², w² = 1 − e² sin²φ,
   * which grows with N and with w; N lies between what the least and greatest latitude difference and
   * chord make it, and sin²φ changes by no more than φ does.
   */
  #setRadii(boxes: Float32Array, box: number, shift: number, plotNode: number): void {
    this.#far = false;
    this.#leastRadius = LEAST_RADIUS;
    this.#greatestRadius = FLATTEST_RADIUS;
    this.#leafChord = this.#chord;
    if (this.#maxMeters < FAR_METERS) return;
    const south = boxes[box + 1]!;
    const north = boxes[box + 3]!;
    const square = this.#leastSquared(boxes[box]! + shift, south, boxes[box + 2]! + shift, north, plotNode);
    if (square < FAR_METERS * FAR_METERS) return;
    this.#far = true;
    if (this.#chord > FARTHEST_FIT) return;
    this.#work += STEPS_PER_RADII;
    const { nodes } = this.#plot;
    const node = NODE * plotNode;
    const plotSouth = nodes[node + 1]!;
    const plotNorth = nodes[node + 3]!;
    const s = sin(((south + north + plotSouth + plotNorth) / 4) * RADIANS_PER_DEGREE);
    const change = ((north - south + plotNorth - plotSouth) / 4) * RADIANS_PER_DEGREE;
    const least = 1 - ECCENTRICITY_SQUARED * Math.min(1, s * s + change);
    const greatest = 1 - ECCENTRICITY_SQUARED * Math.max(0, s * s - change);
    const rootOfLeast = Math.sqrt(least);
    const rootOfGreatest = Math.sqrt(greatest);
    const gap = Math.max(0, south - plotNorth, plotSouth - north) * RADIANS_PER_DEGREE;
    const span = Math.max(north - plotSouth, plotNorth - south) * RADIANS_PER_DEGREE;
    const shortNorth = (LEAST_RADIUS / (greatest * rootOfGreatest)) * gap * (1 - (gap * gap) / 24);
    const longNorth = (LEAST_RADIUS / (least * rootOfLeast)) * span;
    const leastShare = Math.min(1, (shortNorth * shortNorth) / this.#chordSquared);
    const greatestShare = Math.min(1, (longNorth * longNorth) / square);
    const error = RADIUS_ERROR * this.#chordSquared;
    this.#greatestRadius =
      ((1 + error) * SEMI_MAJOR_AXIS_METERS) /
      (rootOfLeast * (1 + leastShare * (least / (1 - ECCENTRICITY_SQUARED) - 1)));
    this.#leastRadius =
      ((1 - error) * SEMI_MAJOR_AXIS_METERS) /
      (rootOfGreatest * (1 + greatestShare * (greatest / (1 - ECCENTRICITY_SQUARED) - 1)));
    this.#leafChord = Math.min(this.#chord, greatestChord(this.#reach, this.#greatestRadius));
  }

  /** Compares the area's edge from a position on with every edge of a plot leaf. */
  #compareWithLeaf(position: number, shift: number, plotNode: number): void {
    const xy = this.#layer!.xy;
    const { nodes, frame, meridianRadius } = this.#plot;
    const edges = this.#edges;
    const node = NODE * plotNode;
    const lonA = xy[2 * position]! + shift;
    const latA = xy[2 * position + 1]!;
    const lonB = xy[2 * position + 2]! + shift;
    const latB = xy[2 * position + 3]!;
    const slab = this.#slabLon !== 0 || this.#slabLat !== 0;
    const height = slab
      ? Math.min(lonA * this.#slabLon + latA * this.#slabLat, lonB * this.#slabLon + latB * this.#slabLat)
      : -Infinity;
    const axis = nodes[node + AXIS]!;
    if (!this.#far) {
      const least = this.#leastSquared(
        Math.min(lonA, lonB),
        Math.min(latA, latB),
        Math.max(lonA, lonB),
        Math.max(latA, latB),
        plotNode,
      );
      if (least > this.#chordSquared) return;
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
      let k = start, e = start + this.#slabTop;
      k < end;
      k += RECORD, e = e + RECORD < end ? e + RECORD : start
    ) {
      if (height - edges[e + HEIGHT]! > this.#leafChord) continue;
      if (!this.#far) {
        const least = leastBetween(edges, e, near, 0, meridianRadius, axis, pole);
        if (least > this.#chordSquared) continue;
        if (least === 0 && this.#edgesMeet(edges, e, position, shift)) {
          this.#touched = true;
          return;
        }
      }
      if (!placed) placeEdge(near, 0, frame);
      placed = true;
      this.#compareEdges(edges, e, near, 0, 0);
    }
    this.#work += (end - start) / RECORD;
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

  /**
   * Compares an edge of the plot with one of the area, both placed. Long ones are cut; else the
   * shortest line between them ends at an end of one of them, up to an error within the bounds
   * promised, and what may be that line becomes a candidate.
   */
  #compareEdges(first: Float64Array, e: number, second: Float64Array, f: number, depth: number): void {
    this.#work += STEPS_PER_PAIR;
    const sagE = first[e + SAG]!;
    const sagF = second[f + SAG]!;
    if (sagE > GREATEST_SAG || sagF > GREATEST_SAG) {
      this.#cut(first, e, second, f, sagF >= sagE, depth);
      return;
    }
    // From the first end of the plot's edge, P, to the area's, A; the ways u from P to Q, v from A to B.
    const wx = second[f + PLACE]! - first[e + PLACE]!;
    const wy = second[f + PLACE + 1]! - first[e + PLACE + 1]!;
    const wz = second[f + PLACE + 2]! - first[e + PLACE + 2]!;
    const ux = first[e + WAY]!;
    const uy = first[e + WAY + 1]!;
    const uz = first[e + WAY + 2]!;
    const vx = second[f + WAY]!;
    const vy = second[f + WAY + 1]!;
    const vz = second[f + WAY + 2]!;
    // Shares of the edges at which P, Q, A and B are nearest, below 0 or above 1 beyond their ends.
    const uv = ux * vx + uy * vy + uz * vz;
    const wu = wx * ux + wy * uy + wz * uz;
    const wv = wx * vx + wy * vy + wz * vz;
    const perU = first[e + PER_SQUARE]!;
    const perV = second[f + PER_SQUARE]!;
    const shareP = -wv * perV;
    const shareQ = (uv - wv) * perV;
    const shareA = wu * perU;
    const shareB = (wu + uv) * perU;
    const p = Math.max(0, Math.min(1, shareP));
    const q = Math.max(0, Math.min(1, shareQ));
    const a = Math.max(0, Math.min(1, shareA));
    const b = Math.max(0, Math.min(1, shareB));
    const squareP = squareOf(wx + p * vx, wy + p * vy, wz + p * vz);
    const squareQ = squareOf(wx - ux + q * vx, wy - uy + q * vy, wz - uz + q * vz);
    const squareA = squareOf(wx - a * ux, wy - a * uy, wz - a * uz);
    const squareB = squareOf(wx + vx - b * ux, wy + vy - b * uy, wz + vz - b * uz);

    const slack = sagE + sagF + 2 * this.#plot.frame.errorMeters + ROUNDING;
    const square = Math.min(squareP, squareQ, squareA, squareB);
    const farthest = this.#leafChord + slack;
    if (square > farthest * farthest) return;
    const chord = Math.sqrt(square) + slack;
    if (needsCut(second, f, chord)) {
      this.#cut(first, e, second, f, true, depth);
    } else if (needsCut(first, e, chord)) {
      this.#cut(first, e, second, f, false, depth);
    } else {
      const limit = farthest * farthest;
      if (squareP <= limit) this.#consider(squareP, shareP, first, e, second, f, 1);
      if (squareQ <= limit) this.#consider(squareQ, shareQ, first, e + 2, second, f, 1);
      if (squareA <= limit) this.#consider(squareA, shareA, second, f, first, e, -1);
      if (squareB <= limit) this.#consider(squareB, shareB, second, f + 2, first, e, -1);
    }
  }

  /** Halves one of two edges and compares each half with the other edge, the nearer half first. */
  #cut(
    first: Float64Array,
    e: number,
    second: Float64Array,
    f: number,
    halveSecond: boolean,
    depth: number,
  ): void {
    if (depth === MOST_CUTS) throw new Error("an edge was halved more often than its length allows");
    this.#work += STEPS_PER_CUT;
    if (this.#work > METERED_AT) this.settleWork();
    const source = halveSecond ? second : first;
    const at = halveSecond ? f : e;
    const halves = this.#halves;
    const a = 2 * RECORD * depth;
    const b = a + RECORD;
    const lon = (source[at]! + source[at + 2]!) / 2;
    const lat = (source[at + 1]! + source[at + 3]!) / 2;
    halves[a] = source[at]!;
    halves[a + 1] = source[at + 1]!;
    halves[a + 2] = halves[b] = lon;
    halves[a + 3] = halves[b + 1] = lat;
    halves[b + 2] = source[at + 2]!;
    halves[b + 3] = source[at + 3]!;
    placeEdge(halves, a, this.#plot.frame);
    placeEdge(halves, b, this.#plot.frame);
    const other = halveSecond ? first : second;
    const o = halveSecond ? e : f;
    const pole = Math.max(-other[o + 1]!, other[o + 1]!, -other[o + 3]!, other[o + 3]!);
    const axis = axisDistance(pole);
    const meridian = this.#plot.meridianRadius;
    const leastA = leastBetween(other, o, halves, a, meridian, axis, pole);
    const leastB = leastBetween(other, o, halves, b, meridian, axis, pole);
    for (let i = 0; i < 2; i++) {
      const takeA = leastA <= leastB === (i === 0);
      if ((takeA ? leastA : leastB) > this.#chordSquared) continue;
      const half = takeA ? a : b;
      if (halveSecond) this.#compareEdges(first, e, halves, half, depth + 1);
      else this.#compareEdges(halves, half, second, f, depth + 1);
    }
  }

  /**
   * Keeps the line from a position (at `positions[at]`) to an edge if it may be the shortest.
   * @param toArea −1 where the position is the area's
   */
  #consider(
    square: number,
    share: number,
    positions: Float64Array,
    at: number,
    edges: Float64Array,
    edge: number,
    toArea: 1 | -1,
  ): void {
    const chord = Math.sqrt(square);
    const sag = edges[edge + SAG]!;
    const error = 2 * this.#plot.frame.errorMeters + ROUNDING;
    let least = chord - sag - error;
    if (least > this.#leafChord) return;
    const lon = positions[at]!;
    const lat = positions[at + 1]!;
    let from = edge;
    let to = edge + 2;
    if (edges[edge] === edges[edge + 2] && edges[edge + 1] === edges[edge + 3]) {
      if (this.#isCandidate(lon, lat, edges[edge]!, edges[edge + 1]!)) return;
    } else if (share < 0 || share > 1) {
      // So far beyond an end that its bending cannot bring the edge nearer than that end.
      const perSquare = edges[edge + PER_SQUARE]!;
      const beyond = share < 0 ? -share : share - 1;
      const moved = chord < 50_000 ? 1e-3 : 1e-2 + MOVED_FOOT * chord * chord * chord;
      const bends = 5 * chord * sag * perSquare + (error + moved) * Math.sqrt(perSquare);
      if (chord < FARTHEST_FIT && beyond > bends) {
        from = to = share < 0 ? edge : edge + 2;
        least = chord - error;
        if (least > this.#leafChord) return;
        if (this.#isCandidate(lon, lat, edges[from]!, edges[from + 1]!)) return;
      }
    }
    if (this.#candidateCount === MOST_CANDIDATES) this.#makeRoom();
    const candidates = this.#candidates;
    const c = CANDIDATE * this.#candidateCount++;
    candidates[c] = leastGeodesic(least, this.#greatestRadius);
    candidates[c + 1] = lon;
    candidates[c + 2] = lat;
    candidates[c + 3] = edges[from]!;
    candidates[c + 4] = edges[from + 1]!;
    candidates[c + 5] = edges[to]!;
    candidates[c + 6] = edges[to + 1]!;
    const longest = chord + sag + error;
    const reach = greatestGeodesic(longest, longest <= this.#chord ? this.#leastRadius : LEAST_RADIUS);
    if (reach >= this.#reach) return;
    this.#setReach(reach);
    const t = Math.max(0, Math.min(1, share));
    this.#hasLine = true;
    const position = toArea === 1 ? 0 : 2;
    this.#line[position] = lon;
    this.#line[position + 1] = lat;
    this.#line[2 - position] = edges[edge]! + t * (edges[edge + 2]! - edges[edge]!);
    this.#line[3 - position] = edges[edge + 1]! + t * (edges[edge + 3]! - edges[edge + 1]!);
    const { meridianRadius, root, nodes } = this.#plot;
    this.#wayEast =
      (edges[edge]! + t * (edges[edge + 2]! - edges[edge]!) - lon) * nodes[NODE * root + AXIS]! * toArea;
    this.#wayNorth =
      (edges[edge + 1]! + t * (edges[edge + 3]! - edges[edge + 1]!) - lat) * meridianRadius * toArea;
  }

  /**
   * Whether the line between two positions is a candidate already: both their edges' pairs find it, and it
   * is of the same length to the bit either way.
   */
  #isCandidate(lonA: number, latA: number, lonB: number, latB: number): boolean {
    const candidates = this.#candidates;
    const oldest = Math.max(0, this.#candidateCount - 16);
    for (let i = this.#candidateCount - 1; i >= oldest; i--) {
      const c = CANDIDATE * i;
      const lon = candidates[c + 3]!;
      const lat = candidates[c + 4]!;
      if (lon !== candidates[c + 5] || lat !== candidates[c + 6]) continue;
      if (lon === lonB && lat === latB && candidates[c + 1] === lonA && candidates[c + 2] === latA)
        return true;
      if (lon === lonA && lat === latA && candidates[c + 1] === lonB && candidates[c + 2] === latB)
        return true;
    }
    return false;
  }

  /** Drops candidates that have come to be out of reach, or measures them if too many are not. */
  #makeRoom(): void {
    const candidates = this.#candidates;
    let kept = 0;
    for (let i = 0; i < this.#candidateCount; i++) {
      if (candidates[CANDIDATE * i]! > this.#reach) continue;
      candidates.copyWithin(CANDIDATE * kept, CANDIDATE * i, CANDIDATE * (i + 1));
      kept++;
    }
    this.#candidateCount = kept;
    this.#work += MOST_CANDIDATES;
    if (kept > MOST_CANDIDATES / 2) this.#settle();
  }

  /** Measures every candidate within reach, the most promising first, and forgets them. */
  #settle(): void {
    const candidates = this.#candidates;
    const end = CANDIDATE * this.#candidateCount;
    let nearest = 0;
    for (let c = 0; c < end; c += CANDIDATE) if (candidates[c]! < candidates[nearest]!) nearest = c;
    if (end > 0) this.#measure(nearest);
    for (let c = 0; c < end; c += CANDIDATE) if (c !== nearest) this.#measure(c);
    this.#candidateCount = 0;
  }

  #measure(c: number): void {
    const candidates = this.#candidates;
    if (candidates[c]! > this.#reach) return;
    const lon = candidates[c + 1]!;
    const lat = candidates[c + 2]!;
    const lonA = candidates[c + 3]!;
    const latA = candidates[c + 4]!;
    const lonB = candidates[c + 5]!;
    const latB = candidates[c + 6]!;
    this.#work += STEPS_PER_REFINEMENT;
    const meters =
      (lat === 90 || lat === -90) && (latA === lat || latB === lat)
        ? 0 // a pole is one point at whatever longitude it is written
        : Math.max(APART, this.#exact.meters(lon, lat, lonA, latA, lonB, latB));
    if (meters < this.#shortest) {
      this.#shortest = meters;
      if (meters < this.#reach) this.#setReach(meters);
    }
  }
}

/** Units of work of a step: a pair of nodes queued, an edge or a pair of edges looked at. */
const UNITS_A_STEP = 6;
const STEPS_PER_INVERSE = 32;
const STEPS_PER_REFINEMENT = 10;
const STEPS_PER_PAIR = 3;
const STEPS_PER_CUT = 16;
const STEPS_PER_AREA = 30;
const STEPS_PER_TANGENT = 6;
const STEPS_PER_RADII = 4;
/** Steps after which they are metered. */
const METERED_AT = 10_000;

/** Radius of a circle whose chords are no shorter than those of any geodesic of the same length. */
const FLATTEST_RADIUS = 6_450_000;
/** Metres from which leaves are far apart. */
const FAR_METERS = 20_000;
/** Chords, metres, up to which {@link RADIUS_ERROR} is known. */
const FARTHEST_FIT = 1_200_000;
/**
 * By how much the radius that fits a geodesic's chord and length may differ from that of the normal
 * section in the middle, as a share of it for a squared chord in m²: 1.3e-17 measured.
 */
const RADIUS_ERROR = 2.5e-17;
/** Metres between the feet of the shortest chord and of the shortest geodesic, for a cubed chord in m³: e²/12R² and as much again. */
const MOVED_FOOT = 2.8e-17;
/** Metres no shortest geodesic exceeds: half a meridian is 20,003,931. */
const LONGEST_GEODESIC = 20_004_000;
/** Turn in longitude, radians, below which an edge needs no cutting however far the other side. */
const SMALL_TURN = 5e-4;
/** Metres between what does not meet: at least a nanometre, the resolution of coordinates. */
const APART = 1e-9;

/** Numbers of a candidate: its least chord, a position, an edge's ends, which are equal for a position. */
const CANDIDATE = 7;
const MOST_CANDIDATES = 256;
/** Edges are halved fewer times than this: 12 to undo the sag of a whole turn, 14 for its turn, both edges. */
const MOST_CUTS = 64;

/** Degrees that rounding to Float32 may add to an envelope, and a little more. */
const ENVELOPE_SLACK = 1e-4;

function squareOf(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}

/**
 * Whether an edge may have more than one nearest point to a position this far away: it bends by no
 * more than 2 |Δλ| over its length, and has but one while bending · distance < 1. Edges that turn
 * little need no cutting in any case.
 */
function needsCut(edges: Float64Array, edge: number, chord: number): boolean {
  const turn = Math.abs(edges[edge + 2]! - edges[edge]!) * RADIANS_PER_DEGREE;
  if (turn <= SMALL_TURN) return false;
  const latA = edges[edge + 1]!;
  const latB = edges[edge + 3]!;
  const north = LEAST_RADIUS * (latB - latA) * RADIANS_PER_DEGREE;
  const east = axisDistance(Math.max(-latA, latA, -latB, latB)) * turn;
  const length = Math.sqrt(north * north + east * east);
  return length > 1e-3 && (4 * chord * turn > length || chord > GREATEST_RADIUS);
}

function doubled<T extends Float64Array | Int32Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
