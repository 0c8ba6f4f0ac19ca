import type { Boundary } from "../trees/boundary.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { type Chains, forEachEdgeInBox } from "../trees/chains.ts";

/*
 * Edges that bound nothing. Where a region is split at a meridian, most often the antimeridian, the two
 * sides of the split have it on either side; an edge along a pole is one point. In the plane of longitude
 * and latitude they are edges like others, on the earth they are none.
 */

/** A piece of an edge, its ends in the edge's direction. */
export type Segment = readonly [ax: number, ay: number, bx: number, by: number];

/** By edge, the pieces that bound the region; an edge that is not here does so all along. */
export type RealPieces = ReadonlyMap<number, readonly Segment[]>;

const ALL: RealPieces = new Map();

/** For each ring of a polygon's boundary, which of its edges bound less than their length. */
export function cutBoundarySeams(boundary: Boundary): RealPieces[] {
  const { rings, origins, bbox, wraps } = boundary;
  if (!wraps && bbox[1] > -90 && bbox[3] < 90) return rings.map(() => ALL);
  const gaps = findSeams(boundary);
  return rings.map((ring, r) => {
    const pieces = new Map<number, Segment[]>();
    for (const pole of [-90, 90]) {
      forEachEdgeInBox(ring, -Infinity, pole, Infinity, pole, (i) => {
        if (ring.xy[2 * i + 1] === pole && ring.xy[2 * i + 3] === pole) pieces.set(i, []);
      });
    }
    for (const [offset, intervals] of gaps.get(origins[r]!.ring) ?? []) {
      const i = ring.first + offset;
      pieces.set(i, subtractIntervals(getSegment(ring, i), intervals));
    }
    return pieces;
  });
}

export function getSegment({ xy }: Chains, i: number): Segment {
  return [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
}

/** Latitudes between which an edge along a meridian bounds nothing. */
type Interval = readonly [south: number, north: number];

/** An edge along a meridian. */
interface Vertical {
  readonly ring: number;
  /** Counted from the ring's first. */
  readonly edge: number;
  readonly south: number;
  readonly north: number;
  /** At which turn the ring was met: only rings at different turns have a seam between them. */
  readonly shift: number;
}

/** By number of the ring, then of the edge in it, where two sides of a split lie along each other. */
function findSeams(boundary: Boundary): Map<number, Map<number, Interval[]>> {
  const gaps = new Map<number, Map<number, Interval[]>>();
  for (const { up, down } of findVerticalEdges(boundary).values()) {
    if (up.length === 0 || down.length === 0) continue;
    for (const list of [up, down]) list.sort((a, b) => a.south - b.south);
    // The edges of either list follow one another northward, but where rings of two turns lie on each other.
    let from = 0;
    for (const one of up) {
      while (from < down.length && down[from]!.north <= one.south) from++;
      for (let k = from; k < down.length && down[k]!.south < one.north; k++) {
        const other = down[k]!;
        const gap: Interval = [Math.max(one.south, other.south), Math.min(one.north, other.north)];
        if (one.shift === other.shift || gap[0] >= gap[1]) continue;
        for (const { ring, edge } of [one, other]) {
          let edges = gaps.get(ring);
          if (edges === undefined) {
            edges = new Map();
            gaps.set(ring, edges);
          }
          const intervals = edges.get(edge);
          if (intervals === undefined) edges.set(edge, [gap]);
          else intervals.push(gap);
        }
      }
    }
  }
  return gaps;
}

/** The edges along the meridians at which rings may be split, by longitude: those that lead north, and south. */
function findVerticalEdges(boundary: Boundary): Map<number, { up: Vertical[]; down: Vertical[] }> {
  const { rings, origins, bbox, wraps } = boundary;
  const found = new Map<number, { up: Vertical[]; down: Vertical[] }>();
  if (!wraps) return found;
  const isPlot = origins.every(({ shift }) => shift === 0);
  rings.forEach((chains, r) => {
    const { ring, shift } = origins[r]!;
    const root = 4 * (chains.node + chains.levelStarts[chains.levels - 1]!);
    // A ring is split at its western or eastern end. Envelopes are rounded outward, to whole cells.
    for (const end of [chains.boxes[root]! * CELL_DEGREES, chains.boxes[root + 2]! * CELL_DEGREES]) {
      forEachEdgeInBox(chains, end - CELL_DEGREES, -90, end + CELL_DEGREES, 90, (i) => {
        const [x, y0, x1, y1] = getSegment(chains, i);
        if (x !== x1) return;
        // A plot that reaches once round meets itself: its western end at the next turn.
        const turn = isPlot && x === bbox[0] ? 360 : 0;
        let at = found.get(x + turn);
        if (at === undefined) {
          at = { up: [], down: [] };
          found.set(x + turn, at);
        }
        (y1 > y0 ? at.up : at.down).push({
          ring,
          edge: i - chains.first,
          south: Math.min(y0, y1),
          north: Math.max(y0, y1),
          shift: shift + turn,
        });
      });
    }
  });
  return found;
}

/** The pieces of an edge along a meridian that lie outside the intervals. */
function subtractIntervals([x, y0, , y1]: Segment, intervals: readonly Interval[]): Segment[] {
  const pieces: Segment[] = [];
  const add = (from: number, to: number): void => {
    if (from < to) pieces.push(y0 < y1 ? [x, from, x, to] : [x, to, x, from]);
  };
  let at = Math.min(y0, y1);
  for (const [south, north] of [...intervals].sort((a, b) => a[0] - b[0])) {
    add(at, south);
    at = Math.max(at, north);
  }
  add(at, Math.max(y0, y1));
  return pieces;
}
