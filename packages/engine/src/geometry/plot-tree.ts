import { cos, RADIANS_PER_DEGREE, sin } from "./elementary.ts";
import type { Plot } from "./plot.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "./wgs84.ts";

/**
 * A plot's edges under a tree of envelopes, for searches of what is near it: leaves of consecutive
 * edges, levels one after another. A point is an edge of no length.
 */
export class PlotTree {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly root: number;
  /** A record an edge, see {@link RECORD}; sags and places are filled in when first needed. */
  readonly edges: Float64Array;
  /** [west, south, east, north] of each node, leaves first, root last. */
  readonly boxes: Float64Array;
  /** Least distance from the axis within each node, metres. */
  readonly axisDistances: Float64Array;
  /** First child of each node and one past its last; edges for leaves. */
  readonly childStarts: Int32Array;
  readonly childEnds: Int32Array;
  readonly leafCount: number;

  constructor(plot: Plot) {
    const { xy, ringStarts } = plot;
    const point = plot.dimension === "point";
    const edgeCount = point ? ringStarts.length - 1 : xy.length / 2 - (ringStarts.length - 1);
    this.edges = new Float64Array(RECORD * edgeCount);
    let at = 0;
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      const last = ringStarts[ring + 1]! - 1;
      for (let i = ringStarts[ring]!; point ? i <= last : i < last; i++, at += RECORD) {
        const j = point ? i : i + 1;
        this.edges[at] = xy[2 * i]!;
        this.edges[at + 1] = xy[2 * i + 1]!;
        this.edges[at + 2] = xy[2 * j]!;
        this.edges[at + 3] = xy[2 * j + 1]!;
      }
    }

    this.leafCount = Math.ceil(edgeCount / LEAF_EDGES);
    let nodeCount = this.leafCount;
    for (let n = this.leafCount; n > 1; nodeCount += n) n = Math.ceil(n / FAN_OUT);
    this.boxes = new Float64Array(4 * nodeCount);
    this.axisDistances = new Float64Array(nodeCount);
    this.childStarts = new Int32Array(nodeCount);
    this.childEnds = new Int32Array(nodeCount);
    for (let node = 0; node < this.leafCount; node++) {
      const start = node * LEAF_EDGES;
      this.#write(node, this.edges, RECORD, start, Math.min(start + LEAF_EDGES, edgeCount));
    }
    let node = this.leafCount;
    for (let start = 0, end = this.leafCount; end - start > 1; ) {
      for (let child = start; child < end; child += FAN_OUT, node++) {
        this.#write(node, this.boxes, 4, child, Math.min(child + FAN_OUT, end));
      }
      start = end;
      end = node;
    }
    this.root = nodeCount - 1;
    this.west = this.boxes[4 * this.root]!;
    this.south = this.boxes[4 * this.root + 1]!;
    this.east = this.boxes[4 * this.root + 2]!;
    this.north = this.boxes[4 * this.root + 3]!;
  }

  /** Fills a node from members that begin with two positions each, which span them. */
  #write(node: number, members: Float64Array, stride: number, start: number, end: number): void {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    for (let i = start; i < end; i++) {
      const at = stride * i;
      west = Math.min(west, members[at]!, members[at + 2]!);
      south = Math.min(south, members[at + 1]!, members[at + 3]!);
      east = Math.max(east, members[at]!, members[at + 2]!);
      north = Math.max(north, members[at + 1]!, members[at + 3]!);
    }
    this.boxes[4 * node] = west;
    this.boxes[4 * node + 1] = south;
    this.boxes[4 * node + 2] = east;
    this.boxes[4 * node + 3] = north;
    this.axisDistances[node] = axisDistance(Math.max(Math.abs(south), Math.abs(north)));
    this.childStarts[node] = start;
    this.childEnds[node] = end;
  }
}

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
