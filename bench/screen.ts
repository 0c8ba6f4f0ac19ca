/**
 * Measures the cost of `screen` per plot compared with the evaluation alone, the main thread's share, the gain of a
 * second worker, and the memory for longer inputs.
 *
 *   GROUNDRULE_REAL_DATA=… npm run bench -- screen [--plots 100000] [--rounds 3]
 *
 * Real plots under new ids, over and over (1,000,000 with GROUNDRULE_FULL), under 5 checks on real layers. CPU and
 * memory are those that the operating system tells of the process; the start is taken out of the figures by a run of a
 * tenth of the length.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openData } from "@groundrule/node";
import { getRealFolder } from "../tools/machine/real-data.ts";
import { measureProgramUsage, type Usage } from "../tools/machine/usage.ts";
import { COMMAND, computeMedian, describeMachine } from "./measure.ts";
import { installScreenedSources, RULESET, readRealGeometries, writePlotLines } from "./screen-world.ts";
import {
  buildMaximumRow,
  buildMinimumRow,
  buildRowWithoutGoal,
  formatSpeedTable,
  type SpeedRow,
} from "./speed/row.ts";

const NOW = "2026-11-20T00:00:00Z";
const MILLION = 1_000_000;
/** A shard that judges a thousandth of the plots: nearly all that it does is read. */
const SHARDS = 1_000;
/** The shorter run, whose cost is taken out of the longer one's. */
const SHORT = 0.1;

const { values } = parseArgs({
  options: {
    plots: { type: "string", default: process.env.GROUNDRULE_FULL ? String(MILLION) : "100000" },
    rounds: { type: "string", default: "3" },
  },
});
const count = Number(values.plots);
getRealFolder();
const data = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
/** A run of all plots and one of a tenth of them. */
interface Runs {
  readonly long: Usage;
  readonly short: Usage;
}

try {
  installScreenedSources(data);
  const geometries = readRealGeometries();
  await writePlotLines(join(data, "long.ndjson"), geometries, count);
  await writePlotLines(join(data, "short.ndjson"), geometries, count * SHORT);
  const alone: number[] = [];
  const [one, two, shards]: [Runs[], Runs[], Runs[]] = [[], [], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    alone.push(measureEvaluateMicros(geometries));
    one.push(runScreen("--workers", "1"));
    two.push(runScreen("--workers", "2"));
    shards.push(runScreen("--workers", "1", "--shard", `0/${SHARDS}`));
  }
  console.log(`${count} plots, ${geometries.length} different ones; ${describeMachine()}\n`);
  console.log(
    formatSpeedTable([["npm run bench -- screen", buildSpeedRows(computeMedian(alone), one, two, shards)]]),
  );
} finally {
  rmSync(data, { recursive: true, force: true });
}

function buildSpeedRows(
  alone: number,
  one: readonly Runs[],
  two: readonly Runs[],
  shards: readonly Runs[],
): SpeedRow[] {
  const over = (runs: readonly Runs[], figure: (run: Runs) => number): number =>
    computeMedian(runs.map(figure));
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
    buildRowWithoutGoal("evaluate in process, CPU a plot", alone, "µs"),
    buildRowWithoutGoal("screen, 1 worker, CPU a plot", cpu(one), "µs"),
    buildRowWithoutGoal("screen, 2 workers, CPU a plot", cpu(two), "µs"),
    buildMaximumRow("screen, 1 worker: its CPU over that of evaluate", cpu(one) / alone, 1.25, "×"),
    buildMaximumRow("screen, 2 workers: its CPU over that of evaluate", cpu(two) / alone, 1.25, "×"),
    buildMaximumRow("2 workers: CPU of the main thread, of the time", mainShare, 15, "%"),
    buildMinimumRow("2 workers, faster than 1", elapsed(one) / elapsed(two), 1.8, "×"),
    buildMaximumRow("2 workers, a million plots", (whole * MILLION) / count, 60, "s"),
    buildMaximumRow("2 workers: peak memory, ten times the plots", growth, 1.15, "×"),
    buildRowWithoutGoal("a shard of 1,000, CPU a plot that it reads", cpu(shards), "µs"),
    buildRowWithoutGoal("2 workers: peak memory", over(two, ({ long }) => long.peakBytes) / 1e6, "MB"),
  ];
}

/** CPU microseconds of this thread for a plot: every geometry evaluated once, after a warm-up. */
function measureEvaluateMicros(geometries: readonly object[]): number {
  const policy = openData(data).engine.compile(RULESET);
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

function runScreen(...options: readonly string[]): Runs {
  const words = ["screen", "--ruleset", join(data, "rules.json"), "--data", data, "--now", NOW];
  // A plot that is refused makes the exit code 3.
  const run = (name: string): Usage =>
    measureProgramUsage(
      COMMAND,
      [...words, "--format", "compact", ...options, join(data, `${name}.ndjson`)],
      [0, 3],
    );
  return { short: run("short"), long: run("long") };
}
