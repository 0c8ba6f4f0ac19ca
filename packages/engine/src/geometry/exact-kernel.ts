import type { AreaLayer } from "../snapshot/layer.ts";
import { ELLIPSOID, type Surface } from "./authalic.ts";
import { BoundLine } from "./bound-line.ts";
import { BoundPolygon } from "./bound-polygon.ts";
import { createWorkspace } from "./candidates.ts";
import type { BoundPlot, Kernel } from "./kernel.ts";
import type { Plot } from "./plot.ts";
import { WorkMeter } from "./work-meter.ts";

/**
 * Raised whenever any verdict could change; the changelog marks why. 2: rings that jump across the
 * antimeridian, relations there, repaired areas, and one budget of work an answer.
 */
const SEMANTICS = 2;

/**
 * The default kernel: predicates exact, areas exact on the WGS 84 ellipsoid, cost set by the
 * boundaries near the plot. `docs/semantics/overlap.md` has the mathematics.
 */
export const exactKernel: ExactKernel = createExactKernel(ELLIPSOID);

export interface ExactKernel extends Kernel {
  bind(plot: Plot, meter?: WorkMeter): ExactPlot;
}

export interface ExactPlot extends BoundPlot {
  /** The areas that `intersections` finds, without measuring them. */
  meets(layer: AreaLayer): number[];
}

/** The kernel on a surface of its own; on the plane for comparison with planar oracles. */
export function createExactKernel(surface: Surface): ExactKernel {
  const workspace = createWorkspace(surface);
  return {
    name: "default",
    semantics: SEMANTICS,
    areaSquareMeters: (layer: AreaLayer, area: number): number => layer.areaSquareMeters[area]!,
    bind(plot: Plot, meter: WorkMeter = new WorkMeter()): ExactPlot {
      return plot.dimension === "polygon"
        ? new BoundPolygon(plot, workspace, meter)
        : new BoundLine(plot, workspace, meter);
    },
  };
}
