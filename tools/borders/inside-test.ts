import type { Ring } from "./natural-earth.ts";

/** An edge of a ring by its number. */
type Edge = readonly [x1: number, y1: number, x2: number, y2: number, ring: number];

/**
 * Makes a test of whether a position lies in rings, by their edges in bands of latitude.
 *
 * @param rings of any winding, closed
 * @param rule `odd`: in an odd number of them; `any`: in one or more
 */
export function createInsideTest(
  rings: readonly Ring[],
  rule: "odd" | "any" = "odd",
): (x: number, y: number) => boolean {
  const BANDS_PER_DEGREE = 20;
  const bands = new Map<number, Edge[]>();
  rings.forEach((ring, r) => {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!];
      const last = Math.floor(Math.max(y1, y2) * BANDS_PER_DEGREE);
      for (let band = Math.floor(Math.min(y1, y2) * BANDS_PER_DEGREE); band <= last; band++) {
        const edges = bands.get(band);
        if (edges === undefined) bands.set(band, [[x1, y1, x2, y2, r]]);
        else edges.push([x1, y1, x2, y2, r]);
      }
    }
  });
  return (x, y) => {
    const holders = new Set<number>();
    for (const [x1, y1, x2, y2, r] of bands.get(Math.floor(y * BANDS_PER_DEGREE)) ?? []) {
      if (y1 > y === y2 > y || x >= x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) continue;
      if (!holders.delete(r)) holders.add(r);
    }
    return rule === "odd" ? holders.size % 2 === 1 : holders.size > 0;
  };
}
