import { scenario } from "../data.ts";
import { type GeosProcess, startGeos } from "../peers/geos-process.ts";
import { turfPass } from "../peers/turf.ts";
import { GEOS_MISSING, type Line, type Missing, micros, type Options, times } from "./line.ts";
import {
  compareOverlaps,
  meetsMicros,
  overlapMicros,
  overlapTotals,
  type Ready,
  ready,
  warm,
} from "./ours.ts";
import { loadNow, medianOf } from "./timing.ts";

const SEED = 7;
const PLOTS = 2000;

interface Size {
  readonly name: string;
  readonly areas: number;
  readonly vertices: number;
  /** Degrees. */
  readonly radius: number;
  /** Plots of a pass of the peers: every round takes the next ones. */
  readonly window: number;
  /** Plots turf is asked about: it takes seconds for each beside a large area. */
  readonly turfPlots: number;
  /** Factors to reach against turf, prepared GEOS and subdivided GEOS. */
  readonly targets: readonly [turf: number, prepared: number, subdivided: number];
}

const SIZES: readonly Size[] = [
  { name: "1k", areas: 40, vertices: 1e3, radius: 0.4, window: 1000, turfPlots: 400, targets: [2_000, 8, 6] },
  {
    name: "10k",
    areas: 30,
    vertices: 1e4,
    radius: 1.5,
    window: 400,
    turfPlots: 60,
    targets: [15_000, 20, 8],
  },
  { name: "100k", areas: 12, vertices: 1e5, radius: 4, window: 200, turfPlots: 6, targets: [50_000, 80, 12] },
  { name: "500k", areas: 3, vertices: 5e5, radius: 8, window: 100, turfPlots: 2, targets: [50_000, 250, 10] },
];
/** Greatest growth of ours from the first size to the last, and least factor where only intersects is asked. */
const GROWTH = 3;
const MEETS = 2;

/** Intersects and overlap area of small plots, as areas grow. */
export async function measureSmallPlots(options: Options): Promise<(Line | Missing)[]> {
  const lines: (Line | Missing)[] = [];
  const sizes = options.quick ? [SIZES[0]!, SIZES[2]!] : SIZES;
  const grown: number[] = [];
  for (const size of sizes) {
    const data = readySize(size);
    const geos = await startGeos(data.areas, data.plots);
    if (geos === undefined) lines.push(GEOS_MISSING);
    else await compareOverlaps(geos, data, size.window);
    const overlap = await measureOverlap(size, data, geos, options, lines);
    grown.push(overlap);
    if (geos !== undefined) lines.push(await measureMeets(size, data, geos, options));
    geos?.stop();
  }
  const growth = grown.at(-1)! / grown[0]!;
  lines.push({
    asked: `growth of intersects + overlap, ${sizes[0]!.name} → ${sizes.at(-1)!.name} vertices an area`,
    ours: `${micros(grown[0]!)} → ${micros(grown.at(-1)!)}`,
    peer: "",
    theirs: "",
    target: `≤ ${GROWTH}×`,
    measured: times(growth),
    met: growth <= GROWTH,
    load: loadNow(),
  });
  return lines;
}

async function measureOverlap(
  size: Size,
  data: Ready,
  geos: GeosProcess | undefined,
  options: Options,
  lines: (Line | Missing)[],
): Promise<number> {
  const ours: number[] = [];
  const prepared: number[] = [];
  const subdivided: number[] = [];
  warm(() => overlapMicros(data));
  if (geos !== undefined) await geos.pass("pieces128", 0, size.window);
  for (let round = 0; round < options.rounds; round++) {
    const from = (round * size.window) % PLOTS;
    ours.push(overlapMicros(data));
    if (geos === undefined) continue;
    prepared.push((await geos.pass("prepared", from, size.window)).micros);
    ours.push(overlapMicros(data));
    subdivided.push((await geos.pass("pieces128", from, size.window)).micros);
  }
  const mine = medianOf(ours);
  const line = (peer: string, theirs: number, target: number, onTheSame = mine): Line => ({
    asked: `intersects + overlap area, ${size.name} vertices an area`,
    ours: micros(onTheSame),
    peer,
    theirs: micros(theirs),
    target: `≥ ${target.toLocaleString("en-US")}×`,
    measured: times(theirs / onTheSame),
    met: theirs / onTheSame >= target,
    load: loadNow(),
  });
  const [againstTurf, againstPrepared, againstSubdivided] = size.targets;
  const turfPlots = options.quick ? Math.ceil(size.turfPlots / 4) : size.turfPlots;
  const few = { ...data, plots: data.plots.slice(0, turfPlots), asked: data.asked.slice(0, turfPlots) };
  const oursOnFew = medianOf(Array.from({ length: options.rounds }, () => overlapMicros(few)));
  const turf = turfPass(few.areas, few.plots);
  const { hits, squareMeters } = overlapTotals(few);
  if (turf.hits !== hits || Math.abs(turf.squareMeters / squareMeters - 1) > 0.01) {
    throw new Error(`${hits} hits, ${squareMeters} m²; turf ${turf.hits}, ${turf.squareMeters}`);
  }
  lines.push(line(`flatbush + turf, ${turfPlots} plots`, turf.micros, againstTurf, oursOnFew));
  if (geos !== undefined) {
    lines.push(
      line(`GEOS ${geos.version} C, prepared`, medianOf(prepared), againstPrepared),
      line(`GEOS ${geos.version} C, subdivided to 128`, medianOf(subdivided), againstSubdivided),
    );
  }
  return mine;
}

async function measureMeets(size: Size, data: Ready, geos: GeosProcess, options: Options): Promise<Line> {
  const { ours, theirs } = await timeMeets(data, geos, options);
  return {
    asked: `intersects only, ${size.name} vertices an area`,
    ours: micros(ours),
    peer: `GEOS ${geos.version} C, prepared`,
    theirs: micros(theirs),
    target: `≥ ${MEETS}×`,
    measured: times(theirs / ours),
    met: theirs / ours >= MEETS,
    load: loadNow(),
  };
}

/** Microseconds a plot that ours takes, and prepared GEOS, to tell which areas of 500,000 vertices plots meet; undefined without GEOS. */
export async function timeLargestMeets(
  options: Options,
): Promise<{ readonly ours: number; readonly theirs: number; readonly version: string } | undefined> {
  const data = readySize(SIZES.at(-1)!);
  const geos = await startGeos(data.areas, data.plots);
  if (geos === undefined) return undefined;
  const { version } = geos;
  await compareOverlaps(geos, data, SIZES.at(-1)!.window);
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

function readySize(size: Size): Ready {
  const { areas, plots } = scenario(size.name, SEED, size.areas, size.vertices, size.radius, PLOTS);
  return ready({ areas: areas.map((ring) => [[ring]]), plots: plots.map((ring) => [[ring]]) });
}
