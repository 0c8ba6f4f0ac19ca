import { prepareRings, repairPolygons } from "@groundrule/engine/internal";
import type { FindingCode } from "../finding-codes.ts";
import { type Polygons, toDegrees, toUnits, UNITS } from "./grid.ts";
import { snapPolygonsToGrid } from "./snap-rounding.ts";
import { splitPolygonsAtHoles } from "./split-holes.ts";

const HALF_TURN = 180 * UNITS;
const BEYOND = 5 * HALF_TURN;
const POLE = 90 * UNITS;

/**
 * The region that rings on the grid mean, as valid polygons whose corners are on the grid, within ±180.
 *
 * The rings are noded there ({@link snapPolygonsToGrid}); what they mean is what repair of reference areas says: what each
 * ring winds round, holes taken off. All of it happens in integers, so no crossing is rounded twice.
 *
 * @param polygons degrees of six decimals, rings closed
 * @returns degrees; empty where nothing is enclosed; or the finding that keeps it from being settled
 */
export function settleOnGrid(polygons: Polygons): Float64Array[][] | FindingCode {
  const units = toUnits(polygons);
  if (!units.flat().every(removeAntimeridianJumps)) return "LONGITUDE_JUMP";
  const turns = [-HALF_TURN, HALF_TURN].filter((turn) =>
    units.flat().some((ring) => reachesBeyondMeridian(ring, turn)),
  );
  // Lines to split along, there and back: they enclose nothing, and what crosses them gets a position there.
  const lines = turns.map((turn) => [Float64Array.of(turn, -POLE, turn, POLE, turn, -POLE)]);
  const noded = snapPolygonsToGrid([...units, ...lines]);
  if (noded === undefined) return "GEOMETRY_TOO_COMPLEX";
  const region = repairPolygons(noded.slice(0, units.length));
  const within = turns.length === 0 ? region : splitAtHalfTurns(region, turns);
  const settled = toDegrees(within);
  if (settled.length > 0 && !isSound(settled)) return "RING_SELF_CROSSING";
  return settled;
}

/** Takes jumps across the antimeridian out of a ring: its longitudes run on. False where it winds round a pole. */
function removeAntimeridianJumps(ring: Float64Array): boolean {
  let shift = 0;
  for (let i = 2, before = ring[0]!; i < ring.length; i += 2) {
    const step = ring[i]! - before;
    before = ring[i]!;
    if (step > HALF_TURN) shift -= 2 * HALF_TURN;
    if (step < -HALF_TURN) shift += 2 * HALF_TURN;
    ring[i]! += shift;
  }
  return shift === 0;
}

/** True if a ring has a position beyond a meridian, seen from Greenwich; with `side` −1: one before it. */
function reachesBeyondMeridian(ring: Float64Array, turn: number, side: number = 1): boolean {
  return ring.some((x, i) => i % 2 === 0 && side * (Math.sign(turn) * x - HALF_TURN) > 0);
}

/** Polygons split along ±180, each part turned to where it lies within. */
function splitAtHalfTurns(region: Polygons, turns: readonly number[]): Float64Array[][] {
  let inside: Polygons = region;
  const moved: Float64Array[][] = [];
  for (const turn of turns) {
    const outward = Math.sign(turn);
    const isBeyond = (rings: readonly Float64Array[]): boolean => reachesBeyondMeridian(rings[0]!, turn);
    const crossing = inside.filter((rings) => isBeyond(rings) && reachesBeyondMeridian(rings[0]!, turn, -1));
    const outside = inside.filter((rings) => isBeyond(rings) && !crossing.includes(rings));
    // A hole that shares land with its polygon takes it off, and is nothing beyond.
    const takeOff = (to: number): Float64Array[][] =>
      repairPolygons(crossing.map((rings) => [...rings, createBoxHole(turn, to)]));
    inside = [...inside.filter((rings) => !isBeyond(rings)), ...takeOff(outward * BEYOND)];
    for (const rings of [...outside, ...takeOff(-outward * BEYOND)]) {
      moved.push(rings.map((ring) => ring.map((units, i) => (i % 2 === 0 ? units - 2 * turn : units))));
    }
  }
  return repairPolygons([...inside, ...moved]);
}

/** A box from a meridian to another, as a hole that takes off what lies there. */
function createBoxHole(from: number, to: number): Float64Array {
  const [west, east] = [Math.min(from, to), Math.max(from, to)];
  return Float64Array.of(west, -2 * POLE, west, 2 * POLE, east, 2 * POLE, east, -2 * POLE, west, -2 * POLE);
}

/**
 * The same land in polygons without holes, on the grid, in groups of which each can be a MultiPolygon.
 *
 * @param polygons valid, degrees of six decimals
 * @returns undefined where it takes too much work
 */
export function splitIntoPartsWithoutHoles(polygons: Polygons): Float64Array[][][] | undefined {
  const units = toUnits(polygons);
  const groups = splitPolygonsAtHoles(units).map(toDegrees);
  if (groups.every(isSound)) return groups;
  // A ring touches another where it has no position, or nearly.
  const noded = snapPolygonsToGrid(units);
  if (noded === undefined) return undefined;
  const again = splitPolygonsAtHoles(repairPolygons(noded)).map(toDegrees);
  return again.every(isSound) ? again : undefined;
}

/** True if polygons are valid as they are, including edges that rings share. */
function isSound(polygons: Polygons): boolean {
  try {
    const { faults, mended } = prepareRings(polygons);
    return faults.length === 0 && mended.length === 0;
  } catch {
    return false; // They enclose nothing.
  }
}
