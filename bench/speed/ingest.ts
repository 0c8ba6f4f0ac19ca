/**
 * What does building a snapshot cost? CPU time of the command as it is installed, start to end, over that of ogr2ogr
 * writing FlatGeobuf from the same gzipped GeoJSON, taking turns; and peak memory over its bound, the worst of every
 * input of `npm run bench -- ingest`.
 *
 *     GROUNDRULE_REAL_DATA=… node bench/speed/ingest.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../kernel/timing.ts";
import { cpuSecondsOf, installCommand } from "./installed.ts";
import { atMost, runAlone, type SpeedResult } from "./row.ts";

const ROUNDS = 5;
const LAYER = "gshhg_h_land_with_lakes.geojson.gz";
const RUN = "npm run bench -- speed --only ingest";
const MEGABYTE = 1_000_000;

export async function measureIngest(): Promise<SpeedResult> {
  return [...measureCpu(), ...measureMemory()];
}

function measureCpu(): SpeedResult {
  const real = process.env.GROUNDRULE_REAL_DATA;
  if (real === undefined || !existsSync(join(real, LAYER))) {
    return [{ missing: `the build of GSHHG: GROUNDRULE_REAL_DATA names no folder with ${LAYER}` }];
  }
  try {
    execFileSync("ogr2ogr", ["--version"]);
  } catch {
    return [{ missing: "the build of GSHHG: there is no ogr2ogr (GDAL) to compare with" }];
  }
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const main = installCommand(join(folder, "installed"));
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    const layer = join(real, LAYER);
    const [data, written] = [join(folder, "data"), join(folder, "layer.fgb")];
    const ours = ["snapshot", "build", "--source", "bench:coast", "--data", data, layer];
    const build = (): number => cpuSecondsOf([process.execPath, main, ...ours], home);
    build(); // compiles what the others find compiled
    const seconds: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(data, { recursive: true });
      seconds.push(build());
      rmSync(written, { force: true });
      theirs.push(cpuSecondsOf(["ogr2ogr", "-f", "FlatGeobuf", written, `/vsigzip/${layer}`], home));
    }
    const ratio = medianOf(seconds) / medianOf(theirs);
    return [atMost("snapshot build of GSHHG, CPU time over ogr2ogr to FlatGeobuf", ratio, 0.4, "×", RUN)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measureMemory(): SpeedResult {
  const program = join(import.meta.dirname, "../ingest.ts");
  const printed = execFileSync(process.execPath, [program, "--json"], { encoding: "utf8" });
  const peaks = JSON.parse(printed) as { source: string; peakBytes: number; goalBytes: number }[];
  const worst = peaks.reduce((a, b) => (a.peakBytes / a.goalBytes > b.peakBytes / b.goalBytes ? a : b));
  const [peak, goal] = [worst.peakBytes, worst.goalBytes].map((bytes) => Math.round(bytes / MEGABYTE));
  const figure = `peak memory of a build over its bound, worst of ${peaks.length} inputs (${worst.source}, ${peak} of ${goal} MB)`;
  return [atMost(figure, worst.peakBytes / worst.goalBytes, 1, "×", RUN)];
}

await runAlone(import.meta, measureIngest);
