import { segmentsIntersectShifted } from "../earth/predicates.ts";
import { computeLeafSpan, LEAF_EDGES, SINGLE_NODE_EDGES } from "../trees/chain-tree.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { AreaBox } from "./bounds/area-box.ts";
import { leastEdgeChordSquared } from "./bounds/chord-bounds.ts";
import { Slab } from "./bounds/slab.ts";
import { EdgePairs } from "./edge-pairs.ts";
import {
  AXIS,
  CHAIN_EDGES,
  completeEdgeRecord,
  EDGE_END,
  EDGE_START,
  NODE,
  type PlotTree,
  RECORD,
} from "./plot-tree.ts";
import type { Reach } from "./reach.ts";
import { PAIRS_A_STEP, POSITIONS_A_STEP, type SearchWork } from "./search-work.ts";
import type { ShortestLine } from "./shortest-line.ts";

/**
 * Compares a chain of a plot with a chain of an area, each of at most a hundred edges. Which of their pairs of
 * edges may hold the shortest line is told in a plane (`docs/semantics/distance.md` §4); only those are placed
 * and compared in the plot's frame.
 */
export class ChainPairs {
  readonly #reach: Reach;
  readonly #line: ShortestLine;
  readonly #work: SearchWork;
  readonly #pairs: EdgePairs;
  readonly #slab: Slab;
  #plot!: PlotTree;
  #layer!: AreaLayer;
  #version = -1;
  /** Edge records of the plot, and which are written. */
  #edges = new Float64Array(0);
  #isPlaced = new Uint8Array(0);

  // The chains at hand: positions of the area from #start to #end, shifted; positions of the plot from #from to #to,
  // and their node. An edge has the number of the position at which it starts.
  #start = 0;
  #end = 0;
  #shift = 0;
  #plotNode = 0;
  #from = 0;
  #to = 0;
  /** Heights of the area's positions, the least of them and where it is. */
  readonly #heights = new Float64Array(MOST_EDGES + 1);
  #low = 0;
  #lowest = 0;
  /** Heights of the plot's positions, the greatest of them and where it is. */
  readonly #plotHeights = new Float64Array(CHAIN_EDGES + 1);
  #top = 0;
  #highest = 0;
  /** The way in the plane between positions near each other. */
  #wayEast = 0;
  #wayNorth = 0;
  /** The plot's edges within reach of the slab, and their places in it, PLANAR numbers each. */
  readonly #near = new Int32Array(CHAIN_EDGES);
  readonly #planar = new Float64Array(PLANAR * CHAIN_EDGES);
  /** Pairs of an area's and a plot's edge, and the squares of their distance in the plane. */
  readonly #found = new Int32Array(2 * MOST_EDGES * CHAIN_EDGES);
  readonly #squares = new Float64Array(MOST_EDGES * CHAIN_EDGES);
  /** Pairs of positions measured: the area's, the plot's. */
  readonly #measured = new Int32Array(16);
  #measuredCount = 0;
  /** The record of the area's edge at hand, from which position it starts, and whether it is placed. */
  readonly #edge = new Float64Array(RECORD);
  #position = -1;
  #edgePlaced: boolean = false;

  constructor(reach: Reach, line: ShortestLine, work: SearchWork) {
    this.#reach = reach;
    this.#line = line;
    this.#work = work;
    this.#pairs = new EdgePairs(reach, line, work);
    this.#slab = new Slab(work);
  }

  /** Turns to a plot and a layer. */
  begin(plot: PlotTree, layer: AreaLayer): void {
    this.#plot = plot;
    if (this.#version !== plot.version) {
      this.#version = plot.version;
      this.#slab.begin(plot.root + 1);
      if (this.#isPlaced.length < plot.pointCount) {
        this.#edges = new Float64Array(2 * RECORD * plot.pointCount);
        this.#isPlaced = new Uint8Array(2 * plot.pointCount);
      }
      this.#isPlaced.fill(0, 0, plot.pointCount);
    }
    this.#layer = layer;
    this.#slab.beginLayer();
  }

