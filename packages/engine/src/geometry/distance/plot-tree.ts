import { computeBbox } from "../earth/bbox.ts";
import { asin, cos, RADIANS_PER_DEGREE, sin } from "../earth/elementary.ts";
import { LocalFrame } from "../earth/local-frame.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../earth/wgs84.ts";
import type { Plot } from "../plot/plot.ts";

/**
 * A plot's edges under a tree of envelopes, for searches of what is near it: leaves of consecutive
 * edges of one ring, levels one after another, leaves first and the root last. A point is an edge of
 * no length. Many rings are taken in an order in which those that follow each other lie side by side.
 * Its memory serves one plot after another.
 */
export class PlotTree {
  west = 0;
  south = 0;
  east = 0;
  north = 0;
  /** A record a node, see {@link NODE}. */
  nodes: Float64Array = new Float64Array(64 * NODE);
  leafCount = 0;
  /** Index of the root, the last node. */
  root = 0;
  /** Degrees by which the plot's envelope must grow to hold everything within reach. */
  latReach = 0;
  lonReach = 0;
  /** Least absolute latitude within reach. */
  leastLat = 0;
  /** Least radius of curvature of the meridian within reach: that at {@link leastLat}, metres. */
  meridianRadius: number = LEAST_RADIUS;
  /** Straight-line coordinates for everything within reach. */
  readonly frame: LocalFrame = new LocalFrame();
  /** Counts the settings of plot and frame: what was placed before must be placed anew. */
  version = 0;
  /**
   * Longitude and latitude of the positions in the order of the leaves, ring by ring; an edge goes from its
   * position, whose number it has, to the next. A point is there twice.
   */
  points: Float64Array = new Float64Array(512);
  pointCount = 0;
  /** True if no edge starts at a position, as at the last of a ring (a line, a point). */
  isLast: Uint8Array = new Uint8Array(256);
  #isTall: boolean = false;
  #owner: object | undefined;
  #reachMeters = -1;

