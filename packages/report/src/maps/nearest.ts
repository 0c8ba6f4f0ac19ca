import type { Point } from "./simplify.ts";

type Polygons = readonly (readonly (readonly Point[])[])[];

/**
 * The ends of the shortest line between the outlines of two shapes on a drawing; undefined where either has none. It
 * shows what was measured on the ellipsoid; it measures nothing.
 */
export function shortestLine(a: Polygons, b: Polygons): readonly [Point, Point] | undefined {
  const [ringsA, ringsB] = [a.flat(), b.flat()];
  let best: { readonly squared: number; readonly line: readonly [Point, Point] } | undefined;
  const consider = (from: Point, ring: readonly Point[], isTurned: boolean): void => {
    for (let i = 1; i < ring.length; i++) {
      const to = nearestOn(from, ring[i - 1]!, ring[i]!);
      const squared = (to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2;
      if (best === undefined || squared < best.squared) {
        best = { squared, line: isTurned ? [to, from] : [from, to] };
      }
    }
  };
  for (const ring of ringsA)
    for (const from of ring) for (const other of ringsB) consider(from, other, false);
  for (const ring of ringsB) for (const from of ring) for (const other of ringsA) consider(from, other, true);
  return best?.line;
}

function nearestOn([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): Point {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return [ax + along * dx, ay + along * dy];
}
