import type { WorkMeter } from "../../base/work-meter.ts";
import { intersectEvenOdd } from "../noding/even-odd.ts";
import { reverseRing, shiftLongitudes } from "../noding/mend-rings.ts";
import { LONGITUDE_LIMIT } from "./read-geojson.ts";

/*
 * Edges of 180 degrees of longitude or more. Such an edge nearly always is one that crosses the
 * antimeridian, 179.9 to −179.9, whose writer meant the short way; read as it stands it makes a belt
 * about the world. Two kinds mean what they say: an edge along a pole, which is one point, and an edge
 * of exactly 360° at one latitude, which closes a cap or a belt. Of reference areas, so do edges of polygons that were
 * cut at the edge of a map (`keepMapEdges`).
 */

/** True if an edge spans 180° or more of longitude and neither runs along a pole nor once round at one latitude. */
export function isJump(x0: number, y0: number, x1: number, y1: number): boolean {
  const span = Math.abs(x1 - x0);
  if (span < 180) return false;
  return !(y0 === y1 && (span === 360 || Math.abs(y0) === 90));
}

/** Calls `visit` with polygon, ring and position of the start of every edge that jumps, in ring order. */
export function forEachJump(
  polygons: readonly (readonly Float64Array[])[],
  visit: (polygon: number, ring: number, position: number) => void,
): void {
  polygons.forEach((rings, polygon) => {
    rings.forEach((ring, r) => {
      for (let i = 2; i < ring.length; i += 2) {
        if (isJump(ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!)) visit(polygon, r, i / 2 - 1);
      }
    });
  });
}

/** Sentence for an edge between two positions that jumps. */
export function describeLongitudeJump(x0: number, x1: number): string {
  const span = Math.abs(x1 - x0);
  if (span === 180) {
    return `the edge from longitude ${x0} to ${x1} spans 180°, so its direction is ambiguous; add a position between them`;
  }
  const near =
    Math.abs(x1 + computeNearestTurn(x0, x1)) <= LONGITUDE_LIMIT
      ? ` (${x0} to ${x1 + computeNearestTurn(x0, x1)})`
      : "";
  return (
    `the edge from longitude ${x0} to ${x1} spans ${span}° of longitude; to cross the antimeridian, continue longitudes ` +
    `past ±180${near} or split the geometry there; to go the long way, add positions in between`
  );
}

/** The multiple of 360° to be added to x1 so that it is nearest to x0; 0 where two are as near. */
function computeNearestTurn(x0: number, x1: number): number {
  const span = x1 - x0;
  return Math.abs(span) % 360 === 180 ? 0 : -360 * Math.round(span / 360);
}

/**
 * Polygons with every edge that jumps taken the short way: longitudes run on past ±180. An edge of
 * exactly 180° stays as it is written. Rings keep their number of positions, but for one that now runs
 * once round the earth: alone it becomes the cap between it and the pole it is nearer to, closed along
 * the pole; two of one polygon become the belt between them. Nothing where rings run round more than once,
 * or out of ±540°.
 *
 * @param polygons rings of each polygon, outer first; closed
 * @param options.meter counts the work of taking holes off (see `intersectEvenOdd`), default no limit
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function takeShortWay(
  polygons: readonly (readonly Float64Array[])[],
  options: { readonly meter?: WorkMeter | undefined } = {},
): readonly (readonly Float64Array[])[] | undefined {
  const taken: (readonly Float64Array[])[] = [];
  for (const rings of polygons) {
    const polygon = hasJump([rings]) ? unrollPolygon(rings, options) : [rings];
    if (polygon === undefined) return undefined;
    for (const each of polygon) taken.push(each);
  }
  const turned = turnPolygonsTogether(taken);
  const [west, east] = computeLongitudeRange(turned.flat());
  return west >= -LONGITUDE_LIMIT && east <= LONGITUDE_LIMIT ? turned : undefined;
}

/** Lines with every edge that jumps taken the short way. */
export function takeShortWayOfLines(
  lines: readonly (readonly Float64Array[])[],
): readonly (readonly Float64Array[])[] {
  return turnPolygonsTogether(lines.map((parts) => parts.map((line) => unrollRing(line))));
}

/** Positions added in the middle of edges that jump, which then run as they are written. */
export function halveJumpingEdges(
  polygons: readonly (readonly Float64Array[])[],
): readonly (readonly Float64Array[])[] {
  if (!hasJump(polygons)) return polygons;
  return polygons.map((rings) =>
    rings.map((ring) => {
      const out = [ring[0]!, ring[1]!];
      for (let i = 2; i < ring.length; i += 2) {
        const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
        const pieces = isJump(x0, y0, x1, y1) ? Math.floor(Math.abs(x1 - x0) / 180) + 1 : 1;
        for (let k = 1; k < pieces; k++)
          out.push(x0 + ((x1 - x0) * k) / pieces, y0 + ((y1 - y0) * k) / pieces);
        out.push(x1, y1);
      }
      return Float64Array.from(out);
    }),
  );
}

/** True if an edge jumps. */
export function hasJump(polygons: readonly (readonly Float64Array[])[]): boolean {
  let found = false;
  forEachJump(polygons, () => {
    found = true;
  });
  return found;
}

