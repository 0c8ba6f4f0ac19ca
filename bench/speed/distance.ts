/**
 * How much faster are distances to very many overlapping areas than GEOS measures them in the plane, and what does
 * `engine.distance`, from GeoJSON to its answer, take beside the bare kernel?
 *
 *     node bench/speed/distance.ts
 */
import { openEngine } from "@groundrule/engine";
import {
  createDistanceWorkspace,
  PlotDistance,
} from "../../packages/engine/src/geometry/distance/distance.ts";
import { fractalRing, makeRingSource, randomPlotNear, seededRandom } from "../data.ts";
import { prepareKernelInput } from "../kernel/ours.ts";
import { toGeoJson } from "../kernel/real-layers.ts";
import { measureInTurns, measureMicrosPerPlot, warmUp } from "../measure.ts";
import { GEOS_MISSING, startGeos } from "../peers/geos.ts";
import { buildMaximumRow, buildMinimumRow, runMeasurementAlone, type SpeedResult } from "./row.ts";

const ROUNDS = 9;
const GOAL = 5;
const GOAL_PUBLIC = 1.5;
const REACH_METERS = 10_000;
const METERS_A_DEGREE = 111_319.49;
const PLOTS = 1_000;
/** Plots of a pass of GEOS. */
const WINDOW = 200;

/** On the equator, where degrees are of one length in all directions. */
async function measureDistance(): Promise<SpeedResult> {
  const random = seededRandom(20);
  // Areas of 0.3 to 3 km around, lying over one another as protected areas do.
  const rings = Array.from({ length: 40_000 }, () =>
    fractalRing(random, random.between(-5, 5), random.between(-5, 5), 0.03 * 10 ** random.between(-1, 0), 64),
  );
  const plots = Array.from({ length: PLOTS }, () => [[randomPlotNear(random, rings)]]);
  const areas = rings.map((ring) => [[ring]]);
  const { layer, plots: prepared } = prepareKernelInput(areas, plots);
  const workspace = createDistanceWorkspace();
  const within = (plot: (typeof prepared)[number]) =>
    new PlotDistance(plot, workspace).within(layer, REACH_METERS);
  const askKernel = (): number => measureMicrosPerPlot(prepared, within);
  warmUp(askKernel, 2);

  // First, while the kernel has met no other layer.
  const geos = await startGeos(areas, plots);
  let overGeos: number | undefined;
  if (geos !== undefined) {
    const radius = REACH_METERS / METERS_A_DEGREE;
    const { hits, sum } = await geos.pass("distance", 0, WINDOW, radius);
    expectSimilarDistances(prepared.slice(0, WINDOW).flatMap(within), hits, sum * METERS_A_DEGREE);
    let from = 0;
    const { ours, theirs } = await measureInTurns(ROUNDS, {
      ours: askKernel,
      theirs: async () => {
        from = (from + WINDOW) % PLOTS;
        return (await geos.pass("distance", from, WINDOW, radius)).micros;
      },
    });
    geos.stop();
    overGeos = theirs / ours;
  }

  const engine = openEngine([makeRingSource("bench:areas", rings)]);
  const sent = plots.map(toGeoJson);
  const { bare, called } = await measureInTurns(ROUNDS, {
    bare: askKernel,
    called: () =>
      measureMicrosPerPlot(sent, (plot) => engine.distance(plot, { maxDistanceMeters: REACH_METERS })),
  });
  const figure = "engine.distance there, from GeoJSON to its answer, over the kernel";
  return [
    overGeos === undefined
      ? GEOS_MISSING
      : buildMinimumRow("distance to 40,000 overlapping areas, over GEOS planar", overGeos, GOAL, "×"),
    buildMaximumRow(figure, called / bare, GOAL_PUBLIC, "×"),
  ];
}

/** Geodesic and planar differ by up to a percent here, and so do the areas in reach. */
function expectSimilarDistances(
  found: readonly { readonly distanceMeters: number }[],
  hits: number,
  meters: number,
): void {
  const sum = found.reduce((all, { distanceMeters }) => all + distanceMeters, 0);
  if (Math.abs(found.length - hits) > 0.01 * hits || Math.abs(sum - meters) > 0.02 * meters) {
    throw new Error(`${found.length} areas, ${sum} m in all; GEOS found ${hits}, ${meters} m`);
  }
}

await runMeasurementAlone(import.meta, measureDistance);
