import type { Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import {
  createDistanceWorkspace,
  PlotDistance,
} from "../../packages/engine/src/geometry/distance/distance.ts";
import { fractalRing, plotNear, seededRandom } from "../data.ts";
import { startGeos } from "../peers/geos-process.ts";
import { distanceMicros, type Ready, ready, warm } from "./ours.ts";
import { medianOf } from "./timing.ts";

const SEED = 20;
export const DISTANCE_REACH_METERS = 10_000;
const METERS_A_DEGREE = 111_319.49;
const PLOTS = 1_000;

/** Plots of a pass of GEOS. */
const WINDOW = 200;

/** A layer of very many areas and the plots asked about it: on the equator, where degrees are of one length in all directions. */
export function manyAreas(): { readonly areas: readonly Float64Array[]; readonly data: Ready } {
  const random = seededRandom(SEED);
  const areas = many(random);
  const plots = Array.from({ length: PLOTS }, () => plotNear(random, areas));
  return { areas, data: ready({ areas: areas.map(polygon), plots: plots.map(polygon) }) };
}

/** How many times as long as ours GEOS takes for the layer of very many areas; undefined without it. */
export async function geosDistances(data: Ready, rounds: number): Promise<number | undefined> {
  const geos = await startGeos(data.areas, data.plots);
  if (geos === undefined) return undefined;
  const radius = DISTANCE_REACH_METERS / METERS_A_DEGREE;
  const theirsBefore = await geos.pass("distance", 0, WINDOW, radius);
  compare(data, theirsBefore.hits, theirsBefore.sum * METERS_A_DEGREE);
  warm(() => distanceMicros(data, DISTANCE_REACH_METERS), 2);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(distanceMicros(data, DISTANCE_REACH_METERS));
    const from = (round * WINDOW) % PLOTS;
    theirs.push((await geos.pass("distance", from, WINDOW, radius)).micros);
  }
  geos.stop();
  return medianOf(theirs) / medianOf(ours);
}

/** Geodesic and planar differ by up to a percent here, and so do the areas in reach. */
function compare(data: Ready, hits: number, meters: number): void {
  const workspace = createDistanceWorkspace();
  let [found, sum] = [0, 0];
  for (const plot of data.asked.slice(0, WINDOW)) {
    for (const hit of new PlotDistance(plot, workspace).within(data.layer, DISTANCE_REACH_METERS)) {
      found++;
      sum += hit.distanceMeters;
    }
  }
  if (Math.abs(found - hits) > 0.01 * hits || Math.abs(sum - meters) > 0.02 * meters) {
    throw new Error(`${found} areas, ${sum} m in all; GEOS found ${hits}, ${meters} m`);
  }
}

function polygon(ring: Float64Array): Polygons {
  return [[ring]];
}

/** Areas of 0.3 to 3 km around, lying over one another as protected areas do. */
function many(random: Random): Float64Array[] {
  return Array.from({ length: 40_000 }, () =>
    fractalRing(random, random.between(-5, 5), random.between(-5, 5), 0.03 * 10 ** random.between(-1, 0), 64),
  );
}
