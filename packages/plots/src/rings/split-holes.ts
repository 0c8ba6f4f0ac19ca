import { orient2d } from "@groundrule/engine/internal";
import { findHoleBridges } from "./bridges.ts";
import type { Polygons } from "./grid.ts";
import { buildRingGraph, type RingGraph } from "./ring-graph.ts";

/**
 * Polygons without holes that cover the same land to the last bit, for their corners are those there were: each
 * polygon with holes is cut along lines between its rings (see {@link findHoleBridges}).
 *
 * Parts on both sides of such a line share it, and a MultiPolygon must not have parts that share an edge. So the
 * parts come in groups, each of which can be one: as few as looking at one part after another gives.
 *
 * @param polygons valid, outer rings counter-clockwise, holes clockwise, closed. What comes of a ring that touches
 *   another in the middle of an edge may be invalid: node it first.
 * @returns groups of polygons with one ring each, the first with the polygons that had no holes; one group where
 *   nothing had to be cut
 */
export function splitPolygonsAtHoles(polygons: Polygons): Float64Array[][][] {
  const groups: Float64Array[][][] = [];
  for (const rings of polygons) {
    const parts = rings.length === 1 ? [{ ring: rings[0]!, group: 0 }] : toParts(rings);
    for (const { ring, group } of parts) {
      groups[group] ??= [];
      groups[group].push([ring]);
    }
  }
  return groups;
}

interface Part {
  readonly ring: Float64Array;
  readonly group: number;
}

function toParts(rings: readonly Float64Array[]): Part[] {
  const graph = buildRingGraph(rings);
  const bridges = findHoleBridges(graph);
  // Ring edges have land on their left only, bridges on both sides.
  const directed = [...graph.edges, ...bridges, ...bridges.map(([p, q]) => [q, p] as const)];
  const { cycles, cycleOf } = traceEdgeCycles(graph, directed);
  const sharing = cycles.map(() => new Set<number>());
  bridges.forEach((_, b) => {
    const [left, right] = [
      cycleOf[graph.edges.length + b]!,
      cycleOf[graph.edges.length + bridges.length + b]!,
    ];
    sharing[left]!.add(right);
    sharing[right]!.add(left);
  });
  const groups: number[] = [];
  return cycles.map((cycle, c) => {
    const taken = new Set([...sharing[c]!].map((other) => groups[other]));
    let group = 0;
    while (taken.has(group)) group++;
    groups[c] = group;
    return { ring: toRing(graph, cycle), group };
  });
}

/** The borders of what the edges enclose to their left, as positions in turn, each edge in one of them. */
function traceEdgeCycles(
  graph: RingGraph,
  directed: readonly (readonly [number, number])[],
): { readonly cycles: number[][]; readonly cycleOf: Int32Array } {
  const leaving: number[][] = Array.from({ length: graph.x.length }, () => []);
  for (const [e, [from]] of directed.entries()) leaving[from]!.push(e);
  const cycleOf = new Int32Array(directed.length).fill(-1);
  const cycles: number[][] = [];
  for (let start = 0; start < directed.length; start++) {
    if (cycleOf[start] !== -1) continue;
    const cycle: number[] = [];
    for (let e = start; cycleOf[e] === -1; e = findNextEdge(graph, directed, leaving, e)) {
      cycleOf[e] = cycles.length;
      cycle.push(directed[e]![0]);
    }
    cycles.push(cycle);
  }
  return { cycles, cycleOf };
}

/** The edge that goes on round the land to the left: the first one clockwise from the way back. */
function findNextEdge(
  graph: RingGraph,
  directed: readonly (readonly [number, number])[],
  leaving: readonly (readonly number[])[],
  e: number,
): number {
  const [back, at] = directed[e]!;
  const out = leaving[at]!;
  return out.reduce((best, f) =>
    isClockwiseFirst(graph, at, back, directed[f]![1], directed[best]![1]) ? f : best,
  );
}

/** True if `p` comes before `q` when going clockwise round `at` from `back`. Exact. */
function isClockwiseFirst(graph: RingGraph, at: number, back: number, p: number, q: number): boolean {
  const [turnP, turnQ] = [computeClockwiseHalf(graph, at, back, p), computeClockwiseHalf(graph, at, back, q)];
  return turnP === turnQ ? computeSideOfEdge(graph, at, p, q) < 0 : turnP < turnQ;
}

/** Part of a whole turn clockwise: 0 less than half, 1 half, 2 more, 3 all of it. */
function computeClockwiseHalf(graph: RingGraph, at: number, back: number, p: number): number {
  const side = computeSideOfEdge(graph, at, back, p);
  if (side !== 0) return side < 0 ? 0 : 2;
  const { x, y } = graph;
  const isAhead = (x[back]! - x[at]!) * (x[p]! - x[at]!) < 0 || (y[back]! - y[at]!) * (y[p]! - y[at]!) < 0;
  return isAhead ? 1 : 3;
}

function computeSideOfEdge({ x, y }: RingGraph, a: number, b: number, c: number): number {
  return orient2d(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!);
}

function toRing({ x, y }: RingGraph, cycle: readonly number[]): Float64Array {
  const ring = new Float64Array(2 * cycle.length + 2);
  for (const [i, p] of [...cycle, cycle[0]!].entries()) {
    ring[2 * i] = x[p]!;
    ring[2 * i + 1] = y[p]!;
  }
  return ring;
}
