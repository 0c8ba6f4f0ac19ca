/**
 * What `screen` costs a plot beside the evaluation alone, what of it the main thread does, what a second worker adds,
 * and whether memory stays the same for longer inputs.
 *
 *   GROUNDRULE_REAL_DATA=… npm run bench -- screen [--plots 100000] [--format compact] [--rounds 3]
 *
 * Real plots under new ids, over and over (1,000,000 with GROUNDRULE_FULL), under 5 checks on real layers. CPU and
 * memory are those that the operating system tells of the process; the start is taken out of the figures by a run of
 * a tenth of the length. `--program` names another `main.ts` to measure, to compare two states of the code; of one
 * that does not know formats `--format ""` measures what it prints.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { openData } from "@groundrule/node";
import { loadNow, medianOf } from "./kernel/timing.ts";
import { installReal } from "./screen/install-real.ts";
import { realGeometries, writePlots } from "./screen/plots.ts";
import { atLeast, atMost, type SpeedRow, tableOf } from "./speed/row.ts";

const SOURCES = [
  "br_funai_indigenous_lands_2023",
  "br_cnuc_conservation_units_2024",
  "br_icmbio_federal_units_amazon_2019",
  "br_mma_deforestation_1977_1991",
  "br_incra_quilombola_2026",
];
const NOW = "2026-11-20T00:00:00Z";
const COMMAND = "npm run bench -- screen";
const MILLION = 1_000_000;
/** A shard that judges a thousandth of the plots: nearly all that it does is read. */
const SHARDS = 1_000;
/** The shorter run, whose cost is taken out of the longer one's. */
const SHORT = 0.1;

const { values } = parseArgs({
  options: {
    plots: { type: "string", default: process.env.GROUNDRULE_FULL ? String(MILLION) : "100000" },
    format: { type: "string", default: "compact" },
    rounds: { type: "string", default: "3" },
    program: { type: "string", default: join(import.meta.dirname, "../apps/cli/src/main.ts") },
  },
});
const [count, rounds] = [Number(values.plots), Number(values.rounds)];

const folder = process.env.GROUNDRULE_REAL_DATA;
if (folder === undefined || !existsSync(folder)) {
  console.log("Not measured: GROUNDRULE_REAL_DATA names no folder.");
  process.exit(0);
}

/** What a run of the command used. */
interface Usage {
  readonly cpuMs: number;
  /** CPU of its main thread. */
  readonly mainMs: number;
  readonly elapsedMs: number;
  readonly peakBytes: number;
}

/** A run of all plots and one of a tenth of them. */
interface Runs {
  readonly long: Usage;
  readonly short: Usage;
}

const data = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
try {
  for (const name of SOURCES) await installReal(data, folder, name);
  const rules = join(data, "rules.json");
  writeFileSync(rules, JSON.stringify(ruleset()));
  const geometries = await realGeometries(folder);
  const [long, short] = [join(data, "long.ndjson"), join(data, "short.ndjson")];
  await writePlots(long, geometries, count);
  await writePlots(short, geometries, count * SHORT);

  const alone: number[] = [];
  const byWorkers = new Map<number, Runs[]>([1, 2].map((workers) => [workers, []]));
  const shards: Runs[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(evaluateAlone(geometries));
    for (const [workers, runs] of byWorkers) {
      runs.push({ short: await screen(workers, short), long: await screen(workers, long) });
    }
    shards.push({
      short: await screen(1, short, `0/${SHARDS}`),
      long: await screen(1, long, `0/${SHARDS}`),
    });
  }
  console.log(
    `${count.toLocaleString("en")} plots, ${geometries.length.toLocaleString("en")} different ones, ${values.format || "as printed"}, Node ${process.version}, ${availableParallelism()} cores, load ${loadNow().toFixed(1)}\n`,
  );
  console.log(tableOf(rowsOf(medianOf(alone), byWorkers.get(1)!, byWorkers.get(2)!, shards)));
} finally {
  rmSync(data, { recursive: true, force: true });
}

