/**
 * What checking plots and comparing them with each other costs, by the number of plots.
 *
 *   npm run bench -- plots [--count 100000] [--rounds 3]
 *
 * Plots are seeded: cooperatives of 200 fields of 6 to 25 corners, 30 to 110 m to a corner, scattered over 3 km, so
 * that each meets another now and then. Times are CPU microseconds a plot, medians over rounds. GEOS in C with an
 * STRtree intersects each plot with all that its box meets, so each pair twice and each plot with itself.
 */
import { parseArgs } from "node:util";
import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { eudr, PlotChecker, PlotComparer, type PlotFeature } from "@groundrule/plots";
import { type Random, seededRandom } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { cpuMicros, inTurns, machine, microsCell, tableOf } from "./measure.ts";
import { startGeos } from "./peers/geos.ts";

const SEED = 100;
const PLOTS_A_COOPERATIVE = 200;

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, rounds: { type: "string", default: "3" } },
});
const countries = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
const whole = plotsOf(Number(values.count));
const rows: (string | number)[][] = [
  ["plots", "check, general", "check, eudr", "compare", "GEOS in C", "pairs", "units of work a plot"],
];
for (const share of [0.01, 0.1, 1]) rows.push(await measure(whole.slice(0, Math.ceil(whole.length * share))));
console.log(`${tableOf(rows)}\n\n${machine()}, seed ${SEED}`);

async function measure(plots: readonly PlotFeature[]): Promise<(string | number)[]> {
  let [pairs, work] = [0, 0];
  const polygons = plots.map(polygonsOf);
  const geos = await startGeos(polygons, polygons);
  const times = await inTurns(Number(values.rounds), {
    general: () => cpuMicros(() => check(plots, new PlotChecker())),
    profile: () => cpuMicros(() => check(plots, new PlotChecker({ profile: eudr, countries }))),
    compare: () =>
      cpuMicros(() => {
        const comparer = new PlotComparer();
        for (const plot of plots) comparer.add(plot);
        pairs = 0;
        for (const _ of comparer.compare()) pairs++;
        work = comparer.work;
      }),
    geos: async () => plots.length * ((await geos?.pass("prepared", 0, plots.length))?.micros ?? Number.NaN),
  });
  geos?.stop();
  const cells = Object.values(times).map((micros) => microsCell(micros / plots.length));
  return [plots.length, ...cells, pairs, Math.round(work / plots.length)];
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
