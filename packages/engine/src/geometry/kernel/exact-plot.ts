import type { AreaLayer } from "../trees/layer.ts";
import type { BoundPlot } from "./kernel.ts";

/** A plot bound by the default kernel. */
export interface ExactPlot extends BoundPlot {
  /** The areas that `intersections` finds, without measuring them. */
  meets(layer: AreaLayer): number[];
}
