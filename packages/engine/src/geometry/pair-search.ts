import { EngineError } from "../errors.ts";
import type { AreaLayer } from "../snapshot/layer.ts";
import { FAN_OUT, LEAF_EDGES, leafSpan, SINGLE_NODE_EDGES } from "./chain-tree.ts";
import { EdgeDistance } from "./edge-distance.ts";
import { RADIANS_PER_DEGREE } from "./elementary.ts";
import {
  AXIS,
  axisDistance,
  CHILD_END,
  CHILD_START,
  GREATEST_RADIUS,
  GREATEST_SAG,
  LEAST_RADIUS,
  NODE,
  PLACE_A,
  PLACE_B,
  type PlotTree,
  placeEdge,
  RECORD,
  SAG,
} from "./plot-tree.ts";
import { segmentsIntersectShifted } from "./predicates.ts";

/**
 * The search for the shortest geodesic between a plot and one area: a queue of pairs of chains,
 * nearest first by a lower bound, and the lines that may still turn out to be the shortest.
 * Mathematics and bounds: `docs/semantics/distance.md`.
 */
export class PairSearch {
  /** Whether the envelope of a ring added meets the plot's: only then can they share a point. */
  envelopesMeet: boolean = false;

  #plot!: PlotTree;
  readonly #exact = new EdgeDistance();
  #layer: AreaLayer | undefined;
  #maxMeters = -1;
  #work = 0;

  /** No line longer than `#reach` is of interest any more; its chord is at most `#chord`. */
  #reach = 0;
  #chord = 0;
  #chordSquared = 0;

  // Queue: a binary heap of keys (squared lower bounds, metres²) and the entries they belong to.
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

  // Records of area edges near the plot leaf at hand, and of halves of edges being cut.
  readonly #near = new Float64Array(RECORD * Math.max(LEAF_EDGES, SINGLE_NODE_EDGES));
  /** Position in the layer that each area edge at hand starts from. */
  readonly #nearPositions = new Uint32Array(Math.max(LEAF_EDGES, SINGLE_NODE_EDGES));
  readonly #halves = new Float64Array(RECORD * 2 * MOST_CUTS);
  /** Share of the edge that {@link #toChord} found nearest; below 0 or above 1 beyond its ends. */
  #share = 0;

