import { orient2d } from "../earth/predicates.ts";

/**
 * The point where the segments ab and cd cross properly, rounded to doubles.
 *
 * Both determinants in the quotient have opposite signs, so nothing cancels: the point lies within
 * a few units in the last place of both segments, however flat the angle. It never leaves the box
 * that the two segments' boxes share.
 */
export function computeCrossingPoint(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): [number, number] {
  const fromA = orient2d(cx, cy, dx, dy, ax, ay);
  const fromB = orient2d(cx, cy, dx, dy, bx, by);
  const t = fromA / (fromA - fromB);
  return [
    clamp(
      ax + t * (bx - ax),
      Math.max(Math.min(ax, bx), Math.min(cx, dx)),
      Math.min(Math.max(ax, bx), Math.max(cx, dx)),
    ),
    clamp(
      ay + t * (by - ay),
      Math.max(Math.min(ay, by), Math.min(cy, dy)),
      Math.min(Math.max(ay, by), Math.max(cy, dy)),
    ),
  ];
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
