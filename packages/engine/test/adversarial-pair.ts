import type { Random } from "@groundrule/testing/random";
import { box, comb, moved, type Polygons, reversed, ringOf, star } from "@groundrule/testing/shapes";
import { findFaults } from "../src/geometry/plot/validity/validity.ts";

export interface Pair {
  readonly kind: string;
  readonly plot: Polygons;
  readonly area: Polygons;
}

/** One of the ways boundaries are known to go wrong, drawn at random. */
export function adversarialPair(random: Random): Pair {
  const [lon, lat] = [random.between(-150, 150), random.between(-70, 70)];
  const radius = 10 ** random.between(-3, 0.5);
  const squash = random.next() < 0.3 ? 10 ** random.between(-3, 0) : 1;
  const ring = star(random, lon, lat, radius, 3 + random.integer(9), squash);
  const area: Polygons = [[ring]];
  const n = ring.length / 2 - 1;
  const vertex = (i: number): [number, number] => [ring[2 * (i % n)]!, ring[2 * (i % n) + 1]!];
  const middle = (i: number): [number, number] => {
    const [a, b] = [vertex(i), vertex(i + 1)];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const tiny = 10 ** random.between(-14, -8);
  switch (random.integer(16)) {
    case 0:
      return { kind: "identical", plot: area, area };
    case 1: {
      const start = random.integer(n);
      const turned = Array.from({ length: n }, (_, i) => vertex(start + i));
      return { kind: "identical, started elsewhere", plot: [[ringOf(turned)]], area };
    }
    case 2:
      return { kind: "shifted by next to nothing", plot: [[moved(ring, tiny, -tiny * random.next())]], area };
    case 3:
      return {
        kind: "perturbed by next to nothing",
        plot: [
          [ring.map((v, i) => (i >= 2 * n ? v : v + random.between(-tiny, tiny)))].map((r) =>
            r.fill(r[0]!, 2 * n, 2 * n + 1).fill(r[1]!, 2 * n + 1),
          ),
        ],
        area,
      };
    case 4:
      return {
        kind: "vertices at edge midpoints",
        plot: [[ringOf(Array.from({ length: n }, (_, i) => middle(i)))]],
        area,
      };
    case 5: {
      const kept = Array.from({ length: n }, (_, i) => i).filter(() => random.next() < 0.7);
      const subset = kept.length >= 3 ? ringOf(kept.map(vertex)) : ring;
      // Left with a wide gap, the rest may cross itself: no input of a kernel.
      const valid = findFaults([[subset]]).length === 0 ? subset : ringOf([0, 1, 2].map(vertex));
      return { kind: "a subset of the vertices", plot: [[valid]], area };
    }
    case 6: {
      const [a, b] = [vertex(0), vertex(1)];
      const out = random.next() < 0.5 ? 1 : -1;
      const [nx, ny] = [(b[1] - a[1]) * out, (a[0] - b[0]) * out];
      return {
        kind: "a shared edge",
        plot: [[ringOf([a, b, [b[0] + nx, b[1] + ny], [a[0] + nx, a[1] + ny]])]],
        area,
      };
    }
    case 7: {
      const [a, b] = [vertex(0), vertex(1)];
      const at = (t: number): [number, number] => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
      const [nx, ny] = [(b[1] - a[1]) * 0.5, (a[0] - b[0]) * 0.5];
      const [p, q] = [at(random.between(-0.5, 0.4)), at(random.between(0.6, 1.5))];
      return {
        kind: "nearly collinear",
        plot: [[ringOf([p, q, [q[0] + nx, q[1] + ny], [p[0] + nx, p[1] + ny]])]],
        area,
      };
    }
    case 8: {
      const [x, y] = vertex(random.integer(n));
      const s = radius * random.between(0.1, 1);
      return {
        kind: "touching at a vertex",
        plot: [
          [
            ringOf([
              [x, y],
              [x + s, y - s / 3],
              [x + s, y + s],
            ]),
          ],
        ],
        area,
      };
    }
    case 9: {
      const outer = box(lon - 2 * radius, lat - 2 * radius, lon + 2 * radius, lat + 2 * radius);
      return { kind: "a plot whose hole is the area", plot: [[outer, reversed(ring)]], area };
    }
    case 10: {
      const outer = box(lon - 2 * radius, lat - 2 * radius, lon + 2 * radius, lat + 2 * radius);
      return { kind: "an area whose hole is the plot", plot: area, area: [[outer, reversed(ring)]] };
    }
    case 11: {
      const s = radius / 2;
      const grid = (i: number, k: number): Float64Array =>
        box(lon + i * s, lat + k * s, lon + (i + 1) * s, lat + (k + 1) * s);
      return {
        kind: "grid cells",
        plot: [[grid(0, 0)], [grid(1, 1)]],
        area: [[grid(0, 1)], [grid(1, 0)], [grid(2, 1)]],
      };
    }
    case 12:
      return {
        kind: "combs",
        plot: [[comb(lon, lat, radius, radius, 2 + random.integer(6))]],
        area: [
          [
            comb(
              lon,
              lat + radius * random.between(0, 0.3),
              radius * random.between(0.5, 2),
              radius,
              2 + random.integer(6),
            ),
          ],
        ],
      };
    case 13:
      return { kind: "slivers", plot: [[star(random, lon, lat, radius, 4, 1e-6)]], area };
    case 14:
      return {
        kind: "stars",
        plot: [
          [
            star(
              random,
              lon + radius * random.between(-1, 1),
              lat,
              radius * 10 ** random.between(-2, 1),
              3 + random.integer(12),
            ),
          ],
        ],
        area,
      };
    default:
      return {
        kind: "a tiny one in a large one",
        plot: [[star(random, lon, lat, radius * 1e-4, 5)]],
        area: [[star(random, lon, lat, radius, 4)], [star(random, lon + 3 * radius, lat, radius, 5)]],
      };
  }
}
