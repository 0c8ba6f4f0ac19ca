import { AreaGeometry } from "../area-geometry.ts";
import { CoordinateReader } from "./coordinate-reader.ts";

/** A feature, or a geometry, whose coordinates were read apart from everything else. */
export interface ReadArea {
  /** Parsed value of the text, with null for the coordinates of its geometry. */
  readonly value: unknown;
  /** The text with null in the place of the coordinates. */
  readonly text: string;
  readonly area: AreaGeometry;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Most bytes besides the coordinates: a piece with more is counted before it is parsed. */
const REST_BYTES = 1 << 20;

const encoder = new TextEncoder();
const GEOMETRY: Uint8Array = encoder.encode("geometry");
const COORDINATES: Uint8Array = encoder.encode("coordinates");
/** Stands in the text where the coordinates were. */
const NOTHING: Uint8Array = encoder.encode("null");

/**
 * Reads features, or geometries, whose geometry is a plain polygon or multipolygon: the coordinates from the bytes,
 * everything else by `JSON.parse`. What it reads means what the whole text means; what it leaves undefined is to be
 * parsed as a whole, which tells of faults.
 */
export class AreaFeatureReader {
  readonly #coordinates = new CoordinateReader();
  /** Where the coordinates were found, and in how many objects. */
  #start = -1;
  #end = -1;
  #level = 0;

  /** @param bytes an object in JSON, brackets and strings of which are known to be closed */
  read(bytes: Uint8Array): ReadArea | undefined {
    this.#start = -1;
    if (this.#members(bytes, 1, 1) === -1 || this.#start === -1) return undefined;
    try {
      const rest = this.#bytesWithout(bytes);
      if (rest.length > REST_BYTES) return undefined;
      const text = decoder.decode(rest);
      return this.#areaIn(JSON.parse(text), text);
    } catch {
      return undefined;
    }
  }

  #areaIn(
    value: { readonly type?: unknown; readonly geometry?: unknown },
    text: string,
  ): ReadArea | undefined {
    const isFeature = value.type === "Feature";
    const geometry = isFeature ? value.geometry : value;
    if (this.#level !== (isFeature ? 2 : 1) || typeof geometry !== "object" || geometry === null)
      return undefined;
    const { isMulti } = this.#coordinates;
    const { type, coordinates } = geometry as { readonly type?: unknown; readonly coordinates?: unknown };
    if (coordinates !== null || type !== (isMulti ? "MultiPolygon" : "Polygon")) return undefined;
    if (Object.hasOwn(geometry, "bbox") || Object.hasOwn(geometry, "crs")) return undefined;
    return { value, text, area: new AreaGeometry(this.#coordinates.polygons(), isMulti) };
  }

  /**
   * Goes through the members of an object, and of the one that is its geometry, and reads the coordinates among them.
   * Everything else is passed over, for `JSON.parse` to judge.
   *
   * @param from just after the bracket that opens the object
   * @returns where the object ends; −1 where a name is written with escapes, or coordinates stand in two places
   */
  #members(bytes: Uint8Array, from: number, level: number): number {
    let at = skipJsonSpace(bytes, from);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      const name = at + 1;
      if (bytes[at] !== QUOTE) return -1;
      at = name;
      while (bytes[at] !== QUOTE) if (bytes[at++] === BACKSLASH || at >= bytes.length) return -1;
      const nameEnd = at;
      at = skipJsonSpace(bytes, at + 1);
      if (bytes[at] !== COLON) return -1;
      at = skipJsonSpace(bytes, at + 1);
      if (bytes[at] === OPEN_BRACKET && isName(bytes, name, nameEnd, COORDINATES)) {
        if (this.#start !== -1) return -1;
        this.#start = at;
        this.#level = level;
        at = this.#coordinates.read(bytes, at);
        this.#end = at;
      } else if (level === 1 && bytes[at] === OPEN_BRACE && isName(bytes, name, nameEnd, GEOMETRY)) {
        at = this.#members(bytes, at + 1, 2);
      } else at = findValueEnd(bytes, at);
      if (at === -1) return -1;
      at = skipJsonSpace(bytes, at);
      if (bytes[at] === CLOSE_BRACE) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = skipJsonSpace(bytes, at + 1);
    }
  }

  #bytesWithout(bytes: Uint8Array): Uint8Array {
    const rest = new Uint8Array(bytes.length - (this.#end - this.#start) + NOTHING.length);
    rest.set(bytes.subarray(0, this.#start));
    rest.set(NOTHING, this.#start);
    rest.set(bytes.subarray(this.#end), this.#start + NOTHING.length);
    return rest;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isName(bytes: Uint8Array, from: number, to: number, name: Uint8Array): boolean {
  if (to - from !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false;
  return true;
}

/** Where the value that begins at `from` ends, or −1; nothing of it is judged but where it ends. */
function findValueEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let depth = 0;
  let at = from;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at++;
      while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth--;
    } else if (byte === COMMA && depth === 0) return at;
    at++;
  }
  return -1;
}

function skipJsonSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}
