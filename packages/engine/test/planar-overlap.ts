import type { Polygons } from "@groundrule/testing/shapes";
import { toNumber, toScaled } from "./fixed-point.ts";

/*
 * Oracle: overlap of polygons in the plane of longitude and latitude, square degrees, by trapezoids
 * between all distinct abscissae of vertices and crossings, in 320-bit fixed point. Even-odd, any
 * input, cubic time: small cases only.
 */

const BITS = 320n;

const fixed = (x: number): bigint => toScaled(x, BITS);

interface Edge {
  /** Which polygon set the edge belongs to. */
  readonly set: number;
  readonly x0: bigint;
  readonly y0: bigint;
  readonly x1: bigint;
  readonly y1: bigint;
}

/** Square degrees where `holds` is true of the sets' memberships. */
export function measurePlanarRegion(
  sets: readonly Polygons[],
  holds: (inside: readonly boolean[]) => boolean,
): number {
  let sum = 0n;
  for (const { west, east, low, high } of generateTrapezoids(sets, holds)) {
    const middle = (west + east) / 2n;
    sum += ((edgeHeightAt(high, middle) - edgeHeightAt(low, middle)) * (east - west)) >> BITS;
  }
  return toNumber(sum, BITS);
}

interface Trapezoid {
  readonly west: bigint;
  readonly east: bigint;
  readonly low: Edge;
  readonly high: Edge;
}

function* generateTrapezoids(
  sets: readonly Polygons[],
  holds: (inside: readonly boolean[]) => boolean,
): Generator<Trapezoid> {
  const edges: Edge[] = [];
  sets.forEach((polygons, set) => {
    for (const ring of polygons.flat()) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        const [xa, ya, xb, yb] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!].map(fixed) as [
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        if (xa < xb) edges.push({ set, x0: xa, y0: ya, x1: xb, y1: yb });
        if (xa > xb) edges.push({ set, x0: xb, y0: yb, x1: xa, y1: ya });
      }
    }
  });
  const abscissae = new Set<bigint>();
  for (const e of edges) abscissae.add(e.x0).add(e.x1);
  for (let i = 0; i < edges.length; i++) {
    for (let j = 0; j < i; j++) {
      const x = findEdgeCrossingX(edges[i]!, edges[j]!);
      if (x !== undefined) abscissae.add(x);
    }
  }
  const xs = [...abscissae].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  for (let k = 0; k + 1 < xs.length; k++) {
    const [a, b] = [xs[k]!, xs[k + 1]!];
    const middle = (a + b) / 2n;
    const active = edges
      .filter((e) => e.x0 <= a && e.x1 >= b)
      .map((edge) => ({ edge, y: edgeHeightAt(edge, middle) }))
      .sort((p, q) => (p.y < q.y ? -1 : p.y > q.y ? 1 : 0));
    const inside = sets.map(() => false);
    for (let i = 0; i + 1 < active.length; i++) {
      const low = active[i]!.edge;
      inside[low.set] = !inside[low.set];
      if (holds(inside)) yield { west: a, east: b, low, high: active[i + 1]!.edge };
    }
  }
}

export function measurePlanarOverlap(plot: Polygons, area: Polygons): number {
  return measurePlanarRegion([plot, area], ([p, a]) => p! && a!);
}

function edgeHeightAt(e: Edge, x: bigint): bigint {
  return e.y0 + ((x - e.x0) * (e.y1 - e.y0)) / (e.x1 - e.x0);
}

function findEdgeCrossingX(e: Edge, f: Edge): bigint | undefined {
  const a = e.x0 > f.x0 ? e.x0 : f.x0;
  const b = e.x1 < f.x1 ? e.x1 : f.x1;
  if (a >= b) return undefined;
  const da = edgeHeightAt(e, a) - edgeHeightAt(f, a);
  const db = edgeHeightAt(e, b) - edgeHeightAt(f, b);
  if ((da > 0n && db < 0n) || (da < 0n && db > 0n)) return a + ((b - a) * da) / (da - db);
  return undefined;
}
