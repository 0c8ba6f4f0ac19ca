/**
 * npm run bench -- NAME [options]: runs bench/NAME.ts on the Node that runs this.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { nearestName } from "@groundrule/engine/internal/json";

const BENCHES = new Map([
  ["speed", "every figure that the project is held to, in one table, with its goal and its own command"],
  ["growth", "how a plot's cost grows with the number of areas, on real layers, beside GEOS"],
  [
    "screen",
    "what screening costs a plot beside evaluating it in process, with one worker and two [--plots N]",
  ],
  ["http", "what a charged request costs over bare HTTP, by thread, on SQLite and PostgreSQL"],
  [
    "jobs",
    "what a job costs a plot beside single requests, and how long those take beside two jobs [--plots N]",
  ],
  ["work", "how long a unit of work takes, for every kind that a budget counts"],
  [
    "merge",
    "putting the shards of a screening run together: time and memory, as plots and shards grow [--plots N]",
  ],
  ["plots", "checking plots and comparing them with each other, beside GEOS, and how that grows"],
  [
    "console",
    "how long the console's main thread works in one piece while 35,628 real areas are panned [--rounds N]",
  ],
  ["live", "what a live source costs a question beside a snapshot of the same areas"],
  ["plots-fix", "cutting and mending a plot [--plots N]"],
  [
    "rasters",
    "plots on rasters, beside exactextract, from 0.01 to 100,000 ha, 1e8 to 1e10 cells [--cells N]",
  ],
  ["real", "the whole path on real layers, if GROUNDRULE_REAL_DATA names their folder"],
]);

const [name, ...options] = process.argv.slice(2);
if (name === undefined || !BENCHES.has(name)) {
  if (name !== undefined) {
    const nearest = nearestName(name, BENCHES.keys());
    console.log(`no bench "${name}"${nearest === undefined ? "" : `; the nearest is "${nearest}"`}\n`);
  }
  console.log("npm run bench -- NAME [options]\n");
  for (const [each, what] of BENCHES) console.log(`  ${each.padEnd(11)}${what}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const program = join(import.meta.dirname, `${name}.ts`);
  process.exitCode = spawnSync(process.execPath, [program, ...options], { stdio: "inherit" }).status ?? 1;
}
