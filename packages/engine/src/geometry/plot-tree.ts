import { asin, cos, RADIANS_PER_DEGREE, sin } from "./elementary.ts";
import { LocalFrame } from "./local-frame.ts";
import type { Plot } from "./plot.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "./wgs84.ts";

/**
 * A plot's edges under a tree of envelopes, for searches of what is near it: leaves of consecutive
 * edges, levels one after another, leaves first and the root last. A point is an edge of no length.
 * Edges are placed in a local frame when they are first needed.
 */
export class PlotTree {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** A record an edge, see {@link RECORD}. */
  readonly edges: Float64Array;
  /** A record a node, see {@link NODE}. */
  readonly nodes: Float64Array;
  readonly leafCount: number;
  /** Index of the root, the last node. */
  readonly root: number;
  /** Degrees by which the plot's envelope must grow to hold everything within reach. */
  latReach = 0;
  lonReach = 0;
  /** Straight-line coordinates for everything within reach. */
  readonly frame: LocalFrame = new LocalFrame();
  #reachMeters = -1;

  constructor(plot: Plot) {
    const { xy, ringStarts } = plot;
    const point = plot.dimension === "point";
    const edgeCount = point ? ringStarts.length - 1 : xy.length / 2 - (ringStarts.length - 1);
    this.edges = new Float64Array(RECORD * edgeCount);
    this.#copyEdges(xy, ringStarts, point);

    this.leafCount = Math.ceil(edgeCount / LEAF_EDGES);
    let nodeCount = this.leafCount;
    for (let n = this.leafCount; n > 1; nodeCount += n) n = Math.ceil(n / FAN_OUT);
    this.nodes = new Float64Array(NODE * nodeCount);
    this.root = nodeCount - 1;
    for (let node = 0; node < this.leafCount; node++) {
      const start = node * LEAF_EDGES;
      this.#span(node, this.edges, RECORD, start, Math.min(start + LEAF_EDGES, edgeCount));
    }
    let node = this.leafCount;
    for (let start = 0, end = this.leafCount; end - start > 1; ) {
      for (let child = start; child < end; child += FAN_OUT, node++) {
        this.#span(node, this.nodes, NODE, child, Math.min(child + FAN_OUT, end));
      }
      start = end;
      end = node;
    }
    this.west = this.nodes[NODE * this.root]!;
    this.south = this.nodes[NODE * this.root + 1]!;
    this.east = this.nodes[NODE * this.root + 2]!;
    this.north = this.nodes[NODE * this.root + 3]!;
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
    for (let leaf = 0; leaf < this.leafCount; leaf++) this.nodes[NODE * leaf + PLACED] = 0;
  }

  /** Completes the edge records of a leaf. */
  placeLeaf(leaf: number): void {
    const at = NODE * leaf;
    if (this.nodes[at + PLACED] === 1) return;
    this.nodes[at + PLACED] = 1;
    const end = RECORD * this.nodes[at + CHILD_END]!;
    for (let e = RECORD * this.nodes[at + CHILD_START]!; e < end; e += RECORD)
      placeEdge(this.edges, e, this.frame);
  }

  #copyEdges(xy: Float64Array, ringStarts: Uint32Array, point: boolean): void {
    const edges = this.edges;
    let at = 0;
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      const end = 2 * ringStarts[ring + 1]!;
      let i = 2 * ringStarts[ring]!;
      let lon = xy[i]!;
      let lat = xy[i + 1]!;
      if (!point) i += 2;
      for (; i < end; i += 2, at += RECORD) {
        edges[at] = lon;
        edges[at + 1] = lat;
        lon = xy[i]!;
        lat = xy[i + 1]!;
        edges[at + 2] = lon;
        edges[at + 3] = lat;
      }
    }
  }

  /** Fills a node from members that begin with two positions each, which span them. */
  #span(node: number, members: Float64Array, stride: number, start: number, end: number): void {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    for (let at = stride * start; at < stride * end; at += stride) {
      west = Math.min(west, members[at]!, members[at + 2]!);
      south = Math.min(south, members[at + 1]!, members[at + 3]!);
      east = Math.max(east, members[at]!, members[at + 2]!);
      north = Math.max(north, members[at + 1]!, members[at + 3]!);
    }
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

/** Completes an edge record: its sag, and its ends in the frame. */
export function placeEdge(records: Float64Array, at: number, frame: LocalFrame): void {
  const lonA = records[at]!;
  const latA = records[at + 1]!;
  const lonB = records[at + 2]!;
  const latB = records[at + 3]!;
  records[at + SAG] = sagMeters(lonA, latA, lonB, latB);
  frame.place(lonA, latA, records, at + PLACE_A);
  frame.place(lonB, latB, records, at + PLACE_B);
}

/**
 * Numbers of a node: envelope [west, south, east, north]; least distance from the axis, metres; first
 * child and one past the last (edges for leaves); whether a leaf's edges are placed.
 */
export const NODE = 8;
export const AXIS = 4;
export const CHILD_START = 5;
export const CHILD_END = 6;
const PLACED = 7;

/** An edge that bends farther than this off its chord, metres, is cut. It is then shorter than 8.1 km. */
export const GREATEST_SAG = 1.25;

/** Least and greatest radius of curvature of the ellipsoid: b²/a and a²/b. */
export const LEAST_RADIUS: number = SEMI_MAJOR_AXIS_METERS * (1 - ECCENTRICITY_SQUARED);
export const GREATEST_RADIUS: number = SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED);
/** Numbers of an edge record: longitude and latitude of both ends, sag, both ends as placed in the frame. */
export const RECORD = 11;
export const SAG = 4;
export const PLACE_A = 5;
export const PLACE_B = 8;

const LEAF_EDGES = 8;
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
function sagMeters(lonA: number, latA: number, lonB: number, latB: number): number {
  const x = Math.abs(lonB - lonA) * RADIANS_PER_DEGREE;
  const y = Math.abs(latB - latA) * RADIANS_PER_DEGREE;
  const fromPole =
    (latA < 0 !== latB < 0 ? 90 : 90 - Math.min(Math.abs(latA), Math.abs(latB))) * RADIANS_PER_DEGREE;
  return (GREATEST_RADIUS / 8) * (1.01 * y * y + 2 * x * y + Math.min(1, fromPole) * x * x);
}