  /** Takes up a plot, unless what was taken up last has the same owner. */
  hold(plot: Plot, owner: object): void {
    if (this.#owner === owner) return;
    this.#owner = owner;
    this.#reachMeters = -1;
    const { xy, ringStarts, bbox } = plot;
    const last = plot.dimension === "point" ? 0 : 1;
    this.west = bbox[0];
    this.south = bbox[1];
    this.east = bbox[2];
    this.north = bbox[3];
    this.#isTall = this.north - this.south > 1;
    const rings = ringStarts.length - 1;
    let leafCount = 0;
    for (let ring = 0; ring < rings; ring++) {
      leafCount += Math.ceil((ringStarts[ring + 1]! - ringStarts[ring]! - last) / LEAF_EDGES);
    }
    this.leafCount = leafCount;
    let nodeCount = leafCount;
    for (let n = leafCount; n > 1; nodeCount += n) n = Math.ceil(n / FAN_OUT);
    if (this.nodes.length < NODE * nodeCount) this.nodes = new Float64Array(2 * NODE * nodeCount);
    this.root = nodeCount - 1;
    this.pointCount = xy.length / 2 + (1 - last) * rings;
    if (this.isLast.length < this.pointCount) {
      this.points = new Float64Array(4 * this.pointCount);
      this.isLast = new Uint8Array(2 * this.pointCount);
    }
    const { points, isLast } = this;
    let node = 0;
    let point = 0;
    const order = sortRingsByZOrder(plot);
    for (let k = 0; k < rings; k++) {
      const ring = order[k]!;
      const first = ringStarts[ring]!;
      const end = ringStarts[ring + 1]! - last;
      for (let i = first; i <= end; i++) {
        // A point's second position is its first.
        const from = 2 * Math.min(i, ringStarts[ring + 1]! - 1);
        const at = point + i - first;
        points[2 * at] = xy[from]!;
        points[2 * at + 1] = xy[from + 1]!;
        isLast[at] = i === end ? 1 : 0;
      }
      for (let start = first; start < end; start += LEAF_EDGES, node++) {
        this.#spanPoints(node, point + start - first, point + Math.min(start + LEAF_EDGES, end) - first);
      }
      point += end - first + 1;
    }
    for (let start = 0, end = leafCount; end - start > 1; ) {
      for (let child = start; child < end; child += FAN_OUT, node++) {
        this.#spanNodes(node, child, Math.min(child + FAN_OUT, end));
      }
      start = end;
      end = node;
    }
    this.#setAxisDistances();
  }

  /** Readies frame and reach for all that lies within a distance; edges are placed anew if it changed. */
  setReach(maxMeters: number): void {
    if (this.#reachMeters === maxMeters) return;
    this.#reachMeters = maxMeters;
    const pole = Math.max(-this.south, this.north);
    const axis = axisDistance(pole);
    const meters = maxMeters + 1;
    this.latReach = Math.min(180, meters / LEAST_RADIUS / RADIANS_PER_DEGREE);
    this.lonReach = meters < axis ? asin(meters / axis) / RADIANS_PER_DEGREE + 1e-9 : 180;

    this.leastLat = Math.max(0, Math.max(this.south, -this.north) - this.latReach);
    const s = sin(this.leastLat * RADIANS_PER_DEGREE);
    const w2 = 1 - ECCENTRICITY_SQUARED * s * s;
    this.meridianRadius = LEAST_RADIUS / (w2 * Math.sqrt(w2));

    // Edges that begin within reach end at most as far outside as the longest that is not cut.
    const outLat = 0.1;
    const outAxis = axisDistance(pole + this.latReach + outLat);
    const outLon = outAxis > 10 ? Math.sqrt((8 * GREATEST_SAG) / outAxis) / RADIANS_PER_DEGREE : 180;
    this.frame.set(
      (this.west + this.east) / 2,
      (this.south + this.north) / 2,
      (this.east - this.west) / 2 + this.lonReach + outLon,
      (this.north - this.south) / 2 + this.latReach + outLat,
    );
    this.version++;
  }

  /** True if a node is compared as a whole rather than split. */
  isChain(node: number): boolean {
    return (
      node < this.leafCount ||
      this.nodes[NODE * node + EDGE_END]! - this.nodes[NODE * node + EDGE_START]! <= CHAIN_EDGES
    );
  }

  /** The absolute latitude at which a node's distance from the axis is taken, the greatest of it or a greater one. */
  poleOf(node: number): number {
    if (!this.#isTall) return Math.max(-this.south, this.north);
    return Math.max(-this.nodes[NODE * node + 1]!, this.nodes[NODE * node + 3]!);
  }

  /** Spans a leaf of consecutive edges, the first of them and one past the last. */
  #spanPoints(node: number, start: number, end: number): void {
    const [west, south, east, north] = computeBbox(this.points, start, end + 1);
    this.#write(node, west, south, east, north, start, end);
  }

  #spanNodes(node: number, start: number, end: number): void {
    const nodes = this.nodes;
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    for (let at = NODE * start; at < NODE * end; at += NODE) {
      west = Math.min(west, nodes[at]!);
      south = Math.min(south, nodes[at + 1]!);
      east = Math.max(east, nodes[at + 2]!);
      north = Math.max(north, nodes[at + 3]!);
    }
    const at = NODE * node;
    nodes[at + CHILD_START] = start;
    nodes[at + CHILD_END] = end;
    const first = nodes[NODE * start + EDGE_START]!;
    this.#write(node, west, south, east, north, first, nodes[NODE * (end - 1) + EDGE_END]!);
  }

  #write(
    node: number,
    west: number,
    south: number,
    east: number,
    north: number,
    start: number,
    end: number,
  ): void {
    const at = NODE * node;
    const nodes = this.nodes;
    nodes[at] = west;
    nodes[at + 1] = south;
    nodes[at + 2] = east;
    nodes[at + 3] = north;
    nodes[at + EDGE_START] = start;
    nodes[at + EDGE_END] = end;
  }

  /** A small plot's least distance from the axis serves all its nodes. */
  #setAxisDistances(): void {
    const nodes = this.nodes;
    const all = axisDistance(Math.max(-this.south, this.north));
    for (let at = 0; at <= NODE * this.root; at += NODE) {
      nodes[at + AXIS] = this.#isTall ? axisDistance(Math.max(-nodes[at + 1]!, nodes[at + 3]!)) : all;
    }
  }
}

/** Up to so many rings (lines, points) are taken as they are written. */
const FEW_RINGS = 8;

const ONE_RING: readonly number[] = [0];

