import { eudr, type FindingCode, fixPlot } from "@groundrule/plots";
import type { Geometry } from "geojson";
import type { PageFinding } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";

/** What is refused for its shape; another shape mends nothing else. */
const SHAPE_CODES: ReadonlySet<string> = new Set(["GEOMETRY_INVALID", "VALIDATION_FAILED"]);

/** What the fixing of plots mends. */
export const MENDED: ReadonlySet<FindingCode> = new Set([
  "RING_NOT_CLOSED",
  "RING_SELF_CROSSING",
  "RING_SELF_TOUCH",
  "RING_SELF_OVERLAP",
  "RINGS_CROSS",
  "HOLE_OUTSIDE_SHELL",
  "HOLES_OVERLAP",
  "INTERIOR_DISCONNECTED",
  "PARTS_OVERLAP",
  "REPEATED_POSITION",
  "WINDING_REVERSED",
  "ORDINATES_IGNORED",
]);

/**
 * The shape that a plot would have once its faults are mended: what the answerer proposes for a plot that it refused, else
 * what the fixing of plots makes of it.
 *
 * @param found what the checker of plots found of it
 * @returns undefined where nothing is wrong with the shape, or nothing is known to mend it
 */
export function mendOf(
  { state, geometry, id, properties, input }: PagePlot,
  found: readonly PageFinding[] = [],
): Geometry | undefined {
  if (found.some(({ swapped }) => swapped !== undefined)) return swappedShape({ id, properties, input });
  if (geometry === undefined) return undefined;
  if (state.kind === "refused" && state.problem.repaired !== undefined) {
    return state.problem.repaired as Geometry;
  }
  const isRefused = state.kind === "refused" && SHAPE_CODES.has(state.problem.code);
  if (!isRefused && !found.some(({ code }) => MENDED.has(code))) return undefined;
  const { plots, findings } = fixPlot({ number: 1, id, geometry, properties }, { profile: eudr });
  const [fixed] = plots;
  if (plots.length !== 1 || findings.length > 0 || fixed!.geometry === geometry) return undefined;
  return fixed!.geometry as Geometry;
}

/** The shape with longitude and latitude the other way round, and mended where that leaves faults. */
function swappedShape({
  id,
  properties,
  input,
}: Pick<PagePlot, "id" | "properties" | "input">): Geometry | undefined {
  const { geometry } = (input ?? {}) as { readonly geometry?: unknown };
  const plot = { number: 1, id, geometry, properties };
  const { plots, findings } = fixPlot(plot, { profile: eudr, swapAxes: true });
  return plots.length === 1 && findings.length === 0 ? (plots[0]!.geometry as Geometry) : undefined;
}
