import { type AreaLayer, type RingEnvelope, ringsIn } from "@groundrule/engine/areas";
import { clipRing } from "./clip-ring.ts";
import { Specks } from "./specks.ts";
import { EXTENT, PIXEL, type TileProjection } from "./tile-place.ts";
import { type TileRing, wholeUnits } from "./tile-ring.ts";

/** What a tile shows of one area. */
export interface AreaShape {
  /** Index of the area. */
  readonly area: number;
  /** Outer rings, each followed by its holes; outer ones have a positive area with y downward. */
  readonly rings: readonly TileRing[];
}

/** What a tile shows of a layer. */
export interface LayerShapes {
  /** In the order of the areas. */
  readonly areas: readonly AreaShape[];
  /** Areas that are too small, or too many, to be told apart here, as rectangles; who they are is not kept. */
  readonly specks: readonly TileRing[];
}

/** Limits of the work on one tile, and so of its bytes. */
export interface TileLimits {
  /** Positions of rings that are followed closely; smaller rings beyond it are drawn as their envelopes. */
  readonly positions: number;
  /** Rings that are told apart; smaller ones beyond it are specks. */
  readonly rings: number;
}

const LIMITS: TileLimits = { positions: 500_000, rings: 6_000 };

/** What is smaller, in both directions, is a speck. */
const SPECK_UNITS = 1.5 * PIXEL;
/** Positions closer than this to the one kept before are left out. */
const TOLERANCE_UNITS = PIXEL / 4;

interface SeenRing extends RingEnvelope {
  /** Degrees added to its longitudes. */
  readonly shift: number;
  /** The longer side of its envelope, in units. */
  readonly units: number;
}

/**
 * What a tile shows of a layer's areas. Every area that meets the tile is in it: at its own shape, as the envelopes of
 * its rings, or as a speck.
 *
 * @param options.holds which areas count; absent: all
 */
export function layerShapes(
  layer: AreaLayer,
  projection: TileProjection,
  options: { readonly holds?: (area: number) => boolean; readonly limits?: TileLimits } = {},
): LayerShapes {
  const { holds = () => true, limits = LIMITS } = options;
  const rings = seenRings(layer, projection).filter(({ ring }) => holds(layer.ringAreas[ring]!));
  const speckUnits = leastKept(rings, SPECK_UNITS, Number.POSITIVE_INFINITY, limits.rings, () => 1);
  const kept = rings.filter(({ units }) => units >= speckUnits);
  // What is larger than the tile is followed whatever it costs: its envelope would say nothing.
  const positions = ({ ring }: SeenRing): number => positionsOf(layer, ring);
  const closeUnits = leastKept(kept, speckUnits, EXTENT, limits.positions, positions);

  const areas = new Map<number, TileRing[]>();
  const specks = new Specks();
  /** Whether the outer ring before a hole is shown: else the hole has nothing to be cut out of. */
  let isOuterShown = false;
  for (const seen of rings) {
    const isHole = layer.ringRoles[seen.ring] === 1;
    const isSpeck = seen.units < speckUnits;
    if (isSpeck && !isHole) specks.add(seen, projection);
    const isClose = seen.units >= closeUnits;
    const isShown: boolean = isHole ? isOuterShown && isClose : !isSpeck;
    const ring: TileRing | undefined = isShown
      ? shapeOf(layer, seen, projection, isClose, isHole)
      : undefined;
    if (!isHole) isOuterShown = ring !== undefined && isClose;
    if (ring !== undefined) addTo(areas, layer.ringAreas[seen.ring]!, ring);
  }
  return { areas: Array.from(areas, ([area, shapes]) => ({ area, rings: shapes })), specks: specks.rings() };
}

function addTo(areas: Map<number, TileRing[]>, area: number, ring: TileRing): void {
  const shapes = areas.get(area);
  if (shapes === undefined) areas.set(area, [ring]);
  else shapes.push(ring);
}

/** The rings that meet a tile, those of each shift in ascending order. */
function seenRings(layer: AreaLayer, { bbox, unitsPerDegree, toY }: TileProjection): SeenRing[] {
  if (layer.bbox === undefined) return [];
  const seen: SeenRing[] = [];
  // Longitudes of a layer may run on past ±180 where its areas cross the antimeridian.
  for (const shift of [-360, 0, 360]) {
    if (layer.bbox[0] + shift > bbox[2] || layer.bbox[2] + shift < bbox[0]) continue;
    for (const found of ringsIn(layer, [bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3]])) {
      const { ring, west, south, east, north } = found;
      const units = Math.max((east - west) * unitsPerDegree, toY(south) - toY(north));
      seen.push({ ring, west, south, east, north, shift, units });
    }
  }
  return seen;
}

/**
 * The least size, `from` doubled as often as it takes, from which on the rings cost no more than a limit; the first
 * beyond `enough`, whatever they cost then.
 */
function leastKept(
  rings: readonly SeenRing[],
  from: number,
  enough: number,
  limit: number,
  cost: (ring: SeenRing) => number,
): number {
  for (let units = from; ; units *= 2) {
    let sum = 0;
    for (const ring of rings) if (ring.units >= units) sum += cost(ring);
    if (sum <= limit || units > enough) return units;
  }
}

function positionsOf(layer: AreaLayer, ring: number): number {
  return layer.ringStarts[ring + 1]! - layer.ringStarts[ring]!;
}

function shapeOf(
  layer: AreaLayer,
  seen: SeenRing,
  projection: TileProjection,
  isClose: boolean,
  isHole: boolean,
): TileRing | undefined {
  const shape = isClose ? followed(layer, seen, projection) : envelope(seen, projection);
  return wholeUnits(clipRing(shape), isHole);
}

/** A ring's own course, without positions that nobody could tell apart. */
function followed(
  layer: AreaLayer,
  { ring, shift, south, north }: SeenRing,
  { unitsPerDegree, toX, toY, bbox }: TileProjection,
): number[] {
  const { xy, ringStarts } = layer;
  const across = TOLERANCE_UNITS / unitsPerDegree;
  // Mercator stretches a degree of latitude by 1 / cos(latitude).
  const middle = (Math.max(south, bbox[1]) + Math.min(north, bbox[3])) / 2;
  const along = across * Math.max(0.05, Math.cos((middle * Math.PI) / 180));
  const out: number[] = [];
  let lastX = Number.POSITIVE_INFINITY;
  let lastY = Number.POSITIVE_INFINITY;
  const end = 2 * (ringStarts[ring + 1]! - 1);
  for (let i = 2 * ringStarts[ring]!; i < end; i += 2) {
    const longitude = xy[i]!;
    const latitude = xy[i + 1]!;
    if (Math.abs(longitude - lastX) < across && Math.abs(latitude - lastY) < along) continue;
    out.push(toX(longitude + shift), toY(latitude));
    lastX = longitude;
    lastY = latitude;
  }
  return out;
}

function envelope({ west, south, east, north, shift }: SeenRing, { toX, toY }: TileProjection): number[] {
  const [left, right, top, bottom] = [toX(west + shift), toX(east + shift), toY(north), toY(south)];
  return [left, top, right, top, right, bottom, left, bottom];
}
