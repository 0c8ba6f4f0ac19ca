import { WorkMeter } from "../../base/work-meter.ts";
import type { Bbox } from "../earth/bbox.ts";
import { intersectEvenOdd } from "../noding/even-odd.ts";
import type { AreaRef } from "../overlap/region.ts";
import { halveJumps } from "../plot/longitude-jumps.ts";
import type { Plot } from "../plot/plot.ts";
import type { MultiPolygonCoordinates } from "../trees/area-coordinates.ts";
import { shiftsToMeet } from "../trees/candidates.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { exactKernel } from "./exact-kernel.ts";

/**
 * Square metres of an area that another area does not cover, exact on the ellipsoid. There is no limit of work.
 *
 * Error: < 1e-14 of the area of `of`'s bbox.
 *
 * Fails: never.
 */
export function differenceSquareMeters(of: AreaRef, without: AreaRef): number {
  const plot = plotOf(of);
  const region = {
    op: "difference",
    operands: [{ op: "plot" }, { op: "areas", areas: [without] }],
  } as const;
  return exactKernel.bind(plot, new WorkMeter(Number.POSITIVE_INFINITY)).regionSquareMeters(region);
}

/**
 * What {@link differenceSquareMeters} measures, for people to look at: GeoJSON MultiPolygon coordinates, valid,
 * right-hand winding, rings closed; empty where the other area covers all of it.
 *
 * Positions of both areas are kept to the bit but for a multiple of 360° of longitude; those added are where
 * edges cross.
 *
 * Fails: never.
 */
export function differenceCoordinates(of: AreaRef, without: AreaRef): MultiPolygonCoordinates {
  const plot = plotOf(of);
  const own = ringsOf(of, 0);
  const other = shiftsToMeet(plot.bbox, without.layer).flatMap((shift) => ringsOf(without, shift));
  // By the even-odd rule both sets of rings together enclose what lies in one of the areas and not in both.
  const polygons = intersectEvenOdd([own, [...own, ...other]]);
  return halveJumps(polygons).map((rings) =>
    rings.map((ring) => Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])),
  );
}

/** An area of a layer as a plot, over the same positions. */
function plotOf({ layer, area }: AreaRef): Plot {
  const { areaRings, ringStarts, ringRoles, xy } = layer;
  const first = areaRings[area]!;
  const end = areaRings[area + 1]!;
  const start = ringStarts[first]!;
  const outers = Array.from({ length: end - first }, (_, i) => i).filter((i) => ringRoles[first + i] === 0);
  const own = xy.subarray(2 * start, 2 * ringStarts[end]!);
  return {
    dimension: "polygon",
    xy: own,
    ringStarts: ringStarts.slice(first, end + 1).map((position) => position - start),
    polygonStarts: Uint32Array.from([...outers, end - first]),
    bbox: bboxOf(own),
  };
}

function bboxOf(xy: Float64Array): Bbox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    west = Math.min(west, xy[i]!);
    east = Math.max(east, xy[i]!);
    south = Math.min(south, xy[i + 1]!);
    north = Math.max(north, xy[i + 1]!);
  }
  return [west, south, east, north];
}

function ringsOf({ layer, area }: AreaRef, shift: number): Float64Array[] {
  const rings: Float64Array[] = [];
  for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
    rings.push(ringOf(layer, ring, shift));
  }
  return rings;
}

function ringOf({ xy, ringStarts }: AreaLayer, ring: number, shift: number): Float64Array {
  const own = xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!);
  return shift === 0 ? own : own.map((value, i) => (i % 2 === 0 ? value + shift : value));
}
