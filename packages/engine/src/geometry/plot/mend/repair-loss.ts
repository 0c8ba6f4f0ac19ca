import type { WorkMeter } from "../../../base/work-meter.ts";
import { sumPolygonAreas } from "../../earth/authalic.ts";
import { intersectEvenOdd } from "../../noding/even-odd.ts";
import { shiftLongitudes } from "../../noding/mend-rings.ts";
import { hasJump, takeShortWay } from "../longitude-jumps.ts";
import { isOnlyShort } from "./map-edges.ts";
import { repairPolygons } from "./repair.ts";

/** Share of another reading that a repair may leave out. */
const MAX_LOST_SHARE = 0.1;

/** Another reading of a geometry, of which a repair leaves out more than a tenth. */
export interface RepairLoss {
  /**
   * `as_written`: edges of 180° or more run the long way, as their longitudes are written. `even_odd`: a place is
   * inside where an odd number of a polygon's rings enclose it, so that a hole within a hole is land.
   */
  readonly reading: "as_written" | "even_odd";
  /** Square metres of the other reading. */
  readonly squareMeters: number;
  /** Square metres of it that the repair does not contain. */
  readonly lostSquareMeters: number;
}

/**
 * The other reading of repaired polygons; undefined where the repair leaves out a tenth of it or less.
 *
 * An edge of 180° or more has another reading unless only the short way makes a valid polygon of its rings.
 *
 * @param polygons as they are written, rings closed
 * @param repaired the repair of them
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` beyond the limit of the meter.
 */
export function findRepairLoss(
  polygons: readonly (readonly Float64Array[])[],
  repaired: readonly (readonly Float64Array[])[],
  meter: WorkMeter,
): RepairLoss | undefined {
  let isAsWritten = false;
  const others: (readonly Float64Array[])[] = [];
  for (const rings of polygons) {
    const jumps = hasJump([rings]);
    const isAmbiguous = jumps && !isOnlyShort(rings, meter);
    if (isAmbiguous) isAsWritten = true;
    const short = jumps ? takeShortWay([rings], { meter }) : undefined;
    const read = isAmbiguous
      ? repairPolygons([rings], { meter })
      : (short ?? [rings]).flatMap((part) => intersectEvenOdd([withoutRepeatedRings(part)], { meter }));
    for (const each of read) others.push(each);
  }
  const other = others.length < 2 ? others : repairPolygons(others, { meter });
  const squareMeters = sumPolygonAreas(other);
  let lostSquareMeters = squareMeters;
  for (const turn of [-360, 0, 360]) {
    const turned = repaired.flat().map((ring) => shiftLongitudes(ring, turn));
    lostSquareMeters -= sumPolygonAreas(intersectEvenOdd([other.flat(), turned], { meter }));
  }
  if (!(lostSquareMeters > MAX_LOST_SHARE * squareMeters)) return undefined;
  return { reading: isAsWritten ? "as_written" : "even_odd", squareMeters, lostSquareMeters };
}

/** Rings, each once: one that is written twice is no hole in itself. */
function withoutRepeatedRings(rings: readonly Float64Array[]): readonly Float64Array[] {
  if (rings.length < 2) return rings;
  const seen = new Set<string>();
  return rings.filter((ring) => {
    const key = computeRingKey(ring);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The same for rings that begin at another position or wind the other way. */
function computeRingKey(ring: Float64Array): string {
  const positions: string[] = [];
  for (let i = 2; i < ring.length; i += 2) positions.push(`${ring[i]} ${ring[i + 1]}`);
  return [...new Set(positions)].sort().join();
}
