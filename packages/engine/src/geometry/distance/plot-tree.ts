import { asin, cos, RADIANS_PER_DEGREE, sin } from "../earth/elementary.ts";
import { LocalFrame } from "../earth/local-frame.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../earth/wgs84.ts";
import type { Plot } from "../plot/plot.ts";

/**
 * A plot's edges under a tree of envelopes, for searches of what is near it: leaves of consecutive
 * edges of one ring, levels one after another, leaves first and the root last. A point is an edge of
 * no length. Many rings are taken in an order in which those that follow each other lie side by side.
 */
export class PlotTree {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** A record a node, see {@link NODE}. */
  readonly nodes: Float64Array;
  readonly leafCount: number;
  /** Index of the root, the last node. */
  readonly root: number;
  /** Degrees by which the plot's envelope must grow to hold everything within reach. */
  latReach = 0;
  lonReach = 0;
  /** Least radius of curvature of the meridian within reach, metres. */
  meridianRadius: number = LEAST_RADIUS;
  /** Straight-line coordinates for everything within reach. */
  readonly frame: LocalFrame = new LocalFrame();
  readonly #xy: Float64Array;
  readonly #point: boolean;
  #reachMeters = -1;

  constructor(plot: Plot) {
    const { xy, ringStarts, bbox } = plot;
    this.#xy = xy;
    this.#point = plot.dimension === "point";
    [this.west, this.south, this.east, this.north] = bbox;
    const rings = ringStarts.length - 1;
    const last = this.#point ? 0 : 1;
    let leafCount = 0;
    for (let ring = 0; ring < rings; ring++) {
      leafCount += Math.ceil((ringStarts[ring + 1]! - ringStarts[ring]! - last) / LEAF_EDGES);
    }
    this.leafCount = leafCount;
    let nodeCount = leafCount;
    for (let n = leafCount; n > 1; nodeCount += n) n = Math.ceil(n / FAN_OUT);
    this.nodes = new Float64Array(NODE * nodeCount);
    this.root = nodeCount - 1;
    let node = 0;
    for (const ring of inSpace(plot)) {
      const end = ringStarts[ring + 1]! - last;
      for (let start = ringStarts[ring]!; start < end; start += LEAF_EDGES, node++) {
        this.#spanPositions(node, start, Math.min(start + LEAF_EDGES, end), last);
      }
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

    const low = Math.max(0, Math.max(this.south, -this.north) - this.latReach);
    const s = sin(low * RADIANS_PER_DEGREE);
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
    this.forgetPlaces();
  }

  /** To be called when the edge records are lost. */
  forgetPlaces(): void {
    for (let leaf = 0; leaf < this.leafCount; leaf++) this.nodes[NODE * leaf + PLACED] = 0;
  }

  /** Writes the edge records of a leaf, unless they are there: record k belongs to leaf k / LEAF_EDGES. */
  placeLeaf(leaf: number, edges: Float64Array): void {
    const at = NODE * leaf;
    if (this.nodes[at + PLACED] === 1) return;
    this.nodes[at + PLACED] = 1;
    const xy = this.#xy;
    const next = this.#point ? 0 : 2;
    const end = 2 * this.nodes[at + CHILD_END]!;
    let e = RECORD * LEAF_EDGES * leaf;
    for (let i = 2 * this.nodes[at + CHILD_START]!; i < end; i += 2, e += RECORD) {
      edges[e] = xy[i]!;
      edges[e + 1] = xy[i + 1]!;
      edges[e + 2] = xy[i + next]!;
      edges[e + 3] = xy[i + next + 1]!;
      placeEdge(edges, e, this.frame);
    }
  }

  /** Fills a leaf of the edges that start at the positions `start` to `end`, exclusive. */
  #spanPositions(node: number, start: number, end: number, last: number): void {
    const xy = this.#xy;
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    for (let i = 2 * start; i < 2 * (end + last); i += 2) {
      const lon = xy[i]!;
      const lat = xy[i + 1]!;
      if (lon < west) west = lon;
      if (lon > east) east = lon;
      if (lat < south) south = lat;
      if (lat > north) north = lat;
    }
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
    this.#write(node, west, south, east, north, start, end);
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
    nodes[at + CHILD_START] = start;
    nodes[at + CHILD_END] = end;
  }

  /** A small plot's least distance from the axis serves all its nodes. */
  #setAxisDistances(): void {
    const nodes = this.nodes;
    const all = axisDistance(Math.max(-this.south, this.north));
    const tall = this.north - this.south > 1;
    for (let at = 0; at < nodes.length; at += NODE) {
      nodes[at + AXIS] = tall ? axisDistance(Math.max(-nodes[at + 1]!, nodes[at + 3]!)) : all;
    }
  }
}

/** Up to so many rings (lines, points) are taken as they are written. */
const FEW_RINGS = 8;

/** The rings in the order of a Z-shaped curve through the middles of their boxes. */
function inSpace({ xy, ringStarts, bbox }: Plot): ArrayLike<number> & Iterable<number> {
  const rings = Array.from({ length: ringStarts.length - 1 }, (_, ring) => ring);
  if (rings.length <= FEW_RINGS) return rings;
  const [west, south, east, north] = bbox;
  const size = Math.max(east - west, north - south);
  if (!(size > 0)) return rings;
  const places = rings.map((ring) => {
    let [w, s, e, n] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 2 * ringStarts[ring]!; i < 2 * ringStarts[ring + 1]!; i += 2) {
      w = Math.min(w, xy[i]!);
      e = Math.max(e, xy[i]!);
      s = Math.min(s, xy[i + 1]!);
      n = Math.max(n, xy[i + 1]!);
    }
    const x = Math.floor((65535 * ((w + e) / 2 - west)) / size);
    const y = Math.floor((65535 * ((s + n) / 2 - south)) / size);
    return 2 * spread(x) + spread(y);
  });
  return rings.sort((a, b) => places[a]! - places[b]! || a - b);
}

/** The bits of a 16-bit number, each followed by a 0. */
function spread(n: number): number {
  let bits = n & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** Completes an edge record: its sag, and its ends in the frame. */
export function placeEdge(records: Float64Array, at: number, frame: LocalFrame): void {
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
 * child and one past the last (for leaves, positions at which edges start); whether a leaf's edges
 * are placed.
 */
export const NODE = 8;
export const AXIS = 4;
export const CHILD_START = 5;
export const CHILD_END = 6;
const PLACED = 7;

/** An edge that bends farther than this off its chord, metres, is cut. What is not cut is shorter than 5.6 km. */
export const GREATEST_SAG = 0.6;

/** Least and greatest radius of curvature of the ellipsoid: b²/a and a²/b. */
export const LEAST_RADIUS: number = SEMI_MAJOR_AXIS_METERS * (1 - ECCENTRICITY_SQUARED);
export const GREATEST_RADIUS: number = SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED);
/**
 * Numbers of an edge record: longitude and latitude of both ends; sag; as placed in the frame, the
 * first end and the way from there to the second; 1 / the square of its length, 0 for no length; a
 * number the search keeps there.
 */
export const RECORD = 13;
export const SAG = 4;
export const PLACE = 5;
export const WAY = 8;
export const PER_SQUARE = 11;
export const HEIGHT = 12;

/** Most edges of a leaf. */
export const LEAF_EDGES = 8;
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
