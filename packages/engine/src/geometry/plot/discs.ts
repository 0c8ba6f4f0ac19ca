import type { WorkMeter } from "../../base/work-meter.ts";
import { computeBbox } from "../earth/bbox.ts";
import { buildDiscRing } from "../earth/disc.ts";
import { reachBeyondOneTurn } from "./longitude-jumps.ts";
import { formatCount } from "./mend/mend-polygons.ts";
import { repairPolygons } from "./mend/repair.ts";
import type { Warning } from "./plot.ts";
import { LONGITUDE_LIMIT } from "./read-geojson.ts";

/** Points an evaluation may have: each becomes a disc of 64 positions. */
export const POINT_LIMIT = 1000;

/** Greatest latitude, north or south, of the centre of a disc: beyond it a pole is within 1°. */
export const DISC_LATITUDE_LIMIT = 89;

/** No disc reaches more degrees of longitude from its centre: 9.1° at the limit of latitude. */
const REACH_DEGREES = 10;

/** Units of work of a disc, and of a pair of discs whose boxes are compared. */
const DISC_UNITS = 8_000;
const PAIR_UNITS = 1;

/**
 * The land that points with an area stand for: the union of a disc each ({@link buildDiscRing}).
 *
 * Longitudes of discs stay near those of their points, past ±180 too. Only where points as they are
 * written reach so far round the earth that their discs could meet behind it are they turned by whole
 * turns, so that the widest gap between them is left open.
 *
 * @param points flat `[lon, lat]` each, latitudes within ±{@link DISC_LATITUDE_LIMIT}
 * @param options.squareMeters area of each disc, 1 to 1e9
 * @param options.pointer JSON pointer of the geometry, for the warnings
 * @returns rings of each polygon, as a plot holds them; nothing where the discs reach more than once
 *   round the earth, which they can near a pole
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` where so many discs overlap that uniting them takes more work than is left.
 */
export function uniteDiscs(
  points: Points,
  options: { readonly squareMeters: number; readonly pointer: string; readonly meter: WorkMeter },
): { readonly polygons: readonly (readonly Float64Array[])[]; readonly warnings: Warning[] } | undefined {
  const { squareMeters, pointer, meter } = options;
  const centres = withoutRepeatedPoints(turnPointsTogether(points));
  const rings = centres.map(([longitude, latitude]) => {
    meter.add(DISC_UNITS);
    return buildDiscRing(longitude!, latitude!, squareMeters);
  });
  if (reachBeyondOneTurn([rings])) return undefined;
  const warnings: Warning[] = [];
  const repeats = points.length - centres.length;
  if (repeats > 0) {
    const message = `${formatCount(repeats, "point")} that ${repeats === 1 ? "repeats" : "repeat"} another ${repeats === 1 ? "was" : "were"} removed: each place becomes one disc`;
    warnings.push({ pointer, code: "REPEATED_POINT", message });
  }
  const { apart, near } = partitionByNeighbours(rings, meter);
  const united = near.length === 0 ? [] : repairPolygons(near, { meter });
  if (united.length < near.length) {
    const message = `${near.length} discs became ${formatCount(united.length, "polygon")}, because discs overlap: land that several discs cover counts once`;
    warnings.push({ pointer, code: "DISCS_UNITED", message });
  }
  return { polygons: [...apart, ...united], warnings };
}

/** Discs as polygons: those whose box meets no other's, and those that may overlap. */
function partitionByNeighbours(
  rings: readonly Float64Array[],
  meter: WorkMeter,
): { readonly apart: Float64Array[][]; readonly near: Float64Array[][] } {
  meter.add((PAIR_UNITS * rings.length * rings.length) / 2);
  const boxes = rings.map((ring) => computeBbox(ring));
  const hasNeighbour = new Uint8Array(rings.length);
  boxes.forEach(([west, south, east, north], i) => {
    for (let k = 0; k < i; k++) {
      const other = boxes[k]!;
      if (other[0] > east || other[2] < west || other[1] > north || other[3] < south) continue;
      hasNeighbour[i] = hasNeighbour[k] = 1;
    }
  });
  const polygons = rings.map((ring) => [ring]);
  return {
    apart: polygons.filter((_, i) => hasNeighbour[i] === 0),
    near: polygons.filter((_, i) => hasNeighbour[i] === 1),
  };
}

/** Flat `[lon, lat]` each. */
type Points = readonly Float64Array[];

/** Points as they are, unless discs around them could meet round the earth, or lie past ±540°. */
function turnPointsTogether(points: Points): Points {
  const [west, east] = computeLongitudeRange(points);
  const turned = east - west + 2 * REACH_DEGREES <= 360 ? points : wrapAtWidestGap(points);
  const [least, greatest] = computeLongitudeRange(turned);
  const turn =
    greatest + REACH_DEGREES > LONGITUDE_LIMIT ? -360 : least - REACH_DEGREES < -LONGITUDE_LIMIT ? 360 : 0;
  return turn === 0 ? turned : turned.map(([lon, lat]) => Float64Array.of(lon! + turn, lat!));
}

/** The points on one stretch of longitudes, which ends where the widest gap between them begins. */
function wrapAtWidestGap(points: Points): Points {
  const within = points.map(([lon, lat]) =>
    Float64Array.of(lon! - 360 * Math.floor((lon! + 180) / 360), lat!),
  );
  const longitudes = Float64Array.from(within, ([lon]) => lon!).sort();
  let widest = longitudes[0]! + 360 - longitudes.at(-1)!;
  let start = longitudes[0]!;
  for (let i = 1; i < longitudes.length; i++) {
    const gap = longitudes[i]! - longitudes[i - 1]!;
    if (gap <= widest) continue;
    widest = gap;
    start = longitudes[i]!;
  }
  return within.map(([lon, lat]) => Float64Array.of(lon! < start ? lon! + 360 : lon!, lat!));
}

function withoutRepeatedPoints(points: Points): Points {
  const seen = new Map<string, Float64Array>();
  for (const point of points) {
    const name = point.join();
    if (!seen.has(name)) seen.set(name, point);
  }
  return [...seen.values()];
}

function computeLongitudeRange(points: Points): [west: number, east: number] {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [lon] of points) {
    west = Math.min(west, lon!);
    east = Math.max(east, lon!);
  }
  return [west, east];
}
