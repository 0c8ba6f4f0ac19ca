import { checkStrictJson, MalformedJson } from "@groundrule/engine/internal/json";
import type { AreaGeometry } from "../area-geometry.ts";
import { advanceTextPlace, decodeUtf8 } from "../decode-utf8.ts";
import { createFormatError, FormatError, type TextPlace } from "../format-error.ts";
import type { GeoJsonForm } from "../format-reader.ts";
import { FORMAT_LIMITS, type FormatLimits } from "../limits.ts";
import type { AreaFeatureReader } from "./area-feature-reader.ts";
import { findJsonFault } from "./json-fault.ts";

/** A piece of a source's text, parsed. */
export interface SplitValue {
  /** `head`: a FeatureCollection's members before its features; `feature`: one of them; `text`: a whole JSON text; `tail`: the collection once more, without its features. */
  readonly part: "head" | "feature" | "text" | "tail";
  /** Parsed value of the piece. */
  readonly value: unknown;
  readonly place: TextPlace;
  /** The piece as written, decoded; for what parsing loses. */
  readonly text: string;
  /** Its geometry, where the coordinates were read into typed arrays and stand in value and text as null. */
  readonly area?: AreaGeometry;
}

/**
 * Makes a result of a piece; undefined makes none. It must keep no part of the piece that can be large except its
 * value.
 */
export type PieceReader<Result> = (piece: SplitValue) => Result | undefined;

/** How large a source's pieces may be: bytes of a feature, and levels counted from a feature or a text. */
export type SplitterLimits = Pick<FormatLimits, "featureBytes" | "depth">;

/** The defaults: those of {@link FORMAT_LIMITS}. */
export const SPLITTER_LIMITS: SplitterLimits = FORMAT_LIMITS;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NEWLINE = 0x0a;
const RECORD_SEPARATOR = 0x1e;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Meaning of each byte between the strings of a value; 0 is nothing of note. */
const MEANING = new Uint8Array(256);
const IS_QUOTE = 1;
const IS_OPENING = 2;
const IS_CLOSING = 3;
const IS_NEWLINE = 4;
const IS_CONTROL = 5;
const IS_COLON = 6;
MEANING.fill(IS_CONTROL, 0, 0x20);
MEANING[0x09] = 0;
MEANING[0x0d] = 0;
MEANING[QUOTE] = IS_QUOTE;
MEANING[OPEN_BRACE] = IS_OPENING;
MEANING[OPEN_BRACKET] = IS_OPENING;
MEANING[CLOSE_BRACE] = IS_CLOSING;
MEANING[CLOSE_BRACKET] = IS_CLOSING;
MEANING[NEWLINE] = IS_NEWLINE;
MEANING[COLON] = IS_COLON;

/** Most arrays, objects and members of a feature that is parsed as a whole, and of a collection around its features. */
const VALUE_LIMIT = 2_000_000;
const AROUND_LIMIT = 100_000;

/** No member name this long, escapes counted, can be `features`. */
const NAME_BYTES = 48;

/** Where the splitter stands: outside the texts, among the members of one, or among features. */
type State =
  | "between texts"
  | "name or end"
  | "name"
  | "colon"
  | "value"
  | "comma or end"
  | "feature or end"
  | "feature"
  | "comma or end of features";

/**
 * Cuts a UTF-8 stream of JSON objects into pieces that can be parsed alone: each element of a
 * FeatureCollection's `features`, wherever that member stands, or of an array of features alone, or each object of a
 * sequence (one a line, or each after a record separator, RFC 8142). Holds one piece at a time.
 *
 * Only strings, brackets and, outside features, the grammar of members are followed here;
 * `JSON.parse` judges each piece. Equal bytes give equal pieces however they are cut into chunks.
 */
export class FeatureSplitter<Result extends object> {
  readonly #read: PieceReader<Result>;
  readonly #limits: SplitterLimits;
  readonly #areas: AreaFeatureReader | undefined;
  #state: State = "between texts";

  /** Offset of the current chunk in the stream, and the line its next byte is on. */
  #chunkStart = 0;
  #line = 1;
  /** Bytes of a byte order mark at the start: none or three. */
  #bomLength: number = 0;

  /** The nested value under way: how deep, and where in a string. */
  #depth = 0;
  #inString: boolean = false;
  #escaped: boolean = false;

