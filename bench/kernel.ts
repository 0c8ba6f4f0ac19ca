/**
 * What the kernel costs and how exact it is, against the peers, in one table.
 *
 *   npm run bench -- kernel [--quick] [--only small,large,distance,real,snapshot,accuracy] [--rounds N] [--postgis]
 *
 * `--postgis` asks PostGIS too on real layers, on areas and on pieces cut by ST_Subdivide, which takes it minutes.
 * Everything is seeded. Plots are bound anew by ours each time; the peers hold theirs ready, and
 * planar. Answers are compared before they are timed. Times are CPU times a plot on one thread,
 * medians over rounds in which the engines take turns; where GEOS is slow, each round hands it the
 * next few plots; where turf is, both are asked about a few. Every group of lines is run by a process of its own.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAccuracy } from "./kernel/accuracy.ts";
import { measureDistances } from "./kernel/distances.ts";
import { measureLargePlots } from "./kernel/large-plots.ts";
import type { Line, Missing, Options } from "./kernel/line.ts";
import { measureRealLayers } from "./kernel/real-layers.ts";
import { measureSmallPlots } from "./kernel/small-plots.ts";
import { measureSnapshot } from "./kernel/snapshot.ts";

const GROUPS: Readonly<Record<string, (options: Options) => Promise<(Line | Missing)[]>>> = {
  small: measureSmallPlots,
  large: measureLargePlots,
  distance: measureDistances,
  real: measureRealLayers,
  snapshot: measureSnapshot,
  accuracy: measureAccuracy,
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: Object.keys(GROUPS).join(",") },
    rounds: { type: "string" },
    postgis: { type: "boolean", default: false },
    group: { type: "string" },
  },
});
const rounds = values.rounds ?? (values.quick ? "3" : "7");

if (values.group !== undefined) {
  const lines = await GROUPS[values.group]!({
    quick: values.quick,
    rounds: Number(rounds),
    postgis: values.postgis,
  });
  console.log(JSON.stringify(lines));
} else {
  printTable(values.only.split(",").flatMap(runAlone));
}

function runAlone(group: string): (Line | Missing)[] {
  if (GROUPS[group] === undefined) throw new Error(`no group "${group}": ${Object.keys(GROUPS).join(", ")}`);
  const started = performance.now();
  const flags = [...(values.quick ? ["--quick"] : []), ...(values.postgis ? ["--postgis"] : [])];
  const args = ["--group", group, "--rounds", rounds, ...flags];
  const printed = execFileSync(process.execPath, ["--expose-gc", import.meta.filename, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  console.error(`${group}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return JSON.parse(printed) as (Line | Missing)[];
}

function printTable(found: readonly (Line | Missing)[]): void {
  const header = ["asked", "ours", "against", "theirs", "target", "measured", "met", "load"];
  const lines = found.filter((line): line is Line => !("missing" in line));
  const rows = [
    header,
    ...lines.map((line) => [
      line.asked,
      line.ours,
      line.peer,
      line.theirs,
      line.target,
      line.measured,
      line.met ? "yes" : "**no**",
      line.load.toFixed(1),
    ]),
  ];
  const widths = header.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const printed = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`);
  printed.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}; ${peers()}\n`,
  );
  console.log(printed.join("\n"));
  const missing = new Set(found.flatMap((line) => ("missing" in line ? [line.missing] : [])));
  for (const each of missing) console.log(`\nNot measured: ${each}`);
}

/** The peers from npm, pinned to the digit. */
function peers(): string {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, "package.json"), "utf8"),
  );
  return Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([name]) => /turf.intersect|flatbush|geos/.test(name))
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}
