import { AreaGeometry } from "./area-geometry.ts";

/** A geometry that was read from WKT, and the SRID before it (EWKT). */
export interface ReadWkt {
  /** `AreaGeometry` for areas, else GeoJSON; null where it is empty. */
  readonly geometry: unknown;
  /** The number of its reference system; undefined if there is none. */
  readonly srid: number | undefined;
}

/** Why a text is no geometry in WKT: what was found at which character (from 1), and what was expected. */
export class WktFault extends Error {
  /**
   * @param text that was read
   * @param at index of the character, from 0
   * @param expected what should stand there, for the message
   */
  constructor(text: string, at: number, expected: string) {
    const found = at >= text.length ? "the end" : `"${text.slice(at, at + 24)}"`;
    super(`WKT, character ${at + 1}: found ${found}, expected ${expected}`);
  }
}

/**
 * Reads a geometry in WKT (OGC 06-103r4, and EWKT's `SRID=n;`), in any letter case. Z and M are dropped.
 *
 * @param text one geometry
 * @param depth most collections within each other
 *
 * Fails: {@link WktFault}; curves and surfaces (`CURVEPOLYGON`, `TIN`) are no geometry that is read.
 */
export function readWkt(text: string, depth = 64): ReadWkt {
  const scanner = new Scanner(text);
  const srid = scanner.srid();
  const geometry = readTaggedGeometry(scanner, depth);
  scanner.end();
  return { geometry, srid };
}

const NAMES = [
  "POINT",
  "LINESTRING",
  "POLYGON",
  "MULTIPOINT",
  "MULTILINESTRING",
  "MULTIPOLYGON",
  "GEOMETRYCOLLECTION",
] as const;

function readTaggedGeometry(scanner: Scanner, depth: number): unknown {
  const start = scanner.at;
  const word = scanner.word();
  // "POLYGONZ" in one word is common, "POLYGON Z" in two is the standard.
  const name = NAMES.find((known) => word === known || ["Z", "M", "ZM"].some((d) => word === known + d));
  if (name === undefined) throw scanner.fault(`one of ${NAMES.join(", ")}`, start);
  const inWord = word.slice(name.length);
  const dimensions = inWord === "" ? scanner.optional("ZM", "Z", "M") : inWord;
  const numbers = dimensions === undefined ? undefined : 2 + dimensions.length;
  if (scanner.optional("EMPTY") !== undefined) return null;
  switch (name) {
    case "POINT":
      return { type: "Point", coordinates: scanner.list(() => readSinglePosition(scanner, numbers), 1)[0] };
    case "LINESTRING":
      return { type: "LineString", coordinates: readPositions(scanner, numbers) };
    case "POLYGON":
      return new AreaGeometry([readRings(scanner, numbers)], false);
    case "MULTIPOINT":
      return { type: "MultiPoint", coordinates: scanner.list(() => readPoint(scanner, numbers)) };
    case "MULTILINESTRING":
      return { type: "MultiLineString", coordinates: scanner.list(() => readPositions(scanner, numbers)) };
    case "MULTIPOLYGON":
      return new AreaGeometry(
        scanner.list(() => readRings(scanner, numbers)),
        true,
      );
    case "GEOMETRYCOLLECTION": {
      if (depth === 0) throw scanner.fault("fewer collections within each other", start);
      const geometries = scanner.list(() => toPlainGeometry(readTaggedGeometry(scanner, depth - 1)));
      return { type: "GeometryCollection", geometries };
    }
  }
}

function toPlainGeometry(geometry: unknown): unknown {
  return geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
}

/** In a MULTIPOINT each point may have brackets of its own. */
function readPoint(scanner: Scanner, numbers: number | undefined): number[] {
  return scanner.isOpen()
    ? scanner.list(() => readSinglePosition(scanner, numbers), 1)[0]!
    : readSinglePosition(scanner, numbers);
}

function readPositions(scanner: Scanner, numbers: number | undefined): number[][] {
  return scanner.list(() => readSinglePosition(scanner, numbers));
}

function readSinglePosition(scanner: Scanner, numbers: number | undefined): number[] {
  const xy: number[] = [];
  appendPosition(scanner, numbers, xy);
  return xy;
}

function readRings(scanner: Scanner, numbers: number | undefined): Float64Array[] {
  return scanner.list(() => {
    const xy: number[] = [];
    scanner.list(() => appendPosition(scanner, numbers, xy));
    return Float64Array.from(xy);
  });
}

function appendPosition(scanner: Scanner, numbers: number | undefined, xy: number[]): void {
  xy.push(scanner.number(), scanner.number());
  let read = 2;
  for (; read < (numbers ?? 4) && scanner.isNumber(); read++) scanner.number();
  if (numbers !== undefined && read < numbers) scanner.number();
}

const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+/y;
const NUMBER = /[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![A-Za-z0-9_.])/y;
const SRID = /SRID=([0-9]{1,9});/iy;

/** Goes through the text from token to token. */
class Scanner {
  readonly #text: string;
  at: number = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  srid(): number | undefined {
    const found = this.#match(SRID);
    return found === undefined ? undefined : Number(found.slice("SRID=".length, -1));
  }

  /** Letters, in capitals; none where something else stands. */
  word(): string {
    return (this.#match(WORD) ?? "").toUpperCase();
  }

  /** The one of these words that stands here, taken; else nothing is. */
  optional(...words: readonly string[]): string | undefined {
    const start = this.at;
    const found = this.word();
    if (words.includes(found)) return found;
    this.at = start;
    return undefined;
  }

  isOpen(): boolean {
    return this.#text[this.at] === "(";
  }

  isNumber(): boolean {
    const start = this.at;
    const found = this.#match(NUMBER);
    this.at = start;
    return found !== undefined;
  }

  number(): number {
    const start = this.at;
    const found = this.#match(NUMBER);
    if (found === undefined) throw this.fault("a number", start);
    return Number(found);
  }

  /** Things in brackets with commas between them, one at least. */
  list<Element>(read: () => Element, most = Number.POSITIVE_INFINITY): Element[] {
    this.#take("(", '"("');
    const elements = [read()];
    while (elements.length < most && this.#text[this.at] === ",") {
      this.#take(",", '","');
      elements.push(read());
    }
    this.#take(")", elements.length < most ? '"," or ")"' : '")"');
    return elements;
  }

  end(): void {
    if (this.at < this.#text.length) throw this.fault("the end of the geometry");
  }

  fault(expected: string, at: number = this.at): WktFault {
    return new WktFault(this.#text, at, expected);
  }

  #take(character: string, expected: string): void {
    if (this.#text[this.at] !== character) throw this.fault(expected);
    this.at++;
    this.#skip();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    this.#skip();
    return found;
  }

  #skip(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.#text)![0].length;
  }
}
