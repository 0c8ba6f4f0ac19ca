/**
 * All areas within 10 km of a plot: ours, geodesic, against GEOS's prepared distance in C, planar.
 *
 * node bench/distance.ts [1k 10k 100k 500k many] [--rounds N] [--turf]
 *
 * Layers lie on the equator, where GEOS's degrees are of equal length in all directions, so that
 * both look for the same areas. Both run alternately on one thread; CPU time is compared, the
 * median over the rounds. Needs libgeos-dev and a C compiler.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createDistanceWorkspace, PlotDistance } from "../packages/engine/src/geometry/distance.ts";
import type { Plot } from "../packages/engine/src/geometry/plot.ts";
import { referenceKernel } from "../packages/engine/src/geometry/reference-kernel.ts";
import type { AreaLayer } from "../packages/engine/src/snapshot/layer.ts";
import { buildLayer } from "../packages/engine/test/build-layer.ts";
import { plotOf } from "../packages/engine/test/shapes.ts";
import { fractalRing, plotNear, type Random, seededRandom } from "./data.ts";

const REACH_METERS = 10_000;
/** 10 km of longitude on the equator. */
const REACH_DEGREES = REACH_METERS / 111_319.49;
/** Plots a layer; fewer where a pass of GEOS 3.11 takes half a minute. */
const plotCount = (layer: string): number => (layer === "500k" ? 200 : 2_000);
const SEED = 20;

/** Areas across and up, vertices of each, their radius and distance in degrees. */
const LAYERS: Record<
  string,
  readonly [across: number, up: number, vertices: number, radius: number, step: number]
> = {
  "1k": [8, 5, 1_000, 0.2, 0.5],
  "10k": [6, 5, 10_000, 0.8, 2],
  "100k": [6, 2, 100_000, 2.2, 5.2],
  "500k": [3, 1, 500_000, 4.5, 10],
  many: [0, 0, 64, 0.03, 0],
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" }, turf: { type: "boolean", default: false } },
});

const workspace = createDistanceWorkspace();
const folder = mkdtempSync(join(tmpdir(), "distance-"));
try {
  const program = join(folder, "peer");
  execFileSync("cc", ["-O2", "-o", program, join(import.meta.dirname, "peers/distance.c"), "-lgeos_c"]);
  for (const name of positionals.length > 0 ? positionals : Object.keys(LAYERS)) await compare(name, program);
} finally {
  rmSync(folder, { recursive: true });
}

async function compare(name: string, program: string): Promise<void> {
  const random = seededRandom(SEED);
  const areas = name === "many" ? manyAreas(random) : fractalAreas(name, random);
  const layer = buildLayer(areas.map((ring) => [[ring]]));
  const rings = Array.from({ length: plotCount(name) }, () => plotNear(random, areas));
  const plots = rings.map((ring) => plotOf([[ring]]));

  const layerFile = join(folder, "layer");
  const plotFile = join(folder, "plots");
  writeGeometries(layerFile, areas);
  writeGeometries(plotFile, rings);
  const geos = await startPeer(program, [layerFile, plotFile, String(REACH_DEGREES)]);

  for (let i = 0; i < (name === "many" ? 8 : 40); i++) ours(layer, plots);
  await geos.pass();
  const times: { ours: number; geos: number }[] = [];
  let mine = { seconds: 0, hits: 0, meters: 0 };
  let theirs = { seconds: 0, hits: 0, sum: 0 };
  for (let round = 0; round < Number(options.rounds); round++) {
    mine = ours(layer, plots);
    theirs = await geos.pass();
    times.push({ ours: mine.seconds, geos: theirs.seconds });
  }
  geos.stop();

  const a = times.map((time) => (time.ours / plots.length) * 1e6);
  const b = times.map((time) => (time.geos / plots.length) * 1e6);
  const line = [
    name.padEnd(5),
    `${layer.areaCount} areas, ${layer.positionCount} positions`,
    `ours ${spread(a)} µs, ${mine.hits} hits, ${(mine.meters / 1000).toFixed(1)} km`,
    `GEOS ${geos.version} ${spread(b)} µs, ${theirs.hits} hits, ${(theirs.sum * 111.31949).toFixed(1)} km`,
    `ratio ${(median(b) / median(a)).toFixed(1)}`,
  ];
  console.log(line.join(" | "));
  if (options.turf) console.log(`      turf and flatbush: ${turf(layer, plots)}`);
}

function ours(layer: AreaLayer, plots: readonly Plot[]): { seconds: number; hits: number; meters: number } {
  let hits = 0;
  let meters = 0;
  const start = process.cpuUsage();
  for (const plot of plots) {
    for (const hit of new PlotDistance(plot, workspace).within(layer, REACH_METERS)) {
      hits++;
      meters += hit.distanceMeters;
    }
  }
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, hits, meters };
}

/** As many plots as a few seconds allow. */
function turf(layer: AreaLayer, plots: readonly Plot[]): string {
  const start = process.cpuUsage();
  let done = 0;
  let used = 0;
  for (const plot of plots) {
    referenceKernel.bind(plot).distances(layer, REACH_METERS);
    done++;
    const { user, system } = process.cpuUsage(start);
    used = user + system;
    if (used > 5e6) break;
  }
  return `${(used / done).toFixed(0)} µs over ${done} plots`;
}

interface Peer {
  readonly version: string;
  pass(): Promise<{ seconds: number; hits: number; sum: number }>;
  stop(): void;
}

async function startPeer(program: string, args: string[]): Promise<Peer> {
  const child: ChildProcessWithoutNullStreams = spawn(program, args);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string[]> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the peer ended");
    return String(value).split(" ");
  };
  const [, version] = await next();
  return {
    version: version!.split("-")[0]!,
    async pass() {
      child.stdin.write("go\n");
      const [seconds, hits, sum] = await next();
      return { seconds: Number(seconds), hits: Number(hits), sum: Number(sum) };
    },
    stop: () => child.stdin.end(),
  };
}

function fractalAreas(name: string, random: Random): Float64Array[] {
  const layer = LAYERS[name];
  if (layer === undefined) throw new Error(`no layer "${name}"; there are ${Object.keys(LAYERS).join(", ")}`);
  const [across, up, vertices, radius, step] = layer;
  return Array.from({ length: across * up }, (_, i) =>
    fractalRing(
      random,
      ((i % across) - (across - 1) / 2) * step,
      (Math.floor(i / across) - (up - 1) / 2) * step,
      radius,
      vertices,
    ),
  );
}

/** 40,000 overlapping areas of 0.3 to 3 km around, as protected areas lie. */
function manyAreas(random: Random): Float64Array[] {
  return Array.from({ length: 40_000 }, () =>
    fractalRing(random, random.between(-5, 5), random.between(-5, 5), 0.03 * 10 ** random.between(-1, 0), 64),
  );
}

/** See peers/distance.c. */
function writeGeometries(path: string, rings: readonly Float64Array[]): void {
  const bytes = Buffer.alloc(4 + rings.reduce((sum, ring) => sum + 8 + 8 * ring.length, 0));
  let at = bytes.writeInt32LE(rings.length, 0);
  for (const ring of rings) {
    at = bytes.writeInt32LE(1, at);
    at = bytes.writeInt32LE(ring.length / 2, at);
    bytes.set(new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength), at);
    at += ring.byteLength;
  }
  writeFileSync(path, bytes);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function spread(values: readonly number[]): string {
  return `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)})`;
}
