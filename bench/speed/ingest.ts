/**
 * Measures the cost of building a snapshot. CPU time of the command as it is installed, start to end, over that of
 * ogr2ogr writing FlatGeobuf from the same gzipped GeoJSON, taking turns; and peak memory over its bound, the worst of
 * every layer in the folder that GROUNDRULE_REAL_DATA names, and of 1,900,000 positions in 30,000 polygons and in one.
 * The bound is 1.5 snapshots, 200 MB, and the largest feature, once as text and once as `JSON.parse` holds it.
 *
 *     GROUNDRULE_REAL_DATA=… node bench/speed/ingest.ts
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { readGeoJson, unpack } from "@groundrule/formats";
import { buildSnapshot } from "@groundrule/ingest";
import { mulberry32 } from "@groundrule/testing/random";
import { measureProgramUsage } from "../../tools/machine/usage.ts";
import { computeMedian } from "../measure.ts";
import { installCommand, measureCpuSeconds } from "./installed.ts";
import { buildMaximumRow, runMeasurementAlone, type SpeedResult } from "./row.ts";

const ROUNDS = 5;
const LAYER = "gshhg_h_land_with_lakes.geojson.gz";
const MEGABYTE = 1_000_000;
const POSITIONS = 1_900_000;
const layers = globSync(join(process.env.GROUNDRULE_REAL_DATA ?? "/nowhere", "*.geojson{,.gz}"));

async function measureIngest(): Promise<SpeedResult> {
  return [...(await measureIngestCpu()), ...(await measureIngestMemory())];
}

async function measureIngestCpu(): Promise<SpeedResult> {
  const layer = layers.find((path) => basename(path) === LAYER);
  if (layer === undefined) {
    return [{ missing: `the build of GSHHG: GROUNDRULE_REAL_DATA names no folder with ${LAYER}` }];
  }
  try {
    execFileSync("ogr2ogr", ["--version"]);
  } catch {
    return [{ missing: "the build of GSHHG: there is no ogr2ogr (GDAL) to compare with" }];
  }
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const main = await installCommand(folder);
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    const [data, written] = [join(folder, "data"), join(folder, "layer.fgb")];
    const ours = ["snapshot", "build", "--source", "bench:coast", "--data", data, layer];
    const build = (): number => measureCpuSeconds([process.execPath, main, ...ours], home);
    build(); // compiles what the others find compiled
    const seconds: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(data, { recursive: true });
      seconds.push(build());
      rmSync(written, { force: true });
      theirs.push(measureCpuSeconds(["ogr2ogr", "-f", "FlatGeobuf", written, `/vsigzip/${layer}`], home));
    }
    const ratio = computeMedian(seconds) / computeMedian(theirs);
    return [buildMaximumRow("snapshot build of GSHHG, CPU time over ogr2ogr to FlatGeobuf", ratio, 0.4, "×")];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureIngestMemory(): Promise<SpeedResult> {
  const sources = ["synthetic:30000", "synthetic:1", ...layers];
  const costs: { source: string; peak: number; bound: number }[] = [];
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  const snapshot = join(folder, "areas.snapshot");
  for (const source of sources) {
    const { peakBytes: peak } = measureProgramUsage(import.meta.filename, ["--build", source, snapshot]);
    const bound = 1.5 * statSync(snapshot).size + 200 * MEGABYTE + (await findLargestFeatureBytes(source));
    costs.push({ source: basename(source), peak, bound });
  }
  rmSync(folder, { recursive: true });
  const worst = costs.reduce((a, b) => (a.peak / a.bound > b.peak / b.bound ? a : b));
  const [peak, bound] = [worst.peak, worst.bound].map((bytes) => Math.round(bytes / MEGABYTE));
  const figure = `peak memory of a build over its bound, worst of ${sources.length} inputs (${worst.source}, ${peak} of ${bound} MB)`;
  return [buildMaximumRow(figure, worst.peak / worst.bound, 1, "×")];
}

async function buildSnapshotFile(source: string, path: string): Promise<void> {
  const manifest = { source_name: "bench:areas", kind: "leaf" } as const;
  const hosts = { crc32, sha256: () => createHash("sha256") };
  const { file } = await buildSnapshot(openSourceBytes(source), manifest, hosts);
  const target = openSync(path, "w");
  for (const chunk of file.chunks) writeSync(target, chunk);
  closeSync(target);
}

/** Once as text and once as `JSON.parse` holds it. */
async function findLargestFeatureBytes(source: string): Promise<number> {
  let largest = "";
  const { bytes } = await unpack(openSourceBytes(source));
  for await (const { geometry, properties } of readGeoJson(bytes)) {
    const text = JSON.stringify({ geometry, properties: Object.fromEntries(properties) });
    if (text.length > largest.length) largest = text;
  }
  const heapBefore = process.memoryUsage().heapUsed;
  const parsed: unknown = JSON.parse(largest);
  const heapBytes = Math.max(0, process.memoryUsage().heapUsed - heapBefore);
  if (parsed === undefined) throw new Error("nothing was parsed");
  return largest.length + heapBytes;
}

function openSourceBytes(source: string): AsyncIterable<Uint8Array> {
  const parts = /^synthetic:(\d+)$/.exec(source)?.[1];
  return parts === undefined ? createReadStream(source) : generateDiscs(Number(parts));
}

/** Discs on a grid with an outline as rough as its positions are dense; none crosses itself. */
async function* generateDiscs(parts: number): AsyncGenerator<Uint8Array> {
  const random = mulberry32(20261120);
  const encoder = new TextEncoder();
  const columns = Math.ceil(Math.sqrt(2 * parts));
  const radius = 140 / columns / 2;
  const count = Math.floor(POSITIONS / parts) - 1;
  yield encoder.encode('{"type":"FeatureCollection","features":[');
  for (let part = 0; part < parts; part++) {
    const longitude = -140 + (2 * (part % columns) + 1) * radius * 2;
    const latitude = -68 + (2 * Math.floor(part / columns) + 1) * radius * 0.95;
    yield encoder.encode(
      `${part === 0 ? "" : ",\n"}{"type":"Feature","properties":{"id":"d-${part}"},"geometry":{"type":"Polygon","coordinates":[[`,
    );
    let first = "";
    let text = "";
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * i) / count;
      const distance = radius * (0.8 + 0.1 * Math.sin(7 * angle) + (4 / count) * random());
      const x = longitude + distance * Math.cos(angle);
      const y = latitude + distance * Math.sin(angle) * 0.9;
      const position = `[${x.toFixed(13)},${y.toFixed(13)}]`;
      if (i === 0) first = position;
      text += `${position},`;
      if (text.length > 60_000) {
        yield encoder.encode(text);
        text = "";
      }
    }
    yield encoder.encode(`${text}${first}]]}}`);
  }
  yield encoder.encode("]}\n");
}

if (process.argv[2] === "--build") await buildSnapshotFile(process.argv[3]!, process.argv[4]!);
else await runMeasurementAlone(import.meta, measureIngest);
