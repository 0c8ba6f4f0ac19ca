/** Returned by {@link CleanScan.endOfValue} where the scan cannot decide. */
export const IN_DOUBT = -1;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** In an array the place of the first name of a level. */
const NO_NAMES = -1;
/** Names of one object that are compared one by one; of more a set is quicker. */
const NAMES_OF_OBJECT = 48;
/** Names of all objects that are open at once. */
const NAMES_OPEN = 256;
/** Digits before the point that no safe number has more of without a closer look. */
const ALWAYS_SAFE_DIGITS = 15;

/**
 * Looks at the bytes of JSON for what `JSON.parse` would accept and a strict reader must not: two members of one
 * name, nesting and members beyond a limit, escapes that may be lone surrogates, numbers that may be unsafe. It does
 * not check syntax, which `JSON.parse` does, and leaves everything unusual in doubt. So a text in which it doubts
 * nothing, and which `JSON.parse` accepts, is strict JSON; of any other it says nothing.
 *
 * Names are compared by a hash: two that share one are in doubt.
 */
export class CleanScan {
  /** True if every byte so far is ASCII. Other bytes are not checked to be UTF-8. */
  isAscii: boolean = true;
  /** Members of all objects so far. */
  members = 0;
  readonly #maxMembers: number;
  readonly #maxDepth: number;
  /** Hashes of the names of the open objects. */
  readonly #names: Int32Array = new Int32Array(NAMES_OPEN);
  /** Place of the first name on each level. */
  readonly #firstNames: Int32Array;

  /**
   * @param maxDepth most levels of arrays and objects
   * @param maxMembers most members of all objects together
   */
  constructor(maxDepth: number, maxMembers: number) {
    this.#maxDepth = maxDepth;
    this.#maxMembers = maxMembers;
    this.#firstNames = new Int32Array(maxDepth);
  }

  /** Makes it ready for another text. */
  begin(): void {
    this.isAscii = true;
    this.members = 0;
  }

  /**
   * @param bytes of the whole text
   * @param start of the value
   * @param levels arrays and objects that are open around it
   * @returns where the value ends, or {@link IN_DOUBT}; what follows a value that is no JSON is no matter
   */
  endOfValue(bytes: Uint8Array, start: number, levels = 0): number {
    const names = this.#names;
    const firstNames = this.#firstNames;
    const maxLevel = this.#maxDepth - levels;
    let level = 0;
    let namesOpen = 0;
    let isNameNext = false;
    let at = start;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) return IN_DOUBT;
      if ((byte >= ZERO && byte <= NINE) || byte === MINUS) {
        at = this.#endOfNumber(bytes, at);
        if (at === IN_DOUBT || level === 0) return at;
      } else if (byte === COMMA) {
        if (level === 0) return IN_DOUBT;
        isNameNext = firstNames[level - 1]! !== NO_NAMES;
        at++;
      } else if (byte === QUOTE) {
        if (isNameNext) {
          isNameNext = false;
          const first = firstNames[level - 1]!;
          if (++this.members > this.#maxMembers || namesOpen === NAMES_OPEN) return IN_DOUBT;
          let hash = 0;
          for (at++; ; at++) {
            const unit = bytes[at]!;
            if (unit === QUOTE) break;
            // Beyond the end, a character that must be escaped, an escape.
            if (!(unit >= 0x20) || unit === BACKSLASH) return IN_DOUBT;
            if (unit >= 0x80) this.isAscii = false;
            hash = Math.imul(hash ^ unit, 0x01000193);
          }
          at++;
          if (namesOpen - first > NAMES_OF_OBJECT) return IN_DOUBT;
          for (let i = first; i < namesOpen; i++) if (names[i] === hash) return IN_DOUBT;
          names[namesOpen++] = hash;
        } else {
          at = this.#endOfString(bytes, at);
          if (at === IN_DOUBT || level === 0) return at;
        }
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (level >= maxLevel) return IN_DOUBT;
        isNameNext = byte === OPEN_OBJECT;
        firstNames[level++] = isNameNext ? namesOpen : NO_NAMES;
        at++;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (level === 0) return IN_DOUBT;
        const first = firstNames[--level]!;
        if (first !== NO_NAMES) namesOpen = first;
        isNameNext = false;
        at++;
        if (level === 0) return at;
      } else if (byte === COLON || isWhitespace(byte)) {
        at++;
      } else if (byte === LOWER_T || byte === LOWER_N || byte === LOWER_F) {
        at += byte === LOWER_F ? 5 : 4;
        if (level === 0) return at;
      } else {
        return IN_DOUBT;
      }
    }
  }

  /** A number without an exponent, of so few digits before the point that it is safe. */
  #endOfNumber(bytes: Uint8Array, start: number): number {
    let at = bytes[start] === MINUS ? start + 1 : start;
    const integerStart = at;
    while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    if (at - integerStart > ALWAYS_SAFE_DIGITS) return IN_DOUBT;
    if (bytes[at] === POINT) {
      at++;
      while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    }
    return bytes[at] === LOWER_E || bytes[at] === UPPER_E ? IN_DOUBT : at;
  }

  /** A string that is not a name, without `\u`. */
  #endOfString(bytes: Uint8Array, start: number): number {
    for (let at = start + 1; ; at++) {
      const unit = bytes[at]!;
      if (unit === QUOTE) return at + 1;
      if (!(unit >= 0x20)) return IN_DOUBT;
      if (unit === BACKSLASH) {
        if (bytes[++at] === LOWER_U) return IN_DOUBT;
      } else if (unit >= 0x80) this.isAscii = false;
    }
  }
}

/**
 * Where the white space of JSON that begins at an offset ends.
 *
 * @param bytes of the whole text
 * @param start where it begins; it may be empty
 */
export function endOfWhitespace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isWhitespace(bytes[at])) at++;
  return at;
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
