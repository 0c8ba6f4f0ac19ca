/**
 * Measures `overlay` and `screen` of a GeoDataFrame through Python: CPU compared with the command, and memory compared
 * with the frame.
 *
 *   GROUNDRULE_REAL_DATA=… npm run bench -- python [--plots 100000] [--rows 1000000]
 *
 * CPU is that of Python and its child from frame to frame, of the command from file to file on one worker, both with
 * their start, over --plots; memory is that of --rows, whose plots are the same over and over. Needs Linux, Python and
 * PyPI.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installPython } from "../tools/machine/python.ts";
import { getRealFolder } from "../tools/machine/real-data.ts";
import { measureProgramUsage } from "../tools/machine/usage.ts";
import { PYTHON_PACKAGE } from "../tools/python/build-wheel.ts";
import { TEST_REQUIREMENTS } from "../tools/python/requirements.ts";
import { COMMAND, describeMachine } from "./measure.ts";
import { installScreenedSources, readRealGeometries, writePlotLines } from "./screen-world.ts";
import { buildMaximumRow, buildRowWithoutGoal, formatSpeedTable, type SpeedRow } from "./speed/row.ts";

const NOW = "2026-11-29T00:00:00Z";

/** The figures of bench/python/calls.py. */
interface Call {
  readonly cpuMs: number;
  readonly found: number;
  readonly frameBytes: number;
  /** Growth of Python beyond the frame, at the most. */
  readonly grownBytes: number;
  /** The child's memory after a tenth of the rows, and at the most. */
  readonly warmBytes: number;
  readonly childBytes: number;
}

const { values } = parseArgs({
  options: {
    plots: { type: "string", default: "100000" },
    rows: { type: "string", default: "1000000" },
  },
});
getRealFolder();
const python = installPython(TEST_REQUIREMENTS, 10)("python");
const data = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
try {
  const ruleset = installScreenedSources(data);
  const geometries = readRealGeometries();
  const different = join(data, "different.ndjson");
  await writePlotLines(different, geometries, geometries.length);
  const file = join(data, "plots.ndjson");
  await writePlotLines(file, geometries, Number(values.plots));
  const commands = {
    overlay: ["intersections"],
    screen: ["screen", "--ruleset", ruleset, "--now", NOW, "--workers", "1", "--format", "compact"],
  };
  console.log(`${geometries.length} different plots; ${describeMachine()}\n`);
  const rows: SpeedRow[] = [];
  for (const [call, words] of Object.entries(commands)) {
    const config = { plots: different, data, ruleset, now: NOW, call };
    // A plot that is refused makes the exit code 3.
    const alone = measureProgramUsage(COMMAND, [...words, "--data", data, file], [0, 3]);
    const many = runCall({ ...config, count: Number(values.plots) });
    const more = runCall({ ...config, count: Number(values.rows) });
    rows.push(
      buildRowWithoutGoal(`${call} by the command, ${values.plots} plots, CPU`, alone.cpuMs / 1000, "s"),
      buildMaximumRow(
        `${call} in Python: its CPU over that of the command`,
        many.cpuMs / alone.cpuMs,
        1.3,
        "×",
      ),
      buildRowWithoutGoal(`${call}, the frame of ${values.rows} plots`, more.frameBytes / 1e6, "MB"),
      buildRowWithoutGoal(`${call}, rows returned`, more.found, ""),
      buildMaximumRow(`${call}, growth of Python over the frame`, more.grownBytes / more.frameBytes, 2, "×"),
      buildMaximumRow(`${call}, child over its warm size`, more.childBytes / more.warmBytes, 1.1, "×"),
      buildRowWithoutGoal(`${call}, memory of the child`, more.childBytes / 1e6, "MB"),
    );
  }
  console.log(formatSpeedTable([["npm run bench -- python", rows]]));
} finally {
  rmSync(data, { recursive: true, force: true });
}

function runCall(config: object): Call {
  const path = join(data, "call.json");
  writeFileSync(path, JSON.stringify(config));
  const env = {
    ...process.env,
    PYTHONPATH: join(PYTHON_PACKAGE, "src"),
    PYTHONDONTWRITEBYTECODE: "1",
    GROUNDRULE_NODE: process.execPath,
  };
  const script = join(import.meta.dirname, "python/calls.py");
  const printed = execFileSync(python, [script, path], { encoding: "utf8", env });
  return JSON.parse(printed) as Call;
}
