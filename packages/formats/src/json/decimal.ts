const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** Powers of ten that a double holds exactly. */
const POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/** A number below it has room for one more digit: ten of it and nine are below 2⁵³. */
const ROOM_FOR_A_DIGIT = 900_719_925_474_098;
/** Digits that a number may have beyond those: their value stays below 2²⁴. */
const MORE_DIGITS = 7;
/** Makes two halves of 26 bits of a double (Veltkamp). */
const SPLITTER = 134217729;

const FORM = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * Reads a number in JSON, to the bit as `JSON.parse` reads it.
 *
 * Digits below 2⁵³ over a power of ten up to 10²² are one division of exact numbers, which rounds once (Clinger, How
 * to Read Floating Point Numbers Accurately, 1990). Up to seven more digits go along in a second double; the
 * quotient then has an error that is known, and where that leaves the last bit open, and for every other number,
 * `Number` is asked.
 *
 * @param bytes the number begins at `from`, and something that is no part of it follows
 * @param out receives the number, at `index`
 * @returns where the number ends; −1 where there is none
 */
export function readDecimal(bytes: Uint8Array, from: number, out: Float64Array, index: number): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  let digit = bytes[at]! - ZERO;
  if (!(digit >= 0 && digit <= 9)) return -1;
  let high = digit;
  let byte = bytes[++at]!;
  digit = byte - ZERO;
  if (high === 0 && digit >= 0 && digit <= 9) return -1;
  while (digit >= 0 && digit <= 9) {
    if (high >= ROOM_FOR_A_DIGIT) return readDecimalOfAnyLength(bytes, from, out, index);
    high = high * 10 + digit;
    byte = bytes[++at]!;
    digit = byte - ZERO;
  }
  let places = 0;
  let low = 0;
  let lowPlaces = 0;
  if (byte === POINT) {
    byte = bytes[++at]!;
    digit = byte - ZERO;
    if (!(digit >= 0 && digit <= 9)) return -1;
    while (digit >= 0 && digit <= 9 && high < ROOM_FOR_A_DIGIT) {
      high = high * 10 + digit;
      places++;
      byte = bytes[++at]!;
      digit = byte - ZERO;
    }
    while (digit >= 0 && digit <= 9) {
      low = low * 10 + digit;
      lowPlaces++;
      byte = bytes[++at]!;
      digit = byte - ZERO;
    }
  }
  if ((byte | 0x20) === 0x65 || places + lowPlaces > 22 || lowPlaces > MORE_DIGITS) {
    return readDecimalOfAnyLength(bytes, from, out, index);
  }
  let value = high / POWERS[places]!;
  if (lowPlaces > 0) {
    value = divideRoundedOnce(high, POWERS[lowPlaces]!, low, POWERS[places + lowPlaces]!);
    if (Number.isNaN(value)) return readDecimalOfAnyLength(bytes, from, out, index);
  }
  out[index] = isNegative ? -value : value;
  return at;
}

/** (high · scale + low) / divisor, rounded once; NaN where the last bit is open. */
function divideRoundedOnce(high: number, scale: number, low: number, divisor: number): number {
  // The dividend as the sum of two doubles, both whole numbers: exact, for `scale` has 24 bits at most.
  const product = high * scale;
  const highest = SPLITTER * high - (SPLITTER * high - high);
  const rest = highest * scale - product + (high - highest) * scale;
  const dividend = product + low;
  const tail = rest + (low - (dividend - product));
  // The remainder of the dividend after the rounded quotient is a double (Dekker, A Floating-Point Technique, 1971).
  const quotient = dividend / divisor;
  const back = quotient * divisor;
  const q1 = SPLITTER * quotient - (SPLITTER * quotient - quotient);
  const q2 = quotient - q1;
  const d1 = SPLITTER * divisor - (SPLITTER * divisor - divisor);
  const d2 = divisor - d1;
  const backRest = q1 * d1 - back + q1 * d2 + q2 * d1 + q2 * d2;
  const more = (dividend - back - backRest + tail) / divisor;
  const error = Math.abs(more) * 2 ** -48;
  const value = quotient + (more - error);
  return value === quotient + (more + error) ? value : Number.NaN;
}

/** A number of any length, with an exponent or without. */
function readDecimalOfAnyLength(bytes: Uint8Array, from: number, out: Float64Array, index: number): number {
  let text = "";
  let at = from;
  for (; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at]!);
    if (!/[-+.0-9eE]/.test(character)) break;
    text += character;
  }
  if (!FORM.test(text)) return -1;
  out[index] = Number(text);
  return at;
}
