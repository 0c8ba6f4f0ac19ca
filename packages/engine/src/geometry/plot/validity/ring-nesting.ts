import Flatbush from "flatbush";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { orient2d } from "../../earth/predicates.ts";
import type { Edges } from "../../noding/sweep/near-edges.ts";
import { sweepEdges } from "../../noding/sweep/sweep-edges.ts";
import type { GeometryFault, GeometryFaultCode } from "../geometry-fault.ts";
import { createGeometryFault, type Rings } from "../rings.ts";
import type { Contacts } from "./ring-contacts.ts";

/** Which rings lie within which, decided for pairs that do not cross. */
export function findNestingFaults(
  rings: Rings,
  contacts: Contacts,
  meter: WorkMeter,
  faults: GeometryFault[],
): void {
  const { ringCount, polygonOf, indexOf } = rings;
  const { broken } = contacts;
  if (ringCount < 2) return;
  const within = findRingContainments(rings, contacts, meter);
  const isWithin = (a: number, b: number): boolean => within.has(a * ringCount + b);
  const crosses = (a: number, b: number): boolean => contacts.crossing.has(a * ringCount + b);

  let shell = -1;
  for (let a = 0; a < ringCount; a++) {
    if (indexOf[a] === 0) {
      shell = a;
      continue;
    }
    // The outer ring itself may have been left out as too short.
    if (shell < 0 || polygonOf[shell] !== polygonOf[a] || broken[a] || broken[shell]) continue;
    if (!isWithin(a, shell) && !crosses(a, shell)) {
      faultRing(a, "HOLE_OUTSIDE_SHELL", "the hole lies outside the outer ring of its polygon");
    }
  }

  const containing = new Map<number, number[]>();
  for (const key of within) {
    const a = Math.floor(key / ringCount);
    const b = key % ringCount;
    if (isWithin(b, a) && a < b) continue; // Equal rings are reported once, at the later one.
    const list = containing.get(a);
    if (list === undefined) containing.set(a, [b]);
    else list.push(b);
  }
  const crossedPolygons = new Set<number>();
  for (const key of contacts.crossing) {
    const a = Math.floor(key / ringCount);
    crossedPolygons.add(a * ringCount + polygonOf[key % ringCount]!);
  }
  for (const [a, outer] of containing) {
    const inHoles = new Set(outer.filter((b) => indexOf[b] !== 0).map((b) => polygonOf[b]!));
    for (const b of outer.sort((p, q) => p - q)) {
      if (polygonOf[a] === polygonOf[b]) {
        if (indexOf[b] !== 0 && indexOf[a] !== 0) {
          faultRing(a, "HOLES_OVERLAP", `the hole lies within ring ${indexOf[b]} of the same polygon`);
        }
      } else if (indexOf[a] === 0 && indexOf[b] === 0) {
        // A ring that crosses a hole of that polygon has been reported.
        if (inHoles.has(polygonOf[b]!) || crossedPolygons.has(a * ringCount + polygonOf[b]!)) continue;
        faultRing(a, "PARTS_OVERLAP", `the polygon lies within polygon ${polygonOf[b]}`);
      }
    }
  }

  function faultRing(ring: number, code: GeometryFaultCode, message: string): void {
    const edge = rings.starts[ring]!;
    faults.push(createGeometryFault(rings, code, message, edge, rings.x0[edge]!, rings.y0[edge]!));
  }
}

/**
 * Pairs `a * ringCount + b` where ring a lies within ring b or equals it, as far as the rules need: holes in rings of
 * their polygon, outer rings in rings of other polygons.
 */
