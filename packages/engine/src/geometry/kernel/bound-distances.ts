import type { WorkMeter } from "../../base/work-meter.ts";
import { createDistanceWorkspace, type DistanceHit, PlotDistance } from "../distance/distance.ts";
import type { Plot } from "../plot/plot.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { Workspace } from "./workspace.ts";

/** The distances of a bound plot, whatever its dimension. */
export abstract class BoundDistances {
  readonly plot: Plot;
  readonly #workspace: Workspace;
  readonly #meter: WorkMeter;
  #distance: PlotDistance | undefined;

  constructor(plot: Plot, workspace: Workspace, meter: WorkMeter) {
    this.plot = plot;
    this.#workspace = workspace;
    this.#meter = meter;
  }

  distances(layer: AreaLayer, maxMeters: number): DistanceHit[] {
    return this.#distances().within(layer, maxMeters);
  }

  nearestMeters(
    layer: AreaLayer,
    maxMeters: number,
    isWanted: (area: number) => boolean,
    to: "area" | "boundary",
  ): number {
    return this.#distances().nearest(layer, maxMeters, isWanted, to);
  }

  #distances(): PlotDistance {
    this.#workspace.distance ??= createDistanceWorkspace();
    this.#distance ??= new PlotDistance(this.plot, this.#workspace.distance, this.#meter);
    return this.#distance;
  }
}
