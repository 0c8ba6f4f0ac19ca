/**
 * What does the first verdict of a new process cost? The command as it is installed evaluates one plot on a
 * snapshot of 10,000,000 vertices, opened with all checks; the CPU time of the whole process, median of nine.
 *
 *     node bench/speed/cold-start.ts
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createAreaWriter } from "@groundrule/engine/build";
import { installEdition } from "@groundrule/node";
import { fractalRing, seededRandom } from "../data.ts";
import { medianOf } from "../measure.ts";
import { cpuSecondsOf, installCommand } from "./installed.ts";
import { atMost, runAlone, type SpeedResult } from "./row.ts";

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
    const main = installCommand(join(folder, "installed"));
    const data = join(folder, "data");
    const plot = await writeAreas(data);
    const ruleset = join(folder, "ruleset.json");
    writeFileSync(ruleset, JSON.stringify(RULESET));
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    const command = [process.execPath, main, "evaluate", "--ruleset", ruleset, "--data", data, plot];
    const seconds = Array.from({ length: ROUNDS + 1 }, () => cpuSecondsOf(command, home));
    // The first start compiles what the others find compiled.
    const median = medianOf(seconds.slice(1));
    const run = "npm run bench -- speed --only cold-start";
    return [atMost("cold process to first verdict, 10 M vertices, CPU time", median, GOAL_SECONDS, "s", run)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a data folder with the areas. @returns the path of a plot in one of them */
async function writeAreas(data: string): Promise<string> {
  const hosts = { sha256: () => createHash("sha256"), crc32 };
  const manifest = { source_name: "bench:areas", kind: "leaf", coverage: "global" } as const;
  const writer = createAreaWriter(manifest, hosts);
  const random = seededRandom(SEED);
  let [lon, lat] = [0, 0];
  for (let left = VERTICES; left > 0; left -= RING_VERTICES) {
    [lon, lat] = [random.between(-170, 170), random.between(-60, 60)];
    const ring = fractalRing(random, lon, lat, 0.1, RING_VERTICES);
    writer.add({ id: `a${writer.count}`, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  }
  await installEdition(data, writer.finish());
  const square = [
    [lon, lat],
    [lon + 0.01, lat],
    [lon + 0.01, lat + 0.01],
    [lon, lat + 0.01],
    [lon, lat],
  ];
  const plot = join(data, "plot.geojson");
  writeFileSync(plot, JSON.stringify({ type: "Polygon", coordinates: [square] }));
  return plot;
}

await runAlone(import.meta, measureColdStart);
