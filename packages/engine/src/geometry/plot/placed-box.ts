import { EngineError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { type Bbox, computeBbox } from "../earth/bbox.ts";
import type { CrsTable } from "./crs.ts";
import { forEachJump } from "./longitude-jumps.ts";
import { readGeoJson } from "./read-geojson.ts";

/** The place of a geometry, however wrong its shape. */
export interface PlacedBox {
  /** Degrees, longitudes within ±540. */
  readonly box: Bbox;
  /** True if its positions describe an extent: points show where something is, and not how far it reaches. */
  readonly isExtent: boolean;
}

/**
 * The box of everything that a geometry may be, whether it is valid or not; undefined where a position cannot be read
 * or is no place on earth, and where there is none.
 *
 * Edges of 180° or more make it run round the earth, since either way is a reading of them.
 *
 * @param geometry a geometry of GeoJSON, a collection of them, or a Feature with one; unchecked
 * @param options.crs CRS of the positions; default longitude and latitude
 */
export function findGeometryBox(geometry: unknown, options: BoxOptions = {}): PlacedBox | undefined {
  try {
    return findInputBox(geometry, options, 0);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

interface BoxOptions {
  readonly crs?: string | undefined;
  readonly crsTable?: CrsTable | undefined;
}

/** Collections within each other that are read; more of them have no box. */
const MAX_DEPTH = 32;

function findInputBox(input: unknown, options: BoxOptions, depth: number): PlacedBox | undefined {
  if (!isObject(input) || depth > MAX_DEPTH) return undefined;
  const { geometry } = input;
  if (input.type === "Feature" && isObject(geometry) && geometry.type === "GeometryCollection") {
    return input.crs === undefined ? findInputBox(geometry, options, depth + 1) : undefined;
  }
  if (input.type === "GeometryCollection") {
    if (input.crs !== undefined) return undefined;
    const members = Array.isArray(input.geometries) ? input.geometries : [];
    const boxes = members.map((member) => findInputBox(member, options, depth + 1));
    return boxes.every((box) => box !== undefined) ? joinPlacedBoxes(boxes) : undefined;
  }
  const { parts, dimension, faults } = readGeoJson(input, options);
  if (faults.length > 0) return undefined;
  const rings = parts.flat().map((ring) => computeBbox(ring));
  const [west, south, east, north] = rings.reduce(uniteBoxes, NOTHING);
  if (!(west <= east)) return undefined;
  let isRound = east - west > 360;
  if (dimension !== "point") {
    forEachJump(parts, () => {
      isRound = true;
    });
  }
  return {
    box: isRound ? [-180, south, 180, north] : [west, south, east, north],
    isExtent: dimension !== "point",
  };
}

const NOTHING: Bbox = [Infinity, Infinity, -Infinity, -Infinity];

function joinPlacedBoxes(boxes: readonly PlacedBox[]): PlacedBox | undefined {
  const [first, ...others] = boxes;
  if (first === undefined) return undefined;
  const box = others.reduce((sum, { box }) => uniteBoxes(sum, box), first.box);
  return { box, isExtent: boxes.every(({ isExtent }) => isExtent) };
}

/** The box around two. */
function uniteBoxes(a: Bbox, b: Bbox): Bbox {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
