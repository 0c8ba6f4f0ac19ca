import type { Random } from "@groundrule/testing/random";
import {
  createBoxRing,
  createCombRing,
  createStarRing,
  moveRing,
  type Polygons,
  reverseRing,
  toPairs,
  toRing,
} from "@groundrule/testing/shapes";
import { findPolygonFaults } from "../src/geometry/plot/validity/validity.ts";

export interface Pair {
  readonly kind: string;
  readonly plot: Polygons;
  readonly area: Polygons;
}

/** One of the ways boundaries are known to go wrong, drawn at random. */
export function randomAdversarialPair(random: Random): Pair {
  const [lon, lat] = [random.between(-150, 150), random.between(-70, 70)];
  const radius = 10 ** random.between(-3, 0.5);
  const squash = random.next() < 0.3 ? 10 ** random.between(-3, 0) : 1;
  const ring = createStarRing(random, lon, lat, radius, 3 + random.integer(9), squash);
  const area: Polygons = [[ring]];
  const n = ring.length / 2 - 1;
  const vertex = (i: number): [number, number] => [ring[2 * (i % n)]!, ring[2 * (i % n) + 1]!];
  const middle = (i: number): [number, number] => {
    const [a, b] = [vertex(i), vertex(i + 1)];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const about = (share: number): Float64Array =>
    createBoxRing(lon - share * radius, lat - share * radius, lon + share * radius, lat + share * radius);
  const nearby = (kind: string, plot: Float64Array): Pair => ({ kind, plot: [[plot]], area });
  const tiny = 10 ** random.between(-14, -8);
  switch (random.integer(16)) {
    case 0:
      return nearby("identical", ring);
    case 1: {
      const start = random.integer(n);
      return nearby(
        "identical, started elsewhere",
        toRing(Array.from({ length: n }, (_, i) => vertex(start + i))),
      );
    }
    case 2:
      return nearby("shifted by next to nothing", moveRing(ring, tiny, -tiny * random.next()));
    case 3: {
      const near = ring.map((v, i) => (i >= 2 * n ? v : v + random.between(-tiny, tiny)));
      return nearby("perturbed by next to nothing", near.copyWithin(2 * n, 0, 2));
    }
    case 4:
      return nearby("vertices at edge midpoints", toRing(Array.from({ length: n }, (_, i) => middle(i))));
    case 5: {
      const kept = Array.from({ length: n }, (_, i) => i).filter(() => random.next() < 0.7);
      const subset = kept.length >= 3 ? toRing(kept.map(vertex)) : ring;
      // Left with a wide gap, the rest may cross itself: no input of a kernel.
      const valid = findPolygonFaults([[subset]]).length === 0 ? subset : toRing([0, 1, 2].map(vertex));
      return nearby("a subset of the vertices", valid);
    }
    case 6: {
      const [a, b] = [vertex(0), vertex(1)];
      const out = random.next() < 0.5 ? 1 : -1;
      const [nx, ny] = [(b[1] - a[1]) * out, (a[0] - b[0]) * out];
      return nearby("a shared edge", toRing([a, b, [b[0] + nx, b[1] + ny], [a[0] + nx, a[1] + ny]]));
    }
    case 7: {
      const [a, b] = [vertex(0), vertex(1)];
      const at = (t: number): [number, number] => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
      const [nx, ny] = [(b[1] - a[1]) * 0.5, (a[0] - b[0]) * 0.5];
      const [p, q] = [at(random.between(-0.5, 0.4)), at(random.between(0.6, 1.5))];
      return nearby("nearly collinear", toRing([p, q, [q[0] + nx, q[1] + ny], [p[0] + nx, p[1] + ny]]));
    }
    case 8: {
      const [x, y] = vertex(random.integer(n));
      const s = radius * random.between(0.1, 1);
      return nearby("touching at a vertex", toRing(toPairs(x, y, x + s, y - s / 3, x + s, y + s)));
    }
    case 9:
      return { kind: "a plot whose hole is the area", plot: [[about(2), reverseRing(ring)]], area };
    case 10:
      return { kind: "an area whose hole is the plot", plot: area, area: [[about(2), reverseRing(ring)]] };
    case 11: {
      const s = radius / 2;
      const grid = (i: number, k: number): Float64Array =>
        createBoxRing(lon + i * s, lat + k * s, lon + (i + 1) * s, lat + (k + 1) * s);
      return {
        kind: "grid cells",
        plot: [[grid(0, 0)], [grid(1, 1)]],
        area: [[grid(0, 1)], [grid(1, 0)], [grid(2, 1)]],
      };
    }
    case 12: {
      const plot = createCombRing(lon, lat, radius, radius, 2 + random.integer(6));
      const [up, wide] = [radius * random.between(0, 0.3), radius * random.between(0.5, 2)];
      return {
        ...nearby("combs", plot),
        area: [[createCombRing(lon, lat + up, wide, radius, 2 + random.integer(6))]],
      };
    }
    case 13:
      return nearby("slivers", createStarRing(random, lon, lat, radius, 4, 1e-6));
    case 14: {
      const [x, size] = [lon + radius * random.between(-1, 1), radius * 10 ** random.between(-2, 1)];
      return nearby("stars", createStarRing(random, x, lat, size, 3 + random.integer(12)));
    }
    default:
      return {
        ...nearby("a tiny one in a large one", createStarRing(random, lon, lat, radius * 1e-4, 5)),
        area: [
          [createStarRing(random, lon, lat, radius, 4)],
          [createStarRing(random, lon + 3 * radius, lat, radius, 5)],
        ],
      };
  }
}
