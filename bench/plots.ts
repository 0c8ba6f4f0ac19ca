/**
 * What checking plots and comparing them with each other costs, by the number of plots.
 *
 *   npm run bench -- plots [--count 100000] [--rounds 3]
 *
 * Plots are seeded: cooperatives of 200 fields of 6 to 25 corners, 30 to 110 m to a corner, scattered over 3 km, so
 * that each meets another now and then. Times are CPU, medians over rounds. GEOS in C with an STRtree intersects
 * each plot with all that its box meets, so each pair twice and each plot with itself; one pass in a round.
 */
import { parseArgs } from "node:util";
import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { eudr, PlotChecker, PlotComparer, type PlotFeature } from "@groundrule/plots";
import { type Random, seededRandom } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { cpuMicros, loadNow, medianOf } from "./kernel/timing.ts";
import { startGeos } from "./peers/geos-process.ts";

const SEED = 100;
const PLOTS_A_COOPERATIVE = 200;

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, rounds: { type: "string", default: "3" } },
});
const rounds = Number(values.rounds);
const whole = plotsOf(Number(values.count));
console.log("| plots | check, general | check, eudr | compare | pairs | units of work a plot | GEOS in C |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const share of [0.01, 0.1, 1]) await measure(whole.slice(0, Math.ceil(whole.length * share)));
console.log(`\nNode ${process.version}, load ${loadNow().toFixed(1)}, seed ${SEED}`);

async function measure(plots: readonly PlotFeature[]): Promise<void> {
  const times = {
    general: [] as number[],
    profile: [] as number[],
    compare: [] as number[],
    geos: [] as number[],
  };
  const countries = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
  let [pairs, work] = [0, 0];
  const polygons = plots.map(polygonsOf);
  const geos = await startGeos(polygons, polygons);
  for (let round = 0; round < rounds; round++) {
    times.general.push(cpuMicros(() => check(plots, new PlotChecker())));
    times.profile.push(cpuMicros(() => check(plots, new PlotChecker({ profile: eudr, countries }))));
    times.compare.push(
      cpuMicros(() => {
        const comparer = new PlotComparer();
        for (const plot of plots) comparer.add(plot);
        pairs = 0;
        for (const _ of comparer.compare()) pairs++;
        work = comparer.work;
      }),
    );
    if (geos !== undefined) {
      const { micros } = await geos.pass("prepared", 0, plots.length);
      times.geos.push(micros * plots.length);
    }
  }
  geos?.stop();
  const seconds = (each: readonly number[]): string =>
    each.length === 0
      ? "not installed"
      : `${(medianOf(each) / 1e6).toFixed(2)} s (${(medianOf(each) / plots.length).toFixed(1)} µs a plot)`;
  const cells = [
    plots.length.toLocaleString("en"),
    seconds(times.general),
    seconds(times.profile),
    seconds(times.compare),
    pairs.toLocaleString("en"),
    Math.round(work / plots.length),
    seconds(times.geos),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function check(plots: readonly PlotFeature[], checker: PlotChecker): void {
  for (const plot of plots) checker.check(plot);
  checker.finish();
}

function plotsOf(count: number): PlotFeature[] {
  const random = seededRandom(SEED);
  const plots: PlotFeature[] = [];
  for (let cooperative = 0; plots.length < count; cooperative++) {
    const [x, y] = [-60 + (cooperative % 100) * 0.05, -12 + Math.floor(cooperative / 100) * 0.05];
    for (let i = 0; i < PLOTS_A_COOPERATIVE && plots.length < count; i++) {
      const number = plots.length + 1;
      const coordinates = [ringNear(random, x, y)];
      plots.push({
        number,
        id: number,
        geometry: { type: "Polygon", coordinates },
        properties: { ProducerName: `Producer ${random.integer(100)}`, ProducerCountry: "BR" },
      });
    }
  }
  return plots;
}

function ringNear(random: Random, x: number, y: number): number[][] {
  const [cx, cy] = [x + random.between(-0.015, 0.015), y + random.between(-0.015, 0.015)];
  const corners = 6 + random.integer(20);
  const radius = random.between(0.0004, 0.001);
  const ring = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    const reach = radius * random.between(0.7, 1);
    return [cx + reach * Math.cos(angle), cy + reach * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

function polygonsOf({ geometry }: PlotFeature): Polygons {
  const { coordinates } = geometry as { readonly coordinates: readonly (readonly (readonly number[])[])[] };
  return [coordinates.map((ring) => Float64Array.from(ring.flat()))];
}
