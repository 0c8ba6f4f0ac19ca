import { scenario } from "../data.ts";
import { type GeosProcess, startGeos } from "../peers/geos-process.ts";
import type { Options } from "./line.ts";
import { compareOverlaps, meetsMicros, type Ready, ready, warm } from "./ours.ts";
import { medianOf } from "./timing.ts";

const SEED = 7;
const PLOTS = 2000;
/** Plots whose answers are compared before. */
const WINDOW = 100;

/** Microseconds a plot that ours takes, and prepared GEOS, to tell which areas of 500,000 vertices plots meet; undefined without GEOS. */
export async function timeLargestMeets(
  options: Options,
): Promise<{ readonly ours: number; readonly theirs: number; readonly version: string } | undefined> {
  const data = readyPlots();
  const geos = await startGeos(data.areas, data.plots);
  if (geos === undefined) return undefined;
  const { version } = geos;
  await compareOverlaps(geos, data, WINDOW);
  const taken = await timeMeets(data, geos, options);
  geos.stop();
  return { ...taken, version };
}

async function timeMeets(
  data: Ready,
  geos: GeosProcess,
  options: Options,
): Promise<{ readonly ours: number; readonly theirs: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  warm(() => meetsMicros(data));
  await geos.pass("meets", 0, PLOTS);
  for (let round = 0; round < options.rounds; round++) {
    ours.push(meetsMicros(data));
    theirs.push((await geos.pass("meets", 0, PLOTS)).micros);
  }
  return { ours: medianOf(ours), theirs: medianOf(theirs) };
}

function readyPlots(): Ready {
  const { areas, plots } = scenario("500k", SEED, 3, 5e5, 8, PLOTS);
  return ready({ areas: areas.map((ring) => [[ring]]), plots: plots.map((ring) => [[ring]]) });
}
