import { orient2d } from "../earth/predicates.ts";

/**
 * Ring without positions that repeat the one before them; the very same array where there are none.
 *
 * @param ring flat `[lon, lat, …]`, closed or not
 */
export function withoutRepeats(ring: Float64Array): Float64Array {
  let kept = 2;
  while (kept < ring.length && (ring[kept] !== ring[kept - 2] || ring[kept + 1] !== ring[kept - 1]))
    kept += 2;
  if (kept >= ring.length) return ring;
  const out = ring.slice();
  for (let i = kept; i < ring.length; i += 2) {
    if (ring[i] === out[kept - 2] && ring[i + 1] === out[kept - 1]) continue;
    out[kept++] = ring[i]!;
    out[kept++] = ring[i + 1]!;
  }
  return out.slice(0, kept);
}

/** Ring as it is if it ends where it starts, else with its first position added at the end. */
export function closeRing(ring: Float64Array): Float64Array {
  if (isClosed(ring)) return ring;
  const out = new Float64Array(ring.length + 2);
  out.set(ring);
  out[ring.length] = ring[0]!;
  out[ring.length + 1] = ring[1]!;
  return out;
}

/** True if a ring of more than one position ends where it starts. */
export function isClosed(ring: Float64Array): boolean {
  return ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
}

/**
 * True if a simple ring winds counter-clockwise, north up. Exact.
 *
 * @param ring flat `[lon, lat, …]`, closed, no repeated positions
 */
export function isCounterClockwise(ring: Float64Array): boolean {
  return windsCounterClockwise(ring, 0, ring.length / 2);
}

/** {@link isCounterClockwise} of the positions `from` (inclusive) to `to` (exclusive) of `xy`. */
export function windsCounterClockwise(xy: Float64Array, from: number, to: number): boolean {
  const first = 2 * from;
  const last = 2 * to - 2;
  // At the westernmost (of those, the southernmost) position the ring turns the way it winds.
  let west = first;
  for (let i = first + 2; i < last; i += 2) {
    if (xy[i]! < xy[west]! || (xy[i] === xy[west] && xy[i + 1]! < xy[west + 1]!)) west = i;
  }
  const before = west === first ? last - 2 : west - 2;
  return orient2d(xy[before]!, xy[before + 1]!, xy[west]!, xy[west + 1]!, xy[west + 2]!, xy[west + 3]!) > 0;
}

/** The ring with degrees added to its longitudes; the very same array where they are 0. */
export function shiftLongitudes(ring: Float64Array, degrees: number): Float64Array {
  return degrees === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + degrees : value));
}

/** The ring run through backwards. */
export function reverseRing(ring: Float64Array): Float64Array {
  const out = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    out[i] = ring[ring.length - 2 - i]!;
    out[i + 1] = ring[ring.length - 1 - i]!;
  }
  return out;
}
