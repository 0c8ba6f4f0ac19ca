import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { packPublishedPackages } from "../../tools/packages/pack.ts";

/**
 * Packs and installs the command, as `npm install --global` does.
 *
 * @param place a folder that is there
 * @returns the path of the command's program
 */
export async function installCommand(place: string): Promise<string> {
  const packages = await packPublishedPackages(join(place, "packed"));
  const { tarball } = packages.find(({ name }) => name === "@groundrule/cli")!;
  const installing = ["install", "--global", "--offline", "--prefix", place, "--no-audit", "--no-fund"];
  execFileSync("npm", [...installing, "--silent", tarball], { stdio: ["ignore", 2, 2] });
  return join(place, "lib/node_modules/@groundrule/cli/dist/main.js");
}

/**
 * CPU seconds of a program from its start to its end, all its threads and the system's part.
 *
 * @param home where it keeps what it keeps for a user
 *
 * Fails: where the program does.
 */
export function measureCpuSeconds(command: readonly string[], home: string): number {
  const { HOME: _, XDG_CACHE_HOME: __, NODE_COMPILE_CACHE: ___, ...env } = process.env;
  const shell = spawnSync("sh", ["-c", '"$@" > /dev/null && times', "sh", ...command], {
    encoding: "utf8",
    env: { ...env, HOME: home },
  });
  const [, children] = shell.stdout.trim().split("\n");
  if (shell.status !== 0 || children === undefined) {
    throw new Error(`${command.join(" ")} failed: ${shell.stderr}`);
  }
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}
