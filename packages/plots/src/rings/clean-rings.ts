import { orient2d } from "@groundrule/engine/internal";

/** A ring that ends where it starts: the same one if it does, else with its first position at the end. */
export function closeRing(ring: Float64Array): Float64Array {
  const { length } = ring;
  if (length > 2 && ring[0] === ring[length - 2] && ring[1] === ring[length - 1]) return ring;
  const ended = new Float64Array(length + 2);
  ended.set(ring);
  ended.set(ring.subarray(0, 2), length);
  return ended;
}

/**
 * A ring without positions that repeat the one before; the same one where there are none.
 *
 * @param note told the number of each position that is left out
 */
export function removeRepeatedPositions(ring: Float64Array, note: (position: number) => void): Float64Array {
  const kept: number[] = [ring[0]!, ring[1]!];
  for (let i = 2; i < ring.length; i += 2) {
    if (ring[i] === ring[i - 2] && ring[i + 1] === ring[i - 1]) note(i / 2);
    else kept.push(ring[i]!, ring[i + 1]!);
  }
  return kept.length === ring.length ? ring : Float64Array.from(kept);
}

/** True if all positions of a ring lie on one line, so that it encloses nothing. Exact. */
export function isStraight(ring: Float64Array): boolean {
  const [x0, y0, x1, y1] = ring;
  for (let i = 4; i + 1 < ring.length; i += 2) {
    if (orient2d(x0!, y0!, x1!, y1!, ring[i]!, ring[i + 1]!) !== 0) return false;
  }
  return true;
}
