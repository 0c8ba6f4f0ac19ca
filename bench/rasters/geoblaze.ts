import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VERSION = "2.8.0";

/**
 * Plots a second that geoblaze asks of a GeoTIFF, for each file of plots; undefined where npm cannot fetch it. It has
 * over 300 packages below it, so it is fetched once into `.groundrule/bench`, and is no dependency of the project.
 */
export function measureGeoblazeRates(
  tif: string,
  files: readonly string[],
  rounds: number,
): readonly number[] | undefined {
  const folder = fetchGeoblaze();
  if (folder === undefined) return undefined;
  const program = join(import.meta.dirname, "geoblaze.mjs");
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [program, folder, tif, `${rounds}`, ...files],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
}

function fetchGeoblaze(): string | undefined {
  const folder = join(import.meta.dirname, "../../.groundrule/bench", `geoblaze-${VERSION}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, "package.json"), "{}");
  const install = ["install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", "--omit=optional"];
  const { status } = spawnSync("npm", [...install, `geoblaze@${VERSION}`], { cwd: made, stdio: "ignore" });
  if (status === 0) renameSync(made, folder);
  else rmSync(made, { recursive: true });
  return status === 0 ? folder : undefined;
}
