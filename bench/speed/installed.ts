import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, publishedFolders } from "../../tools/packages/pack.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Builds every published package and lays them out as an installation does, their dependencies linked.
 *
 * @param place an empty folder
 * @returns the path of the command's program
 */
export function installCommand(place: string): string {
  const folders = publishedFolders();
  execFileSync(process.execPath, [join(root, "tools/packages/build.mjs"), ...folders], {
    stdio: ["ignore", 2, 2],
  });
  const modules = join(place, "node_modules");
  for (const folder of folders) {
    const { publishConfig, ...manifest } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as Manifest & { readonly publishConfig: object };
    const at = join(modules, manifest.name);
    mkdirSync(at, { recursive: true });
    for (const part of ["dist", "schema"]) {
      if (existsSync(join(folder, part))) cpSync(join(folder, part), join(at, part), { recursive: true });
    }
    writeFileSync(join(at, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }));
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const link = join(modules, name);
      if (name.startsWith("@groundrule/") || existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(realpathSync(join(folder, "node_modules", name)), link);
    }
  }
  return join(modules, "@groundrule/cli/dist/main.js");
}

/**
 * CPU seconds of a program from its start to its end, all its threads and the system's part.
 *
 * @param home where it keeps what it keeps for a user
 *
 * Fails: where the program does.
 */
export function cpuSecondsOf(command: readonly string[], home: string): number {
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
