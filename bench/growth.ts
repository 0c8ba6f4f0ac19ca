/**
 * How the cost of a plot grows with the number of areas, on real data: the Brazilian layers together, and random
 * shares of them, each within the next.
 *
 *   npm run bench -- growth [--rounds N]
 *
 * The same plots are asked of every share, near areas of the smallest. Times are CPU microseconds a plot, medians over
 * rounds in which the shares take turns.
 */
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { type AreaFeature, snapshotOf } from "@groundrule/engine/build";
import type { Polygons } from "@groundrule/testing/shapes";
import { seededRandom } from "./data.ts";
import { microsAPlot, overlapMicros, overlapTotals, ready, warm } from "./kernel/ours.ts";
import { areasOf, geoJsonOf, plotsBeside, snapshotsOf } from "./kernel/real-data.ts";
import { medianOf } from "./kernel/timing.ts";
import { startGeos } from "./peers/geos-process.ts";

const SHARES = [1 / 64, 1 / 16, 1 / 4, 1];
const SEED = 5;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const found = await snapshotsOf("Brazilian layers together");
if ("missing" in found) {
  console.log(`Not measured: ${found.missing}`);
} else {
  const areas = shuffled(found.flatMap(areasOf));
  const plots = plotsBeside(areas.slice(0, Math.ceil(areas.length * SHARES[0]!)));
  const asked = plots.map(geoJsonOf);
  const layers = await Promise.all(
    SHARES.map(async (share) => {
      const some = areas.slice(0, Math.ceil(areas.length * share));
      const data = ready({ areas: some, plots });
      const engine = openEngine([snapshotOf("bench:areas", some.map(featureOf), { id: "id" })], { crc32 });
      const askEngine = (): number => microsAPlot(asked, (plot) => engine.intersections(plot));
      const geos = await startGeos(some, plots);
      await geos?.pass("prepared", 0, plots.length);
      warm(() => overlapMicros(data));
      warm(askEngine);
      return {
        data,
        askEngine,
        geos,
        kernel: [] as number[],
        engine: [] as number[],
        theirs: [] as number[],
      };
    }),
  );
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const layer of layers) {
      layer.kernel.push(overlapMicros(layer.data));
      layer.engine.push(layer.askEngine());
      if (layer.geos !== undefined)
        layer.theirs.push((await layer.geos.pass("prepared", 0, plots.length)).micros);
    }
  }
  console.log("| areas | pairs a plot | kernel | engine.intersections | GEOS in C, prepared |");
  console.log("| ---: | ---: | ---: | ---: | ---: |");
  for (const { data, kernel, engine, theirs, geos } of layers) {
    geos?.stop();
    const pairs = (overlapTotals(data).hits / plots.length).toFixed(2);
    const cells = [kernel, engine, theirs].map((times) =>
      times.length > 0 ? `${medianOf(times).toFixed(1)} µs` : "–",
    );
    console.log(`| ${data.areas.length} | ${pairs} | ${cells.join(" | ")} |`);
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = seededRandom(SEED);
  const all = [...values];
  for (let i = all.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

function featureOf(polygons: Polygons, index: number): AreaFeature {
  const coordinates = polygons.map((rings) => geoJsonOf([rings]).coordinates);
  return { type: "Feature", properties: { id: index }, geometry: { type: "MultiPolygon", coordinates } };
}
