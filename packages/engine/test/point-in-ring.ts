import { orient2d } from "../src/geometry/earth/predicates.ts";

/** Where a position lies with respect to a ring. */
export type RingSide = "inside" | "boundary" | "outside";

/**
 * Side of a position with respect to a ring, by the even-odd rule. Exact.
 * @param xy flat `[lon, lat, …]`
 * @param from first position of the ring
 * @param to one past its last, which equals its first
 */
export function pointInRing(x: number, y: number, xy: Float64Array, from: number, to: number): RingSide {
  let inside = false;
  let xa = xy[2 * from]!;
  let ya = xy[2 * from + 1]!;
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]!;
    const yb = xy[2 * i + 1]!;
    const crosses = ya > y !== yb > y;
    if (crosses || (ya <= y && yb >= y) || (yb <= y && ya >= y)) {
      if (x <= xa || x <= xb) {
        const side = orient2d(xa, ya, xb, yb, x, y);
        if (side === 0 && ((xa <= x && x <= xb) || (xb <= x && x <= xa))) return "boundary";
        if (crosses && side > 0 === yb > ya) inside = !inside;
      }
    }
    xa = xb;
    ya = yb;
  }
  return inside ? "inside" : "outside";
}
