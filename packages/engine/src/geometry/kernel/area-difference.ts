import { WorkMeter } from "../../base/work-meter.ts";
import { toPositions } from "../earth/to-positions.ts";
import { intersectEvenOdd } from "../noding/even-odd.ts";
import { shiftLongitudes } from "../noding/mend-rings.ts";
import type { AreaRef } from "../overlap/region.ts";
import { halveJumpingEdges } from "../plot/longitude-jumps.ts";
import { createPlot, type Plot } from "../plot/plot.ts";
import { areaPolygons, type MultiPolygonCoordinates } from "../trees/area-coordinates.ts";
import { shiftsToMeet } from "../trees/candidates.ts";
import { exactKernel } from "./exact-kernel.ts";

/**
 * Square metres of an area that another area does not cover, exact on the ellipsoid. There is no limit of work.
 *
 * Error: < 1e-14 of the area of `of`'s bbox.
 *
 * Fails: never.
 */
export function differenceSquareMeters(of: AreaRef, without: AreaRef): number {
  const plot = createAreaPlot(of);
  const region = {
    op: "difference",
    operands: [{ op: "plot" }, { op: "areas", areas: [without] }],
  } as const;
  return exactKernel.bind(plot, new WorkMeter(Number.POSITIVE_INFINITY)).regionSquareMeters(region);
}

/**
 * The geometry that {@link differenceSquareMeters} measures, for display: GeoJSON MultiPolygon coordinates, valid,
 * right-hand winding, rings closed; empty if the other area covers all of it.
 *
 * Positions of both areas are kept to the bit but for a multiple of 360° of longitude; those added are where
 * edges cross.
 *
 * Fails: never.
 */
export function differenceCoordinates(of: AreaRef, without: AreaRef): MultiPolygonCoordinates {
  const plot = createAreaPlot(of);
  const own = areaPolygons(of.layer, of.area).flat();
  const others = areaPolygons(without.layer, without.area).flat();
  const other = shiftsToMeet(plot.bbox, without.layer).flatMap((turn) =>
    others.map((ring) => shiftLongitudes(ring, turn)),
  );
  // By the even-odd rule both sets of rings together enclose what lies in one of the areas and not in both.
  const polygons = intersectEvenOdd([own, [...own, ...other]]);
  return halveJumpingEdges(polygons).map((rings) => rings.map(toPositions));
}

function createAreaPlot({ layer, area }: AreaRef): Plot {
  return createPlot("polygon", areaPolygons(layer, area));
}
