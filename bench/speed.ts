/**
 * Every figure of speed that the project is held to, in one table: what users call, against the peers.
 *
 *   npm run bench -- speed [--only NAME,…] [--write]     (--only= --write: the table of what is kept)
 *
 * Each part is a program of its own in bench/speed, run in a process of its own, one after another. `--write` keeps
 * the parts that were measured in bench/results/speed.json, and writes all that is kept there as a table (speed.md). Take figures while nothing else runs: the load of the machine is kept with each part.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatSpeedTable, type SpeedResult } from "./speed/row.ts";

const PARTS = [
  "public",
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

/** The figures of a part, and the machine. */
interface Taken {
  readonly machine: string;
  /** One-minute load average before. */
  readonly load: number;
  readonly result: SpeedResult;
}

const machine = `Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}`;
const taken = values.only
  .split(",")
  .filter(Boolean)
  .map((part): [string, Taken] => {
    const load = Number(loadavg()[0]!.toFixed(1));
    return [part, { machine, load, result: measurePart(part) }];
  });
console.log(`${machine}\n\n${formatAllTables(Object.fromEntries(taken))}`);
if (values.write) writeFigures(Object.fromEntries(taken));

/** The figures of one part, or the reason why it ended early. */
function measurePart(part: string): SpeedResult {
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

function formatAllTables(taken: Readonly<Record<string, Taken>>): string {
  const parts = PARTS.filter((part) => taken[part] !== undefined);
  return formatSpeedTable(
    parts.map((part) => [`npm run bench -- speed --only ${part}`, taken[part]!.result]),
  );
}

function writeFigures(measured: Readonly<Record<string, Taken>>): void {
  const folder = join(import.meta.dirname, "results");
  const kept = join(folder, "speed.json");
  const before: Record<string, Taken> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
  const all = { ...before, ...measured };
  const parts = PARTS.filter((part) => all[part] !== undefined);
  const machines = [...new Set(parts.map((part) => all[part]!.machine))].join("; ");
  const loads = parts.map((part) => `${part} ${all[part]!.load}`).join(", ");
  const text = `# Speed of what users call

    GROUNDRULE_REAL_DATA=… npm run bench -- speed --write

${machines}. Times are CPU times of one thread unless the line says otherwise, medians over rounds in which the
engines take turns; what is compared is named in the line, and its command takes it alone. The figures are of one
machine: the ratios are what to compare. Load of the machine before each part: ${loads}. Real layers are not part of
this repository.

${formatAllTables(all).replaceAll(/ +\|/g, " |").replaceAll(/-{4,}/g, "---")}
`;
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(folder, "speed.md"), text);
}
