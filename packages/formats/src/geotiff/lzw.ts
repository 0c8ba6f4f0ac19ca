/** Codes that are no strings: the table starts anew; the data end. */
const CLEAR = 256;
const END = 257;
const FIRST = 258;
const MOST_CODES = 4096;
/** From how many bytes on one call copies faster than a loop. */
const LONG = 48;

/** Where the string of each code stands in what was unpacked so far, and how long it is. */
const starts = new Int32Array(MOST_CODES);
const lengths = new Int32Array(MOST_CODES);

/**
 * Unpacks LZW as TIFF writes it (codes of 9 to 12 bits, highest bit first). It stops where `output` is full, whatever
 * comes after. Each new string is the one before with one more byte, and those lie together in the output: so the table
 * is two numbers a code.
 *
 * @returns bytes written; fewer than `output` holds where the data end before
 *
 * Fails: a plain error where a code stands for nothing.
 */
export function unpackLzw(packed: Uint8Array, output: Uint8Array): number {
  const size = output.length;
  let at = 0;
  let next = FIRST;
  let width = 9;
  let isAfterClear = true;
  let lastStart = 0;
  let lastLength = 0;
  let bits = 0;
  let bitCount = 0;
  let from = 0;
  while (at < size) {
    while (bitCount < width) {
      if (from === packed.length) return at;
      bits = ((bits << 8) | packed[from++]!) & 0xffffff;
      bitCount += 8;
    }
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === END) return at;
    if (code === CLEAR) {
      next = FIRST;
      width = 9;
      isAfterClear = true;
      continue;
    }
    const begin = at;
    if (code < CLEAR) {
      output[at++] = code;
    } else {
      // The string that this code completes may be the code's own: its last byte is then its first.
      if (code > next || (code === next && isAfterClear))
        throw new Error(`the code ${code} before its string`);
      const start = code === next ? lastStart : starts[code]!;
      let length = code === next ? lastLength + 1 : lengths[code]!;
      if (length > size - at) length = size - at;
      if (length >= LONG && start + length <= at) {
        output.copyWithin(at, start, start + length);
        at += length;
      } else {
        for (let i = start, end = start + length; i < end; i++) output[at++] = output[i]!;
      }
    }
    if (!isAfterClear && next < MOST_CODES) {
      starts[next] = lastStart;
      lengths[next] = lastLength + 1;
      next++;
      // One code early, as the first writer of TIFF did.
      if (next + 1 >= 1 << width && width < 12) width++;
    }
    isAfterClear = false;
    lastStart = begin;
    lastLength = at - begin;
  }
  return at;
}

/**
 * Unpacks PackBits: runs of one byte, or bytes as they are.
 *
 * @returns bytes written; fewer than `output` holds where the data end before
 */
export function unpackPackBits(packed: Uint8Array, output: Uint8Array): number {
  let at = 0;
  for (let from = 0; from < packed.length && at < output.length; ) {
    const head = packed[from++]!;
    if (head === 128) continue;
    if (head < 128) {
      const length = Math.min(head + 1, packed.length - from, output.length - at);
      output.set(packed.subarray(from, from + length), at);
      from += head + 1;
      at += length;
    } else if (from < packed.length) {
      const end = Math.min(at + 257 - head, output.length);
      output.fill(packed[from++]!, at, end);
      at = end;
    }
  }
  return at;
}
