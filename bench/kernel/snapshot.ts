import { createHash } from "node:crypto";
import { mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openSnapshot } from "@groundrule/engine/build";
import { readShared } from "@groundrule/node";
import { box } from "@groundrule/testing/shapes";
import Flatbush from "flatbush";
import {
  FIRST_COLUMN_SECTION,
  HEADER,
  HEADER_BYTES,
  SECTION,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../../packages/engine/src/snapshot/format.ts";
import { createAreaWriter } from "../../packages/engine/src/snapshot/write/writer.ts";
import { fractalRing, seededRandom } from "../data.ts";
import type { Line, Options } from "./line.ts";
import { times } from "./line.ts";
import { cpuMicros, loadNow, medianOf } from "./timing.ts";

const SEED = 5;
const OPENING_TARGET = 10;
/** Coordinates take 16 bytes of it. */
const BYTES_TARGET = 18.5;
/** 16 a position and 90 a ring. */
const BYTES_TARGET_OF_SMALL_RINGS = 16 + 90 / 5;

/** What opening costs beside reading GeoJSON, and what the geometry sections hold. */
export async function measureSnapshot(options: Options): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const vertices = options.quick ? 1e6 : 1e7;
    const large = join(folder, "large.snapshot");
    const text = join(folder, "large.geojson");
    write(large, text, fractals(vertices));
    const small = join(folder, "small.snapshot");
    write(small, undefined, boxes(100_000));
    return [
      openingLine(vertices, large, text, options.rounds),
      bytesLine("rings of 1,000 vertices", large, BYTES_TARGET),
      bytesLine("rings of 5 positions", small, BYTES_TARGET_OF_SMALL_RINGS),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function openingLine(vertices: number, snapshot: string, text: string, rounds: number): Line {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(collected(() => openSnapshot(readShared(snapshot), { crc32 })));
    if (round < 3) theirs.push(collected(() => parseAndIndex(text)));
  }
  const ratio = medianOf(theirs) / medianOf(ours);
  const seconds = (micros: number): string => `${(micros / 1e6).toFixed(3)} s`;
  return {
    asked: `from file to open, ${vertices / 1e6} M vertices, all checks on`,
    ours: seconds(medianOf(ours)),
    peer: "JSON.parse + flatbush over boxes",
    theirs: seconds(medianOf(theirs)),
    target: `≥ ${OPENING_TARGET}×`,
    measured: times(ratio),
    met: ratio >= OPENING_TARGET,
    load: loadNow(),
  };
}

/** CPU time of a work whose garbage, and that of the work before, is not its own. */
function collected(work: () => unknown): number {
  globalThis.gc?.();
  return cpuMicros(work);
}

function parseAndIndex(path: string): Flatbush {
  const { features } = JSON.parse(readFileSync(path, "utf8")) as {
    features: { geometry: { coordinates: [number, number][][] } }[];
  };
  const index = new Flatbush(features.length);
  for (const { geometry } of features) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of geometry.coordinates[0]!) {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    index.add(west, south, east, north);
  }
  index.finish();
  return index;
}

function bytesLine(rings: string, path: string, target: number): Line {
  const bytes = readFileSync(path);
  const positions = bytes.readUInt32LE(HEADER.positionCount);
  let geometry = 0;
  for (let i = 0; i < bytes.readUInt32LE(HEADER.sectionCount); i++) {
    const entry = HEADER_BYTES + TABLE_ENTRY_BYTES * i;
    const id = bytes.readUInt32LE(entry + TABLE_ENTRY.id);
    if (id < SECTION.XY || id >= FIRST_COLUMN_SECTION) continue;
    geometry += Number(bytes.readBigUInt64LE(entry + TABLE_ENTRY.byteLength));
  }
  const each = geometry / positions;
  return {
    asked: `bytes of geometry and its indexes a position, ${rings}`,
    ours: `${each.toFixed(2)} of ${(statSync(path).size / positions).toFixed(2)} in the file`,
    peer: "",
    theirs: "",
    target: `≤ ${target}`,
    measured: each.toFixed(2),
    met: each <= target,
    load: loadNow(),
  };
}

/** Writes rings as areas of their own, and as GeoJSON with seven decimals. */
function write(snapshot: string, text: string | undefined, rings: Iterable<Float64Array>): void {
  const hosts = { sha256: () => createHash("sha256"), crc32 };
  const writer = createAreaWriter({ source_name: "bench:areas", kind: "leaf" }, hosts);
  const json = text === undefined ? undefined : openSync(text, "w");
  if (json !== undefined) writeSync(json, '{"type":"FeatureCollection","features":[');
  for (const ring of rings) {
    const id = `a${writer.count}`;
    if (json !== undefined) {
      const positions = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
      const geometry = { type: "Polygon", coordinates: [positions] };
      const feature = JSON.stringify({ type: "Feature", properties: { id }, geometry });
      writeSync(json, writer.count === 0 ? feature : `,${feature}`);
    }
    writer.add({ id, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  }
  if (json !== undefined) writeSync(json, "]}");
  const file = openSync(snapshot, "w");
  for (const chunk of writer.finish().chunks) writeSync(file, chunk);
}

function* fractals(vertices: number): Generator<Float64Array> {
  const random = seededRandom(SEED);
  for (let left = vertices; left > 0; left -= 1000) {
    yield fractalRing(random, random.between(-170, 170), random.between(-60, 60), 0.1, 1000);
  }
}

function* boxes(count: number): Generator<Float64Array> {
  const random = seededRandom(SEED);
  for (let i = 0; i < count; i++) {
    const [x, y] = [random.between(-170, 170), random.between(-60, 60)];
    yield box(x, y, x + 0.01, y + 0.01);
  }
}
