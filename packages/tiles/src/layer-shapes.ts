import type { AreaLayer } from "@groundrule/engine";
import {
  computeRingCourse,
  listRingsInBox,
  type RingCourse,
  type RingEnvelope,
  type RingView,
} from "@groundrule/engine/internal";
import { Specks } from "./specks.ts";
import { BUFFER, EXTENT, PIXEL, type TileProjection } from "./tile-place.ts";
import { roundRing, type TileRing } from "./tile-ring.ts";

/** View of one area in a tile. */
export interface AreaShape {
  /** Index of the area. */
  readonly area: number;
  /** Outer rings, each followed by its holes; outer ones have a positive area with y downward. */
  readonly rings: readonly TileRing[];
}

/** View of a layer in a tile. */
export interface LayerShapes {
  /** In the order of the areas. */
  readonly areas: readonly AreaShape[];
  /** Areas that are too small, or too many, to be distinguished here, as rectangles; their identity is not kept. */
  readonly specks: readonly TileRing[];
}

/** Limits of the work on one tile, and so of its bytes. */
export interface TileLimits {
  /** Chains and positions of rings that are looked at; beyond it the smaller rings are drawn by every so many positions. */
  readonly positions: number;
  /** Rings that are drawn separately; smaller ones beyond it are specks. */
  readonly rings: number;
}

const LIMITS: TileLimits = { positions: 500_000, rings: 6_000 };

/** Cost that a ring may have whatever the others cost: enough for any that has a single chain. */
const LEAST_SHARE = 128;

/** Size in both directions below which a shape is a speck. */
const SPECK_UNITS = 1.5 * PIXEL;
/** Distance in both directions within which places are drawn as one. */
const TOLERANCE_UNITS = PIXEL / 4;
/**
 * Length of a degree of latitude in Mercator relative to one at the equator, inverted, at the far end of each whole
 * degree.
 */
const COSINES: Float64Array = Float64Array.from({ length: 91 }, (_, degree) =>
  Math.max(0.05, Math.cos((Math.min(90, degree + 1) * Math.PI) / 180)),
);

interface SeenRing extends RingEnvelope {
  /** Degrees added to its longitudes. */
  readonly shift: number;
  /** The longer side of its envelope, in units. */
  readonly units: number;
}

/**
 * View of a layer's areas in a tile. Every area that meets the tile is in it: at its own shape, more coarsely, or as a
 * speck.
 *
 * @param options.holds which areas count; absent: all
 */
export function buildLayerShapes(
  layer: AreaLayer,
  projection: TileProjection,
  options: { readonly holds?: (area: number) => boolean; readonly limits?: TileLimits } = {},
): LayerShapes {
  const { holds = () => true, limits = LIMITS } = options;
  const rings = listSeenRings(layer, projection).filter(({ ring }) => holds(layer.ringAreas[ring]!));
  const speckUnits = findLeastKeptSize(rings, SPECK_UNITS, limits.rings);
  const courses = createRingCourses(
    layer,
    rings.filter(({ units }) => units >= speckUnits),
    projection,
    limits.positions,
  );

  const areas = new Map<number, TileRing[]>();
  const specks = new Specks();
  /** True if the outer ring before a hole is shown: otherwise the hole has nothing to be cut out of. */
  let isOuterShown = false;
  for (const seen of rings) {
    const isHole = layer.ringRoles[seen.ring] === 1;
    const course = courses.get(seen);
    if (course === undefined) {
      if (isHole) continue;
      specks.add(seen, projection);
      isOuterShown = false;
    } else if (isOuterShown || !isHole) {
      const ring = createTileRing(layer, seen, course, projection, isHole);
      if (!isHole) isOuterShown = ring !== undefined && !course.isCoarse;
      if (ring !== undefined) addRingToArea(areas, layer.ringAreas[seen.ring]!, ring);
    }
  }
  return { areas: Array.from(areas, ([area, shapes]) => ({ area, rings: shapes })), specks: specks.rings() };
}

function addRingToArea(areas: Map<number, TileRing[]>, area: number, ring: TileRing): void {
  const shapes = areas.get(area);
  if (shapes === undefined) areas.set(area, [ring]);
  else shapes.push(ring);
}

/** The rings that meet a tile, those of each shift in ascending order. */
function listSeenRings(layer: AreaLayer, { bbox, unitsPerDegree, toY }: TileProjection): SeenRing[] {
  if (layer.bbox === undefined) return [];
  const seen: SeenRing[] = [];
  // Longitudes of a layer may run on past ±180 where its areas cross the antimeridian.
  for (const shift of [-360, 0, 360]) {
    if (layer.bbox[0] + shift > bbox[2] || layer.bbox[2] + shift < bbox[0]) continue;
    for (const found of listRingsInBox(layer, [bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3]])) {
      const { ring, west, south, east, north } = found;
      const units = Math.max((east - west) * unitsPerDegree, toY(south) - toY(north));
      seen.push({ ring, west, south, east, north, shift, units });
    }
  }
  return seen;
}

