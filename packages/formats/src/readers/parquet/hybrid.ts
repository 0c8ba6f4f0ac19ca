/**
 * Reads numbers in Parquet's hybrid of runs and packed bits.
 *
 * @param end where the bytes of the numbers end
 * @param width bits of a number, 0 to 32
 * @param out is filled
 *
 * Fails: `RangeError` where the bytes end before it is full.
 * Source: "Parquet encoding definitions", RLE, https://parquet.apache.org/docs/file-format/data-pages/encodings/.
 */
export function readHybridNumbers(
  bytes: Uint8Array,
  from: number,
  end: number,
  width: number,
  out: Uint8Array | Uint32Array,
): void {
  if (width > 32) throw new RangeError(`${width} bits a number, expected at most 32`);
  if (width === 0) return;
  const runBytes = (width + 7) >> 3;
  let at = from;
  let filled = 0;
  while (filled < out.length) {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= end || shift > 28) throw new RangeError("a run without its length");
      const byte = bytes[at++]!;
      head += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    if (head % 2 === 0) {
      if (at + runBytes > end) throw new RangeError("a run without its number");
      let value = 0;
      for (let i = 0; i < runBytes; i++) value += bytes[at++]! * 2 ** (8 * i);
      const to = Math.min(out.length, filled + head / 2);
      if (to === filled) throw new RangeError("a run of nothing");
      out.fill(value, filled, to);
      filled = to;
      continue;
    }
    const count = 8 * Math.floor(head / 2);
    if (count === 0) throw new RangeError("a run of nothing");
    const taken = Math.min(count, out.length - filled);
    if (at + Math.ceil((taken * width) / 8) > end) throw new RangeError("packed bits beyond the end");
    unpackBitPackedNumbers(bytes, at, width, out, filled, taken);
    filled += taken;
    at += (count / 8) * width;
  }
}

function unpackBitPackedNumbers(
  bytes: Uint8Array,
  from: number,
  width: number,
  out: Uint8Array | Uint32Array,
  start: number,
  count: number,
): void {
  let bit = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    for (let got = 0; got < width; ) {
      const within = bit & 7;
      const take = Math.min(8 - within, width - got);
      const bits = (bytes[from + (bit >> 3)]! >> within) & ((1 << take) - 1);
      value += bits * 2 ** got;
      got += take;
      bit += take;
    }
    out[start + i] = value;
  }
}
