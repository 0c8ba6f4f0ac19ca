/**
 * How the cost of a plot grows with the number of areas, on real data: the Brazilian layers together, and random
 * shares of them, each within the next.
 *
 *   npm run bench -- growth [--rounds N]
 *
 * The same plots are asked of every share, near areas of the smallest. Times are CPU microseconds a plot, medians over
 * rounds in which kernel, engine and GEOS take turns.
 */
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { type AreaFeature, snapshotOf } from "@groundrule/engine/build";
import { type Polygons, toPositions } from "@groundrule/testing/shapes";
import { seededRandom } from "./data.ts";
import { countOverlappingPairs, measureOverlapMicros, prepareKernelInput } from "./kernel/ours.ts";
import { buildLayerSnapshots, listAreaPolygons, makePlotsNear, toGeoJson } from "./kernel/real-layers.ts";
import {
  formatMarkdownTable,
  formatMicros,
  measureInTurns,
  measureMicrosPerPlot,
  warmUp,
} from "./measure.ts";
import { startGeos } from "./peers/geos.ts";

const SHARES = [1 / 64, 1 / 16, 1 / 4, 1];
const SEED = 5;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const found = await buildLayerSnapshots("Brazilian layers together");
if ("missing" in found) {
  console.log(`Not measured: ${found.missing}`);
} else {
  const areas = shuffle(found.flatMap(listAreaPolygons));
  const shares = SHARES.map((share) => areas.slice(0, Math.ceil(areas.length * share)));
  const plots = makePlotsNear(shares[0]!);
  const geometries = plots.map(toGeoJson);
  const rows: (string | number)[][] = [
    ["areas", "pairs a plot", "kernel", "engine.intersections", "GEOS in C, prepared"],
  ];
  for (const some of shares) {
    const data = prepareKernelInput(some, plots);
    const engine = openEngine([snapshotOf("bench:areas", some.map(toFeature), { id: "id" })], { crc32 });
    const geos = await startGeos(some, plots);
    const askKernel = () => measureOverlapMicros(data);
    const askEngine = () => measureMicrosPerPlot(geometries, (plot) => engine.intersections(plot));
    warmUp(askKernel);
    warmUp(askEngine);
    const micros = await measureInTurns(Number(values.rounds), {
      kernel: askKernel,
      engine: askEngine,
      geos: async () => (await geos?.pass("prepared", 0, plots.length))?.micros ?? Number.NaN,
    });
    geos?.stop();
    const cells = Object.values(micros).map(formatMicros);
    rows.push([some.length, (countOverlappingPairs(data) / plots.length).toFixed(2), ...cells]);
  }
  console.log(formatMarkdownTable(rows));
}

function shuffle<T>(all: readonly T[]): T[] {
  const random = seededRandom(SEED);
  const keyed = all.map((value) => ({ value, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

function toFeature(polygons: Polygons, index: number): AreaFeature {
  const coordinates = polygons.map((rings) => rings.map(toPositions));
  return { type: "Feature", properties: { id: index }, geometry: { type: "MultiPolygon", coordinates } };
}