function rowsOf(
  alone: number,
  one: readonly Runs[],
  two: readonly Runs[],
  shards: readonly Runs[],
): SpeedRow[] {
  const over = (runs: readonly Runs[], figure: (run: Runs) => number): number => medianOf(runs.map(figure));
  const plots = count * (1 - SHORT);
  const cpu = (runs: readonly Runs[]): number =>
    over(runs, ({ long, short }) => ((long.cpuMs - short.cpuMs) * 1000) / plots);
  const elapsed = (runs: readonly Runs[]): number =>
    over(runs, ({ long, short }) => long.elapsedMs - short.elapsedMs);
  const mainShare = over(two, ({ long, short }) => {
    return (100 * (long.mainMs - short.mainMs)) / (long.elapsedMs - short.elapsedMs);
  });
  const growth = over(two, ({ long, short }) => long.peakBytes / short.peakBytes);
  const whole = over(two, ({ long }) => long.elapsedMs / 1000);
  return [
    told("evaluate in process, CPU a plot", alone, "µs"),
    told("screen, 1 worker, CPU a plot", cpu(one), "µs"),
    told("screen, 2 workers, CPU a plot", cpu(two), "µs"),
    atMost("screen, 1 worker: its CPU over that of evaluate", cpu(one) / alone, 1.25, "×", COMMAND),
    atMost("screen, 2 workers: its CPU over that of evaluate", cpu(two) / alone, 1.25, "×", COMMAND),
    atMost("2 workers: CPU of the main thread, of the time", mainShare, 15, "%", COMMAND),
    atLeast("2 workers, faster than 1", elapsed(one) / elapsed(two), 1.8, "×", COMMAND),
    atMost("2 workers, a million plots", (whole * MILLION) / count, 60, "s", COMMAND),
    atMost("2 workers: peak memory, ten times the plots", growth, 1.15, "×", COMMAND),
    told("a shard of 1,000, CPU a plot that it reads", cpu(shards), "µs"),
    told("2 workers: peak memory", over(two, ({ long }) => long.peakBytes) / 2 ** 20, "MiB"),
  ];
}

function told(figure: string, value: number, unit: string): SpeedRow {
  return {
    figure,
    measured: `${Number(value.toPrecision(3))} ${unit}`,
    goal: "–",
    met: true,
    command: COMMAND,
  };
}

/** CPU microseconds of this thread for a plot: every geometry evaluated once, after a warm-up. */
function evaluateAlone(geometries: readonly object[]): number {
  const policy = openData(data).engine.compile(ruleset());
  const pass = (): void => {
    for (const geometry of geometries) {
      try {
        policy.evaluate({ geometry } as never, { now: NOW });
      } catch {
        // Refused by the command too: a few real plots are too large or invalid.
      }
    }
  };
  pass();
  const before = process.threadCpuUsage();
  pass();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / geometries.length;
}

async function screen(workers: number, plots: string, shard?: string): Promise<Usage> {
  const usage = join(data, "usage.json");
  const format = values.format === "" ? [] : ["--format", values.format];
  const args = ["screen", "--ruleset", join(data, "rules.json"), "--data", data, "--now", NOW, ...format];
  const preload = join(import.meta.dirname, "screen/report-usage.mjs");
  const child = spawn(
    process.execPath,
    [
      ...["--import", preload, values.program, ...args, "--workers", String(workers)],
      ...(shard === undefined ? [] : ["--shard", shard]),
      plots,
    ],
    {
      env: { ...process.env, GROUNDRULE_BENCH_USAGE: usage },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  const read = plots.endsWith("long.ndjson") ? count : count * SHORT;
  const header = values.format === "csv" ? 1 : 0;
  const expected = header + (shard === undefined ? read : Math.ceil(read / SHARDS));
  if (lines !== expected) {
    throw new Error(`${lines} lines of results, expected ${expected}; exit code ${code}: ${said}`);
  }
  return JSON.parse(readFileSync(usage, "utf8")) as Usage;
}

function ruleset(): object {
  const area = { measure: "overlap_area_m2", op: ">", value: 0, outcome: "NON_COMPLIANT" };
  const sets = {
    indigenous: "br:funai",
    protected: "br:cnuc",
    federal: "br:icmbio",
    cleared: "br:mma_deforestation",
    quilombola: "br:quilombola",
  };
  return {
    name: "bench.screen",
    sets: Object.fromEntries(Object.entries(sets).map(([name, source]) => [name, { sources: [source] }])),
    checks: Object.keys(sets).map((name) => ({ id: name, set: name, ...area })),
  };
}