  /**
   * Compares leaf `index` of a ring's tree, whose box is at hand, with a node of the plot that is a chain.
   * What the reach is between them must be set.
   */
  compare(ring: number, index: number, shift: number, plotNode: number, box: AreaBox): void {
    const { ringStarts, chainStarts } = this.#layer;
    const reach = this.#reach;
    const line = this.#line;
    const slab = this.#slab;
    const { plane } = slab;
    const last = ringStarts[ring + 1]! - 1;
    const span = computeLeafSpan(last - ringStarts[ring]!);
    this.#start = ringStarts[ring]! + index * span;
    this.#end = Math.min(this.#start + span, last);
    this.#shift = shift;
    this.#plotNode = plotNode;
    this.#from = this.#plot.nodes[NODE * plotNode + EDGE_START]!;
    this.#to = this.#plot.nodes[NODE * plotNode + EDGE_END]!;
    this.#position = -1;
    const node = chainStarts[ring]! + index;
    this.#setSlab(node, box);
    this.#measure();
    if (this.#low - this.#top > reach.leafChord) return;
    if (reach.far || plane.stretch === Infinity) {
      this.#compareWithin(node, box);
      return;
    }
    const highest = this.#top;
    let within = reach.leafChord;
    if (!line.hasEnds) {
      // Two positions near each other bound the distance and show the way.
      within = Math.min(within, plane.mostWithin(this.#approach()));
      slab.turn(this.#wayEast, this.#wayNorth);
    }
    this.#comparePlanar(within, this.#low - within, highest + within);
  }

  /** Lays the slab between the chains at hand; `node` is the area's among all of the layer's. */
  #setSlab(node: number, box: AreaBox): void {
    const slab = this.#slab;
    if (this.#reach.far) slab.setFar(box, node, this.#shift, this.#plot, this.#plotNode, this.#line);
    else slab.setNear(box, this.#plot, this.#plotNode, this.#line);
  }

  /** Measures heights: of the area's positions, of the plot's. */
  #measure(): void {
    const { lon, lat, plotLon, plotLat, raise } = this.#slab;
    const { xy } = this.#layer;
    const start = this.#start;
    const end = this.#end;
    const heights = this.#heights;
    const base = this.#shift * lon;
    let low = Infinity;
    let lowest = start;
    for (let i = start; i <= end; i++) {
      const height = xy[2 * i]! * lon + xy[2 * i + 1]! * lat + base;
      heights[i - start] = height;
      if (height < low) {
        low = height;
        lowest = i;
      }
    }
    this.#low = low;
    this.#lowest = lowest;

    const { points } = this.#plot;
    const plotHeights = this.#plotHeights;
    const from = this.#from;
    const to = this.#to;
    let top = -Infinity;
    let highest = from;
    for (let i = from; i <= to; i++) {
      const height = points[2 * i]! * plotLon + points[2 * i + 1]! * plotLat + raise;
      plotHeights[i - from] = height;
      if (height > top) {
        top = height;
        highest = i;
      }
    }
    this.#top = top;
    this.#highest = highest;
    this.#work.steps += Math.ceil((end - start + to - from) / POSITIONS_A_STEP);
  }

  /**
   * Finds two positions near each other, going from the highest of the plot and the lowest of the area along
   * their chains as long as that brings them nearer in the plane; returns the square of their distance there.
   */
  #approach(): number {
    const { xy } = this.#layer;
    const { points } = this.#plot;
    const { east, north } = this.#slab.plane;
    const shift = this.#shift;
    let p = this.#highest;
    let a = this.#lowest;
    let least = Infinity;
    for (let turn = 0; turn < 2; turn++) {
      const lon = xy[2 * a]! + shift;
      p = walkToNearestPosition(points, p, this.#from, this.#to, lon, xy[2 * a + 1]!, east, north);
      a = walkToNearestPosition(
        xy,
        a,
        this.#start,
        this.#end,
        points[2 * p]! - shift,
        points[2 * p + 1]!,
        east,
        north,
      );
      this.#wayEast = (xy[2 * a]! + shift - points[2 * p]!) * east;
      this.#wayNorth = (xy[2 * a + 1]! - points[2 * p + 1]!) * north;
      least = this.#wayEast * this.#wayEast + this.#wayNorth * this.#wayNorth;
    }
    return least;
  }

  /**
   * Compares the edges that are nearest in the plane, and those so little farther there that they may be nearer
   * on earth. Places in the plane are heights in the slab and ways across it, so that the boxes of edges tell
   * most pairs to be too far. Boxes are held by twice their middles and sizes: no comparison, no branch.
   */
  #comparePlanar(most: number, plotLow: number, areaTop: number): void {
    const { xy } = this.#layer;
    const { plane, lon, lat, acrossLon, acrossLat } = this.#slab;
    const start = this.#start;
    const end = this.#end;
    const heights = this.#heights;
    const planar = this.#planar;
    const found = this.#found;
    const squares = this.#squares;
    const base = this.#shift * lon;
    const acrossBase = this.#shift * acrossLon;
    const nearEnd = PLANAR * this.#collectNear(plotLow);
    const highest = this.#top + most;
    let square = most * most;
    let least = Infinity;
    let count = 0;
    let nearest = 0;
    let looked = 0;
    for (let i = start; i < end; i++) {
      if (heights[i - start]! > areaTop && heights[i - start + 1]! > areaTop) continue;
      const h = xy[2 * i]! * lon + xy[2 * i + 1]! * lat + base;
      const h2 = xy[2 * i + 2]! * lon + xy[2 * i + 3]! * lat + base;
      if (h > highest && h2 > highest) continue;
      const s = xy[2 * i]! * acrossLon + xy[2 * i + 1]! * acrossLat + acrossBase;
      const s2 = xy[2 * i + 2]! * acrossLon + xy[2 * i + 3]! * acrossLat + acrossBase;
      const sizeH = Math.abs(h2 - h);
      const sizeS = Math.abs(s2 - s);
      looked++;
      for (let k = 0; k < nearEnd; k += PLANAR) {
        const x = Math.abs(h + h2 - planar[k + 4]!) - sizeH - planar[k + 5]!;
        const y = Math.abs(s + s2 - planar[k + 6]!) - sizeS - planar[k + 7]!;
        const gapX = x + Math.abs(x);
        const gapY = y + Math.abs(y);
        if (gapX * gapX + gapY * gapY > 16 * square) continue;
        const e = this.#near[k / PLANAR]!;
        if (gapX + gapY < TOUCHING && this.#edgesMeet(e, i)) {
          this.#line.touched = true;
          return;
        }
        const u = planar[k + 2]!;
        const v = planar[k + 3]!;
        const apart = segmentDistanceSquared(h - planar[k]!, s - planar[k + 1]!, h2 - h, s2 - s, u, v);
        if (apart > square) continue;
        found[2 * count] = i;
        found[2 * count + 1] = e;
        squares[count] = apart;
        if (apart < least) {
          least = apart;
          nearest = count;
          const bound = plane.mostWithin(apart);
          square = Math.min(square, bound * bound);
        }
        count++;
      }
    }
    this.#work.steps += Math.ceil((looked * nearEnd) / PLANAR / PAIRS_A_STEP) + count;
    if (count === 0) return;
    this.#measuredCount = 0;
    this.#compareFound(found[2 * nearest]!, found[2 * nearest + 1]!, square);
    for (let k = 0; k < count; k++) {
      if (k === nearest || squares[k]! > square) continue;
      this.#compareFound(found[2 * k]!, found[2 * k + 1]!, square);
    }
  }

  /**
   * Compares two edges near each other in the plane. Where only positions of both can be the ends of the shortest
   * line, these are measured at once; others are compared in the plot's frame.
   * @param most square of the distance in the plane beyond which nothing is of interest
   */
  #compareFound(i: number, e: number, most: number): void {
    const { xy } = this.#layer;
    const { points } = this.#plot;
    const { plane } = this.#slab;
    const { east, north } = plane;
    // From the plot's position P to the area's, A; the ways u from P to Q, v from A to B.
    const wx = (xy[2 * i]! + this.#shift - points[2 * e]!) * east;
    const wy = (xy[2 * i + 1]! - points[2 * e + 1]!) * north;
    const ux = (points[2 * e + 2]! - points[2 * e]!) * east;
    const uy = (points[2 * e + 3]! - points[2 * e + 1]!) * north;
    const vx = (xy[2 * i + 2]! - xy[2 * i]!) * east;
    const vy = (xy[2 * i + 3]! - xy[2 * i + 1]!) * north;
    const u = Math.sqrt(ux * ux + uy * uy);
    const v = Math.sqrt(vx * vx + vy * vy);
    const perU = u > 0 ? 1 / u : 0;
    const perV = v > 0 ? 1 / v : 0;
    // Metres along the edges from P and A at which A, B, P and Q are nearest.
    const a = (wx * ux + wy * uy) * perU;
    const b = a + (vx * ux + vy * uy) * perU;
    const p = -(wx * vx + wy * vy) * perV;
    const q = p + (ux * vx + uy * vy) * perV;
    const pa = lengthSquared(wx, wy);
    const qa = lengthSquared(wx - ux, wy - uy);
    const pb = lengthSquared(wx + vx, wy + vy);
    const qb = lengthSquared(wx + vx - ux, wy + vy - uy);
    if (
      this.#isAtEnd(a, u, pa, qa, most) &&
      this.#isAtEnd(b, u, pb, qb, most) &&
      this.#isAtEnd(p, v, pa, pb, most) &&
      this.#isAtEnd(q, v, qa, qb, most)
    ) {
      if (pa <= most) this.#measurePositions(i, e);
      if (qa <= most) this.#measurePositions(i, e + 1);
      if (pb <= most) this.#measurePositions(i + 1, e);
      if (qb <= most) this.#measurePositions(i + 1, e + 1);
    } else {
      this.#comparePlaced(i, e);
    }
  }

  /**
   * True if the nearest point of an edge to a position is one of its ends, or is too far to matter.
   * @param along metres along the edge at which the position is nearest in the plane
   * @param first square of its distance in the plane from the first end, and so on
   */
  #isAtEnd(along: number, length: number, first: number, last: number, most: number): boolean {
    if (length === 0) return true;
    const { plane } = this.#slab;
    if (along < 0) return first > most || plane.isBeyond(-along, Math.sqrt(first));
    if (along > length) return last > most || plane.isBeyond(along - length, Math.sqrt(last));
    return first - along * along > most * SQUARE_ROUNDING + first * CANCELLED;
  }

  /** Measures the line between two positions, unless that has been done. */
  #measurePositions(i: number, p: number): void {
    const measured = this.#measured;
    const count = this.#measuredCount;
    for (let k = 0; k < count; k += 2) if (measured[k] === i && measured[k + 1] === p) return;
    if (count < measured.length) {
      measured[count] = i;
      measured[count + 1] = p;
      this.#measuredCount = count + 2;
    }
    const { xy } = this.#layer;
    const { points } = this.#plot;
    this.#line.measurePositions(
      this.#plot,
      points[2 * p]!,
      points[2 * p + 1]!,
      xy[2 * i]! + this.#shift,
      xy[2 * i + 1]!,
    );
  }

