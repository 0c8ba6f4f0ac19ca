import { FAULT_LIMIT } from "../../../base/errors.ts";
import { WorkMeter } from "../../../base/work-meter.ts";
import type { GeometryFault } from "../geometry-fault.ts";
import { readRings } from "../rings.ts";
import { findInteriorFaults } from "./interior-faults.ts";
import { findRingContacts } from "./ring-contacts.ts";
import { findNestingFaults } from "./ring-nesting.ts";

/**
 * Finds where the rings of a polygon (or the parts of a multipolygon) do not bound a region.
 *
 * A region is valid when every ring is simple (meets itself nowhere), no two rings cross, every
 * hole lies within its outer ring and in no other hole, the interior of each polygon is connected,
 * and polygons have disjoint interiors. Rings may touch each other in points, and along edges too,
 * since that overlaps nothing: neighbouring fields written as one multipolygon, a lake written as a
 * hole that reaches the shore. There the OGC rules, which otherwise are the same, are stricter; what
 * reads geometries leaves such edges out ({@link mendPolygons}), since they bound nothing.
 * Winding and repeated positions do not matter. Longitudes are plain numbers here: parts that meet
 * at +180 and −180 neither touch nor overlap.
 *
 * Every decision is exact. Cost of finding where rings meet: O((n + k) log n) for n positions and k
 * places where edges cross or touch, m strands through one point counting m² / 2. The edges of small
 * geometries are compared by their boxes, those of large ones swept ({@link sweepEdges}); where rings meet
 * too often to be valid, boxes give the first faults without all the others ({@link forEachNearPair}).
 *
 * @param polygons rings of each polygon, outer first; flat `[lon, lat, …]`, closed, all finite
 * @param options.limit greatest number of faults to report, default {@link FAULT_LIMIT}
 * @param options.meter counts the work (see {@link forEachNearPair} and {@link sweepEdges}; 64 units more
 *   for rings that touch, 48 for one whose box lies in another's, 50 a position, 300 a ring), default no limit
 * @returns faults in ring order (by polygon, ring, position; those on one edge by the other); beyond the limit, the first ones
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function findPolygonFaults(
  polygons: readonly (readonly Float64Array[])[],
  options: FaultOptions = {},
): GeometryFault[] {
  return examineRings(polygons, options).faults;
}

export interface FaultOptions {
  readonly limit?: number;
  readonly meter?: WorkMeter | undefined;
}

/** The result of {@link findPolygonFaults}, and the number of stretches of edges that different rings share. */
export function examineRings(
  polygons: readonly (readonly Float64Array[])[],
  options: FaultOptions = {},
): { readonly faults: GeometryFault[]; readonly sharedStretches: number } {
  const limit = options.limit ?? FAULT_LIMIT;
  const meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  const faults: GeometryFault[] = [];
  const rings = readRings(polygons, faults);
  meter.add(READING_STEPS * rings.count + RING_STEPS * rings.ringCount);
  const contacts = findRingContacts(rings, meter, limit);
  for (const each of contacts.faults) faults.push(each);
  if (faults.length < limit) {
    findNestingFaults(rings, contacts, meter, faults);
    findInteriorFaults(rings, contacts, faults);
  }
  faults.sort((a, b) => a.polygon - b.polygon || a.ring - b.ring || a.position - b.position);
  return { faults: faults.slice(0, limit), sharedStretches: contacts.allSharedStretches };
}

/** Units of work of an edge and of a ring, besides those of comparing edges. */
export const READING_STEPS = 50;
export const RING_STEPS = 300;
