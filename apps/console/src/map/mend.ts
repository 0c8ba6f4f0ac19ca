import { eudr, fixPlot } from "@groundrule/plots";
import type { Geometry } from "geojson";
import type { PagePlot } from "../state/plot.ts";

/** What is refused for its shape; another shape mends nothing else. */
const SHAPE_CODES: ReadonlySet<string> = new Set(["GEOMETRY_INVALID", "VALIDATION_FAILED"]);

/**
 * The shape that a refused plot would have once its faults are mended: what the answerer proposes, else what the fixing
 * of plots makes of it.
 *
 * @returns undefined where nothing is wrong with the shape, or nothing is known to mend it
 */
export function mendOf({ state, geometry, id, properties }: PagePlot): Geometry | undefined {
  if (state.kind !== "refused" || geometry === undefined) return undefined;
  const { repaired } = state.problem;
  if (repaired !== undefined) return repaired as Geometry;
  if (!SHAPE_CODES.has(state.problem.code)) return undefined;
  const { plots, findings } = fixPlot({ number: 1, id, geometry, properties }, { profile: eudr });
  const [fixed] = plots;
  if (plots.length !== 1 || findings.length > 0 || fixed!.geometry === geometry) return undefined;
  return fixed!.geometry as Geometry;
}
