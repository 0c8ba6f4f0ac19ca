import { BUFFER, EXTENT } from "./tile-place.ts";

const LOW = -BUFFER;
const HIGH = EXTENT + BUFFER;

/**
 * Clips a ring to the square that a tile shows, one side after another (Sutherland and Hodgman, 1974). What lies
 * outside follows the square's edge, in the buffer, where maps do not show it.
 *
 * @param ring flat `[x, y, …]` in units of the tile, the last position not repeated
 * @returns the same form; empty where nothing of it is inside
 */
export function clipRing(ring: readonly number[]): readonly number[] {
  let clipped = ring;
  for (const side of SIDES) {
    if (clipped.length === 0) return clipped;
    clipped = clipSide(clipped, side);
  }
  return clipped;
}

interface Side {
  /** 0 for x, 1 for y. */
  readonly axis: 0 | 1;
  readonly at: number;
  /** 1 where what is greater is inside, -1 where what is less. */
  readonly sign: 1 | -1;
}

const SIDES: readonly Side[] = [
  { axis: 0, at: LOW, sign: 1 },
  { axis: 0, at: HIGH, sign: -1 },
  { axis: 1, at: LOW, sign: 1 },
  { axis: 1, at: HIGH, sign: -1 },
];

function clipSide(ring: readonly number[], { axis, at, sign }: Side): number[] {
  const out: number[] = [];
  const isInside = (i: number): boolean => sign * (ring[i + axis]! - at) >= 0;
  let before = ring.length - 2;
  let wasInside = isInside(before);
  for (let i = 0; i < ring.length; i += 2) {
    const inside = isInside(i);
    if (inside !== wasInside) {
      const share = (at - ring[before + axis]!) / (ring[i + axis]! - ring[before + axis]!);
      const other = 1 - axis;
      const crossing = ring[before + other]! + share * (ring[i + other]! - ring[before + other]!);
      if (axis === 0) out.push(at, crossing);
      else out.push(crossing, at);
    }
    if (inside) out.push(ring[i]!, ring[i + 1]!);
    before = i;
    wasInside = inside;
  }
  return out;
}
