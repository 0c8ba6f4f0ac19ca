import type { WorkMeter } from "../../base/work-meter.ts";
import { type Bbox, computeBbox } from "../earth/bbox.ts";
import type { Plot } from "../plot/plot.ts";
import { ceilToCell, floorToCell, toDegreesBox } from "./cells.ts";
import { type Chains, openChains, type Side } from "./chains.ts";
import type { AreaLayer } from "./layer.ts";
import {
  addRing,
  findRingsMeetingBox,
  type RingList,
  searchRings,
  searchRingsUnsorted,
} from "./ring-index.ts";

/** Units of work of a search by a part, besides the boxes it looks at, and of each ring it finds. */
const PART_UNITS = 300;
const FOUND_UNITS = 5;

/** Scratch space of searches for rings, to be used again by the next one. */
export interface RingSearch {
  /** Rings that the last search found. */
  readonly found: RingList;
  /** Rings that the search by parts found for one part. */
  readonly near: RingList;
}

/** Rings of a layer, shifted, whose envelopes meet the bbox: in `found`, so that an area's stand together. */
export function findNearRings(search: RingSearch, layer: AreaLayer, bbox: Bbox, shift: number): RingList {
  const { index } = layer;
  if (index === undefined) {
    search.found.count = 0;
    return search.found;
  }
  // Envelopes are rounded outward and rounding is monotone: nothing that meets is lost.
  searchRings(index, bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3], search.found);
  return search.found;
}

const UNSHIFTED: readonly number[] = [0];

/**
 * The multiples of 360° by which a layer's longitudes must be shifted to meet a plot: one, where
 * both use the same convention and stay clear of the antimeridian.
 */
export function shiftsToMeet(bbox: Bbox, layer: AreaLayer): readonly number[] {
  if (layer.bbox === undefined) return [];
  // Half a nanodegree of slack: a shift too many finds nothing, one too few would miss a touch.
  const first = Math.ceil((bbox[0] - layer.bbox[2]) / 360 - 1e-12);
  const last = Math.floor((bbox[2] - layer.bbox[0]) / 360 + 1e-12);
  if (first === 0 && last === 0) return UNSHIFTED;
  const shifts: number[] = [];
  for (let turns = first; turns <= last; turns++) shifts.push(360 * turns);
  return shifts;
}

/** Opens a layer's ring, `shift` degrees added to its longitudes. */
export function openRing(chains: Chains, layer: AreaLayer, ring: number, shift: number): void {
  openChains(
    chains,
    layer.xy,
    layer.ringStarts[ring]!,
    layer.ringStarts[ring + 1]!,
    layer.chainBoxes,
    layer.chainIntegrals,
    layer.chainStarts[ring]!,
    shift,
  );
}

/**
 * Areas that hold a pole which the bbox reaches. A pole is one point, at whatever longitude it is
 * written; along the plane of longitude and latitude such areas need not meet the plot.
 */
export function areasAtPole(bbox: Bbox, layer: AreaLayer): number[] {
  const areas: number[] = [];
  for (const pole of [-90, 90]) {
    if (layer.index === undefined || (bbox[1] !== pole && bbox[3] !== pole)) continue;
    for (const ring of findRingsMeetingBox(layer.index, -Infinity, pole, Infinity, pole)) {
      const area = layer.ringAreas[ring]!;
      if (!areas.includes(area) && ringReachesLatitude(layer, ring, pole)) areas.push(area);
    }
  }
  return areas;
}

/**
 * Side of a pole with respect to an area: 2 where the area reaches it, 1 where it does so all round,
 * which makes the pole a position within it.
 */
