import { PIXEL } from "./tile-place.ts";

/** A ring in whole units of a tile: flat `[x, y, …]`, the last position not repeated, at least three. */
export type TileRing = readonly number[];

/** A ring in whole units, wound as its role requires; undefined if nothing is left of it. */
export function roundRing(ring: readonly number[], isHole: boolean): TileRing | undefined {
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [Math.round(ring[i]!), Math.round(ring[i + 1]!)];
    if (x !== out.at(-2) || y !== out.at(-1)) out.push(x, y);
  }
  if (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  const area = computeDoubledArea(out);
  if (area === 0) return isHole || out.length === 0 ? undefined : createPixelSquare(out[0]!, out[1]!);
  return area > 0 === !isHole ? out : reverseRing(out);
}

/** A square of a pixel around a place, for an outer ring that whole units have made flat. */
function createPixelSquare(x: number, y: number): TileRing {
  const half = PIXEL / 2;
  return [x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half];
}

/** Twice the signed area, positive where the ring turns clockwise to the eye: y grows downward. */
function computeDoubledArea(ring: TileRing): number {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    sum += ring[j]! * ring[i + 1]! - ring[i]! * ring[j + 1]!;
  }
  return sum;
}

function reverseRing(ring: TileRing): TileRing {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i]!, ring[i + 1]!);
  return out;
}
