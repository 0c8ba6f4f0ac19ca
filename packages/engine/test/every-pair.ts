import type { Polygons } from "@groundrule/testing/shapes";
import { EdgeDistance } from "../src/geometry/distance/edge-distance.ts";
import type { Edge } from "./geodesic-oracle.ts";

/** Edges of rings and lines; of a single position one edge of no length. */
export function listEdges(polygons: Polygons): Edge[] {
  return polygons.flat().flatMap((ring) => {
    if (ring.length === 2) return [[ring[0]!, ring[1]!, ring[0]!, ring[1]!]];
    return Array.from({ length: ring.length / 2 - 1 }, (_, i) => [...ring.subarray(2 * i, 2 * i + 4)]);
  }) as unknown[] as Edge[];
}

/** The shortest of all lines from the beginning of an edge to an edge of the other set; short edges only. */
export function findShortestOfAllPairs(first: readonly Edge[], second: readonly Edge[]): number {
  const exact = new EdgeDistance();
  let shortest = Infinity;
  for (const [a, b] of [
    [first, second],
    [second, first],
  ] as const) {
    for (const [lon, lat] of a) {
      for (const edge of b) shortest = Math.min(shortest, exact.meters(lon, lat, ...edge));
    }
  }
  return shortest;
}
