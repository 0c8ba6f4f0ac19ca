import { readDecimal } from "./decimal.ts";

const SPACE = 0x20;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

const FIRST_ROOM = 4096;
/** Room that is kept from one feature for the next, in numbers: one giant should not keep its own. */
const ROOM_KEPT = 1 << 20;

/** Rings take more memory than their positions: most of those with fewer numbers than a ring takes. */
const FREE_RINGS = 10_000;
const RING_NUMBERS = 8;

/** How far out a position may be; further out it is a fault, or in another CRS. */
const LONGITUDES = 540;
const LATITUDES = 90;

/**
 * Reads the coordinates of polygons from the bytes of a JSON text straight into one typed array: two numbers a
 * position, each within the longitudes and latitudes there are. Whatever has another shape is left to others.
 */
export class CoordinateReader {
  #xy = new Float64Array(FIRST_ROOM);
  /** Where the rings end in `#xy`, and the polygons among the rings. */
  #ringEnds: number[] = [];
  #polygonEnds: number[] = [];
  #isMulti = false;

  /** True if the coordinates read last are nested as in a MultiPolygon. */
  get isMulti(): boolean {
    return this.#isMulti;
  }

  /** The rings of each polygon that was read last. They lie in memory that the next reading uses again. */
  polygons(): Float64Array[][] {
    let ring = 0;
    let start = 0;
    return this.#polygonEnds.map((ringEnd) => {
      const rings: Float64Array[] = [];
      for (; ring < ringEnd; ring++) {
        const end = this.#ringEnds[ring]!;
        rings.push(this.#xy.subarray(start, end));
        start = end;
      }
      return rings;
    });
  }

  /**
   * Reads the array that begins at `from`.
   *
   * @param bytes a whole JSON value encloses the array
   * @returns where the array ends; −1 where it is no array of polygons, or has other than two numbers a position
   */
  read(bytes: Uint8Array, from: number): number {
    this.#ringEnds = [];
    this.#polygonEnds = [];
    let xy = this.#xy;
    if (xy.length > ROOM_KEPT) {
      xy = new Float64Array(FIRST_ROOM);
      this.#xy = xy;
    }
    let used = 0;
    let at = from;
    let opened = 0;
    while (bytes[at] === OPEN) {
      opened++;
      at = skipJsonSpace(bytes, at + 1);
    }
    if (opened !== 3 && opened !== 4) return -1;
    this.#isMulti = opened === 4;

    for (;;) {
      if (used + 2 > xy.length) {
        const grown = new Float64Array(2 * xy.length);
        grown.set(xy);
        xy = grown;
        this.#xy = xy;
      }
      // A position, its bracket open.
      at = readDecimal(bytes, at, xy, used);
      if (at === -1) return -1;
      if (bytes[at] !== COMMA) at = skipJsonSpace(bytes, at);
      if (bytes[at] !== COMMA) return -1;
      at++;
      if (bytes[at]! <= SPACE) at = skipJsonSpace(bytes, at);
      at = readDecimal(bytes, at, xy, used + 1);
      if (at === -1) return -1;
      const x = xy[used]!;
      const y = xy[used + 1]!;
      if (!(x >= -LONGITUDES && x <= LONGITUDES && y >= -LATITUDES && y <= LATITUDES)) return -1;
      used += 2;
      if (bytes[at] !== CLOSE) at = skipJsonSpace(bytes, at);
      if (bytes[at] !== CLOSE) return -1;

      // Next: brackets that close, then the end, or a comma and equally many that open.
      let closed = 1;
      at++;
      for (;;) {
        if (bytes[at]! <= SPACE) at = skipJsonSpace(bytes, at);
        if (bytes[at] !== CLOSE) break;
        at++;
        closed++;
        if (closed === 2) {
          this.#ringEnds.push(used);
          if (this.#ringEnds.length > FREE_RINGS + used / RING_NUMBERS) return -1;
        } else if (closed === 3) this.#polygonEnds.push(this.#ringEnds.length);
        if (closed === opened) return at;
      }
      if (bytes[at] !== COMMA) return -1;
      at++;
      for (; closed > 0; closed--) {
        if (bytes[at] !== OPEN) at = skipJsonSpace(bytes, at);
        if (bytes[at] !== OPEN) return -1;
        at++;
      }
      if (bytes[at]! <= SPACE) at = skipJsonSpace(bytes, at);
    }
  }
}

function skipJsonSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}
