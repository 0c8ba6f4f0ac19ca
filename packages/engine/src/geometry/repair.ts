import { intersectEvenOdd } from "./even-odd.ts";
import type { WorkMeter } from "./work-meter.ts";

/**
 * The region that rings enclose by the even-odd rule, as valid polygons: a place belongs to it if
 * the way out crosses an odd number of edges. What each defect becomes:
 *
 * - a ring that crosses itself: its loops, where it goes round twice a gap;
 * - a ring that touches itself: polygons or holes that touch in that point; spikes vanish;
 * - a hole outside its outer ring: land of its own, as with municipalities whose islands were
 *   written as holes; a hole across the shore is land on the far side;
 * - a hole within a hole: land again;
 * - a polygon within another of the same multipolygon: a hole, as if it had been written as one;
 *   where two overlap, the overlap is left out. A part written twice cancels itself: leave out
 *   repeated parts before (`prepareArea` does).
 *
 * @param rings flat `[lon, lat, …]`, closed, all finite; which is outer or hole does not matter
 * @param options.meter counts the work (see `nodeOddEdges`), default no limit
 * @returns rings of each polygon, outer first, closed; outer rings counter-clockwise, holes
 *   clockwise; {@link findFaults} finds nothing in them. Empty where nothing is enclosed.
 *
 * Positions of the input that remain on the boundary are kept to the bit; those added are where
 * edges cross, off by a few units in the last place (see {@link nodeOddEdges} for the exception).
 * Cost: O((n + k) log n) for n positions and k crossings, a few times over.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function repairEvenOdd(
  rings: readonly Float64Array[],
  options: { readonly meter?: WorkMeter | undefined } = {},
): Float64Array[][] {
  return intersectEvenOdd([rings], options);
}
