import type { Polygons } from "@groundrule/testing/shapes";
import { toPlot } from "@groundrule/testing/shapes";
import { exactKernel } from "../../packages/engine/src/geometry/kernel/exact-kernel.ts";
import type { Plot } from "../../packages/engine/src/geometry/plot/plot.ts";
import type { AreaLayer } from "../../packages/engine/src/geometry/trees/layer.ts";
import { buildAreaLayer } from "../../packages/engine/test/build-layer.ts";
import { measureMicrosPerPlot } from "../measure.ts";

/** Areas and plots, ready for the kernel. Plots are bound anew in every pass. */
export interface Ready {
  readonly layer: AreaLayer;
  readonly plots: readonly Plot[];
}

export function prepareKernelInput(areas: readonly Polygons[], plots: readonly Polygons[]): Ready {
  return { layer: buildAreaLayer(areas), plots: plots.map((plot) => toPlot(plot)) };
}

/** CPU microseconds a plot: bind, every hit with its exact ellipsoidal area. */
export function measureOverlapMicros({ layer, plots }: Ready): number {
  let sum = 0;
  return measureMicrosPerPlot(plots, (plot) => {
    for (const hit of exactKernel.bind(plot).intersections(layer)) sum += hit.overlapSquareMeters;
    if (Number.isNaN(sum)) throw new Error("an overlap is not a number");
  });
}

/** Pairs of a plot and an area that overlap. */
export function countOverlappingPairs({ layer, plots }: Ready): number {
  return plots.reduce((sum, plot) => sum + exactKernel.bind(plot).intersections(layer).length, 0);
}