/** The least size, `from` doubled as often as it takes, from which on there are no more rings than a limit. */
function findLeastKeptSize(rings: readonly SeenRing[], from: number, limit: number): number {
  for (let units = from; ; units *= 2) {
    let count = 0;
    for (const ring of rings) if (ring.units >= units) count++;
    if (count <= limit) return units;
  }
}

/**
 * The courses of rings, the larger ones first. The first one that does not fit in what is left of `most` steps is coarse,
 * and so are those after it that take more than their share.
 */
function createRingCourses(
  layer: AreaLayer,
  rings: readonly SeenRing[],
  { bbox: [west, south, east, north], unitsPerDegree }: TileProjection,
  most: number,
): ReadonlyMap<SeenRing, RingCourse> {
  const longitude = TOLERANCE_UNITS / unitsPerDegree;
  const latitudes = COSINES.map((cosine) => cosine * longitude);
  const share = Math.max(LEAST_SHARE, Math.floor(most / rings.length));
  const courses = new Map<SeenRing, RingCourse>();
  let left = most;
  for (const seen of rings.toSorted((a, b) => b.units - a.units)) {
    const { ring, shift } = seen;
    const view: RingView = { bbox: [west - shift, south, east - shift, north], longitude, latitudes };
    const course = computeRingCourse(layer, ring, view, Math.max(share, left));
    left = course.isCoarse ? 0 : left - course.work;
    courses.set(seen, course);
  }
  return courses;
}

function createTileRing(
  layer: AreaLayer,
  seen: SeenRing,
  { positions, isCoarse }: RingCourse,
  projection: TileProjection,
  isHole: boolean,
): TileRing | undefined {
  const ring = projectPositions(layer, positions, seen.shift, projection);
  const shape = roundRing(isWithin(seen, projection) ? ring : clipRingToTile(ring), isHole);
  // A coarse ring may miss the tile that it meets; it must not be reported as empty.
  if (shape !== undefined || isHole || !isCoarse) return shape;
  return roundRing(clipRingToTile(projectEnvelope(seen, projection)), isHole);
}

/** True if a tile shows all of a ring. */
function isWithin({ west, south, east, north, shift }: SeenRing, { bbox }: TileProjection): boolean {
  return west + shift >= bbox[0] && south >= bbox[1] && east + shift <= bbox[2] && north <= bbox[3];
}

function projectPositions(
  { xy }: AreaLayer,
  positions: readonly number[],
  shift: number,
  { toX, toY }: TileProjection,
): number[] {
  const out: number[] = [];
  for (const i of positions) out.push(toX(xy[2 * i]! + shift), toY(xy[2 * i + 1]!));
  return out;
}

function projectEnvelope(
  { west, south, east, north, shift }: SeenRing,
  { toX, toY }: TileProjection,
): number[] {
  const [left, right, top, bottom] = [toX(west + shift), toX(east + shift), toY(north), toY(south)];
  return [left, top, right, top, right, bottom, left, bottom];
}

const LOW = -BUFFER;
const HIGH = EXTENT + BUFFER;

/**
 * Clips a ring to the square that a tile shows, one side after another (Sutherland and Hodgman, 1974). What lies
 * outside follows the square's edge, in the buffer, where maps do not show it.
 *
 * @param ring flat `[x, y, …]` in units of the tile, the last position not repeated
 * @returns the same form; empty where nothing of it is inside
 */
function clipRingToTile(ring: readonly number[]): readonly number[] {
  let clipped = ring;
  for (const side of SIDES) {
    if (clipped.length === 0) return clipped;
    clipped = clipRingAtSide(clipped, side);
  }
  return clipped;
}

interface Side {
  /** 0 for x, 1 for y. */
  readonly axis: 0 | 1;
  readonly at: number;
  /** 1 where what is greater is inside, -1 where what is less. */
  readonly sign: 1 | -1;
}

const SIDES: readonly Side[] = [
  { axis: 0, at: LOW, sign: 1 },
  { axis: 0, at: HIGH, sign: -1 },
  { axis: 1, at: LOW, sign: 1 },
  { axis: 1, at: HIGH, sign: -1 },
];

function clipRingAtSide(ring: readonly number[], { axis, at, sign }: Side): number[] {
  const out: number[] = [];
  const isInside = (i: number): boolean => sign * (ring[i + axis]! - at) >= 0;
  let before = ring.length - 2;
  let wasInside = isInside(before);
  for (let i = 0; i < ring.length; i += 2) {
    const inside = isInside(i);
    if (inside !== wasInside) {
      const share = (at - ring[before + axis]!) / (ring[i + axis]! - ring[before + axis]!);
      const other = 1 - axis;
      const crossing = ring[before + other]! + share * (ring[i + other]! - ring[before + other]!);
      if (axis === 0) out.push(at, crossing);
      else out.push(crossing, at);
    }
    if (inside) out.push(ring[i]!, ring[i + 1]!);
    before = i;
    wasInside = inside;
  }
  return out;
}
