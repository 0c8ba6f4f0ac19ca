/**
 * Measures the cost of checking plots, comparing them with each other and fixing them, by the number of plots.
 *
 *   npm run bench -- plots [--count 100000] [--rounds 3] [--fixed 20000]
 *
 * Plots are seeded: cooperatives of 200 fields of 6 to 25 corners, 30 to 110 m to a corner, scattered over 3 km, so
 * that each meets another now and then. Times are CPU microseconds a plot, medians over rounds. GEOS in C with an
 * STRtree intersects each plot with all that its box meets, so each pair twice and each plot with itself.
 */
import { parseArgs } from "node:util";
import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { eudr, fixPlot, PlotChecker, PlotComparer, type PlotFeature } from "@groundrule/plots";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createStarRing, type Polygons, toPositions } from "@groundrule/testing/shapes";
import {
  describeMachine,
  formatMarkdownTable,
  formatMicros,
  measureCpuMicros,
  measureInTurns,
} from "./measure.ts";
import { startGeos } from "./peers/geos.ts";

const SEED = 100;
const PLOTS_A_COOPERATIVE = 200;

/** Valid polygons of some twenty corners, with their radii in degrees, and whether they have a hole. */
const FIXED = [
  ["fields of 100 m to 10 km", (i: number) => 0.0005 * (1 + (i % 100)), false],
  ["fields of 100 m to 10 km with a hole", (i: number) => 0.0005 * (1 + (i % 100)), true],
  ["plots of 1 to 10 m, which the cut breaks often", (i: number) => 0.000005 * (1 + (i % 10)), false],
] as const;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    fixed: { type: "string", default: "20000" },
  },
});
const countries = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
const whole = makePlots(Number(values.count));
const rows: (string | number)[][] = [
  ["plots", "check, general", "check, eudr", "compare", "GEOS in C", "pairs", "units of work a plot"],
];
for (const share of [0.01, 0.1, 1])
  rows.push(await measurePlots(whole.slice(0, Math.ceil(whole.length * share))));
const fixes = [["plots", "mended", "fix"], ...FIXED.map(measurePlotFixing)];
console.log(
  `${formatMarkdownTable(rows)}\n\n${formatMarkdownTable(fixes)}\n\n${describeMachine()}, seed ${SEED}`,
);

async function measurePlots(plots: readonly PlotFeature[]): Promise<(string | number)[]> {
  let [pairs, work] = [0, 0];
  const polygons = plots.map(toPolygons);
  const geos = await startGeos(polygons, polygons);
  const times = await measureInTurns(Number(values.rounds), {
    general: () => measureCpuMicros(() => checkPlots(plots, new PlotChecker())),
    profile: () => measureCpuMicros(() => checkPlots(plots, new PlotChecker({ profile: eudr, countries }))),
    compare: () =>
      measureCpuMicros(() => {
        const comparer = new PlotComparer();
        for (const plot of plots) comparer.add(plot);
        pairs = 0;
        for (const _ of comparer.compare()) pairs++;
        work = comparer.work;
      }),
    geos: async () => plots.length * ((await geos?.pass("prepared", 0, plots.length))?.micros ?? Number.NaN),
  });
  geos?.stop();
  const cells = Object.values(times).map((micros) => formatMicros(micros / plots.length));
  return [plots.length, ...cells, pairs, Math.round(work / plots.length)];
}

function measurePlotFixing([name, radiusOf, hasHoles]: (typeof FIXED)[number]): string[] {
  const random = createSeededRandom(SEED);
  const plots = Array.from({ length: Number(values.fixed) }, (_, i): PlotFeature => {
    const [x, y, radius] = [random.between(-70, -40), random.between(-30, 5), radiusOf(i)];
    const outer = createStarRing(random, x, y, radius, 6 + random.integer(30));
    const rings = hasHoles ? [outer, createStarRing(random, x, y, radius / 5, 6)] : [outer];
    const geometry = { type: "Polygon", coordinates: rings.map(toPositions) };
    return { number: i + 1, id: i, geometry, properties: {} };
  });
  let mended = 0;
  const micros = measureCpuMicros(() => {
    for (const plot of plots) {
      const { changes, findings } = fixPlot(plot, { profile: eudr });
      if (findings.length > 0 || changes.some(({ code }) => code === "CUT_REPAIRED")) mended++;
    }
  });
  return [name, `${mended}`, formatMicros(micros / plots.length)];
}

function checkPlots(plots: readonly PlotFeature[], checker: PlotChecker): void {
  for (const plot of plots) checker.check(plot);
  checker.finish();
}

function makePlots(count: number): PlotFeature[] {
  const random = createSeededRandom(SEED);
  const plots: PlotFeature[] = [];
  for (let cooperative = 0; plots.length < count; cooperative++) {
    const [x, y] = [-60 + (cooperative % 100) * 0.05, -12 + Math.floor(cooperative / 100) * 0.05];
    for (let i = 0; i < PLOTS_A_COOPERATIVE && plots.length < count; i++) {
      const number = plots.length + 1;
      const coordinates = [randomRingNear(random, x, y)];
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

function randomRingNear(random: Random, x: number, y: number): number[][] {
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

function toPolygons({ geometry }: PlotFeature): Polygons {
  const { coordinates } = geometry as { readonly coordinates: readonly (readonly (readonly number[])[])[] };
  return [coordinates.map((ring) => Float64Array.from(ring.flat()))];
}
