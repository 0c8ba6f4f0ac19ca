import { WorkMeter } from "../../base/work-meter.ts";
import { ELLIPSOID, type Surface } from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { BoundLine } from "./bound-line.ts";
import { BoundPolygon } from "./bound-polygon.ts";
import type { Kernel } from "./kernel.ts";
import { createWorkspace } from "./workspace.ts";

/**
 * Raised whenever any verdict could change; the changelog marks why. 2: rings that jump across the
 * antimeridian, relations there, repaired areas, and one budget of work an answer. 3: coverage and age of
 * sources, columns and names in evidence. 4: checks of large geometries take less of the budget of work, and
 * overlaps what walks take. 6: what an evaluation did not examine or understand (nulls, absent facts, malformed
 * identifiers, cells nobody examined) leaves checks open.
 */
const SEMANTICS = 6;

/**
 * The default kernel: predicates exact, areas exact on the WGS 84 ellipsoid, cost set by the
 * boundaries near the plot. `docs/semantics/overlap.md` has the mathematics.
 */
export const exactKernel: ExactKernel = createExactKernel(ELLIPSOID);

export interface ExactKernel extends Kernel {
  bind(plot: Plot, meter?: WorkMeter): BoundLine | BoundPolygon;
}

/** The kernel on a surface of its own; on the plane for comparison with planar oracles. */
export function createExactKernel(surface: Surface): ExactKernel {
  const workspace = createWorkspace(surface);
  return {
    name: "default",
    semantics: SEMANTICS,
    surface,
    areaSquareMeters: (layer: AreaLayer, area: number): number => layer.areaSquareMeters[area]!,
    bind(plot: Plot, meter: WorkMeter = new WorkMeter()): BoundLine | BoundPolygon {
      return plot.dimension === "polygon"
        ? new BoundPolygon(plot, workspace, meter)
        : new BoundLine(plot, workspace, meter);
    },
  };
}