  /** Collects the plot's edges that reached a height, with their places in the slab as it is; returns how many. */
  #collectNear(height: number): number {
    const { points, isLast } = this.#plot;
    const { lon, lat, acrossLon, acrossLat } = this.#slab;
    const plotHeights = this.#plotHeights;
    const planar = this.#planar;
    const from = this.#from;
    const to = this.#to;
    let top = -Infinity;
    let count = 0;
    for (let e = from; e < to; e++) {
      if ((plotHeights[e - from]! < height && plotHeights[e - from + 1]! < height) || isLast[e] === 1)
        continue;
      const k = PLANAR * count;
      this.#near[count++] = e;
      const h = points[2 * e]! * lon + points[2 * e + 1]! * lat;
      const h2 = points[2 * e + 2]! * lon + points[2 * e + 3]! * lat;
      const s = points[2 * e]! * acrossLon + points[2 * e + 1]! * acrossLat;
      const s2 = points[2 * e + 2]! * acrossLon + points[2 * e + 3]! * acrossLat;
      planar[k] = h;
      planar[k + 1] = s;
      planar[k + 2] = h2 - h;
      planar[k + 3] = s2 - s;
      planar[k + 4] = h + h2;
      planar[k + 5] = Math.abs(h2 - h);
      planar[k + 6] = s + s2;
      planar[k + 7] = Math.abs(s2 - s);
      if (h > top) top = h;
      if (h2 > top) top = h2;
    }
    this.#top = top;
    return count;
  }

  /** Without a plane: compares all edges that the slab leaves within reach, at first the lowest of the area's. */
  #compareWithin(node: number, box: AreaBox): void {
    const reach = this.#reach;
    const heights = this.#heights;
    const start = this.#start;
    const end = this.#end;
    let first = this.#lowest;
    if (first === end || (first > start && heights[first - 1 - start]! < heights[first + 1 - start]!))
      first--;
    const chord = reach.leafChord;
    this.#compareEdge(first);
    if (reach.leafChord < chord) {
      // The line just found shows the way across.
      this.#setSlab(node, box);
      this.#measure();
    }
    for (let i = start; i < end && !this.#line.touched; i++) {
      const low = Math.min(heights[i - start]!, heights[i - start + 1]!);
      if (i !== first && low - this.#top <= reach.leafChord) this.#compareEdge(i);
    }
  }

  /** Compares an edge of the area with those of the plot within reach, from the highest on. */
  #compareEdge(i: number): void {
    const reach = this.#reach;
    const { isLast } = this.#plot;
    const plotHeights = this.#plotHeights;
    const from = this.#from;
    const count = this.#to - from;
    const low = Math.min(this.#heights[i - this.#start]!, this.#heights[i - this.#start + 1]!);
    let e = Math.min(this.#highest - from, count - 1);
    for (let k = 0; k < count; k++, e = e + 1 < count ? e + 1 : 0) {
      if (low - Math.max(plotHeights[e]!, plotHeights[e + 1]!) > reach.leafChord) continue;
      if (isLast[from + e] === 1) continue;
      if (!reach.far && !this.#isNear(i, from + e)) continue;
      if (this.#line.touched) return;
      this.#comparePlaced(i, from + e);
    }
    this.#work.steps += Math.ceil(count / PAIRS_A_STEP);
    this.#work.settleMany();
  }

  /** True if the boxes of two edges are within reach of each other; then the edges may prove to meet. */
  #isNear(position: number, e: number): boolean {
    this.#setEdge(position);
    const { nodes, points, meridianRadius } = this.#plot;
    const node = NODE * this.#plotNode;
    const pole = Math.max(-nodes[node + 1]!, nodes[node + 3]!);
    const least = leastEdgeChordSquared(
      points,
      2 * e,
      this.#edge,
      0,
      meridianRadius,
      nodes[node + AXIS]!,
      pole,
    );
    if (least > this.#reach.chordSquared) return false;
    this.#line.touched = least === 0 && this.#edgesMeet(e, position);
    return true;
  }

  /** Turns to the area's edge from a position on. */
  #setEdge(position: number): void {
    if (this.#position === position) return;
    this.#position = position;
    this.#edgePlaced = false;
    const { xy } = this.#layer;
    const edge = this.#edge;
    const i = 2 * position;
    edge[0] = xy[i]! + this.#shift;
    edge[1] = xy[i + 1]!;
    edge[2] = xy[i + 2]! + this.#shift;
    edge[3] = xy[i + 3]!;
  }

  /** Compares the area's edge from a position on with one of the plot in the plot's frame. */
  #comparePlaced(position: number, e: number): void {
    const { points, frame } = this.#plot;
    const edge = this.#edge;
    const edges = this.#edges;
    const at = RECORD * e;
    this.#setEdge(position);
    if (!this.#edgePlaced) {
      completeEdgeRecord(edge, 0, frame);
      this.#edgePlaced = true;
    }
    if (this.#isPlaced[e] === 0) {
      this.#isPlaced[e] = 1;
      edges[at] = points[2 * e]!;
      edges[at + 1] = points[2 * e + 1]!;
      edges[at + 2] = points[2 * e + 2]!;
      edges[at + 3] = points[2 * e + 3]!;
      completeEdgeRecord(edges, at, frame);
    }
    this.#pairs.compare(this.#plot, edges, at, edge, 0, 0);
  }

  /** True if an edge of the plot and the area's edge from a position on share a point; exact. */
  #edgesMeet(e: number, position: number): boolean {
    const { points } = this.#plot;
    const { xy } = this.#layer;
    const i = 2 * position;
    return segmentsIntersectShifted(
      points[2 * e]!,
      points[2 * e + 1]!,
      points[2 * e + 2]!,
      points[2 * e + 3]!,
      xy[i]!,
      xy[i + 1]!,
      xy[i + 2]!,
      xy[i + 3]!,
      this.#shift,
    );
  }
}