export function sideOfPole(layer: AreaLayer, area: number, pole: number): Side {
  let round = 0;
  let reached = false;
  for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
    for (let i = layer.ringStarts[ring]!; i < layer.ringStarts[ring + 1]!; i++) {
      if (layer.xy[2 * i + 1] !== pole) continue;
      reached = true;
      const isLast = i + 1 === layer.ringStarts[ring + 1]!;
      // Interiors lie to the left: along the north pole rings lead west, holes east.
      if (!isLast && layer.xy[2 * i + 3] === pole) round += layer.xy[2 * i]! - layer.xy[2 * i + 2]!;
    }
  }
  return Math.abs(round) >= 360 ? 1 : reached ? 2 : 0;
}

function ringReachesLatitude(layer: AreaLayer, ring: number, latitude: number): boolean {
  for (let i = layer.ringStarts[ring]!; i < layer.ringStarts[ring + 1]!; i++) {
    if (layer.xy[2 * i + 1] === latitude) return true;
  }
  return false;
}

/**
 * Rings of a layer, shifted, in `found`, so that an area's stand together: of every area of which an
 * envelope meets that of a polygon (line, point) of the plot, those whose envelopes meet the plot's.
 *
 * A plot of one part meets few areas that its envelope does not; one of many, strewn over a country,
 * few of those its envelope does.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX`, as soon as the searches by parts take more work than is left.
 */
export function findRingsNearParts(
  search: RingSearch,
  layer: AreaLayer,
  plot: Plot,
  shift: number,
  meter: WorkMeter,
): RingList {
  const { bbox, polygonStarts, ringStarts, xy } = plot;
  const { found } = search;
  if (polygonStarts.length <= 2) {
    found.compared = 0;
    findNearRings(search, layer, bbox, shift);
    meter.add(PART_UNITS + found.compared);
    return found;
  }
  const { index } = layer;
  found.count = 0;
  if (index === undefined) return found;
  const { near } = search;
  const areas = new Set<number>();
  for (let part = 0; part + 1 < polygonStarts.length; part++) {
    const outer = polygonStarts[part]!;
    const [west, south, east, north] = computeBbox(xy, ringStarts[outer]!, ringStarts[outer + 1]!);
    near.compared = 0;
    searchRingsUnsorted(index, west - shift, south, east - shift, north, near);
    meter.add(PART_UNITS + near.compared + FOUND_UNITS * near.count);
    for (let i = 0; i < near.count; i++) areas.add(layer.ringAreas[near.rings[i]!]!);
  }
  const [west, south, east, north] = bbox;
  for (const area of [...areas].sort((a, b) => a - b)) {
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      if (ringMeetsBox(layer, ring, west - shift, south, east - shift, north)) addRing(found, ring);
    }
    meter.add(layer.areaRings[area + 1]! - layer.areaRings[area]!);
  }
  return found;
}

/** The box of an area's rings, rounded outward to cells. */
export function areaBox({ areaRings, chainStarts, chainBoxes }: AreaLayer, area: number): Bbox {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let ring = areaRings[area]!; ring < areaRings[area + 1]!; ring++) {
    growBox(box, toDegreesBox(chainBoxes, 4 * (chainStarts[ring + 1]! - 1)));
  }
  return box;
}

/** Grows a box to hold another, whose longitudes are shifted. */
export function growBox(box: [number, number, number, number], other: Bbox, shift = 0): void {
  box[0] = Math.min(box[0], other[0] + shift);
  box[1] = Math.min(box[1], other[1]);
  box[2] = Math.max(box[2], other[2] + shift);
  box[3] = Math.max(box[3], other[3]);
}

/** True if a ring's envelope, as stored in the index, meets a closed box in degrees. */
export function ringMeetsBox(
  layer: AreaLayer,
  ring: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  const boxes = layer.chainBoxes;
  const root = 4 * (layer.chainStarts[ring + 1]! - 1);
  return (
    boxes[root]! <= ceilToCell(east) &&
    boxes[root + 1]! <= ceilToCell(north) &&
    boxes[root + 2]! >= floorToCell(west) &&
    boxes[root + 3]! >= floorToCell(south)
  );
}
