import type { Polygons } from "@groundrule/testing/shapes";
import { plotOf } from "@groundrule/testing/shapes";
import {
  createDistanceWorkspace,
  PlotDistance,
} from "../../packages/engine/src/geometry/distance/distance.ts";
import { PLANE } from "../../packages/engine/src/geometry/earth/authalic.ts";
import { createExactKernel, exactKernel } from "../../packages/engine/src/geometry/kernel/exact-kernel.ts";
import type { Plot } from "../../packages/engine/src/geometry/plot/plot.ts";
import type { AreaLayer } from "../../packages/engine/src/geometry/trees/layer.ts";
import { buildLayer } from "../../packages/engine/test/build-layer.ts";
import type { GeosProcess } from "../peers/geos-process.ts";
import { cpuMicros } from "./timing.ts";

/** Areas and plots as every engine gets them. */
export interface Scenario {
  readonly areas: readonly Polygons[];
  readonly plots: readonly Polygons[];
}

/** The same, ready for ours. Plots are bound anew in every pass. */
export interface Ready extends Scenario {
  readonly layer: AreaLayer;
  readonly asked: readonly Plot[];
}

export function ready(scenario: Scenario): Ready {
  return {
    ...scenario,
    layer: buildLayer(scenario.areas),
    asked: scenario.plots.map((plot) => plotOf(plot)),
  };
}

/** CPU microseconds that one measurement takes at least, so that it is long against the clock's grain. */
const LEAST_MICROS = 30_000;

/** CPU microseconds a plot: bind, every hit with its exact ellipsoidal area. */
export function overlapMicros({ layer, asked }: Ready): number {
  let sum = 0;
  return microsAPlot(asked, (plot) => {
    for (const hit of exactKernel.bind(plot).intersections(layer)) sum += hit.overlapSquareMeters;
    if (Number.isNaN(sum)) throw new Error("an overlap is not a number");
  });
}

const workspace = createDistanceWorkspace();

/** CPU microseconds a plot: every area within reach, with its geodesic distance. */
export function distanceMicros({ layer, asked }: Ready, reachMeters: number): number {
  return microsAPlot(asked, (plot) => new PlotDistance(plot, workspace).within(layer, reachMeters));
}

/** CPU microseconds that a question takes for a plot, over passes long enough to be measured. */
export function microsAPlot<P>(plots: readonly P[], ask: (plot: P) => unknown): number {
  let [used, passes] = [0, 0];
  for (; used < LEAST_MICROS; passes++) {
    used += cpuMicros(() => {
      for (const plot of plots) ask(plot);
    });
  }
  return used / (passes * plots.length);
}

/** Runs a measurement for a while, so that the host has compiled what it measures. */
export function warm(measure: () => unknown, seconds = 0.5): void {
  for (let used = 0; used < seconds * 1e6; ) used += cpuMicros(measure);
}

/** Hits and square metres over all plots. */
export function overlapTotals({ layer, asked }: Ready): { hits: number; squareMeters: number } {
  let [hits, squareMeters] = [0, 0];
  for (const plot of asked) {
    for (const hit of exactKernel.bind(plot).intersections(layer)) {
      hits++;
      squareMeters += hit.overlapSquareMeters;
    }
  }
  return { hits, squareMeters };
}

/**
 * Sets answers beside GEOS's before anything is timed: hits must be the same, planar areas to 1e-9
 * of the plot. What GEOS fails to construct is left out of the areas.
 */
export async function compareOverlaps(geos: GeosProcess, data: Ready, count: number): Promise<void> {
  const planar = createExactKernel(PLANE);
  const layer = buildLayer(data.areas, PLANE);
  const theirs = await geos.overlaps(0, count);
  for (const [i, plot] of data.asked.slice(0, count).entries()) {
    const bound = planar.bind(plot);
    const hits = bound.intersections(layer);
    const [overlap, met, failures] = theirs.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    if (hits.length !== met) {
      throw new Error(`plot ${i}: ${hits.length} hits, GEOS ${met}`);
    }
    const difference = Math.abs(hits.reduce((sum, hit) => sum + hit.overlapSquareMeters, 0) - overlap);
    if (failures === 0 && !(difference <= 1e-9 * bound.areaSquareMeters)) {
      throw new Error(`plot ${i}: a planar overlap differs by ${difference / bound.areaSquareMeters} of it`);
    }
  }
}
