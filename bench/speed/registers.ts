/**
 * Measures the cost of looking a pattern up in a register of 5,000,000 records, and of building that register.
 *
 *     node bench/speed/registers.ts [--records N]
 *
 * A seed makes the records: tax numbers of companies and persons, and codes of rural properties, 40, 30 and 30 %. The
 * build reads them as CSV in a process of its own; its CPU time is that of all its threads. Patterns are `%…%` about
 * four to nine characters of a value, then those that are made to be slow. pg_trgm answers the same ones where the
 * system has a PostgreSQL: the first 100 matches, as it finds them.
 */
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { EngineError, openEngine, type SourceManifest } from "@groundrule/engine";
import type { Sha256 } from "@groundrule/engine/build";
import { buildSnapshot } from "@groundrule/ingest";
import { openSpillFile } from "@groundrule/node/internal";
import { mulberry32 } from "@groundrule/testing/random";
import { measureProgramUsage } from "../../tools/machine/usage.ts";
import { computeMedian, quantile } from "../measure.ts";
import { startTrigramServer } from "../peers/pg-trgm.ts";
import {
  buildMaximumRow,
  buildMinimumRow,
  runMeasurementAlone,
  type SpeedMissing,
  type SpeedResult,
  type SpeedRow,
} from "./row.ts";

const SEED = 20261122;
const PATTERNS = 2_000;
const PEER_PATTERNS = 100;
const MEGABYTE = 1_000_000;
const SCHEME = "bench:id";
const MANIFEST: SourceManifest = {
  source_name: "bench:register",
  kind: "subject_register",
  id: "no",
  name: "company",
  value: "identifier",
  scheme: SCHEME,
};

const { values: options } = parseArgs({
  options: {
    records: { type: "string", default: "5000000" },
    json: { type: "boolean" },
    build: { type: "string" },
  },
});
const COUNT = Number(options.records);