function findRingContainments(rings: Rings, contacts: Contacts, meter: WorkMeter): Set<number> {
  const { ringCount, polygonOf, indexOf } = rings;
  const { broken } = contacts;
  const within = new Set<number>();
  /** By containing ring: the rings that meet it nowhere, to be located by their first position. */
  const toLocate = new Map<number, number[]>();
  const around = findRingsAround(rings, contacts);
  /** True for pairs that the rules need. */
  const isNeeded = (a: number, b: number): boolean =>
    polygonOf[a] === polygonOf[b] ? indexOf[a] !== 0 : indexOf[a] === 0;
  for (let a = 0; a < ringCount; a++) {
    for (let b = around[a]!; b >= 0; b = around[b]!) {
      meter.add(PAIR_STEPS);
      if (isNeeded(a, b)) within.add(a * ringCount + b);
    }
  }
  forEachBoxWithinBox(rings, around, meter, (a, b) => {
    meter.add(PAIR_STEPS);
    if (broken[a] || broken[b] || contacts.crossing.has(a * ringCount + b)) return;
    if (!isNeeded(a, b)) return;
    const side = contacts.touches.sideOf(a, b);
    if (side === "inside") within.add(a * ringCount + b);
    else if (side === "apart" || side === "along") {
      const list = toLocate.get(b);
      if (list === undefined) toLocate.set(b, [a]);
      else list.push(a);
    }
  });

  for (const [b, list] of toLocate) {
    const found = locateByPass(rings, b, list, meter) ?? locateBySweep(rings, b, list, meter);
    for (const a of found) within.add(a * ringCount + b);
  }
  return within;
}

/**
 * The innermost ring round each ring, −1 for none, {@link UNKNOWN} where boxes are to tell. A ring lies in the
 * one whose edge is next below its westernmost position, or in what that one lies in, as long as none
 * of them meets another.
 */
function findRingsAround(rings: Rings, contacts: Contacts): Int32Array {
  const { ringCount, ringOf, x0, x1, interiorLeft } = rings;
  const { openings, touches, crossing, broken } = contacts;
  const meets = broken.slice();
  for (const ring of touches.rings) meets[ring] = 1;
  for (const key of crossing) meets[Math.floor(key / ringCount)] = 1;
  const around = new Int32Array(ringCount).fill(UNKNOWN);
  for (let k = 0; k < openings.length; k += 2) {
    const ring = openings[k]!;
    const edge = openings[k + 1]!;
    if (meets[ring] === 1) continue;
    if (edge === -1) {
      around[ring] = -1;
      continue;
    }
    const below = ringOf[edge]!;
    if (around[below] === UNKNOWN) continue;
    const isAboveInside = x0[edge]! < x1[edge]! === interiorLeft[below];
    around[ring] = isAboveInside ? below : around[below]!;
  }
  return around;
}

const UNKNOWN = -2;
/** Steps of a ring whose box lies in another's, or which lies in another. */
const PAIR_STEPS = 48;

/**
 * Among rings that meet ring b nowhere, or equal it, those that lie within it or equal it, found in one pass over its
 * edges; undefined where many edges pass many of the rings, as with holes between long teeth.
 */
