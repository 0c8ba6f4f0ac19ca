/**
 * What overlap costs, against the peers.
 *
 *   node bench/kernel.ts [1k 10k 100k 500k large] [--rounds N] [--no-turf]
 *
 * Areas are seeded fractal outlines of 10³ to 5·10⁵ vertices, plots lie near them (bench/data.ts).
 * Ours answers intersects, exact ellipsoidal area and ratio of plots it binds anew each time; the
 * peers answer intersects and a planar area of plots they hold ready. CPU time of one thread;
 * engines take turns, ratios are of medians. Before anything is timed the planar areas and the hits
 * are compared with GEOS's, plot by plot.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { area as turfArea } from "@turf/area";
import { booleanIntersects } from "@turf/boolean-intersects";
import { featureCollection, polygon as turfPolygon } from "@turf/helpers";
import { intersect as turfIntersect } from "@turf/intersect";
import Flatbush from "flatbush";
import { PLANE } from "../packages/engine/src/geometry/authalic.ts";
import { createExactKernel, exactKernel } from "../packages/engine/src/geometry/exact-kernel.ts";
import type { Plot } from "../packages/engine/src/geometry/plot.ts";
import type { AreaLayer } from "../packages/engine/src/snapshot/layer.ts";
import { buildLayer } from "../packages/engine/test/build-layer.ts";
import { plotOf } from "../packages/engine/test/shapes.ts";
import { largePlot, type Scenario, scenario, seededRandom } from "./data.ts";
import { compileGeos, type GeosProcess, startGeos } from "./peers/geos-process.ts";
import { bboxOf, startGeosWasm } from "./peers/geos-wasm.ts";

const SEED = 7;
/** Passes over all plots in one measurement, so that it is long against the clock's grain. */
const PASSES = 4;
const SCENARIOS: Record<string, readonly [count: number, vertices: number, radius: number]> = {
  "1k": [40, 1e3, 0.4],
  "10k": [30, 1e4, 1.5],
  "100k": [12, 1e5, 4],
  "500k": [5, 5e5, 8],
};
const LARGE: readonly (readonly [kilometers: number, vertices: number, plots: number])[] = [
  [10, 200, 100],
  [30, 1000, 60],
  [100, 5000, 30],
  [300, 5000, 20],
  [1000, 20_000, 10],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" }, "no-turf": { type: "boolean", default: false } },
});
const rounds = Number(values.rounds);
const wanted = positionals.length > 0 ? positionals : [...Object.keys(SCENARIOS), "large"];

console.log(
  `node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load ${loadavg()[0]!.toFixed(1)}`,
);
const folder = compileGeos();
let first: number | undefined;
for (const name of wanted) {
  const shape = SCENARIOS[name];
  if (shape !== undefined) await smallPlots(scenario(name, SEED, ...shape, 2000));
  else if (name === "large") await largePlots();
  else throw new Error(`no scenario "${name}"; there are ${Object.keys(SCENARIOS).join(", ")} and large`);
}

async function smallPlots(data: Scenario): Promise<void> {
  const layer = buildLayer(data.areas.map((ring) => [[ring]]));
  const plots = data.plots.map((ring) => plotOf([[ring]]));
  const geos = folder === undefined ? undefined : await startGeos(folder, data.areas, data.plots);
  const wasm = await startGeosWasm(data.areas, data.plots);
  console.log(
    `\n${data.name}: ${data.areas.length} areas, ${layer.positionCount} positions, ${plots.length} plots`,
  );
  if (geos !== undefined) await compare(geos, layer, plots);

  const ours: number[] = [];
  const oursMeets: number[] = [];
  const peers = new Map<string, number[]>();
  const note = (name: string, micros: number): void => {
    peers.set(name, [...(peers.get(name) ?? []), micros]);
  };
  for (let warm = 0; warm < 20; warm++) {
    measure(layer, plots);
    meets(layer, plots);
  }
  for (let round = 0; round < rounds; round++) {
    ours.push(measure(layer, plots));
    oursMeets.push(meets(layer, plots));
    if (geos !== undefined) {
      for (const mode of ["prepared", "subdivided", "meets"]) {
        if (round === 0 && mode === "subdivided") await geos.pass(mode);
        note(`GEOS ${geos.version}, ${mode}`, (await geos.pass(mode)).micros);
      }
      if (round === 0 && layer.positionCount < 1e6)
        note(`GEOS ${geos.version}, plain`, (await geos.pass("plain")).micros);
    }
    if (wasm !== undefined && round < 3)
      note("geos-wasm, prepared", cpuMicros(() => wasm.pass()) / plots.length);
  }
  if (!values["no-turf"]) {
    note(
      "flatbush + turf",
      turf(data, Math.max(1, Math.min(60, Math.round(3e5 / (data.areas[0]!.length / 2))))),
    );
  }
  geos?.stop();
  if (wasm === undefined) console.log("missing peer: geos-wasm (pnpm install)");

  const [median, medianMeets] = [medianOf(ours), medianOf(oursMeets)];
  first ??= median;
  report("groundrule, overlap", ours);
  for (const [peer, times] of peers) if (!peer.endsWith("meets")) report(peer, times, median);
  report("groundrule, intersects only", oursMeets);
  for (const [peer, times] of peers) if (peer.endsWith("meets")) report(peer, times, medianMeets);
  console.log(`  growth since the first scenario: ${(median / first).toFixed(2)}×`);
}

