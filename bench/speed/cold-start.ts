/**
 * Measures the cost of the first verdict of a new process. The command as it is installed evaluates one plot on a
 * snapshot of 10,000,000 vertices, opened with all checks; the CPU time of the whole process, median of nine.
 *
 *     node bench/speed/cold-start.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installEdition } from "@groundrule/node";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { fractalRing, makeRingSnapshot, seededRandom } from "../data.ts";
import { computeMedian } from "../measure.ts";
import { installCommand, measureCpuSeconds } from "./installed.ts";
import { buildMaximumRow, runMeasurementAlone, type SpeedResult } from "./row.ts";

const SEED = 5;
const VERTICES = 10_000_000;
const RING_VERTICES = 1000;
const ROUNDS = 9;
const GOAL_SECONDS = 0.5;

const RULESET = {
  name: "bench",
  sets: { areas: { sources: ["bench:areas"] } },
  checks: [{ id: "in-area", set: "areas", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" }],
};

async function measureColdStart(): Promise<SpeedResult> {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const main = await installCommand(folder);
    const data = join(folder, "data");
    const plot = await writeAreaData(data);
    const ruleset = join(folder, "ruleset.json");
    writeFileSync(ruleset, JSON.stringify(RULESET));
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    const command = [process.execPath, main, "evaluate", "--ruleset", ruleset, "--data", data, plot];
    const seconds = Array.from({ length: ROUNDS + 1 }, () => measureCpuSeconds(command, home));
    // The first start compiles what the others find compiled.
    const median = computeMedian(seconds.slice(1));
    return [
      buildMaximumRow("cold process to first verdict, 10 M vertices, CPU time", median, GOAL_SECONDS, "s"),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a data folder with the areas. @returns the path of a plot in one of them */
async function writeAreaData(data: string): Promise<string> {
  const random = seededRandom(SEED);
  const rings = Array.from({ length: VERTICES / RING_VERTICES }, () =>
    fractalRing(random, random.between(-170, 170), random.between(-60, 60), 0.1, RING_VERTICES),
  );
  await installEdition(data, makeRingSnapshot("bench:areas", rings));
  const [lon, lat] = rings[0]!;
  const plot = join(data, "plot.geojson");
  writeFileSync(plot, JSON.stringify(createSquarePolygon(lon!, lat!, 0.01)));
  return plot;
}

await runMeasurementAlone(import.meta, measureColdStart);
