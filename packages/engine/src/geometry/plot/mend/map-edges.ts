import type { WorkMeter } from "../../../base/work-meter.ts";
import { halveJumpingEdges, hasJump, takeShortWay } from "../longitude-jumps.ts";
import { examineRings } from "../validity/validity.ts";

type Rings = readonly Float64Array[];

/**
 * Polygons, those that were cut at the edge of a map with every edge as it is written: positions are added in the middle
 * of edges that jump. The very same array where there are none.
 *
 * A polygon was cut at the edge of a map if it runs along longitude ±180 or a pole, and its rings are valid as they are
 * written. Where they are valid in neither way, a pole or both longitudes show it: coasts that cross the antimeridian
 * touch one of them.
 */
export function keepMapEdges(polygons: readonly Rings[], meter: WorkMeter): readonly Rings[] {
  if (!hasJump(polygons)) return polygons;
  const read = polygons.map((rings) => {
    const edges = findMapEdges(rings);
    if (edges.size === 0 || !hasJump([rings])) return rings;
    const written = halveJumpingEdges([rings])[0]!;
    if (isValid([written], meter)) return written;
    const isOneSide = edges.size === 1 && !edges.has("pole");
    return isOneSide || isOnlyShort(rings, meter) ? rings : written;
  });
  return read.every((rings, i) => rings === polygons[i]) ? polygons : read;
}

/** True if the rings of a polygon are valid the short way round, and not as they are written. */
export function isOnlyShort(rings: Rings, meter: WorkMeter): boolean {
  const short = takeShortWay([rings], { meter });
  return short !== undefined && isValid(short, meter) && !isValid([rings], meter);
}

function isValid(polygons: readonly Rings[], meter: WorkMeter): boolean {
  return examineRings(polygons, { limit: 1, meter }).faults.length === 0;
}

/** The longitudes and poles along which rings run. */
function findMapEdges(rings: Rings): ReadonlySet<number | "pole"> {
  const edges = new Set<number | "pole">();
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
      if (x0 === x1 && y0 !== y1 && Math.abs(x0) === 180) edges.add(x0);
      if (y0 === y1 && x0 !== x1 && Math.abs(y0) === 90) edges.add("pole");
    }
  }
  return edges;
}
