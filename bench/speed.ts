/**
 * Every figure of speed that the project is held to, in one table: what users call, against the peers.
 *
 *   npm run bench -- speed [--only NAME,…] [--write]
 *
 * Each part is a program of its own in bench/speed, run in a process of its own, one after another. `--write` puts
 * the table into bench/results/speed.md and draws it in speed.svg. Take figures while nothing else runs: the load
 * of the machine stands above the table.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { drawReached } from "./speed/drawing.ts";
import { type SpeedResult, type SpeedRow, tableOf } from "./speed/row.ts";

const PARTS = [
  "public",
  "kernel",
  "distance",
  "hostile",
  "evaluate",
  "http",
  "registers",
  "cold-start",
  "ingest",
] as const;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: PARTS.join(",") },
    write: { type: "boolean", default: false },
  },
});

const load = loadavg()[0]!.toFixed(1);
const result: SpeedResult = values.only.split(",").flatMap(measure);
const machine = `Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}, load ${load} before`;
console.log(`${machine}\n\n${tableOf(result)}`);
if (values.write) write(result);

/** The figures of one part; what ended it, where it ended early. */
function measure(part: string): SpeedResult {
  if (!PARTS.some((name) => name === part)) throw new Error(`no part "${part}": ${PARTS.join(", ")}`);
  const started = performance.now();
  const program = join(import.meta.dirname, "speed", `${part}.ts`);
  const { stdout, status } = spawnSync(process.execPath, ["--expose-gc", program, "--json"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  console.error(`${part}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (status !== 0) return [{ missing: `${part}: the program ended with ${status}` }];
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as SpeedResult;
}

function write(rows: SpeedResult): void {
  const folder = join(import.meta.dirname, "results");
  const text = `# Speed of what users call

    GROUNDRULE_REAL_DATA=… npm run bench -- speed --write

${machine}. Times are CPU times of one thread unless the line says otherwise, medians over rounds in which the engines
take turns; what is compared is named in the line, and its command takes it alone. The figures hold for this machine:
the ratios are what to compare. Real layers are not part of this repository.

![How far each goal is reached](speed.svg)

${tableOf(rows)}
`;
  writeFileSync(join(folder, "speed.md"), text);
  writeFileSync(
    join(folder, "speed.svg"),
    drawReached(rows.filter((row): row is SpeedRow => "figure" in row)),
  );
}
