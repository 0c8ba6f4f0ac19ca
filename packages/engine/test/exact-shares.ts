import type { Plot } from "../src/geometry/plot/plot.ts";
import { toNumber, toScaled } from "./fixed-point.ts";

/*
 * The oracle of cells: the area of (polygons ∩ rectangle) in the plane of longitude and latitude, by whole numbers. All
 * coordinates are whole multiples of 2⁻¹¹⁰⁰, quotients are cut at 2⁻³⁰⁰ of a degree: exact for all that doubles can tell.
 */

const BITS = 300n;
const FINE = 1n << BITS;

/** Sides of a rectangle, degrees. */
export interface Rectangle {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The edges of a plot, exactly: four numbers each, edges along a parallel left out. */
export function listExactEdges({ xy, ringStarts }: Plot): bigint[] {
  const edges: bigint[] = [];
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    for (let i = ringStarts[ring]!; i + 1 < ringStarts[ring + 1]!; i++) {
      if (xy[2 * i + 1] === xy[2 * i + 3]) continue;
      for (let k = 0; k < 4; k++) edges.push(toScaled(xy[2 * i + k]!, BITS));
    }
  }
  return edges;
}

/** Square degrees of the polygons with these edges in a rectangle: ∮ x dy, with x held between the sides. */
export function computeExactShare(edges: readonly bigint[], rectangle: Rectangle): number {
  const west = toScaled(rectangle.west, BITS);
  const east = toScaled(rectangle.east, BITS);
  const south = toScaled(rectangle.south, BITS);
  const north = toScaled(rectangle.north, BITS);
  let doubled = 0n;
  for (let i = 0; i < edges.length; i += 4) {
    const isNorthward = edges[i + 1]! < edges[i + 3]!;
    const [xs, ys, xn, yn] = isNorthward
      ? [edges[i]!, edges[i + 1]!, edges[i + 2]!, edges[i + 3]!]
      : [edges[i + 2]!, edges[i + 3]!, edges[i]!, edges[i + 1]!];
    if (yn <= south || ys >= north) continue;
    const [dx, dy] = [xn - xs, yn - ys];
    const xAt = (y: bigint): bigint => xs + ((y - ys) * dx) / dy;
    const yAt = (x: bigint): bigint => ys + ((x - xs) * dy) / dx;
    const from = ys > south ? ys : south;
    const to = yn < north ? yn : north;
    const cuts = [from, to];
    if (dx !== 0n) {
      for (const side of [west, east]) {
        const y = yAt(side);
        if (y > from && y < to) cuts.push(y);
      }
    }
    cuts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    let sum = 0n;
    for (let k = 0; k + 1 < cuts.length; k++) {
      const [a, b] = [cuts[k]!, cuts[k + 1]!];
      sum += (clamp(xAt(a), west, east) + clamp(xAt(b), west, east) - 2n * west) * (b - a);
    }
    doubled += isNorthward ? sum : -sum;
  }
  return toNumber(doubled / FINE, BITS) / 2;
}

function clamp(x: bigint, low: bigint, high: bigint): bigint {
  return x < low ? low : x > high ? high : x;
}
