import type { Plot } from "@groundrule/engine";
import type { Random } from "./random.ts";

/** Polygons of one area; each a list of rings, outer first (counter-clockwise), holes clockwise, flat and closed. */
export type Polygons = readonly (readonly Float64Array[])[];

/** A flat ring from positions, closed and turned counter-clockwise. */
export function toRing(positions: readonly (readonly [number, number])[]): Float64Array {
  let doubled = 0;
  positions.forEach(([x, y], i) => {
    const [u, v] = positions[(i + 1) % positions.length]!;
    doubled +=
      (x - positions[0]![0]) * (v - positions[0]![1]) - (u - positions[0]![0]) * (y - positions[0]![1]);
  });
  const ordered = doubled < 0 ? [...positions].reverse() : positions;
  return Float64Array.from([...ordered, ordered[0]!].flat());
}

/** Positions as GeoJSON writes them, of numbers side by side. */
export function toPairs(...xy: readonly number[]): [number, number][] {
  return toPositions(xy);
}

/** The positions of a ring, as GeoJSON writes them. */
export function toPositions(ring: ArrayLike<number>): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}

/** The same ring, clockwise: a hole. */
export function reverseRing(ring: Float64Array): Float64Array {
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    turned[i] = ring[ring.length - 2 - i]!;
    turned[i + 1] = ring[ring.length - 1 - i]!;
  }
  return turned;
}

export function moveRing(ring: Float64Array, dx: number, dy: number): Float64Array {
  return ring.map((value, i) => value + (i % 2 === 0 ? dx : dy));
}

/** A plot from polygons, as the input check would hand it over. */
export function toPlot(polygons: Polygons, dimension: Plot["dimension"] = "polygon"): Plot {
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

/** A box of degrees as one flat ring, closed and counter-clockwise. */
export function createBoxRing(west: number, south: number, east: number, north: number): Float64Array {
  return Float64Array.of(west, south, east, south, east, north, west, north, west, south);
}

/** The same as the positions of GeoJSON. */
export function createBoxPositions(
  west: number,
  south: number,
  east: number,
  north: number,
): [number, number][] {
  return toPositions(createBoxRing(west, south, east, north));
}

/** A square of `size` degrees as GeoJSON, by its south-western corner. */
export function createSquarePolygon(
  west: number,
  south: number,
  size = 1,
): { type: "Polygon"; coordinates: number[][][] } {
  return { type: "Polygon", coordinates: [createBoxPositions(west, south, west + size, south + size)] };
}

/** A polygon whose ring crosses itself, as GeoJSON. */
export const BOW_TIE = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
};

/** A star-shaped ring; `squash` below 1 flattens it before it is turned. */
export function createStarRing(
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
  return toRing(positions);
}

/** A comb: teeth reaching up from a bar. */
export function createCombRing(
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
  return toRing(
    positions.filter(([x, y], i) => i === 0 || x !== positions[i - 1]![0] || y !== positions[i - 1]![1]),
  );
}

/** A spiral band of `turns` turns, `perTurn` positions each. */
export function createSpiralRing(
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
  return toRing([...inner, ...outer.reverse()]);
}

/**
 * The shore of an island: rough at every scale, and never across itself, for each position lies in a direction of its
 * own.
 *
 * @param count positions, a power of two from 4
 */
export function createCoastRing(
  random: Random,
  lon: number,
  lat: number,
  radius: number,
  count: number,
): Float64Array {
  // Midpoints moved by less and less, as logarithms of distances from the middle.
  const roughness = new Float64Array(count);
  for (let step = count / 4, most = 0.25; step >= 1; step /= 2, most *= 0.6) {
    for (let i = step; i < count; i += 2 * step) {
      const middle = (roughness[i - step]! + roughness[(i + step) % count]!) / 2;
      roughness[i] = middle + random.between(-most, most);
    }
  }
  const ring = new Float64Array(2 * count + 2);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const distance = radius * Math.exp(roughness[i]!);
    ring[2 * i] = lon + distance * Math.cos(angle);
    ring[2 * i + 1] = lat + distance * Math.sin(angle);
  }
  ring.set(ring.subarray(0, 2), 2 * count);
  return ring;
}
