/** A point of a drawing, in its units. */
export type Point = readonly [x: number, y: number];

/**
 * A ring with fewer points that nowhere departs from the given one by more than `tolerance`
 * (Douglas and Peucker 1973). The first and last point, which are the same, stay.
 */
export function simplifyRing(ring: readonly Point[], tolerance: number): readonly Point[] {
  if (ring.length <= 4) return ring;
  const kept = new Uint8Array(ring.length);
  kept[0] = 1;
  kept[ring.length - 1] = 1;
  // A ring's chord is a point: its farthest vertex comes first, and each half has a chord then.
  const spans: [number, number][] = [[0, ring.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let farthest = from;
    let squared = tolerance * tolerance;
    for (let i = from + 1; i < to; i++) {
      const distance = computeSquaredDistance(ring[i]!, ring[from]!, ring[to]!);
      if (distance > squared) [farthest, squared] = [i, distance];
    }
    if (farthest === from) continue;
    kept[farthest] = 1;
    spans.push([from, farthest], [farthest, to]);
  }
  return ring.filter((_, i) => kept[i] === 1);
}

/** Squared distance of a point from the stretch between two. */
function computeSquaredDistance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  const [ex, ey] = [x - ax - along * dx, y - ay - along * dy];
  return ex * ex + ey * ey;
}