function locateByPass(
  rings: Rings,
  b: number,
  wanted: readonly number[],
  meter: WorkMeter,
): number[] | undefined {
  const { starts, x0, y0, x1, y1 } = rings;
  const list = [...wanted].sort((p, q) => y0[starts[p]!]! - y0[starts[q]!]! || p - q);
  const crossed = new Uint8Array(list.length);
  const on = new Uint8Array(list.length);
  const stepLimit = meter.counted + PASS_STEPS * (starts[b + 1]! - starts[b]! + list.length);
  for (let e = starts[b]!; e < starts[b + 1]!; e++) {
    const low = Math.min(y0[e]!, y1[e]!);
    const high = Math.max(y0[e]!, y1[e]!);
    let k = firstAtLeast(low);
    meter.add(1);
    for (; k < list.length; k++) {
      const x = x0[starts[list[k]!]!]!;
      const y = y0[starts[list[k]!]!]!;
      if (y > high) break;
      meter.add(1);
      if (Math.max(x0[e]!, x1[e]!) < x) continue;
      const side = orient2d(x0[e]!, y0[e]!, x1[e]!, y1[e]!, x, y);
      // A position on the ring, with no strand noted: the rings are equal.
      if (side === 0 && Math.min(x0[e]!, x1[e]!) <= x) on[k] = 1;
      if (y0[e]! <= y !== y1[e]! <= y && side > 0 === y0[e]! <= y) crossed[k]! ^= 1;
    }
    if (meter.counted > stepLimit) return undefined;
  }
  return list.filter((_, k) => on[k] === 1 || crossed[k] === 1);

  function firstAtLeast(y: number): number {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (y0[starts[list[middle]!]!]! < y) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Steps an edge or ring that a pass is worth; real layers take 1 to 4. */
const PASS_STEPS = 16;

/** The same by a sweep, in O(n log n) whatever the shape. */
function locateBySweep(rings: Rings, b: number, wanted: readonly number[], meter: WorkMeter): number[] {
  const { starts, x0, y0, x1, y1, interiorLeft } = rings;
  const start = starts[b]!;
  const end = starts[b + 1]!;
  const edges: Edges = {
    count: end - start,
    x0: x0.subarray(start, end),
    y0: y0.subarray(start, end),
    x1: x1.subarray(start, end),
    y1: y1.subarray(start, end),
  };
  const queries = Float64Array.from(wanted.flatMap((a) => [x0[starts[a]!]!, y0[starts[a]!]!]));
  const found: number[] = [];
  sweepEdges(
    edges,
    meter,
    {
      located(query, below, on) {
        const isJustInside = below !== -1 && edges.x0[below]! < edges.x1[below]! === interiorLeft[b];
        if (on || isJustInside) found.push(wanted[query]!);
      },
    },
    queries,
  );
  return found;
}

/** Steps of looking at a box that holds another's corner. */
const CORNER_STEPS = 6;

/** Visits the pairs of rings (a, b) where the box of a lies within the box of b, and what is around a is not known. */
function forEachBoxWithinBox(
  rings: Rings,
  around: Int32Array,
  meter: WorkMeter,
  visit: (a: number, b: number) => void,
): void {
  const { ringCount, starts, x0, y0 } = rings;
  if (!around.includes(UNKNOWN)) return;
  const minX = new Float64Array(ringCount).fill(Number.POSITIVE_INFINITY);
  const minY = new Float64Array(ringCount).fill(Number.POSITIVE_INFINITY);
  const maxX = new Float64Array(ringCount).fill(Number.NEGATIVE_INFINITY);
  const maxY = new Float64Array(ringCount).fill(Number.NEGATIVE_INFINITY);
  const index = new Flatbush(ringCount);
  for (let r = 0; r < ringCount; r++) {
    for (let e = starts[r]!; e < starts[r + 1]!; e++) {
      if (x0[e]! < minX[r]!) minX[r] = x0[e]!;
      if (x0[e]! > maxX[r]!) maxX[r] = x0[e]!;
      if (y0[e]! < minY[r]!) minY[r] = y0[e]!;
      if (y0[e]! > maxY[r]!) maxY[r] = y0[e]!;
    }
    index.add(minX[r]!, minY[r]!, maxX[r]!, maxY[r]!);
  }
  index.finish();
  for (let a = 0; a < ringCount; a++) {
    if (around[a] !== UNKNOWN) continue;
    // A box that contains all of a's contains its south-west corner.
    const found = index.search(minX[a]!, minY[a]!, minX[a]!, minY[a]!, (b) => {
      meter.add(CORNER_STEPS);
      return (
        b !== a &&
        minX[b]! <= minX[a]! &&
        minY[b]! <= minY[a]! &&
        maxX[b]! >= maxX[a]! &&
        maxY[b]! >= maxY[a]!
      );
    });
    for (const b of found) visit(a, b);
  }
}
