import { CleanScan, endOfWhitespace, IN_DOUBT } from "./fast/clean-json.ts";
import { formatJsonPointer } from "./json-pointer.ts";
import { decodeUtf8 } from "./utf8.ts";

/** Why a text is refused before it is parsed. */
export class MalformedJson extends Error {
  override readonly name = "MalformedJson";
  /** Byte offset of the fault. */
  readonly offset: number;
  /** JSON pointer to the value the fault lies in. */
  readonly pointer: string;
  /** Stable UPPER_SNAKE name of the kind of fault. */
  readonly code: JsonFaultCode;

  /** @param offset byte offset of the fault */
  constructor(code: JsonFaultCode, message: string, offset: number, pointer: string) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.pointer = pointer;
  }
}

/** Every kind of fault that a text is refused for. */
export type JsonFaultCode =
  | "DUPLICATE_MEMBER"
  | "ENCODING_INVALID"
  | "LONE_SURROGATE"
  | "MEMBERS_TOO_MANY"
  | "NESTING_TOO_DEEP"
  | "NUMBER_UNSAFE"
  | "SYNTAX_INVALID";

/** How strict a parse is. */
export interface StrictJsonOptions {
  /** Most levels of arrays and objects; default {@link JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** Most members of all objects together; default no limit. */
  readonly maxMembers?: number;
  /**
   * True if lone surrogates and numbers beyond ±(2⁵³ − 1) are refused, because a reader can lose them silently;
   * default true.
   */
  readonly exact?: boolean;
  /** The host's own decoder, where it has a faster one; its input is UTF-8, perhaps all ASCII. */
  readonly decode?: (bytes: Uint8Array, isAscii: boolean) => string;
}

/** Levels that no ruleset, plot, manifest or record of ours comes near. */
export const JSON_DEPTH = 64;

/**
 * Parses a text that every reader must read in the same way: requests, and every file.
 *
 * Accepts a subset of what `JSON.parse` accepts and gives the same value for it. Refused besides
 * bad syntax: bytes that are not UTF-8, a byte order mark, nesting and members beyond the options,
 * two members of one name in an object (however spelled), lone surrogates, and numbers beyond
 * ±(2⁵³ − 1), which a double cannot tell from their neighbours or turns infinite.
 *
 * At most two passes over the bytes, no recursion: time is linear in them. What a {@link CleanScan} leaves no doubt
 * in is parsed at once; of the rest a scanner that keeps every place either finds the first fault or that there is none.
 *
 * @param bytes the text in UTF-8
 *
 * Fails: {@link MalformedJson}, at the first fault.
 */
export function parseStrictJson(bytes: Uint8Array, options: StrictJsonOptions = {}): unknown {
  const decode = options.decode ?? ((all: Uint8Array) => decodeUtf8(all, 0, all.length));
  const clean = parseCleanJson(bytes, options, decode);
  if (clean !== undefined) return clean;
  const scanner = new Scanner(bytes, options);
  scanner.scan();
  return JSON.parse(decode(bytes, scanner.isAscii));
}

/** The value of a text that is strict JSON beyond doubt; else undefined. */
function parseCleanJson(
  bytes: Uint8Array,
  { maxDepth = JSON_DEPTH, maxMembers = Number.POSITIVE_INFINITY }: StrictJsonOptions,
  decode: NonNullable<StrictJsonOptions["decode"]>,
): unknown {
  const scan = new CleanScan(maxDepth, maxMembers);
  const end = scan.endOfValue(bytes, endOfWhitespace(bytes, 0));
  if (end === IN_DOUBT || endOfWhitespace(bytes, end) !== bytes.length) return undefined;
  return parseWholeJson(decode(bytes, scan.isAscii));
}

/**
 * The value that `JSON.parse` reads from a decoded text; undefined for bad syntax, and where a byte may not have been
 * UTF-8.
 *
 * @param text in which a {@link CleanScan} doubted nothing
 */