/** The rings in the order of a Z-shaped curve through the middles of their boxes. */
function sortRingsByZOrder({ xy, ringStarts, bbox }: Plot): readonly number[] {
  if (ringStarts.length === 2) return ONE_RING;
  const rings = Array.from({ length: ringStarts.length - 1 }, (_, ring) => ring);
  if (rings.length <= FEW_RINGS) return rings;
  const [west, south, east, north] = bbox;
  const size = Math.max(east - west, north - south);
  if (!(size > 0)) return rings;
  const places = rings.map((ring) => {
    const [w, s, e, n] = computeBbox(xy, ringStarts[ring]!, ringStarts[ring + 1]!);
    const x = Math.floor((65535 * ((w + e) / 2 - west)) / size);
    const y = Math.floor((65535 * ((s + n) / 2 - south)) / size);
    return 2 * spreadBits(x) + spreadBits(y);
  });
  return rings.sort((a, b) => places[a]! - places[b]! || a - b);
}

/** The bits of a 16-bit number, each followed by a 0. */
function spreadBits(n: number): number {
  let bits = n & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** Completes an edge record: its sag, and its ends in the frame. */
export function completeEdgeRecord(records: Float64Array, at: number, frame: LocalFrame): void {
  const lonA = records[at]!;
  const latA = records[at + 1]!;
  const lonB = records[at + 2]!;
  const latB = records[at + 3]!;
  records[at + SAG] = sagMeters(lonA, latA, lonB, latB);
  frame.place(lonA, latA, records, at + PLACE);
  frame.place(lonB, latB, records, at + WAY);
  const x = records[at + WAY]! - records[at + PLACE]!;
  const y = records[at + WAY + 1]! - records[at + PLACE + 1]!;
  const z = records[at + WAY + 2]! - records[at + PLACE + 2]!;
  const square = x * x + y * y + z * z;
  records[at + WAY] = x;
  records[at + WAY + 1] = y;
  records[at + WAY + 2] = z;
  records[at + PER_SQUARE] = square > 0 ? 1 / square : 0;
}

/**
 * Numbers of a node: envelope [west, south, east, north]; least distance from the axis, metres; first
 * child and one past the last, none of a leaf; first edge and one past the last, with what is no edge between rings.
 */
export const NODE = 9;
export const AXIS = 4;
export const CHILD_START = 5;
export const CHILD_END = 6;
export const EDGE_START = 7;
export const EDGE_END = 8;

/** An edge that bends farther than this off its chord, metres, is cut. What is not cut is shorter than 5.6 km. */
export const GREATEST_SAG = 0.6;

/** Least and greatest radius of curvature of the ellipsoid: b²/a and a²/b. */
export const LEAST_RADIUS: number = SEMI_MAJOR_AXIS_METERS * (1 - ECCENTRICITY_SQUARED);
export const GREATEST_RADIUS: number = SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED);
/**
 * Numbers of an edge record: longitude and latitude of both ends; sag; as placed in the frame, the
 * first end and the way from there to the second; 1 / the square of its length, 0 for no length.
 */
export const RECORD = 12;
export const SAG = 4;
export const PLACE = 5;
export const WAY = 8;
export const PER_SQUARE = 11;

/** Most edges of a leaf. */
const LEAF_EDGES = 8;
/** Most edges of a node that is compared as a whole rather than split. */
export const CHAIN_EDGES = 64;
const FAN_OUT = 4;

/** Metres from the axis at a latitude in degrees; 0 at the poles and beyond. */
export function axisDistance(lat: number): number {
  if (!(lat < 90)) return 0;
  const s = sin(lat * RADIANS_PER_DEGREE);
  return (
    (SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED * s * s)) * cos(lat * RADIANS_PER_DEGREE)
  );
}

/**
 * Upper bound of how far an edge bends off its chord, metres: an eighth of its greatest second
 * derivative by the share of it, R (Δφ² + 2 |Δφ Δλ|) + p Δλ².
 */
export function sagMeters(lonA: number, latA: number, lonB: number, latB: number): number {
  const x = Math.abs(lonB - lonA) * RADIANS_PER_DEGREE;
  const y = Math.abs(latB - latA) * RADIANS_PER_DEGREE;
  const fromPole =
    (latA < 0 !== latB < 0 ? 90 : 90 - Math.min(Math.abs(latA), Math.abs(latB))) * RADIANS_PER_DEGREE;
  return (GREATEST_RADIUS / 8) * (1.01 * y * y + 2 * x * y + Math.min(1, fromPole) * x * x);
}