async function measureRegisters(): Promise<SpeedResult> {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const path = join(folder, "register.snapshot");
    const of = `${COUNT.toLocaleString("en-US")} records`;
    const { cpuMs, peakBytes } = measureProgramUsage(import.meta.filename, [
      "--records",
      `${COUNT}`,
      "--build",
      path,
    ]);
    const bytes = readFileSync(path);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const engine = openEngine([shared], { crc32 });
    const ask = (pattern: string): number => {
      const before = process.cpuUsage();
      const started = performance.now();
      try {
        engine.subjects({ type: SCHEME, value: pattern }, { matchOp: "ilike" });
      } catch (error) {
        if (!(error instanceof EngineError && error.code === "PATTERN_TOO_COMPLEX")) throw error;
      }
      // The clock is finer than the CPU time; a process that waited shows by the difference.
      const passed = performance.now() - started;
      const used = process.cpuUsage(before);
      return Math.min(passed, (used.user + used.system) / 1000 + 0.05);
    };
    const patterns = makeUsualPatterns();
    for (const pattern of patterns.slice(0, 200)) ask(pattern);
    const times = patterns.map(ask);
    const slow = SLOW_PATTERNS.map((pattern) => Math.min(ask(pattern), ask(pattern), ask(pattern)));
    const worst = Math.max(...slow, quantile(times, 1));
    const figure = (what: string, value: number, goal: number, unit: string) =>
      buildMaximumRow(what, value, goal, unit);
    return [
      figure(`ilike in ${of}, median`, computeMedian(times), 0.3, "ms"),
      figure(`ilike in ${of}, p99`, quantile(times, 0.99), 5, "ms"),
      figure(`ilike in ${of}, worst pattern, answered or refused`, worst, 20, "ms"),
      await compareWithTrigrams(patterns.slice(0, PEER_PATTERNS), ask),
      figure(`register of ${of}: build, CPU time`, cpuMs / 1000, 60, "s"),
      figure(`register of ${of}: build, greatest memory`, peakBytes / MEGABYTE, 600, "MB"),
      figure(`register of ${of}: index a record`, countIndexBytes(bytes) / COUNT, 60, "bytes"),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the register into a file, as the command does. */
async function buildRegisterFile(path: string): Promise<void> {
  const hosts = { crc32, sha256: (): Sha256 => createHash("sha256") };
  const spill = openSpillFile();
  const { file, report } = await buildSnapshot(generateRegisterCsv(), MANIFEST, { ...hosts, spill });
  if (report.stored !== COUNT) throw new Error(`stored ${report.stored} records of ${COUNT}`);
  const target = openSync(path, "w");
  for (const chunk of file.chunks) writeSync(target, chunk);
  closeSync(target);
  spill.close();
}

/** Bytes of the index, from the section table: entries of 24 bytes from byte 64 on, their length in the last 8. */
function countIndexBytes(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(28, true);
  let sum = 0;
  for (let entry = 64; entry < 64 + 24 * count; entry += 24) {
    const section = view.getUint32(entry, true);
    if (section >= 36 && section <= 39) sum += Number(view.getBigUint64(entry + 16, true));
  }
  return sum;
}

async function* generateRegisterCsv(): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const random = mulberry32(SEED + 1);
  let text = "no,company,identifier,program,listed\n";
  let row = 0;
  for (const value of generateIdentifiers()) {
    const name = `${pickText(WORDS, random)} ${pickText(WORDS, random)} ${Math.floor(random() * 1e6)} ${pickText(FORMS, random)}`;
    const day = `20${10 + Math.floor(random() * 15)}-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 10)}`;
    // Ids come in no order: a multiple of a prime that has no divisor in common with the count.
    text += `R-${String((row++ * 7_368_787) % 9_999_991).padStart(7, "0")},${name},${value},${pickText(PROGRAMS, random)},${day}\n`;
    if (text.length > 65_536) {
      yield encoder.encode(text);
      text = "";
    }
  }
  yield encoder.encode(text);
}

function* generateIdentifiers(): Generator<string> {
  const random = mulberry32(SEED);
  for (let i = 0; i < COUNT; i++) yield randomIdentifier(random);
}

function randomIdentifier(random: () => number): string {
  const kind = random();
  const digits = (count: number): string => String(Math.floor(random() * 10 ** count)).padStart(count, "0");
  if (kind < 0.4) {
    const branch = random() < 0.8 ? "0001" : digits(4);
    return `${digits(2)}.${digits(3)}.${digits(3)}/${branch}-${digits(2)}`;
  }
  if (kind < 0.7) return `${digits(3)}.${digits(3)}.${digits(3)}-${digits(2)}`;
  const hex = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .toUpperCase()
      .padStart(8, "0");
  return `${pickText(STATES, random)}-${digits(7)}-${hex()}${hex()}${hex()}${hex()}`;
}

/** `%…%` about four to nine characters of values here and there. */
function makeUsualPatterns(): string[] {
  const random = mulberry32(SEED + 2);
  const kept = new Set(Array.from({ length: PATTERNS }, () => Math.floor(random() * COUNT)));
  const patterns: string[] = [];
  let i = 0;
  for (const value of generateIdentifiers()) {
    if (!kept.has(i++)) continue;
    const canonical = value.replace(/[-./]/g, "");
    const length = 4 + Math.floor(random() * 6);
    const from = Math.floor(random() * (canonical.length - length + 1));
    patterns.push(`%${canonical.slice(from, from + length)}%`);
  }
  return patterns;
}

/** Patterns that are frequent, rare, split, or held by all records and matched by none; the last ones are anchored. */
const SLOW_PATTERNS = [
  ...[..."0123456789ABCDEFGMNOPQRSTXZ"].map((letter) => `%${letter}%`),
  ..."00 01 0001 000100 MT ZZ F9 SP GO 000 FFF".split(" ").map((pair) => `%${pair}%`),
  ..."%0%1%2%3%4%5%6%7%8%9% %9%8%7%6%5%4%3%2%1%0% %00%11%22%33%44% %A%0%Z% %F%MT% %MT%0001%".split(" "),
  ..."%0001%0001% %0001%1000% %00010%0001% %1%0001%2%0001% %0%MT% %A%MT%B%".split(" "),
  `%${"0%".repeat(60)}`,
  ..."1% %1 12% %12 12%34 MT% %MT M%F 1%0001%2 00%00 MT51%ABC% %01".split(" "),
];

async function compareWithTrigrams(
  patterns: readonly string[],
  ask: (pattern: string) => number,
): Promise<SpeedRow | SpeedMissing> {
  const peer = await startTrigramServer(generateIdentifiers());
  if ("missing" in peer) return peer;
  try {
    const theirs: number[] = [];
    const ours: number[] = [];
    for (const pattern of patterns) {
      theirs.push(await peer.ask(pattern));
      ours.push(ask(pattern));
    }
    const times = computeMedian(theirs) / computeMedian(ours);
    return buildMinimumRow("ilike against pg_trgm, the same patterns, median", times, 1, "×");
  } finally {
    await peer.stop();
  }
}

function pickText(from: readonly string[], random: () => number): string {
  return from[Math.floor(random() * from.length)]!;
}

const STATES = "AC AM AP BA GO MA MG MS MT PA PR RO RR RS SP TO".split(" ");
const PROGRAMS = ["LABOUR", "EMBARGO", "SDN", "SUSPENDED"];
const FORMS = ["LTDA", "S.A.", "ME", "EIRELI", "EPP"];
const WORDS =
  "AGRO PECUÁRIA FAZENDA SANTA SÃO BOA VISTA RIO VERDE NOVA ALEGRE MINAS NORTE SUL ALIANÇA GRÃOS MADEIRAS CAFÉ IMPORT TRADE".split(
    " ",
  );

if (options.build === undefined) await runMeasurementAlone(import.meta, measureRegisters);
else await buildRegisterFile(options.build);
