import { orient2d } from "@groundrule/engine/internal";
import type { RingGraph } from "./ring-graph.ts";

/**
 * Edges that tie the holes of a polygon to what lies west and east of them, so that it falls into parts without
 * holes: each between two positions there are, within the polygon, and none crosses another.
 *
 * From its westernmost position each hole is tied to the last position that a sweep from west to east passed between
 * the two edges below and above: nothing lies between them (de Berg et al., Computational Geometry, 3rd ed., §3.2,
 * where polygons are cut into monotone pieces). From its easternmost one likewise, from east to west. Where a hole
 * touches a ring that goes further that way, it is tied already.
 *
 * Whichever position is taken away, every ring is still tied to the outer one, the western way or the eastern: so the
 * border of each part passes no position twice, and no part has a hole.
 *
 * Cost: O(n log n) for n positions, but for moving what a sweep has open.
 */
export function findHoleBridges(graph: RingGraph): (readonly [number, number])[] {
  const western = findWesternBridges(graph, graph.x, graph.y);
  const eastern = findWesternBridges(
    graph,
    graph.x.map((x) => -x),
    graph.y.map((y) => -y),
  );
  const bridges = new Map<string, readonly [number, number]>();
  for (const [a, b] of [...western, ...eastern]) bridges.set(a < b ? `${a} ${b}` : `${b} ${a}`, [a, b]);
  return [...bridges.values()];
}

function findWesternBridges(
  graph: RingGraph,
  x: Float64Array,
  y: Float64Array,
): (readonly [number, number])[] {
  const isBefore = (p: number, q: number): boolean => x[p]! < x[q]! || (x[p] === x[q] && y[p]! < y[q]!);
  const edges = graph.edges.map(([p, q]) => (isBefore(p, q) ? ([p, q] as const) : ([q, p] as const)));
  const leaving: number[][] = Array.from({ length: x.length }, () => []);
  const hasWest = new Uint8Array(x.length);
  for (const [e, [west, east]] of edges.entries()) {
    leaving[west]!.push(e);
    hasWest[east] = 1;
  }
  const toTie = new Set<number>();
  for (const hole of graph.rings.slice(1)) {
    const west = hole.reduce((least, p) => (isBefore(p, least) ? p : least));
    if (hasWest[west] === 0) toTie.add(west);
  }

  /** Edges that the sweep is upon, from south to north. */
  const open: number[] = [];
  /** The last position passed between each open edge and the next above it. */
  const last = new Int32Array(edges.length).fill(-1);
  const bridges: (readonly [number, number])[] = [];
  const sideOf = (e: number, p: number): number => {
    const [west, east] = edges[e]!;
    return orient2d(x[west]!, y[west]!, x[east]!, y[east]!, x[p]!, y[p]!);
  };
  const order = Array.from(x.keys()).sort((p, q) => (isBefore(p, q) ? -1 : 1));
  for (const p of order) {
    let at = countLeadingMatches(open.length, (k) => sideOf(open[k]!, p) > 0);
    let end = at;
    while (end < open.length && edges[open[end]!]![1] === p) end++;
    const out = leaving[p]!;
    // Both from p: the one whose end is to the right of the other lies below.
    if (out.length > 1) out.sort((e, f) => -sideOf(e, edges[f]![1]));
    replaceListRange(open, at, end, out);
    const below = at > 0 ? open[--at]! : -1;
    if (below !== -1) {
      // Above an edge is land if the ring runs east there; otherwise a hole, to which this one is attached.
      const isLand = graph.edges[below]![0] === edges[below]![0];
      if (isLand && toTie.has(p)) bridges.push([last[below]!, p]);
      last[below] = p;
    }
    for (const e of out) last[e] = p;
  }
  return bridges;
}

/** How many of the first numbers hold, where those that do come first. */
function countLeadingMatches(count: number, holds: (k: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts elements in the place of those from one index up to another. */
function replaceListRange(list: number[], from: number, to: number, by: readonly number[]): void {
  if (by.length <= 2) {
    // biome-ignore lint/plugin: two at most
    list.splice(from, to - from, ...by);
    return;
  }
  const after = list.splice(from).slice(to - from);
  for (const each of by) list.push(each);
  for (const each of after) list.push(each);
}
