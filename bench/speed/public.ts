/**
 * Measures the cost of `engine.intersections` for a caller, from a GeoJSON object to the frozen answer. On real layers,
 * beside GEOS in C, whose plots are parsed beforehand; what reading and validating a plot takes of it; and the bytes
 * that a call leaves to the garbage collector. The same of the kernel alone, also against GEOS on pieces that it cut
 * beforehand.
 *
 *     GROUNDRULE_REAL_DATA=… node bench/speed/public.ts
 */

import { getHeapStatistics } from "node:v8";
import { crc32 } from "node:zlib";
import { openEngine, parsePlot } from "@groundrule/engine";
import { randomPlotNearPosition, seededRandom } from "../data.ts";
import {
  buildLayerSnapshots,
  listAreaPolygons,
  makePlotsNear,
  PLOTS,
  type RealLayerName,
  timeRealLayers,
  toGeoJson,
} from "../kernel/real-layers.ts";
import { computeMedian, measureMicrosPerPlot, warmUp } from "../measure.ts";
import {
  buildMaximumRow,
  buildMinimumRow,
  runMeasurementAlone,
  type SpeedMissing,
  type SpeedResult,
  type SpeedRow,
} from "./row.ts";

const SEED = 12;
const ROUNDS = 7;
const POSITIONS = 50;

/** Factors over GEOS on whole areas: of a call, and of the kernel alone. */
const GOALS: Readonly<Record<RealLayerName, readonly [number, number]>> = {
  "countries of Natural Earth 1:10m": [30, 60],
  "Brazilian municipalities": [8, 25],
  "Brazilian layers together": [12, 15],
  "GSHHG high, land with lakes": [50, 150],
};
const OVER_PIECES = 15;
const READING_MICROS = 4;
/** Kilobytes that reading a plot, and a whole call on the countries, may leave. */
const READING_GARBAGE = 2;
const CALL_GARBAGE = 12;

async function measurePublicPath(): Promise<SpeedResult> {
  const calls: (SpeedRow | SpeedMissing)[] = [];
  const kernels: (SpeedRow | SpeedMissing)[] = [];
  for await (const layer of timeRealLayers()) {
    if ("missing" in layer) {
      calls.push(layer);
      continue;
    }
    const { name, kernel, engine, whole, pieces } = layer;
    const [byEngine, byKernel] = GOALS[name];
    const figure = `engine.intersections from GeoJSON, ${name}: ${engine.toFixed(1)} µs, its kernel ${kernel.toFixed(1)}, against ${whole.name} on parsed plots ${whole.micros.toFixed(0)}`;
    calls.push(buildMinimumRow(figure, whole.micros / engine, byEngine, "×"));
    for (const [peer, goal] of [[whole, byKernel] as const, [pieces, OVER_PIECES] as const]) {
      kernels.push(buildMinimumRow(`kernel alone, ${name}, × ${peer.name}`, peer.micros / kernel, goal, "×"));
    }
  }
  return [...measurePlotReading(), await measureGarbage(), ...calls, ...kernels];
}

/** Plots of one size, wherever on land. */
function makePlots(positions: number): ReturnType<typeof toGeoJson>[] {
  const random = seededRandom(SEED);
  const plots: ReturnType<typeof toGeoJson>[] = [];
  while (plots.length < PLOTS) {
    const ring = randomPlotNearPosition(random, random.between(-170, 170), random.between(-60, 60), 0);
    if (Math.abs(ring.length / 2 - positions) <= positions / 10) plots.push(toGeoJson([[ring]]));
  }
  return plots;
}

function measurePlotReading(): SpeedRow[] {
  const plots = makePlots(POSITIONS);
  const read = (): number => measureMicrosPerPlot(plots, (plot) => parsePlot(plot));
  warmUp(read, 1);
  const micros = computeMedian(Array.from({ length: ROUNDS }, read));
  const figure = `reading and validating a plot of ${POSITIONS} positions`;
  const garbage = measureKilobytesPerCall(plots, (plot) => parsePlot(plot));
  return [
    buildMaximumRow(figure, micros, READING_MICROS, "µs"),
    buildMaximumRow(`${figure}, garbage`, garbage, READING_GARBAGE, "kB"),
  ];
}

async function measureGarbage(): Promise<SpeedRow | SpeedMissing> {
  const name = "countries of Natural Earth 1:10m";
  const snapshots = await buildLayerSnapshots(name);
  if ("missing" in snapshots) return snapshots;
  const engine = openEngine(snapshots, { crc32 });
  const plots = makePlotsNear(snapshots.flatMap(listAreaPolygons)).map(toGeoJson);
  const garbage = measureKilobytesPerCall(plots, (plot) => engine.intersections(plot));
  return buildMaximumRow(`engine.intersections, ${name}, garbage a call`, garbage, CALL_GARBAGE, "kB");
}

/** Kilobytes of the heap that a call allocates, once the host has compiled it. */
function measureKilobytesPerCall<P>(plots: readonly P[], ask: (plot: P) => unknown): number {
  for (let pass = 0; pass < 3; pass++) for (const plot of plots) ask(plot);
  const before = getHeapStatistics().total_allocated_bytes;
  for (const plot of plots) ask(plot);
  return (getHeapStatistics().total_allocated_bytes - before) / plots.length / 1000;
}

await runMeasurementAlone(import.meta, measurePublicPath);
