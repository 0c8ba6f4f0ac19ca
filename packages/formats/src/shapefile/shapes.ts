import { AreaGeometry, toPositions } from "../area-geometry.ts";
import { toDataView } from "../file/file-window.ts";
import { MOST_TINY } from "../limits.ts";
import { groupRingsIntoPolygons, TooManyRings } from "./sort-rings.ts";

/** A type of shapes: with height (Z) or measure (M) only the bytes behind the positions differ. */
export interface ShapeKind {
  readonly type: number;
  readonly shape: "null" | "point" | "line" | "polygon" | "points";
  readonly hasZ: boolean;
  /** Heights come with measures that may be left out; measures alone may be left out too, except for points. */
  readonly hasM: boolean;
}

/** A shape as GeoJSON, or the reason why it cannot be read. */
export type ReadShape =
  | { readonly geometry: unknown }
  | { readonly found: string; readonly expected: string };

export const SHAPES: ReadonlyMap<number, ShapeKind> = new Map(
  (
    [
      [0, "null"],
      [1, "point"],
      [3, "line"],
      [5, "polygon"],
      [8, "points"],
    ] as const
  ).flatMap(([type, shape]): [number, ShapeKind][] => [
    [type, { type, shape, hasZ: false, hasM: false }],
    ...(shape === "null"
      ? []
      : ([
          [type + 10, { type: type + 10, shape, hasZ: true, hasM: true }],
          [type + 20, { type: type + 20, shape, hasZ: false, hasM: true }],
        ] as [number, ShapeKind][])),
  ]),
);

/**
 * Reads the content of a record. Heights and measures are dropped; the rings of a polygon are sorted by containment,
 * whatever their winding.
 *
 * @param kind of the file: a record is of it, or null
 */
export function readShapeRecord(content: Uint8Array, kind: ShapeKind, swapAxes: boolean): ReadShape {
  const view = toDataView(content);
  const type = view.getInt32(0, true);
  if (type === 0) return { geometry: null };
  if (type !== kind.type)
    return { found: `shape type ${type}`, expected: `${kind.type} as the file says, or 0` };
  const expected = listExpectedLengths(view, kind);
  if (!expected.includes(content.length)) {
    return {
      found: `${content.length} bytes`,
      expected: `${[...new Set(expected)].join(" or ")} for its positions`,
    };
  }
  const [x, y] = swapAxes ? [8, 0] : [0, 8];
  if (kind.shape === "point") {
    const position = [view.getFloat64(4 + x, true), view.getFloat64(4 + y, true)];
    return toFiniteShape(position, { type: "Point", coordinates: position });
  }
  const count = view.getInt32(kind.shape === "points" ? 36 : 40, true);
  const partCount = kind.shape === "points" ? 0 : view.getInt32(36, true);
  const start = kind.shape === "points" ? 40 : 44 + 4 * partCount;
  const positions = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    positions[2 * i] = view.getFloat64(start + 16 * i + x, true);
    positions[2 * i + 1] = view.getFloat64(start + 16 * i + y, true);
  }
  if (kind.shape === "points") {
    return toFiniteShape(positions, { type: "MultiPoint", coordinates: toPositions(positions) });
  }
  const starts = Array.from({ length: partCount }, (_, i) => view.getInt32(44 + 4 * i, true));
  const least = kind.shape === "line" ? 2 : 4;
  const tiny = starts.filter((from, i) => (starts[i + 1] ?? count) - from < least).length;
  if (tiny > MOST_TINY)
    return { found: `${tiny} parts of fewer than ${least} positions`, expected: `at most ${MOST_TINY}` };
  const parts = splitPositionsIntoParts(positions, starts);
  if (parts === undefined) {
    return {
      found: `parts that start at ${starts.slice(0, 8).join(", ")}`,
      expected: `parts of its ${count} positions`,
    };
  }
  if (parts.length === 0) return { geometry: null };
  if (!positions.every(Number.isFinite)) return NOT_FINITE;
  return kind.shape === "line" ? { geometry: toLineGeometry(parts) } : toPolygonShape(parts);
}

const NOT_FINITE = { found: "a position that is no number", expected: "numbers" };

function toFiniteShape(positions: ArrayLike<number>, geometry: unknown): ReadShape {
  return Array.from(positions).every(Number.isFinite) ? { geometry } : NOT_FINITE;
}

/** Lengths that a record of so many parts and positions can have; none if it is too short to decide. */
function listExpectedLengths(view: DataView, { shape, hasZ, hasM }: ShapeKind): readonly number[] {
  if (shape === "point") return hasZ ? [36, 28] : [hasM ? 28 : 20];
  const head = shape === "points" ? 40 : 44;
  if (view.byteLength < head) return [head];
  const parts = shape === "points" ? 0 : view.getInt32(36, true);
  const count = view.getInt32(head - 4, true);
  // Negative counts are no counts, and lengths of theirs could be right by chance.
  if (parts < 0 || count < 0) return [Number.NaN];
  const flat = head + 4 * parts + 16 * count;
  const values = 16 + 8 * count;
  if (hasZ) return [flat + values, flat + 2 * values];
  return hasM ? [flat, flat + values] : [flat];
}

function splitPositionsIntoParts(
  positions: Float64Array,
  starts: readonly number[],
): Float64Array[] | undefined {
  const count = positions.length / 2;
  if (starts.length === 0) return count === 0 ? [] : undefined;
  if (starts[0] !== 0) return undefined;
  const parts: Float64Array[] = [];
  for (const [i, start] of starts.entries()) {
    const end = starts[i + 1] ?? count;
    if (end < start || end > count) return undefined;
    if (end > start) parts.push(positions.subarray(2 * start, 2 * end));
  }
  return parts;
}

function toLineGeometry(parts: readonly Float64Array[]): unknown {
  const [only, ...others] = parts;
  return others.length === 0
    ? { type: "LineString", coordinates: toPositions(only!) }
    : { type: "MultiLineString", coordinates: parts.map(toPositions) };
}

function toPolygonShape(rings: readonly Float64Array[]): ReadShape {
  try {
    const sorted = groupRingsIntoPolygons(rings);
    return { geometry: new AreaGeometry(sorted, sorted.length > 1) };
  } catch (error) {
    if (!(error instanceof TooManyRings)) throw error;
    return { found: error.message, expected: "fewer: split the feature into its parts" };
  }
}
