/**
 * npm run bench -- NAME [options]: runs bench/NAME.ts on the Node that runs this.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findNearestName } from "@groundrule/engine/internal/json";

const NAMES = "speed growth screen http jobs work merge plots console live python rasters real".split(" ");

const [name, ...options] = process.argv.slice(2);
if (name === undefined || !NAMES.includes(name)) {
  if (name !== undefined) {
    const nearest = findNearestName(name, NAMES);
    console.log(`no bench "${name}"${nearest === undefined ? "" : `; the nearest is "${nearest}"`}\n`);
  }
  console.log("npm run bench -- NAME [options]\n");
  for (const each of NAMES) console.log(`  ${each.padEnd(9)}${readBenchSummary(each)}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  process.exitCode =
    spawnSync(process.execPath, [getBenchPath(name), ...options], { stdio: "inherit" }).status ?? 1;
}

function getBenchPath(bench: string): string {
  return join(import.meta.dirname, `${bench}.ts`);
}

/** The first paragraph of a file's head comment; its options are below. */
function readBenchSummary(bench: string): string {
  const [, said = ""] =
    /^\/\*\*\n \* ([\s\S]*?)\n \*\n/.exec(readFileSync(getBenchPath(bench), "utf8")) ?? [];
  return said.replaceAll("\n *", "");
}