/** Most edges of a leaf of an area ring's tree. */
const MOST_EDGES: number = Math.max(LEAF_EDGES, SINGLE_NODE_EDGES);
/**
 * Numbers of a plot's edge in a slab: height and way across it of its first end, the way from there to the second,
 * twice its middle height and its size in height, the same of the way across.
 */
const PLANAR = 8;
/** Metres between boxes in a slab, four times over, below which rounding may hide that edges meet. */
const TOUCHING = 1e-5;

/** By how much rounding may err in a square, and as a share of the greater one in the difference of two squares. */
const SQUARE_ROUNDING = 1 + 1e-6;
const CANCELLED = 1e-14;

/** The position from `first` to `last` to which one comes from position `i`, going nearer to (lon, lat) with every step. */
function walkToNearestPosition(
  xy: Float64Array,
  i: number,
  first: number,
  last: number,
  lon: number,
  lat: number,
  east: number,
  north: number,
): number {
  let nearest = i;
  let least = Infinity;
  for (let k = i; k <= last; k++) {
    const square = lengthSquared((xy[2 * k]! - lon) * east, (xy[2 * k + 1]! - lat) * north);
    if (square >= least) break;
    least = square;
    nearest = k;
  }
  for (let k = i - 1; k >= first && nearest === k + 1; k--) {
    const square = lengthSquared((xy[2 * k]! - lon) * east, (xy[2 * k + 1]! - lat) * north);
    if (square >= least) break;
    least = square;
    nearest = k;
  }
  return nearest;
}

