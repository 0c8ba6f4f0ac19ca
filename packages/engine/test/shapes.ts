import type { Plot } from "../src/geometry/plot/plot.ts";
import { findFaults } from "../src/geometry/plot/validity.ts";
import type { Polygons } from "./build-layer.ts";
import type { Random } from "./random.ts";

/** A flat ring from positions, closed and turned counter-clockwise. */
export function ringOf(positions: readonly (readonly [number, number])[]): Float64Array {
  let doubled = 0;
  positions.forEach(([x, y], i) => {
    const [u, v] = positions[(i + 1) % positions.length]!;
    doubled +=
      (x - positions[0]![0]) * (v - positions[0]![1]) - (u - positions[0]![0]) * (y - positions[0]![1]);
  });
  const ordered = doubled < 0 ? [...positions].reverse() : positions;
  return Float64Array.from([...ordered, ordered[0]!].flat());
}

/** The same ring, clockwise: a hole. */
export function reversed(ring: Float64Array): Float64Array {
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    turned[i] = ring[ring.length - 2 - i]!;
    turned[i + 1] = ring[ring.length - 1 - i]!;
  }
  return turned;
}

export function moved(ring: Float64Array, dx: number, dy: number): Float64Array {
  return ring.map((value, i) => value + (i % 2 === 0 ? dx : dy));
}

/** A plot from polygons, as the input check would hand it over. */
export function plotOf(polygons: Polygons, dimension: Plot["dimension"] = "polygon"): Plot {
  const rings = polygons.flat();
  const ringStarts = new Uint32Array(rings.length + 1);
  rings.forEach((ring, i) => {
    ringStarts[i + 1] = ringStarts[i]! + ring.length / 2;
  });
  const polygonStarts = new Uint32Array(polygons.length + 1);
  polygons.forEach((polygon, i) => {
    polygonStarts[i + 1] = polygonStarts[i]! + polygon.length;
  });
  const xy = new Float64Array(2 * ringStarts[rings.length]!);
  rings.forEach((ring, i) => {
    xy.set(ring, 2 * ringStarts[i]!);
  });
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    bbox[0] = Math.min(bbox[0], xy[i]!);
    bbox[1] = Math.min(bbox[1], xy[i + 1]!);
    bbox[2] = Math.max(bbox[2], xy[i]!);
    bbox[3] = Math.max(bbox[3], xy[i + 1]!);
  }
  return { dimension, xy, ringStarts, polygonStarts, bbox };
}

export function box(west: number, south: number, east: number, north: number): Float64Array {
  return Float64Array.of(west, south, east, south, east, north, west, north, west, south);
}

/** A star-shaped ring; `squash` below 1 flattens it before it is turned. */
export function star(
  random: Random,
  lon: number,
  lat: number,
  radius: number,
  vertices: number,
  squash = 1,
): Float64Array {
  const turn = random.between(0, Math.PI);
  const positions: [number, number][] = [];
  for (let i = 0; i < vertices; i++) {
    const angle = ((i + random.between(0, 0.8)) / vertices) * 2 * Math.PI;
    const r = radius * random.between(0.3, 1);
    const [u, v] = [r * Math.cos(angle), r * squash * Math.sin(angle)];
    positions.push([
      lon + u * Math.cos(turn) - v * Math.sin(turn),
      lat + u * Math.sin(turn) + v * Math.cos(turn),
    ]);
  }
  return ringOf(positions);
}

/** A comb: teeth reaching up from a bar. */
export function comb(
  west: number,
  south: number,
  width: number,
  height: number,
  teeth: number,
): Float64Array {
  const positions: [number, number][] = [
    [west, south],
    [west + width, south],
  ];
  for (let i = teeth - 1; i >= 0; i--) {
    const x = west + (width * i) / teeth;
    const w = width / teeth;
    positions.push(
      [x + w * 0.75, south + height],
      [x + w * 0.5, south + height],
      [x + w * 0.5, south + height * 0.1],
    );
    if (i > 0) positions.push([x, south + height * 0.1]);
  }
  positions.push([west, south + height * 0.1]);
  return ringOf(
    positions.filter(([x, y], i) => i === 0 || x !== positions[i - 1]![0] || y !== positions[i - 1]![1]),
  );
}

/** A spiral band of `turns` turns, `perTurn` positions each. */
export function spiral(
  lon: number,
  lat: number,
  radius: number,
  turns: number,
  perTurn: number,
): Float64Array {
  const inner: [number, number][] = [];
  const outer: [number, number][] = [];
  const steps = turns * perTurn;
  for (let i = 0; i <= steps; i++) {
    const angle = (2 * Math.PI * i) / perTurn;
    const r = radius * (0.05 + (0.95 * i) / steps);
    const gap = (0.4 * radius * 0.95) / turns;
    inner.push([lon + r * Math.cos(angle), lat + r * Math.sin(angle)]);
    outer.push([lon + (r + gap) * Math.cos(angle), lat + (r + gap) * Math.sin(angle)]);
  }
  return ringOf([...inner, ...outer.reverse()]);
}

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
