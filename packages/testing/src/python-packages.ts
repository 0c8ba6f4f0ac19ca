import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Folder of Python packages in one exact version each, which pip fetches once into `.groundrule/bench`, as wheels
 * alone. Undefined where there is no Python with pip, or no wheel for it.
 *
 * @param name of the folder
 * @param packages as pip takes them, `name==version`
 */
export function installPythonPackages(name: string, ...packages: readonly string[]): string | undefined {
  const folder = join(import.meta.dirname, "../../../.groundrule/bench", name);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  try {
    mkdirSync(made, { recursive: true });
    const options = ["--quiet", "--only-binary=:all:", "--target", made];
    execFileSync("python3", ["-m", "pip", "install", ...options, ...packages], { stdio: "pipe" });
    renameSync(made, folder);
    return folder;
  } catch {
    rmSync(made, { recursive: true, force: true });
    return undefined;
  }
}
