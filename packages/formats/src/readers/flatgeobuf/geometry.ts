import { AreaGeometry, toAreaGeometry, toPositions } from "../../area-geometry.ts";
import { MOST_TINY } from "../../limits.ts";
import { isUnread, unsupportedGeometryError } from "../../wkb/unread-types.ts";
import type { Table } from "./table.ts";

/** How deep collections may lie in each other. */
const DEPTH = 32;

/** Bytes that a part takes at least: where it lies, where its fields lie, and one of them. */
const LEAST_PART = 12;

/** Fields of a geometry, in the order of the schema. */
const ENDS = 0;
const XY = 1;
const TYPE = 6;
const PARTS = 7;

const UNKNOWN = 0;
const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const MULTI_POINT = 4;
const MULTI_LINE_STRING = 5;
const MULTI_POLYGON = 6;
const GEOMETRY_COLLECTION = 7;

/**
 * Reads a geometry of FlatGeobuf: polygons and multipolygons as `AreaGeometry`, else what GeoJSON would hold.
 *
 * @param layerType of the header, 0 where each geometry tells its own
 * @param size bytes of the feature: parts may lie in several places at once, but not take more than it has
 *
 * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` for curves and surfaces of other kinds than polygons.
 * Source: flatgeobuf 3.x, `src/fbs/feature.fbs`.
 */
export function readFlatGeobufGeometry(table: Table, layerType: number, size: number): unknown {
  return new GeometryReader(size).read(table, layerType, 0);
}

class GeometryReader {
  /** Bytes that geometries read so far would take at least. */
  #taken = 0;
  #tiny = 0;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  read(table: Table, known: number, depth: number): unknown {
    const type = known === UNKNOWN ? table.uint8(TYPE) : known;
    switch (type) {
      case POINT: {
        const [first] = toPositions(this.#xy(table));
        return { type: "Point", coordinates: first?.every(Number.isNaN) === false ? first : [] };
      }
      case LINE_STRING:
        return { type: "LineString", coordinates: toPositions(this.#xy(table)) };
      case MULTI_POINT:
        return { type: "MultiPoint", coordinates: toPositions(this.#xy(table)) };
      case MULTI_LINE_STRING:
        return { type: "MultiLineString", coordinates: this.#rings(table).map(toPositions) };
      case POLYGON:
        return toAreaGeometry([this.#rings(table)], false);
      case MULTI_POLYGON:
        return toAreaGeometry(
          Array.from(table.tables(PARTS), (part) => this.#rings(part)),
          true,
        );
      case GEOMETRY_COLLECTION: {
        if (depth === DEPTH) table.fail(`collections ${depth + 1} deep`, `at most ${DEPTH}`);
        const geometries: unknown[] = [];
        this.#take(table, LEAST_PART);
        for (const part of table.tables(PARTS)) {
          const geometry = this.read(part, UNKNOWN, depth + 1);
          geometries.push(geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry);
        }
        return { type: "GeometryCollection", geometries };
      }
      default:
        if (isUnread(type)) throw unsupportedGeometryError(type);
        table.fail(`the type ${type} of a geometry`, "a type of 1 to 17");
    }
  }

  #xy(table: Table): Float64Array {
    const xy = table.doubles(XY) ?? new Float64Array(0);
    this.#take(table, LEAST_PART + 8 * xy.length);
    if (xy.length === 0 && ++this.#tiny > MOST_TINY)
      table.fail(`more than ${MOST_TINY} parts without positions`, `at most ${MOST_TINY}`);
    if (xy.length % 2 !== 0) table.fail(`${xy.length} coordinates`, "two a position");
    return xy;
  }

  /** Rings, or lines: the positions between one end and the next; without ends they are one. */
  #rings(table: Table): Float64Array[] {
    const xy = this.#xy(table);
    const ends =
      table.uint32s(ENDS) ?? (xy.length === 0 ? new Uint32Array(0) : Uint32Array.of(xy.length / 2));
    const rings: Float64Array[] = [];
    let start = 0;
    for (const end of ends) {
      if (end <= start || 2 * end > xy.length)
        table.fail(`a ring that ends at ${end}`, `an end of ${start + 1} to ${xy.length / 2}`);
      rings.push(xy.subarray(2 * start, 2 * end));
      start = end;
    }
    if (2 * start !== xy.length) table.fail(`rings that end at ${start}`, `an end at ${xy.length / 2}`);
    return rings;
  }

  #take(table: Table, bytes: number): void {
    this.#taken += bytes;
    if (this.#taken > this.#size)
      table.fail("parts that overlap in the file", `parts within ${this.#size} bytes`);
  }
}