export function parseWholeJson(text: string): unknown {
  if (text.includes("\ufffd")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks a text as {@link parseStrictJson} does, and makes nothing of it.
 *
 * @param bytes the text in UTF-8
 *
 * Fails: {@link MalformedJson}, at the first fault.
 */
export function checkStrictJson(bytes: Uint8Array, options: StrictJsonOptions = {}): void {
  new Scanner(bytes, options).scan();
}

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
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
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An open array or object: where in it the scan is. */
interface Level {
  /** Names seen so far; absent in an array. */
  readonly names: Set<string> | undefined;
  /** Name of the member, or number of the element, being read; undefined until the name is known. */
  at: string | number | undefined;
}

/** Most digits before the point that a safe number always has: 2⁵³ − 1 has sixteen. */
const ALWAYS_SAFE_DIGITS = 15;

class Scanner {
  readonly #bytes: Uint8Array;
  /** True if every character so far is ASCII. */
  isAscii = true;
  readonly #maxDepth: number;
  readonly #maxMembers: number;
  readonly #exact: boolean;
  readonly #levels: Level[] = [];
  #at = 0;
  #members = 0;

  constructor(bytes: Uint8Array, options: StrictJsonOptions) {
    this.#bytes = bytes;
    this.#maxDepth = options.maxDepth ?? JSON_DEPTH;
    this.#maxMembers = options.maxMembers ?? Number.POSITIVE_INFINITY;
    this.#exact = options.exact ?? true;
  }

  scan(): void {
    let beforeValue = true;
    for (;;) {
      if (beforeValue) {
        beforeValue = this.#value();
      } else if (this.#levels.length === 0) {
        this.#whitespace();
        if (this.#at < this.#bytes.length) this.#unexpected("the end of the text");
        return;
      } else {
        beforeValue = this.#afterValue();
      }
    }
  }

  /** Reads a value, or the opening of one. @returns whether another value follows at once */
  #value(): boolean {
    this.#whitespace();
    const byte = this.#bytes[this.#at];
    switch (byte) {
      case OPEN_ARRAY:
        this.#open(undefined);
        this.#whitespace();
        if (this.#bytes[this.#at] !== CLOSE_ARRAY) return true;
        this.#close();
        return false;
      case OPEN_OBJECT:
        this.#open(new Set());
        this.#whitespace();
        if (this.#bytes[this.#at] === CLOSE_OBJECT) {
          this.#close();
          return false;
        }
        this.#memberName();
        return true;
      case QUOTE:
        this.#string();
        return false;
      case 0x74:
        this.#word("true");
        return false;
      case 0x66:
        this.#word("false");
        return false;
      case 0x6e:
        this.#word("null");
        return false;
      default:
        this.#number();
        return false;
    }
  }

  /** Reads what follows a value inside an array or object. @returns whether a value follows */
  #afterValue(): boolean {
    this.#whitespace();
    const level = this.#levels[this.#levels.length - 1]!;
    const byte = this.#bytes[this.#at];
    if (byte === COMMA) {
      this.#at++;
      if (level.names === undefined) level.at = Number(level.at) + 1;
      else this.#memberName();
      return true;
    }
    if (byte !== (level.names === undefined ? CLOSE_ARRAY : CLOSE_OBJECT)) {
      this.#unexpected(level.names === undefined ? `"," or "]"` : `"," or "}"`);
    }
    this.#close();
    return false;
  }

  #open(names: Set<string> | undefined): void {
    if (this.#levels.length === this.#maxDepth) {
      this.#fail(
        "NESTING_TOO_DEEP",
        `arrays and objects are nested more than ${this.#maxDepth} levels deep`,
        this.#at,
      );
    }
    this.#levels.push({ names, at: names === undefined ? 0 : undefined });
    this.#at++;
  }

  #close(): void {
    this.#levels.pop();
    this.#at++;
  }

  #memberName(): void {
    this.#whitespace();
    const start = this.#at;
    const level = this.#levels[this.#levels.length - 1]!;
    level.at = undefined;
    if (this.#bytes[start] !== QUOTE) this.#unexpected("a member name in double quotes");
    const plain = this.#string();
    const text = decodeUtf8(this.#bytes, start + (plain ? 1 : 0), this.#at - (plain ? 1 : 0));
    const name = plain ? text : String(JSON.parse(text));
    level.at = name;
    if (level.names!.has(name)) {
      this.#fail("DUPLICATE_MEMBER", "the same object already has a member of this name", start);
    }
    level.names!.add(name);
    if (++this.#members > this.#maxMembers) {
      this.#fail(
        "MEMBERS_TOO_MANY",
        `the objects have more than ${this.#maxMembers} members in total`,
        start,
      );
    }
    this.#whitespace();
    if (this.#bytes[this.#at] !== COLON) this.#unexpected(`":"`);
    this.#at++;
  }

  /** Reads a string. @returns whether it holds no escape */
  #string(): boolean {
    const bytes = this.#bytes;
    const start = this.#at++;
    let plain = true;
    for (;;) {
      const byte = bytes[this.#at];
      if (byte === QUOTE) {
        this.#at++;
        return plain;
      }
      if (byte === undefined) this.#unexpected("the rest of a string");
      if (byte < SPACE) this.#unexpected("an escape or the closing quote");
      if (byte === BACKSLASH) {
        plain = false;
        this.#escape();
      } else if (byte < 0x80) {
        this.#at++;
      } else {
        this.#at += this.#multibyteLength(start);
      }
    }
  }

  #escape(): void {
    const letter = this.#bytes[this.#at + 1];
    if (letter !== LOWER_U) {
      if (letter === undefined || !SHORT_ESCAPES.has(letter)) {
        this.#at++;
        this.#unexpected('one of "\\/bfnrtu after the backslash');
      }
      this.#at += 2;
      return;
    }
    const start = this.#at;
    const unit = this.#hexUnit();
    if (unit < 0xd800 || unit > 0xdfff) return;
    const paired =
      unit < 0xdc00 && this.#bytes[this.#at] === BACKSLASH && this.#bytes[this.#at + 1] === LOWER_U;
    const low = paired ? this.#hexUnit() : 0;
    if (this.#exact && (low < 0xdc00 || low > 0xdfff)) {
      this.#fail("LONE_SURROGATE", "a surrogate is not part of a pair", start);
    }
  }

  /** Reads `\uXXXX`. */
  #hexUnit(): number {
    this.#at += 2;
    let unit = 0;
    for (let i = 0; i < 4; i++) {
      const digit = parseHexDigit(this.#bytes[this.#at]);
      if (digit === undefined) this.#unexpected("four hexadecimal digits");
      unit = unit * 16 + digit;
      this.#at++;
    }
    return unit;
  }

  /** Length of the UTF-8 sequence at the scan, checked: neither overlong, nor a surrogate, nor past U+10FFFF. */
  #multibyteLength(stringStart: number): number {
    const bytes = this.#bytes;
    this.isAscii = false;
    const lead = bytes[this.#at]!;
    const length =
      lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    const second = bytes[this.#at + 1] ?? 0;
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const greatest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let valid = length > 0 && second >= least && second <= greatest;
    for (let i = 2; i < length; i++) valid &&= ((bytes[this.#at + i] ?? 0) & 0xc0) === 0x80;
    if (!valid) {
      this.#fail("ENCODING_INVALID", `the string at byte ${stringStart} is not valid UTF-8`, this.#at);
    }
    return length;
  }

  #number(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    if (bytes[this.#at] === MINUS) this.#at++;
    const integerStart = this.#at;
    if (bytes[this.#at] === ZERO) this.#at++;
    else this.#digits(start === this.#at ? "a value" : "a digit");
    let safe = this.#at - integerStart <= ALWAYS_SAFE_DIGITS;
    if (bytes[this.#at] === POINT) {
      this.#at++;
      this.#digits("a digit");
    }
    if (bytes[this.#at] === LOWER_E || bytes[this.#at] === UPPER_E) {
      safe = false;
      this.#at++;
      if (bytes[this.#at] === PLUS || bytes[this.#at] === MINUS) this.#at++;
      this.#digits("a digit");
    }
    const isUnsafe = (): boolean =>
      Math.abs(Number(decodeUtf8(bytes, start, this.#at))) > Number.MAX_SAFE_INTEGER;
    if (this.#exact && !safe && isUnsafe()) {
      this.#fail(
        "NUMBER_UNSAFE",
        "a number is beyond ±9007199254740991 and could not be kept exactly",
        start,
      );
    }
  }

  /** Reads one digit or more. */
  #digits(expected: string): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    this.#at = at;
    if (at === start) this.#unexpected(expected);
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.#bytes[this.#at] !== word.charCodeAt(i)) this.#unexpected(`"${word}"`);
      this.#at++;
    }
  }

  #whitespace(): void {
    this.#at = endOfWhitespace(this.#bytes, this.#at);
  }

  #unexpected(expected: string): never {
    const byte = this.#bytes[this.#at];
    const found =
      byte === undefined
        ? "the end of the text"
        : byte > SPACE && byte < 0x7f
          ? JSON.stringify(String.fromCharCode(byte))
          : `the byte 0x${byte.toString(16).padStart(2, "0")}`;
    this.#fail("SYNTAX_INVALID", `found ${found}, expected ${expected}`, this.#at);
  }

  #fail(code: JsonFaultCode, message: string, offset: number): never {
    const pointer = formatJsonPointer(this.#levels.flatMap(({ at }) => at ?? []));
    throw new MalformedJson(code, `${message} (byte ${offset})`, offset, pointer);
  }
}

/** The letters that may follow a backslash, besides `u`. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));

function parseHexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : undefined;
}
