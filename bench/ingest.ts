/**
 * What does a build cost? Seconds against `JSON.parse` of the same text, snapshot bytes a position,
 * and the greatest memory a process needed, each measured in a process of its own.
 *
 *     node bench/ingest.ts [--json] [SOURCE…]
 *
 * A SOURCE is a GeoJSON file, gzipped or not, or `synthetic:PARTS`: 3,000,000 positions in so many
 * polygons, made from a seed. By default `synthetic:30000` and `synthetic:1`, and every layer in the
 * folder that GROUNDRULE_REAL_DATA names. Memory is set beside its goal: 1.5 snapshots, 200 MB, and
 * the largest feature, once as text and once as `JSON.parse` holds it.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import type { Sha256 } from "@groundrule/engine/build";
import { readGeoJson, unpack } from "@groundrule/formats";
import { buildSnapshot } from "@groundrule/ingest";
import { mulberry32 } from "@groundrule/testing/random";

const SEED = 20261120;
const POSITIONS = 3_000_000;
const MEGABYTE = 1_000_000;

interface Cost {
  readonly seconds: number;
  readonly peakBytes: number;
}

interface BuildCost extends Cost {
  readonly features: number;
  readonly positions: number;
  readonly repaired: number;
  readonly leftOut: number;
  readonly snapshotBytes: number;
}

interface ParseCost extends Cost {
  readonly largestFeatureBytes: number;
}

const [task, source] = process.argv.slice(2);
if (task === "--build") report(await measureBuild(source!));
else if (task === "--parse") report(await measureParse(source!));
else if (task === "--json") console.log(JSON.stringify(sourcesOr(process.argv.slice(3)).map(peakOf)));
else compare(process.argv.slice(2));

/** What a build needed of memory, and what it is to need at most. */
function peakOf(from: string): { source: string; peakBytes: number; goalBytes: number } {
  const build = runAlone<BuildCost>("--build", from);
  const goalBytes = goalOf(build, runAlone<ParseCost>("--parse", from));
  return { source: basename(from), peakBytes: build.peakBytes, goalBytes };
}

function goalOf(build: BuildCost, parse: ParseCost): number {
  return 1.5 * build.snapshotBytes + parse.largestFeatureBytes + 200 * MEGABYTE;
}

function sourcesOr(named: readonly string[]): readonly string[] {
  return named.length > 0 ? named : defaultSources();
}

function compare(named: readonly string[]): void {
  console.log(
    "source                          features  positions  repaired  left out  build s  JSON.parse s  " +
      "bytes/position  peak MB  goal MB",
  );
  for (const each of sourcesOr(named)) {
    const build = runAlone<BuildCost>("--build", each);
    const parse = runAlone<ParseCost>("--parse", each);
    const goal = goalOf(build, parse);
    console.log(
      [
        basename(each).slice(0, 30).padEnd(30),
        String(build.features).padStart(9),
        String(build.positions).padStart(10),
        String(build.repaired).padStart(9),
        String(build.leftOut).padStart(9),
        build.seconds.toFixed(2).padStart(8),
        parse.seconds.toFixed(2).padStart(13),
        (build.snapshotBytes / build.positions).toFixed(1).padStart(15),
        (build.peakBytes / MEGABYTE).toFixed(0).padStart(8),
        (goal / MEGABYTE).toFixed(0).padStart(8),
      ].join(" "),
    );
  }
}

function defaultSources(): string[] {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  const layers =
    folder === undefined ? [] : readdirSync(folder).filter((name) => /\.geojson(\.gz)?$/.test(name));
  return ["synthetic:30000", "synthetic:1", ...layers.map((name) => join(folder!, name))];
}

function runAlone<Measured>(what: string, each: string): Measured {
  const printed = execFileSync(process.execPath, [import.meta.filename, what, each], { encoding: "utf8" });
  return JSON.parse(printed) as Measured;
}

function report(cost: Omit<BuildCost, "peakBytes"> | Omit<ParseCost, "peakBytes">): void {
  console.log(JSON.stringify({ ...cost, peakBytes: process.resourceUsage().maxRSS * 1024 }));
}

async function measureBuild(from: string): Promise<Omit<BuildCost, "peakBytes">> {
  const start = performance.now();
  const manifest = { source_name: "bench:areas", kind: "leaf" } as const;
  const { file, report: ingest } = await buildSnapshot(open(from), manifest, {
    crc32,
    sha256: (): Sha256 => createHash("sha256"),
  });
  let snapshotBytes = 0;
  for (const chunk of file.chunks) snapshotBytes += chunk.length;
  return {
    seconds: (performance.now() - start) / 1000,
    features: ingest.read,
    positions: ingest.positions,
    repaired: ingest.repaired.length,
    leftOut: ingest.left_out.length,
    snapshotBytes,
  };
}

/** `JSON.parse` feature by feature: of a whole file it fails where that is longer than a string can be. */
async function measureParse(from: string): Promise<Omit<ParseCost, "peakBytes">> {
  let seconds = 0;
  let largest = "";
  const { bytes } = await unpack(open(from));
  for await (const { geometry, properties } of readGeoJson(bytes)) {
    const text = JSON.stringify({ geometry, properties: Object.fromEntries(properties) });
    if (text.length > largest.length) largest = text;
    const start = performance.now();
    JSON.parse(text);
    seconds += (performance.now() - start) / 1000;
  }
  const heapBefore = process.memoryUsage().heapUsed;
  const parsed: unknown = JSON.parse(largest);
  const heapBytes = Math.max(0, process.memoryUsage().heapUsed - heapBefore);
  if (parsed === undefined) throw new Error("nothing was parsed");
  return { seconds, largestFeatureBytes: largest.length + heapBytes };
}

function open(from: string): AsyncIterable<Uint8Array> {
  const parts = /^synthetic:(\d+)$/.exec(from)?.[1];
  return parts === undefined ? createReadStream(from) : synthetic(Number(parts));
}

/** Discs on a grid with an outline as rough as its positions are dense; none crosses itself. */
async function* synthetic(parts: number): AsyncGenerator<Uint8Array> {
  const random = mulberry32(SEED);
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