async function largePlots(): Promise<void> {
  const { areas } = scenario("large", SEED, 3, 5e5, 8, 0);
  const layer = buildLayer(areas.map((ring) => [[ring]]));
  console.log(`\nlarge plots: ${areas.length} areas, ${layer.positionCount} positions`);
  for (const [kilometers, vertices, count] of LARGE) {
    const random = seededRandom(SEED + kilometers);
    const rings = Array.from({ length: count }, () => largePlot(random, areas, kilometers, vertices));
    const plots = rings.map((ring) => plotOf([[ring]]));
    const geos = folder === undefined ? undefined : await startGeos(folder, areas, rings);
    console.log(` ${kilometers} km, ${vertices} vertices, ${count} plots`);
    if (geos !== undefined) await compare(geos, layer, plots);
    for (let warm = 0; warm < 4; warm++) measure(layer, plots);
    const ours: number[] = [];
    const prepared: number[] = [];
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      ours.push(measure(layer, plots));
      if (geos !== undefined && round < 3) prepared.push((await geos.pass("prepared")).micros);
    }
    geos?.stop();
    report("groundrule, overlap", ours);
    if (geos !== undefined) report(`GEOS ${geos.version}, prepared`, prepared, medianOf(ours));
  }
}

/** Hits must be GEOS's; planar areas too, to 1e-9 of the plot. */
async function compare(geos: GeosProcess, layer: AreaLayer, plots: readonly Plot[]): Promise<void> {
  const planar = createExactKernel(PLANE);
  const planarLayer = { ...layer, ...planarParts(layer) };
  const theirs = await geos.overlaps();
  let worst = 0;
  for (const [i, plot] of plots.entries()) {
    const bound = planar.bind(plot);
    const hits = bound.intersections(planarLayer);
    const overlap = hits.reduce((sum, hit) => sum + hit.overlapSquareMeters, 0);
    worst = Math.max(worst, Math.abs(overlap - theirs[2 * i]!) / bound.areaSquareMeters);
    if (hits.length !== theirs[2 * i + 1] || exactKernel.bind(plot).meets(layer).length !== hits.length) {
      throw new Error(`plot ${i}: ${hits.length} hits, GEOS ${theirs[2 * i + 1]}`);
    }
  }
  if (!(worst <= 1e-9)) throw new Error(`a planar overlap differs from GEOS's by ${worst} of the plot`);
  console.log(`  agrees with GEOS: all hits; planar overlaps to ${worst.toExponential(1)} of the plot`);
}

function planarParts(layer: AreaLayer): Pick<AreaLayer, "chainIntegrals" | "areaSquareMeters"> {
  const rings = Array.from({ length: layer.ringCount }, (_, r) =>
    layer.xy.slice(2 * layer.ringStarts[r]!, 2 * layer.ringStarts[r + 1]!),
  );
  return buildLayer(
    rings.map((ring) => [[ring]]),
    PLANE,
  );
}

/** CPU microseconds a plot: bind, every hit with its exact area. */
function measure(layer: AreaLayer, plots: readonly Plot[]): number {
  let sum = 0;
  const all = repeated(plots);
  const micros = cpuMicros(() => {
    for (const plot of all) {
      for (const hit of exactKernel.bind(plot).intersections(layer)) sum += hit.overlapSquareMeters;
    }
  });
  if (Number.isNaN(sum)) throw new Error("an overlap is not a number");
  return micros / (PASSES * plots.length);
}

function meets(layer: AreaLayer, plots: readonly Plot[]): number {
  let hits = 0;
  const all = repeated(plots);
  const micros = cpuMicros(() => {
    for (const plot of all) hits += exactKernel.bind(plot).meets(layer).length;
  });
  if (hits === 0) throw new Error("nothing was hit");
  return micros / (PASSES * plots.length);
}

function repeated(plots: readonly Plot[]): readonly Plot[] {
  return Array.from({ length: PASSES }, () => plots).flat();
}

/** flatbush over the areas, then turf on every candidate, on the first plots that have one. */
function turf(data: Scenario, count: number): number {
  const feature = (ring: Float64Array) =>
    turfPolygon([Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])]);
  const index = new Flatbush(data.areas.length);
  for (const ring of data.areas) index.add(...bboxOf(ring));
  index.finish();
  const areas = data.areas.map(feature);
  const plots = data.plots.slice(0, count).map((ring) => ({ feature: feature(ring), bbox: bboxOf(ring) }));
  let total = 0;
  const micros = cpuMicros(() => {
    for (const plot of plots) {
      for (const i of index.search(...plot.bbox)) {
        if (!booleanIntersects(areas[i]!, plot.feature)) continue;
        const common = turfIntersect(featureCollection([areas[i]!, plot.feature]));
        if (common !== null) total += turfArea(common);
      }
    }
  });
  if (Number.isNaN(total)) throw new Error("an overlap is not a number");
  return micros / count;
}

function cpuMicros(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

function medianOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

function report(name: string, times: readonly number[], ours?: number): void {
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const median = medianOf(times);
  const ratio = ours === undefined ? "" : `  ${(median / ours).toPrecision(3)}×`;
  console.log(
    `  ${name.padEnd(34)} ${median.toFixed(2).padStart(12)} µs (${low.toFixed(2)}–${high.toFixed(2)})${ratio}`,
  );
}
