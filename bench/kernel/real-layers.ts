import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { type AreaSnapshot, openSnapshot } from "@groundrule/engine/build";
import { buildSnapshot } from "@groundrule/ingest";
import type { Polygons } from "@groundrule/testing/shapes";
import { plotBeside, seededRandom } from "../data.ts";
import { type GeosProcess, startGeos } from "../peers/geos-process.ts";
import { type GeosWasm, startGeosWasm } from "../peers/geos-wasm.ts";
import { GEOS_MISSING, type Line, type Missing, micros, type Options, times, WASM_MISSING } from "./line.ts";
import { compareOverlaps, overlapMicros, overlapTotals, ready, warm } from "./ours.ts";
import { cpuMicros, loadNow, medianOf } from "./timing.ts";

const SEED = 31;
const PLOTS = 2000;
/** Plots of a pass of the peers. */
const WINDOW = 200;
const TARGET = 10;

/** Layers of the folder GROUNDRULE_REAL_DATA names, and which of its files make each. */
const LAYERS: Readonly<Record<string, (file: string) => boolean>> = {
  "countries of Natural Earth 1:10m": (file) => file.startsWith("ne_10m_admin_0_countries"),
  "Brazilian municipalities": (file) => file.startsWith("br_ibge_municipalities"),
  "Brazilian layers together": (file) => /^(br_|amazon_).*geojson/.test(file),
  "GSHHG high, land with lakes": (file) => file.startsWith("gshhg_h_land_with_lakes"),
};

/** Intersects and overlap area on real layers, against the fastest peer there is. */
export async function measureRealLayers(options: Options): Promise<(Line | Missing)[]> {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  if (folder === undefined || !existsSync(folder)) {
    return [{ missing: "real layers: GROUNDRULE_REAL_DATA names no folder" }];
  }
  const lines: (Line | Missing)[] = [];
  const names = Object.keys(LAYERS);
  for (const name of options.quick ? names.slice(0, 1) : names) {
    const files = readdirSync(folder).filter((file) => LAYERS[name]!(file));
    if (files.length === 0) {
      lines.push({ missing: `${name}: ${folder} does not hold it` });
      continue;
    }
    const areas: Polygons[] = [];
    for (const file of files) areas.push(...(await areasOf(join(folder, file))));
    lines.push(...(await measureLayer(name, areas, options)));
  }
  return lines;
}

async function measureLayer(
  name: string,
  areas: readonly Polygons[],
  options: Options,
): Promise<(Line | Missing)[]> {
  const data = ready({ areas, plots: plotsBeside(areas) });
  const geos = await startGeos(data.areas, data.plots);
  const wasm = await startGeosWasm(data.areas, data.plots);
  if (geos !== undefined) await compareOverlaps(geos, data, PLOTS);
  warm(() => overlapMicros(data), 1);
  const ours: number[] = [];
  const { hits } = overlapTotals(data);
  const wasmHits = wasm?.pass(0, PLOTS).hits ?? hits;
  if (wasmHits !== hits) throw new Error(`${name}: ${hits} hits, geos-wasm ${wasmHits}`);
  const peers = peersOf(geos, wasm);
  // A whole pass first: GEOS prepares when it is first asked.
  for (const { pass } of peers) await pass(0, PLOTS);
  for (let round = 0; round < options.rounds; round++) {
    ours.push(overlapMicros(data));
    for (const { times, pass } of peers) times.push(await pass((round * WINDOW) % PLOTS, WINDOW));
  }
  geos?.stop();
  const missing = [
    ...(geos === undefined ? [GEOS_MISSING] : []),
    ...(wasm === undefined ? [WASM_MISSING] : []),
  ];
  const [fastest] = peers.toSorted((a, b) => medianOf(a.times) - medianOf(b.times));
  if (fastest === undefined) return missing;
  const ratio = medianOf(fastest.times) / medianOf(ours);
  const line: Line = {
    asked: `intersects + overlap area, ${name}: ${areas.length} areas, ${data.layer.positionCount} positions`,
    ours: micros(medianOf(ours)),
    peer: `${fastest.name}, the fastest of ${peers.length}`,
    theirs: micros(medianOf(fastest.times)),
    target: `≥ ${TARGET}×`,
    measured: times(ratio),
    met: ratio >= TARGET,
    load: loadNow(),
  };
  return [line, ...missing];
}

interface Peer {
  readonly name: string;
  readonly times: number[];
  /** CPU microseconds a plot. */
  readonly pass: (from: number, count: number) => Promise<number>;
}

function peersOf(geos: GeosProcess | undefined, wasm: GeosWasm | undefined): Peer[] {
  const peers: Peer[] = [];
  if (geos !== undefined) {
    for (const mode of ["prepared", "subdivided"]) {
      const pass = async (from: number, count: number) => (await geos.pass(mode, from, count)).micros;
      peers.push({ name: `GEOS ${geos.version} C, ${mode}`, times: [], pass });
    }
  }
  if (wasm !== undefined) {
    const pass = async (from: number, count: number) => cpuMicros(() => wasm.pass(from, count)) / count;
    peers.push({ name: "geos-wasm, prepared", times: [], pass });
  }
  return peers;
}

/** The areas of a source file as its snapshot holds them: valid, repaired where they were not. */
async function areasOf(path: string): Promise<Polygons[]> {
  const { file } = await buildSnapshot(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    { source_name: "bench:areas", kind: "leaf" },
    { sha256: () => createHash("sha256"), crc32, crs: crsTable },
  );
  const { layer } = openSnapshot(Buffer.concat([...file.chunks]).buffer, { crc32 }) as AreaSnapshot;
  return Array.from({ length: layer.areaCount }, (_, area) => {
    const polygons: Float64Array[][] = [];
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      const xy = layer.xy.slice(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
      if (layer.ringRoles[ring] === 0) polygons.push([xy]);
      else polygons.at(-1)!.push(xy);
    }
    return polygons;
  });
}

/** Plots near positions of the areas, away from poles and antimeridian, where the peers' plane ends. */
function plotsBeside(areas: readonly Polygons[]): Polygons[] {
  const random = seededRandom(SEED);
  const rings = areas.flat(2);
  const starts = [0];
  for (const ring of rings) starts.push(starts.at(-1)! + ring.length / 2);
  const plots: Polygons[] = [];
  while (plots.length < PLOTS) {
    const position = random.integer(starts.at(-1)!);
    const r = starts.findLastIndex((start) => start <= position);
    const x = rings[r]![2 * (position - starts[r]!)]!;
    const y = rings[r]![2 * (position - starts[r]!) + 1]!;
    if (Math.abs(x) < 175 && Math.abs(y) < 80) plots.push([[plotBeside(random, x, y, 0)]]);
  }
  return plots;
}
