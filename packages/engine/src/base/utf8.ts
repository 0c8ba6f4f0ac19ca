/**
 * UTF-8 of a text. A surrogate without its partner has no UTF-8 form and becomes U+FFFD, as the
 * Encoding standard has it.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  if (length > SHORT) return ENCODER.encode(text);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return ENCODER.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

/**
 * The text of `bytes[start, end)`. What is not UTF-8 becomes U+FFFD; nothing throws. A byte order
 * mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT) {
    let text = "";
    let i = start;
    for (; i + 8 <= end; i += 8) {
      const a = bytes[i]!;
      const b = bytes[i + 1]!;
      const c = bytes[i + 2]!;
      const d = bytes[i + 3]!;
      const e = bytes[i + 4]!;
      const f = bytes[i + 5]!;
      const g = bytes[i + 6]!;
      const h = bytes[i + 7]!;
      if ((a | b | c | d | e | f | g | h) > 127) break;
      text += String.fromCharCode(a, b, c, d, e, f, g, h);
    }
    for (; i < end; i++) {
      const byte = bytes[i]!;
      if (byte < 0x80) text += String.fromCharCode(byte);
      else {
        // Two bytes, C2 to DF and 80 to BF, are most letters that are not ASCII.
        const next = i + 1 < end ? bytes[i + 1]! : 0;
        if (byte < 0xc2 || byte > 0xdf || (next & 0xc0) !== 0x80) break;
        text += String.fromCharCode(((byte & 0x1f) << 6) | (next & 0x3f));
        i++;
      }
    }
    if (i === end) return text;
  }
  // slice: TextDecoder refuses views of shared memory in browsers.
  return DECODER.decode(bytes.slice(start, end));
}

/**
 * Orders two UTF-8 texts as their UTF-16 code units are ordered, without decoding.
 *
 * The two orders differ only where a supplementary character (lead byte F0 and above, first code
 * unit D800 to DBFF) meets one of U+E000 to U+FFFF (lead bytes EE, EF).
 */
export function compareUtf8(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < shared; i++) {
    const x = a[aStart + i]!;
    const y = b[bStart + i]!;
    if (x !== y) return x >= 0xee && y >= 0xee && x >= 0xf0 !== y >= 0xf0 ? y - x : x - y;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** Up to this many bytes a loop is quicker than the host's encoder and decoder. */
const SHORT = 64;
const ENCODER: TextEncoder = new TextEncoder();
const DECODER: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
