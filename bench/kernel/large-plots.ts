import { largePlot, scenario, seededRandom } from "../data.ts";
import { startGeos } from "../peers/geos-process.ts";
import { GEOS_MISSING, type Line, type Missing, micros, type Options, times } from "./line.ts";
import { compareOverlaps, overlapMicros, ready, warm } from "./ours.ts";
import { loadNow, medianOf } from "./timing.ts";

const SEED = 7;
const TARGET = 70;
/** `window`: plots of a pass of GEOS. */
const SIZES: readonly {
  readonly kilometers: number;
  readonly vertices: number;
  readonly plots: number;
  readonly window: number;
}[] = [
  { kilometers: 10, vertices: 200, plots: 100, window: 25 },
  { kilometers: 30, vertices: 1_000, plots: 60, window: 20 },
  { kilometers: 100, vertices: 5_000, plots: 30, window: 10 },
  { kilometers: 300, vertices: 5_000, plots: 20, window: 10 },
  { kilometers: 1_000, vertices: 20_000, plots: 10, window: 5 },
];

/** Intersects and overlap area of large plots beside areas of 500,000 vertices. */
export async function measureLargePlots(options: Options): Promise<(Line | Missing)[]> {
  const lines: (Line | Missing)[] = [];
  const { areas } = scenario("large", SEED, 3, 5e5, 8, 0);
  const base = ready({ areas: areas.map((ring) => [[ring]]), plots: [] });
  for (const { kilometers, vertices, plots, window } of options.quick ? [SIZES[0]!, SIZES[2]!] : SIZES) {
    const random = seededRandom(SEED + kilometers);
    const rings = Array.from({ length: plots }, () => largePlot(random, areas, kilometers, vertices));
    const plotsOnly = ready({ areas: [], plots: rings.map((ring) => [[ring]]) });
    const data = { ...plotsOnly, areas: base.areas, layer: base.layer };
    const geos = await startGeos(data.areas, data.plots);
    if (geos === undefined) return [GEOS_MISSING];
    await compareOverlaps(geos, data, window);
    warm(() => overlapMicros(data));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < Math.min(options.rounds, 5); round++) {
      ours.push(overlapMicros(data));
      theirs.push((await geos.pass("prepared", (round * window) % plots, window)).micros);
    }
    geos.stop();
    const ratio = medianOf(theirs) / medianOf(ours);
    lines.push({
      asked: `intersects + overlap area, plot of ${kilometers} km and ${vertices} vertices, 500k vertices an area`,
      ours: micros(medianOf(ours)),
      peer: `GEOS ${geos.version} C, prepared`,
      theirs: micros(medianOf(theirs)),
      target: `≥ ${TARGET}×`,
      measured: times(ratio),
      met: ratio >= TARGET,
      load: loadNow(),
    });
  }
  return lines;
}
