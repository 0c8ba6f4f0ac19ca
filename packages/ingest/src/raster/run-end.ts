/** Bytes four at a time, where they can be had so; undefined of wider values. */
export function wordsOf(values: ArrayLike<number>): Int32Array | undefined {
  const isBytes = values instanceof Uint8Array && values.byteOffset % 4 === 0;
  return isBytes ? new Int32Array(values.buffer, values.byteOffset, values.length >> 2) : undefined;
}

/** Up to so many neighbours are compared one by one: most runs of noisy rasters end before. */
const SHORT = 8;

/**
 * Where the run of equal values that begins at `start` ends.
 *
 * @param words of the same values, by {@link wordsOf}
 * @param end it goes no further
 */
export function runEnd(
  values: ArrayLike<number>,
  words: Int32Array | undefined,
  start: number,
  end: number,
): number {
  const value = values[start]!;
  let at = start + 1;
  const near = words === undefined ? end : Math.min(end, (start + SHORT + 3) & ~3);
  while (at < near && values[at] === value) at++;
  if (words === undefined || at < near) return at;
  const word = Math.imul(value, 0x01010101);
  let i = at >> 2;
  const last = end >> 2;
  while (i < last && words[i] === word) i++;
  if (i << 2 > at) at = i << 2;
  while (at < end && values[at] === value) at++;
  return at;
}