function unrollPolygon(
  rings: readonly Float64Array[],
  options: { readonly meter?: WorkMeter | undefined },
): (readonly Float64Array[])[] | undefined {
  const found = rings.map(closeRingRoundEarth);
  const turns = found.map(computeRingTurn);
  if (turns.some((turn) => turn !== 0 && Math.abs(turn) !== 360)) return undefined;
  if (turns.every((turn) => turn === 0)) {
    const [outer, ...holes] = found;
    return [[outer!, ...holes.map((hole) => turnRingTo(hole, computeMiddleLongitude([outer!])))]];
  }
  const north = computeAverageLatitude(found[turns.findIndex((turn) => turn !== 0)]!) >= 0;
  if (found.length === 1) return [[turnRingTo(buildPolarCap(found[0]!, north, 0, 0), 0)]];
  // Between rings that run round lies what one of their caps has and the other has not. One turn is cut
  // out of all turns, from where the outer ring starts.
  const start = found[0]![0]! + computeNearestTurn(0, found[0]![0]!);
  const strip = Float64Array.of(start, -90, start + 360, -90, start + 360, 90, start, 90, start, -90);
  const copies = found.flatMap((ring, r) => {
    const near = turnRingTo(ring, start + 180);
    if (turns[r] !== 0) return [buildPolarCap(near, north, -2, 2)];
    return [shiftLongitudes(near, -360), near, shiftLongitudes(near, 360)];
  });
  return intersectEvenOdd([[strip], copies], options);
}

/**
 * A ring or line, each edge that jumps taken the short way, and edges along a pole too. The first edge
 * that may as well run another turn (along a pole, or once round at one latitude) runs `turnsMore` degrees more.
 */
function unrollRing(ring: Float64Array, turnsMore = 0): Float64Array {
  const out = ring.slice();
  let turn = 0;
  let more = turnsMore;
  for (let i = 2; i < ring.length; i += 2) {
    const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
    const onceRound = y0 === y1 && Math.abs(x1 - x0) === 360;
    const alongPole = y0 === y1 && Math.abs(y0) === 90;
    if (isJump(x0, y0, x1, y1) || (alongPole && !onceRound)) turn += computeNearestTurn(x0, x1);
    if (alongPole || onceRound) {
      turn += more;
      more = 0;
    }
    out[i] = x1 + turn;
  }
  return out;
}

/** A ring whose edges that jump leave it open by a whole turn is closed along a pole or a latitude, where it can be. */
function closeRingRoundEarth(ring: Float64Array): Float64Array {
  const taken = unrollRing(ring);
  const turn = computeRingTurn(taken);
  return turn === 0 ? taken : unrollRing(ring, -turn);
}

/** The region between a ring that runs once round the earth and a pole, at the turns `first` to `last`. */
function buildPolarCap(ring: Float64Array, north: boolean, first: number, last: number): Float64Array {
  const eastward = ring.at(-2)! > ring[0]! ? ring : reverseRing(ring);
  const pole = north ? 90 : -90;
  // Cut open at the position nearest to the pole, where nothing of the ring lies in between.
  let start = 0;
  for (let i = 0; i + 2 < eastward.length; i += 2) {
    if (north ? eastward[i + 1]! > eastward[start + 1]! : eastward[i + 1]! < eastward[start + 1]!) start = i;
  }
  const out: number[] = [];
  const add = (i: number, turns: number): void => {
    out.push(eastward[i]! + 360 * turns, eastward[i + 1]!);
  };
  for (let k = first; k <= last; k++) {
    for (let i = start; i + 2 < eastward.length; i += 2) add(i, k);
    for (let i = 0; i < start; i += 2) add(i, k + 1);
  }
  add(start, last + 1);
  out.push(out.at(-2)!, pole, out[0]!, pole, out[0]!, out[1]!);
  return Float64Array.from(out);
}

/** Degrees, a multiple of 360, from where a ring starts to where it ends. */
function computeRingTurn(ring: Float64Array): number {
  return 360 * Math.round((ring.at(-2)! - ring[0]!) / 360);
}

function computeAverageLatitude(ring: Float64Array): number {
  let sum = 0;
  for (let i = 2; i < ring.length; i += 2) sum += (ring[i]! - ring[i - 2]!) * (ring[i + 1]! + ring[i - 1]!);
  return sum / (2 * computeRingTurn(ring));
}

/**
 * Polygons as they are where they reach no more than once round the earth, else each turned to be as
 * near as can be to the first, and its holes to it.
 */
export function turnPolygonsTogether(
  polygons: readonly (readonly Float64Array[])[],
): readonly (readonly Float64Array[])[] {
  if (!reachBeyondOneTurn(polygons)) return polygons;
  const middle = computeMiddleLongitude(polygons[0]!);
  return polygons.map((rings) => {
    const [outer, ...holes] = rings;
    const turned = turnRingTo(outer!, middle);
    return [turned, ...holes.map((hole) => turnRingTo(hole, computeMiddleLongitude([turned])))];
  });
}

function turnRingTo(ring: Float64Array, middle: number): Float64Array {
  return shiftLongitudes(ring, computeNearestTurn(middle, computeMiddleLongitude([ring])));
}

function computeMiddleLongitude(rings: readonly Float64Array[]): number {
  const [west, east] = computeLongitudeRange(rings);
  return (west + east) / 2;
}

/** True if polygons reach more than once round the earth, which no plot may. */
export function reachBeyondOneTurn(polygons: readonly (readonly Float64Array[])[]): boolean {
  const [west, east] = computeLongitudeRange(polygons.flat());
  return east - west > 360;
}

function computeLongitudeRange(rings: readonly Float64Array[]): [west: number, east: number] {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]!);
      east = Math.max(east, ring[i]!);
    }
  }
  return [west, east];
}
