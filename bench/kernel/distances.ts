import type { Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import {
  createDistanceWorkspace,
  PlotDistance,
} from "../../packages/engine/src/geometry/distance/distance.ts";
import { fractalRing, plotNear, seededRandom } from "../data.ts";
import { startGeos } from "../peers/geos-process.ts";
import { GEOS_MISSING, type Line, type Missing, micros, type Options, times } from "./line.ts";
import { distanceMicros, type Ready, ready, warm } from "./ours.ts";
import { loadNow, medianOf } from "./timing.ts";

const SEED = 20;
const TARGET = 4;
export const DISTANCE_REACH_METERS = 10_000;
const METERS_A_DEGREE = 111_319.49;
const PLOTS = 1_000;

interface Layer {
  readonly name: string;
  readonly areas: (random: Random) => Float64Array[];
  /** Plots of a pass of GEOS. */
  readonly window: number;
}

/** They lie on the equator, where degrees are of one length in all directions, so that both look for the same areas. */
const LAYERS: readonly Layer[] = [
  { name: "1k vertices an area", areas: grid(8, 5, 1_000, 0.2, 0.5), window: 500 },
  { name: "10k vertices an area", areas: grid(6, 5, 10_000, 0.8, 2), window: 250 },
  { name: "100k vertices an area", areas: grid(6, 2, 100_000, 2.2, 5.2), window: 100 },
  { name: "500k vertices an area", areas: grid(3, 1, 500_000, 4.5, 10), window: 50 },
  { name: "40,000 overlapping areas of 64 vertices", areas: many, window: 200 },
];

/** The layer of very many areas and the plots asked about it. */
export function manyAreas(): { readonly areas: readonly Float64Array[]; readonly data: Ready } {
  return layerOf(LAYERS.at(-1)!);
}

function layerOf({ areas: make }: Layer): { readonly areas: readonly Float64Array[]; readonly data: Ready } {
  const random = seededRandom(SEED);
  const areas = make(random);
  const plots = Array.from({ length: PLOTS }, () => plotNear(random, areas));
  return { areas, data: ready({ areas: areas.map(polygon), plots: plots.map(polygon) }) };
}

/** How many times as long as ours GEOS takes for the layer of very many areas; undefined without it. */
export async function geosDistances(data: Ready, rounds: number): Promise<number | undefined> {
  const sides = await measureSides(LAYERS.at(-1)!, data, rounds);
  return sides && medianOf(sides.theirs) / medianOf(sides.ours);
}

/** All areas within 10 km: ours geodesic, GEOS's planar. */
export async function measureDistances(options: Options): Promise<(Line | Missing)[]> {
  const lines: Line[] = [];
  for (const layer of options.quick ? [LAYERS[0]!, LAYERS[4]!] : LAYERS) {
    const sides = await measureSides(layer, layerOf(layer).data, options.rounds);
    if (sides === undefined) return [GEOS_MISSING];
    const { ours, theirs, version } = sides;
    const ratio = medianOf(theirs) / medianOf(ours);
    lines.push({
      asked: `distances to all within 10 km, ${layer.name}`,
      ours: `${micros(medianOf(ours))}, geodesic`,
      peer: `GEOS ${version} C, prepared`,
      theirs: `${micros(medianOf(theirs))}, planar`,
      target: `≥ ${TARGET}×`,
      measured: times(ratio),
      met: ratio >= TARGET,
      load: loadNow(),
    });
  }
  return lines;
}

/** CPU microseconds a plot of both, round by round; undefined without GEOS. */
async function measureSides(
  { name, window }: Layer,
  data: Ready,
  rounds: number,
): Promise<Sides | undefined> {
  const geos = await startGeos(data.areas, data.plots);
  if (geos === undefined) return undefined;
  const radius = DISTANCE_REACH_METERS / METERS_A_DEGREE;
  const theirsBefore = await geos.pass("distance", 0, window, radius);
  compare(name, data, window, theirsBefore.hits, theirsBefore.sum * METERS_A_DEGREE);
  warm(() => distanceMicros(data, DISTANCE_REACH_METERS), 2);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(distanceMicros(data, DISTANCE_REACH_METERS));
    const from = (round * window) % PLOTS;
    theirs.push((await geos.pass("distance", from, window, radius)).micros);
  }
  geos.stop();
  return { ours, theirs, version: geos.version };
}

interface Sides {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly version: string;
}

/** Geodesic and planar differ by up to a percent here, and so do the areas in reach. */
function compare(name: string, data: Ready, count: number, hits: number, meters: number): void {
  const workspace = createDistanceWorkspace();
  let [found, sum] = [0, 0];
  for (const plot of data.asked.slice(0, count)) {
    for (const hit of new PlotDistance(plot, workspace).within(data.layer, DISTANCE_REACH_METERS)) {
      found++;
      sum += hit.distanceMeters;
    }
  }
  if (Math.abs(found - hits) > 0.01 * hits || Math.abs(sum - meters) > 0.02 * meters) {
    throw new Error(`${name}: ${found} areas, ${sum} m in all; GEOS found ${hits}, ${meters} m`);
  }
}

function polygon(ring: Float64Array): Polygons {
  return [[ring]];
}

function grid(
  across: number,
  up: number,
  vertices: number,
  radius: number,
  step: number,
): (random: Random) => Float64Array[] {
  return (random) =>
    Array.from({ length: across * up }, (_, i) => {
      const lon = ((i % across) - (across - 1) / 2) * step;
      const lat = (Math.floor(i / across) - (up - 1) / 2) * step;
      return fractalRing(random, lon, lat, radius, vertices);
    });
}

/** Areas of 0.3 to 3 km around, lying over one another as protected areas do. */
function many(random: Random): Float64Array[] {
  return Array.from({ length: 40_000 }, () =>
    fractalRing(random, random.between(-5, 5), random.between(-5, 5), 0.03 * 10 ** random.between(-1, 0), 64),
  );
}