  /** Bytes of the piece under way that lie in earlier chunks; its place. */
  #carried = new Uint8Array(0);
  #carriedLength = 0;
  #piecePlace: TextPlace = { line: 1, byte: 0 };
  #textPlace: TextPlace = { line: 1, byte: 0 };

  /** Colons of the piece under way that are outside strings: its members, distinct or not. */
  #members: number = 0;
  /** Its arrays and objects, likewise. */
  #openings: number = 0;

  #name: number[] = [];
  #head: string | undefined;
  #features = 0;
  #texts = 0;
  #collection: boolean = false;
  /** True if the features stand in an array alone, without the collection around it. */
  #isArray: boolean = false;
  /** A line or record break was seen since the last text. */
  #broken: boolean = true;
  #sawRecordSeparator: boolean = false;

  /** @param areas reads the coordinates of areas into typed arrays; absent: they are parsed like everything else */
  constructor(
    read: PieceReader<Result>,
    limits: SplitterLimits = SPLITTER_LIMITS,
    areas?: AreaFeatureReader,
  ) {
    this.#read = read;
    this.#limits = limits;
    this.#areas = areas;
  }

  /** Form of the bytes read so far; final at the end. */
  get format(): GeoJsonForm {
    if (this.#sawRecordSeparator) return "geojson-seq";
    return this.#texts > 1 ? "ndjson" : "geojson";
  }

  /**
   * Results of the pieces that end within a chunk. The chunk is not kept.
   *
   * @param chunk the next bytes of the source, in UTF-8, cut anywhere
   *
   * Fails: `JSON_MALFORMED`, `JSON_TOO_DEEP`, `TEXT_NOT_UTF8`, `TEXT_TOO_LARGE`, and whatever the
   * reader of pieces throws.
   */
  *push(chunk: Uint8Array): Generator<Result, void, undefined> {
    const end = chunk.length;
    let start = this.#state === "between texts" || this.#betweenFeatures() ? -1 : 0;
    let at = 0;
    while (at < end) {
      const byte = chunk[at]!;
      switch (this.#state) {
        case "feature": {
          at = this.#scan(chunk, at);
          if (this.#insideValue()) break;
          this.#features++;
          const feature = this.#finish("feature", chunk, start, at, this.#piecePlace);
          if (feature !== undefined) yield feature;
          start = -1;
          this.#state = "comma or end of features";
          break;
        }
        case "value": {
          if (this.#insideValue()) {
            at = this.#scan(chunk, at);
            if (!this.#insideValue()) this.#state = "comma or end";
            break;
          }
          if (this.#skipSpace(byte)) {
            at++;
            break;
          }
          if (this.#isFeaturesMember()) {
            if (byte !== OPEN_BRACKET) this.#refuse(at, chunk, 'an array, the value of "features"');
            at++;
            const head = this.#beginFeatures(chunk, start, at);
            if (head !== undefined) yield head;
            start = -1;
            break;
          }
          if (byte === QUOTE || MEANING[byte] === IS_OPENING) {
            at = this.#open(chunk, at);
            break;
          }
          // A literal or a number: JSON.parse will judge it, here it ends where a member may.
          if (byte === COMMA || byte === CLOSE_BRACE) this.#state = "comma or end";
          else at++;
          break;
        }
        case "between texts": {
          if (byte === BYTE_ORDER_MARK[this.#bomLength] && this.#bomLength === this.#chunkStart + at) {
            this.#bomLength++;
            at++;
            break;
          }
          if (byte === RECORD_SEPARATOR) this.#sawRecordSeparator = true;
          if (byte === RECORD_SEPARATOR || byte === NEWLINE) this.#broken = true;
          if (this.#skipSpace(byte) || byte === RECORD_SEPARATOR) {
            at++;
            break;
          }
          this.#beginText(chunk, at);
          start = this.#isArray ? -1 : at;
          at++;
          break;
        }
        case "name or end": {
          if (this.#skipSpace(byte)) at++;
          else if (byte === QUOTE) {
            this.#name = [];
            this.#state = "name";
            at = this.#open(chunk, at);
          } else if (byte === CLOSE_BRACE) {
            at++;
            const last = this.#endText(chunk, start, at);
            if (last !== undefined) yield last;
            start = -1;
          } else this.#refuse(at, chunk, "a member name in double quotes");
          break;
        }
        case "name": {
          const from = at;
          at = this.#scan(chunk, at);
          for (let i = from; i < at && this.#name.length <= NAME_BYTES; i++) this.#name.push(chunk[i]!);
          if (!this.#inString) this.#state = "colon";
          break;
        }
        case "colon": {
          if (this.#skipSpace(byte)) at++;
          else if (byte === COLON) {
            this.#state = "value";
            this.#members++;
            at++;
          } else this.#refuse(at, chunk, '":" after a member name');
          break;
        }
        case "comma or end": {
          if (this.#skipSpace(byte)) at++;
          else if (byte === COMMA) {
            this.#state = "name or end";
            at++;
          } else if (byte === CLOSE_BRACE) {
            at++;
            const last = this.#endText(chunk, start, at);
            if (last !== undefined) yield last;
            start = -1;
          } else this.#refuse(at, chunk, '"," or "}"');
          break;
        }
        case "feature or end": {
          if (this.#skipSpace(byte)) at++;
          else if (byte === CLOSE_BRACKET && this.#features === 0) {
            start = this.#endFeatures(at);
            at++;
          } else if (byte === OPEN_BRACE) {
            this.#piecePlace = { feature: this.#features + 1, line: this.#line, byte: this.#chunkStart + at };
            this.#state = "feature";
            this.#members = 0;
            this.#openings = 0;
            start = at;
            at = this.#open(chunk, at);
          } else this.#refuse(at, chunk, "a feature, which is an object");
          break;
        }
        case "comma or end of features": {
          if (this.#skipSpace(byte)) at++;
          else if (byte === COMMA) {
            this.#state = "feature or end";
            at++;
          } else if (byte === CLOSE_BRACKET) {
            start = this.#endFeatures(at);
            at++;
          } else this.#refuse(at, chunk, '"," or "]" after a feature');
          break;
        }
      }
    }
    if (start >= 0) this.#hold(chunk.subarray(start, end));
    this.#chunkStart += end;
  }

  /** To be called after the last chunk. Fails: `JSON_MALFORMED` where the stream ends within a text or contains none. */
  end(): void {
    if (this.#state === "between texts" && this.#texts > 0) return;
    const place = { line: this.#line, byte: this.#chunkStart };
    if (this.#state === "between texts") {
      throw new FormatError(
        "JSON_MALFORMED",
        "the source is empty, expected GeoJSON; was it saved, or downloaded, to its end?",
        {
          place,
          found: "the end of the source",
          expected: "GeoJSON",
        },
      );
    }
    const begun = this.#state === "feature" ? this.#piecePlace : this.#textPlace;
    const what = this.#state === "feature" ? `feature ${begun.feature}` : "the object";
    const expected = `the rest of ${what}, which begins at line ${begun.line}, byte ${begun.byte}`;
    throw new FormatError("JSON_MALFORMED", `the source ends here, expected ${expected}`, {
      place: begun.feature === undefined ? place : { feature: begun.feature, ...place },
      found: "the end of the source",
      expected,
    });
  }

  /** Runs on to the end of the nested value or string under way, or of the chunk. */
  #scan(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let at = from;
    let depth = this.#depth;
    let openings = 0;
    if (this.#inString) {
      at = this.#scanString(chunk, at);
      if (this.#inString || depth === 0) return at;
    }
    while (at < end) {
      const meaning = MEANING[chunk[at++]!];
      if (meaning === 0) continue;
      if (meaning === IS_CLOSING) {
        depth--;
        if (depth === 0) break;
      } else if (meaning === IS_OPENING) {
        depth++;
        openings++;
        if (depth > this.#limits.depth) this.#refuseDepth(at - 1);
      } else if (meaning === IS_QUOTE) {
        this.#inString = true;
        at = this.#scanString(chunk, at);
      } else if (meaning === IS_COLON) this.#members++;
      else if (meaning === IS_NEWLINE) this.#line++;
      else this.#refuse(at - 1, chunk, "no control characters");
    }
    this.#depth = depth;
    this.#openings += openings;
    return at;
  }

  /** Runs on past the closing quote of the string under way, or to the end of the chunk. */
  #scanString(chunk: Uint8Array, from: number): number {
    const end = chunk.length;
    let at = from;
    if (this.#escaped && at < end) {
      this.#escaped = false;
      at++;
    }
    while (at < end) {
      const byte = chunk[at++]!;
      if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
      if (byte === BACKSLASH) {
        if (at === end) this.#escaped = true;
        else at++;
      } else if (byte < 0x20) {
        // Else a missing quote would run on into the next features.
        this.#refuse(
          at - 1,
          chunk,
          "an escape or the closing quote, because a string cannot contain control characters",
        );
      }
    }
    return at;
  }

  /** Enters the string, array or object that begins at `at`. */
  #open(chunk: Uint8Array, at: number): number {
    if (chunk[at] === QUOTE) this.#inString = true;
    else this.#depth = 1;
    return at + 1;
  }

  #skipSpace(byte: number): boolean {
    if (byte === NEWLINE) this.#line++;
    return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
  }

  #insideValue(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  #betweenFeatures(): boolean {
    return this.#state === "feature or end" || this.#state === "comma or end of features";
  }

  #beginText(chunk: Uint8Array, at: number): void {
    const expected = this.#collection
      ? "the end of the source after the FeatureCollection"
      : "a GeoJSON object";
    const halfMarked = this.#bomLength > 0 && this.#bomLength < BYTE_ORDER_MARK.length;
    this.#isArray = chunk[at] === OPEN_BRACKET && this.#texts === 0;
    if (this.#collection || halfMarked || (chunk[at] !== OPEN_BRACE && !this.#isArray)) {
      this.#refuse(at, chunk, expected);
    }
    if (!this.#broken) this.#refuse(at, chunk, "a new line before the next object");
    this.#textPlace = { line: this.#line, byte: this.#chunkStart + at };
    this.#piecePlace = this.#textPlace;
    this.#state = this.#isArray ? "feature or end" : "name or end";
    this.#head = undefined;
    this.#members = 0;
    this.#openings = 0;
    this.#broken = false;
  }

  #endText(chunk: Uint8Array, start: number, at: number): Result | undefined {
    this.#state = "between texts";
    this.#texts++;
    if (this.#head === undefined) {
      return this.#finish("text", chunk, start, at, { feature: this.#texts, ...this.#textPlace });
    }
    this.#collection = true;
    return this.#finish("tail", chunk, start, at, this.#piecePlace, `${this.#head}[`);
  }

  #isFeaturesMember(): boolean {
    const { length } = this.#name;
    if (length < "features".length + 1 || length > NAME_BYTES) return false;
    try {
      // biome-ignore lint/plugin: NAME_BYTES at most
      return JSON.parse(`"${String.fromCharCode(...this.#name)}`) === "features";
    } catch {
      return false; // no JSON string: found when the members around the features are parsed
    }
  }

  #beginFeatures(chunk: Uint8Array, start: number, at: number): Result | undefined {
    if (this.#head !== undefined) this.#refuse(at - 1, chunk, 'only one member "features"');
    if (this.#texts > 0) this.#refuse(at - 1, chunk, "a feature, not a FeatureCollection, in a sequence");
    const head = decodeUtf8(this.#takeBytes(chunk, start, at), this.#textPlace);
    this.#letGo();
    this.#head = head.slice(0, -"[".length);
    this.#state = "feature or end";
    return this.#parse("head", `${head}]}`, this.#textPlace);
  }

  #endFeatures(at: number): number {
    if (this.#isArray) {
      this.#isArray = false;
      this.#collection = true;
      this.#texts++;
      this.#state = "between texts";
      return -1;
    }
    this.#state = "comma or end";
    this.#name = [];
    this.#members = 0;
    this.#openings = 0;
    this.#piecePlace = { line: this.#line, byte: this.#chunkStart + at };
    return at;
  }

  /** Result of the piece that ends before `at`; `before` makes it a text of its own. */
  #finish(
    part: SplitValue["part"],
    chunk: Uint8Array,
    start: number,
    at: number,
    place: TextPlace,
    before = "",
  ): Result | undefined {
    const bytes = this.#takeBytes(chunk, start, at);
    const read = part === "feature" || part === "text" ? this.#areas?.read(bytes) : undefined;
    if (read !== undefined && countObjectMembers(read.value) === this.#members) {
      this.#letGo();
      return this.#read({ part, place, ...read });
    }
    const text = before + decodeUtf8(bytes, place);
    this.#letGo();
    return this.#parse(part, text, place, before.length);
  }

  /** The bytes of the piece that ends before `at`, until they are let go of. */
  #takeBytes(chunk: Uint8Array, start: number, at: number): Uint8Array {
    const last = chunk.subarray(start, at);
    this.#checkSize(this.#carriedLength + last.length);
    if (this.#carriedLength === 0) return last;
    this.#hold(last);
    return this.#carried.subarray(0, this.#carriedLength);
  }

  /** Lets go of the piece's bytes: a giant need not stand here twice, nor keep its room among small features. */
  #letGo(): void {
    this.#carriedLength = 0;
    if (this.#carried.length > CARRIED_BYTES_KEPT) this.#carried = new Uint8Array(0);
  }

  #parse(part: SplitValue["part"], text: string, place: TextPlace, borrowed = 0): Result | undefined {
    const isWhole = part === "feature" || part === "text";
    this.#checkValues(isWhole ? VALUE_LIMIT : AROUND_LIMIT, place);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw jsonMalformedError(text, borrowed, place);
    }
    // If two members have one name, parsing keeps the last. Members around features are read again.
    if (!isWhole || countObjectMembers(value) !== this.#members)
      this.#refuseDuplicates(text, borrowed, place);
    return this.#read({ part, value, place, text });
  }

  #refuseDuplicates(text: string, borrowed: number, place: TextPlace): void {
    try {
      checkStrictJson(new TextEncoder().encode(text), { exact: false, maxDepth: this.#limits.depth + 2 });
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      const found = `the member "${error.pointer}" a second time`;
      const expected = "each member once";
      const before = new TextEncoder().encode(text).subarray(borrowed, Math.max(borrowed, error.offset));
      throw createFormatError("JSON_MALFORMED", found, expected, { place: advanceTextPlace(place, before) });
    }
  }

  /** Before it is parsed: an empty object is two bytes, and thirty times as many in memory. */
  #checkValues(limit: number, place: TextPlace): void {
    if (this.#openings + this.#members <= limit) return;
    const found = `more than ${limit} arrays, objects and members`;
    const expected = `at most ${limit} in a feature, or around the features`;
    throw createFormatError("TEXT_TOO_LARGE", found, expected, { place, limit });
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#carriedLength + bytes.length;
    this.#checkSize(length);
    if (length > this.#carried.length) {
      const grown = new Uint8Array(Math.max(length, Math.min(2 * length, this.#limits.featureBytes)));
      grown.set(this.#carried.subarray(0, this.#carriedLength));
      this.#carried = grown;
    }
    this.#carried.set(bytes, this.#carriedLength);
    this.#carriedLength = length;
  }

  #checkSize(bytes: number): void {
    const limit = this.#limits.featureBytes;
    if (bytes <= limit) return;
    const found = `more than ${limit} bytes`;
    const details = { place: this.#piecePlace, found, expected: `at most ${limit} bytes` };
    throw new FormatError("TEXT_TOO_LARGE", `found a feature of ${found}, which is the limit`, details);
  }

  #refuseDepth(at: number): never {
    throw new FormatError("JSON_TOO_DEEP", `nested deeper than the ${this.#limits.depth} levels allowed`, {
      place: this.#placeAt(at),
      expected: `at most ${this.#limits.depth} levels`,
    });
  }

  #refuse(at: number, chunk: Uint8Array, expected: string): never {
    const byte = chunk[at]!;
    const found =
      byte > 0x20 && byte < 0x7f
        ? JSON.stringify(String.fromCharCode(byte))
        : `the byte 0x${byte.toString(16).padStart(2, "0").toUpperCase()}`;
    throw createFormatError("JSON_MALFORMED", found, expected, { place: this.#placeAt(at) });
  }

  #placeAt(at: number): TextPlace {
    const here = { line: this.#line, byte: this.#chunkStart + at };
    return this.#state === "feature" ? { feature: this.#features + 1, ...here } : here;
  }
}

const CARRIED_BYTES_KEPT = 1 << 20;

/** Members of all objects; those within arrays of positions, where none belong, are passed over. */
function countObjectMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    const [first] = value;
    if (typeof first === "number" || (Array.isArray(first) && typeof first[0] === "number")) return 0;
    for (const element of value) count += countObjectMembers(element);
    return count;
  }
  for (const name in value) count += 1 + countObjectMembers((value as Record<string, unknown>)[name]);
  return count;
}

function jsonMalformedError(text: string, borrowed: number, place: TextPlace): FormatError {
  const fault = findJsonFault(text);
  if (fault === undefined) throw new Error("JSON.parse refused a text in which no fault is found");
  const before = new TextEncoder().encode(text.slice(borrowed, Math.max(borrowed, fault.index)));
  return createFormatError("JSON_MALFORMED", fault.found, fault.expected, {
    place: advanceTextPlace(place, before),
  });
}