  /** Turns to the questions between a plot and a layer; the work counted starts at 0. */
  begin(plot: PlotTree, layer: AreaLayer, maxMeters: number): void {
    plot.setReach(maxMeters);
    this.#plot = plot;
    this.#layer = layer;
    this.#maxMeters = maxMeters;
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
    this.#queueLength = 0;
    this.#entryCount = 0;
    this.#candidateCount = 0;
    this.#shortest = Infinity;
    this.envelopesMeet = false;
    this.#touched = false;
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
      this.#checkWork();
    }
    this.#settle();
    return this.#shortest;
  }

  #checkWork(): void {
    const counted = this.#work + WORK_PER_INVERSE * this.#exact.inversesSolved;
    if (counted <= WORK_ALLOWED) return;
    throw new EngineError(
      "GEOMETRY_TOO_COMPLEX",
      `measuring distances to "${this.#layer!.sourceName}" takes more than ${WORK_ALLOWED} steps; ask with fewer positions or a smaller greatest distance`,
      { source_name: this.#layer!.sourceName, counted, allowed: WORK_ALLOWED },
    );
  }

  #setReach(meters: number): void {
    this.#reach = meters;
    // 2R sin(s / 2R) from above.
    const x = meters / (2 * FLATTEST_RADIUS);
    const x2 = x * x;
    this.#chord = meters * (1 - x2 * (1 / 6 - x2 / 120)) + ROUNDING;
    this.#chordSquared = this.#chord * this.#chord;
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
    return leastChordSquared(
      gapLon,
      gapLat,
      boxes[at + AXIS]!,
      Math.max(-south, north) - Math.max(-plotSouth, plotNorth),
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

  #compareLeaves(ring: number, index: number, shift: number, plotNode: number): void {
    const layer = this.#layer!;
    const xy = layer.xy;
    const last = layer.ringStarts[ring + 1]! - 1;
    const span = leafSpan(last - layer.ringStarts[ring]!);
    const start = layer.ringStarts[ring]! + index * span;
    const end = Math.min(start + span, last);
    const near = this.#near;
    let at = 0;
    let lonA = xy[2 * start]! + shift;
    let latA = xy[2 * start + 1]!;
    for (let i = start + 1; i <= end; i++) {
      const lonB = xy[2 * i]! + shift;
      const latB = xy[2 * i + 1]!;
      const least = this.#leastSquared(
        Math.min(lonA, lonB),
        Math.min(latA, latB),
        Math.max(lonA, lonB),
        Math.max(latA, latB),
        plotNode,
      );
      if (least <= this.#chordSquared) {
        near[at] = lonA;
        near[at + 1] = latA;
        near[at + 2] = lonB;
        near[at + 3] = latB;
        near[at + SAG] = NOT_PLACED;
        this.#nearPositions[at / RECORD] = i - 1;
        at += RECORD;
      }
      lonA = lonB;
      latA = latB;
    }
    this.#work += end - start;
    if (at > 0) this.#compareNear(at, shift, plotNode);
  }

  /** Compares the area edges collected, up to `nearEnd`, with every edge of a plot leaf. */
  #compareNear(nearEnd: number, shift: number, plotNode: number): void {
    const { edges, nodes } = this.#plot;
    const near = this.#near;
    const node = NODE * plotNode;
    const axis = nodes[node + AXIS]!;
    const pole = Math.max(-nodes[node + 1]!, nodes[node + 3]!);
    const start = RECORD * nodes[node + CHILD_START]!;
    const end = RECORD * nodes[node + CHILD_END]!;
    this.#plot.placeLeaf(plotNode);
    for (let e = start; e < end; e += RECORD) {
      for (let k = 0; k < nearEnd; k += RECORD) {
        const least = this.#leastBetween(edges, e, near, k, axis, pole);
        if (least > this.#chordSquared) continue;
        if (least === 0 && this.#edgesMeet(edges, e, this.#nearPositions[k / RECORD]!, shift)) {
          this.#touched = true;
          return;
        }
        if (near[k + SAG] === NOT_PLACED) placeEdge(near, k, this.#plot.frame);
        this.#compareEdges(edges, e, near, k, 0);
      }
      this.#work += nearEnd / RECORD;
    }
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
   * As {@link #leastSquared}, between the envelopes of two edges.
   * @param axis least distance from the axis on the first, whose greatest absolute latitude is `pole`
   */
  #leastBetween(
    first: Float64Array,
    e: number,
    second: Float64Array,
    f: number,
    axis: number,
    pole: number,
  ): number {
    const x0 = first[e]!;
    const y0 = first[e + 1]!;
    const x1 = first[e + 2]!;
    const y1 = first[e + 3]!;
    const u0 = second[f]!;
    const v0 = second[f + 1]!;
    const u1 = second[f + 2]!;
    const v1 = second[f + 3]!;
    const gapLon = Math.max(0, Math.min(u0, u1) - Math.max(x0, x1), Math.min(x0, x1) - Math.max(u0, u1));
    const gapLat = Math.max(0, Math.min(v0, v1) - Math.max(y0, y1), Math.min(y0, y1) - Math.max(v0, v1));
    return leastChordSquared(gapLon, gapLat, axis, Math.max(-v0, -v1, v0, v1) - pole);
  }

  /**
   * Compares an edge of the plot with one of the area, both placed. Long ones are cut; else the
   * shortest line between them ends at an end of one of them, up to an error within the bounds
   * promised, and what may be that line becomes a candidate.
   */
  #compareEdges(first: Float64Array, e: number, second: Float64Array, f: number, depth: number): void {
    this.#work += WORK_PER_PAIR;
    const sagE = first[e + SAG]!;
    const sagF = second[f + SAG]!;
    if (sagE > GREATEST_SAG || sagF > GREATEST_SAG) {
      this.#cut(first, e, second, f, sagF >= sagE, depth);
      return;
    }
    const d1 = this.#toChord(first, e + PLACE_A, second, f);
    const t1 = this.#share;
    const d2 = this.#toChord(first, e + PLACE_B, second, f);
    const t2 = this.#share;
    const d3 = this.#toChord(second, f + PLACE_A, first, e);
    const t3 = this.#share;
    const d4 = this.#toChord(second, f + PLACE_B, first, e);
    const t4 = this.#share;
    const slack = sagE + sagF + 2 * this.#plot.frame.errorMeters;
    const chord = Math.min(d1, d2, d3, d4);
    if (chord - slack > this.#chord) return;
    if (needsCut(second, f, chord + slack)) {
      this.#cut(first, e, second, f, true, depth);
    } else if (needsCut(first, e, chord + slack)) {
      this.#cut(first, e, second, f, false, depth);
    } else {
      this.#consider(d1, t1, first, e, second, f);
      this.#consider(d2, t2, first, e + 2, second, f);
      this.#consider(d3, t3, second, f, first, e);
      this.#consider(d4, t4, second, f + 2, first, e);
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
    this.#checkWork();
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
    const leastA = this.#leastBetween(other, o, halves, a, axis, pole);
    const leastB = this.#leastBetween(other, o, halves, b, axis, pole);
    for (let i = 0; i < 2; i++) {
      const takeA = leastA <= leastB === (i === 0);
      if ((takeA ? leastA : leastB) > this.#chordSquared) continue;
      const half = takeA ? a : b;
      if (halveSecond) this.#compareEdges(first, e, halves, half, depth + 1);
      else this.#compareEdges(halves, half, second, f, depth + 1);
    }
  }

  /** Metres from a placed position to an edge's chord; {@link #share} says where along it. */
  #toChord(positions: Float64Array, at: number, edges: Float64Array, edge: number): number {
    const a = edge + PLACE_A;
    const b = edge + PLACE_B;
    const wx = positions[at]! - edges[a]!;
    const wy = positions[at + 1]! - edges[a + 1]!;
    const wz = positions[at + 2]! - edges[a + 2]!;
    const dx = edges[b]! - edges[a]!;
    const dy = edges[b + 1]! - edges[a + 1]!;
    const dz = edges[b + 2]! - edges[a + 2]!;
    const lengthSquared = dx * dx + dy * dy + dz * dz;
    const share = lengthSquared > 0 ? (wx * dx + wy * dy + wz * dz) / lengthSquared : 0;
    this.#share = share;
    const t = Math.max(0, Math.min(1, share));
    const x = wx - t * dx;
    const y = wy - t * dy;
    const z = wz - t * dz;
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Keeps the line from a position (at `positions[at]`) to an edge if it may be the shortest. */
  #consider(
    chord: number,
    share: number,
    positions: Float64Array,
    at: number,
    edges: Float64Array,
    edge: number,
  ): void {
    const sag = edges[edge + SAG]!;
    const error = 2 * this.#plot.frame.errorMeters + ROUNDING;
    let least = chord - sag - error;
    if (least > this.#chord) return;
    const lon = positions[at]!;
    const lat = positions[at + 1]!;
    let from = edge;
    let to = edge + 2;
    // So far beyond an end that its bending cannot bring the edge nearer than that end.
    if (share < 0 || share > 1) {
      const x = edges[edge + PLACE_B]! - edges[edge + PLACE_A]!;
      const y = edges[edge + PLACE_B + 1]! - edges[edge + PLACE_A + 1]!;
      const z = edges[edge + PLACE_B + 2]! - edges[edge + PLACE_A + 2]!;
      const length = Math.sqrt(x * x + y * y + z * z);
      const beyond = (share < 0 ? -share : share - 1) * length;
      if (chord < 50_000 && beyond * length > 5 * chord * sag + (error + 1e-3) * length) {
        from = to = share < 0 ? edge : edge + 2;
        least = chord - error;
        if (least > this.#chord) return;
        if (this.#isCandidate(lon, lat, edges[from]!, edges[from + 1]!)) return;
      }
    }
    if (this.#candidateCount === MOST_CANDIDATES) this.#makeRoom();
    const candidates = this.#candidates;
    const c = CANDIDATE * this.#candidateCount++;
    candidates[c] = least;
    candidates[c + 1] = lon;
    candidates[c + 2] = lat;
    candidates[c + 3] = edges[from]!;
    candidates[c + 4] = edges[from + 1]!;
    candidates[c + 5] = edges[to]!;
    candidates[c + 6] = edges[to + 1]!;
    const reach = greatestGeodesic(chord + sag + error);
    if (reach < this.#reach) this.#setReach(reach);
  }

  /** Whether the line between two positions is a candidate already: both their edges' pairs find it. */
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
      if (candidates[CANDIDATE * i]! > this.#chord) continue;
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
    if (candidates[c]! > this.#chord) return;
    const lon = candidates[c + 1]!;
    const lat = candidates[c + 2]!;
    const lonA = candidates[c + 3]!;
    const latA = candidates[c + 4]!;
    const lonB = candidates[c + 5]!;
    const latB = candidates[c + 6]!;
    this.#work += WORK_PER_REFINEMENT;
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

/** Units of work, 20 to 40 ns each, that one question may take. */
const WORK_ALLOWED = 6_000_000;
const WORK_PER_INVERSE = 20;
const WORK_PER_REFINEMENT = 10;
const WORK_PER_PAIR = 3;

/** Radius of a circle whose chords are no shorter than those of any geodesic of the same length. */
const FLATTEST_RADIUS = 6_450_000;
/** Turn in longitude, radians, below which an edge needs no cutting however far the other side. */
const SMALL_TURN = 5e-4;
/** Metres between what does not meet: at least a nanometre, the resolution of coordinates. */
const APART = 1e-9;
/** Metres by which bounds are widened for rounding in coordinates of 6,400 km. */
const ROUNDING = 1e-7;

/** Numbers of a candidate: its least chord, a position, an edge's ends, which are equal for a position. */
const CANDIDATE = 7;
const MOST_CANDIDATES = 256;
/** Edges are halved fewer times than this: 12 to undo the sag of a whole turn, 14 for its turn, both edges. */
const MOST_CUTS = 64;

/** In place of the sag of an edge that has not been placed. */
const NOT_PLACED = -1;
/** Degrees that rounding to Float32 may add to an envelope, and a little more. */
const ENVELOPE_SLACK = 1e-4;

/**
 * Squared lower bound of the chord between two envelopes.
 *
 * chord² = meridian chord² + 4 p1 p2 sin²(Δλ/2), p the distance from the axis. The meridian chord
 * is at least 2 M sin(Δφ/2) for the least M, p falls by at most GREATEST_RADIUS a radian of
 * latitude, and 2 sin(x/2) ≥ x − x³/24.
 *
 * @param gapLon degrees between them, at least 0
 * @param axis least p of one of them
 * @param poleward degrees of latitude by which the other comes closer to a pole
 */
function leastChordSquared(gapLon: number, gapLat: number, axis: number, poleward: number): number {
  const y = gapLat * RADIANS_PER_DEGREE;
  const north = LEAST_RADIUS * y * (1 - (y * y) / 24);
  if (gapLon === 0) return north * north;
  const x = Math.min(gapLon, 180) * RADIANS_PER_DEGREE;
  const chord = x * (1 - (x * x) / 24);
  const other = poleward > 0 ? axis - GREATEST_RADIUS * RADIANS_PER_DEGREE * poleward : axis;
  return north * north + (other > 0 ? axis * other * chord * chord : 0);
}

/** Upper bound of a geodesic by its chord: 2R asin(c / 2R) for the least R, asin x ≤ x + x³/6 + x⁵/10 up to ½. */
function greatestGeodesic(chord: number): number {
  const x = chord / (2 * LEAST_RADIUS);
  return x <= 0.5 ? chord * (1 + x * x * (1 / 6 + (x * x) / 10)) + ROUNDING : Infinity;
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
