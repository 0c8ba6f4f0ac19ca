import { isRaster } from "../../geometry/layer.ts";
import type { AreaSetPlan } from "../compile/compile.ts";
import type { AreaFact } from "../measures/area-facts.ts";

/** Part of the plot by which areas that are measured apart may differ. */
const ROUNDING = 1e-9;

/**
 * The areas of a raster that stand to the plot as a set asks, or do not, as cells have it that were not examined. A value
 * may take any of them: so it may yet cover the plot, share area with what it touched, or lie beyond the plot, too.
 *
 * @param intersecting areas of one source
 * @param uncovered square metres of the plot that the source's entry does not cover
 * @param whole square metres of the plot
 */
export function selectUnsettledAreas(
  relation: AreaSetPlan["relation"],
  intersecting: readonly AreaFact[],
  uncovered: number,
  whole: number,
): readonly AreaFact[] {
  if (relation === "intersects" || intersecting.length === 0) return NONE;
  if (!isRaster(intersecting[0]!.snapshot.layer)) return NONE;
  switch (relation) {
    case "covered_by":
      return intersecting.filter(({ relations }) => relations.coveredBy);
    case "touches":
      return uncovered === 0 ? NONE : intersecting.filter(({ relations }) => relations.touches);
    case "covers": {
      const least = whole * (1 - ROUNDING);
      return uncovered === 0
        ? NONE
        : intersecting.filter(
            ({ relations, unroundedOverlapSquareMeters }) =>
              !relations.covers && unroundedOverlapSquareMeters + uncovered >= least,
          );
    }
  }
}

const NONE: readonly AreaFact[] = [];