/**
 * Square of the distance between two segments of the plane that do not cross: from w by v, and from 0 by u. Shares
 * are brought between 0 and 1 without a branch, ½ (|t| − |t − 1| + 1): near edges are as likely on either side.
 */
function segmentDistanceSquared(
  wx: number,
  wy: number,
  vx: number,
  vy: number,
  ux: number,
  uy: number,
): number {
  const u = ux * ux + uy * uy;
  const v = vx * vx + vy * vy;
  const perU = u > 0 ? 1 / u : 0;
  const perV = v > 0 ? 1 / v : 0;
  const wu = (wx * ux + wy * uy) * perU;
  const wv = (wx * vx + wy * vy) * perV;
  const uv = ux * vx + uy * vy;
  const a = clampShare(-wv);
  const b = clampShare(uv * perV - wv);
  const c = clampShare(wu);
  const d = clampShare(wu + uv * perU);
  return Math.min(
    lengthSquared(wx + a * vx, wy + a * vy),
    lengthSquared(wx - ux + b * vx, wy - uy + b * vy),
    lengthSquared(wx - c * ux, wy - c * uy),
    lengthSquared(wx + vx - d * ux, wy + vy - d * uy),
  );
}

function clampShare(t: number): number {
  return (Math.abs(t) - Math.abs(t - 1) + 1) / 2;
}

function lengthSquared(x: number, y: number): number {
  return x * x + y * y;
}
