import type { AreaLayer } from "../snapshot/layer.ts";
import { ELLIPSOID, type Surface } from "./authalic.ts";
import { BoundPolygon, createWorkspace } from "./bound-polygon.ts";
import type { BoundPlot, Kernel } from "./kernel.ts";
import type { Plot } from "./plot.ts";

/**
 * The default kernel: predicates exact, areas exact on the WGS 84 ellipsoid, cost set by the
 * boundaries near the plot. `docs/semantics/overlap.md` has the mathematics.
 */
export const exactKernel: Kernel = createExactKernel(ELLIPSOID);

/** The kernel on a surface of its own; on the plane for comparison with planar oracles. */
export function createExactKernel(surface: Surface): Kernel {
  const workspace = createWorkspace(surface);
  return {
    name: "default",
    semantics: 1,
    areaSquareMeters: (layer: AreaLayer, area: number): number => layer.areaSquareMeters[area]!,
    bind(plot: Plot): BoundPlot {
      switch (plot.dimension) {
        case "polygon":
          return new BoundPolygon(plot, workspace);
        case "line":
          return new BoundPolygon(plot, workspace);
        case "point":
          return new BoundPolygon(plot, workspace);
      }
    },
  };
}
