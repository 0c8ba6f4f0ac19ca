import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Why a Python with some packages is not there. */
export class PythonMissing extends Error {}

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/groundrule-python");

/**
 * Programs of a virtual environment with packages, which is made once.
 *
 * @param requirements packages in one version each, as pip takes them
 * @param oldest minor version of Python 3
 * @param folder where it lies; by default, where the next run finds it
 * @returns gives the path of a program, such as `python`
 *
 * Fails: {@link PythonMissing} where there is no such Python, or its package index does not answer.
 */
export function installPython(
  requirements: readonly string[],
  oldest: number,
  folder: string = join(CACHE, createHash("sha256").update(requirements.join()).digest("hex").slice(0, 12)),
): (program: string) => string {
  const bin = (program: string) => join(folder, process.platform === "win32" ? "Scripts" : "bin", program);
  const done = join(folder, "complete");
  if (existsSync(done)) return bin;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const attempt = (missing: string, program: string, ...args: readonly string[]) => {
    try {
      execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      throw new PythonMissing(`${missing} (${(stderr || message).trim().split("\n").at(-1)})`);
    }
  };
  const system = process.env.GROUNDRULE_PYTHON ?? "python3";
  const version = `import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, ${oldest}) else "too old")`;
  attempt(`Python 3.${oldest} with venv`, system, "-c", version);
  attempt("venv", system, "-m", "venv", folder);
  attempt("PyPI", bin("pip"), "install", "--quiet", "--disable-pip-version-check", ...requirements);
  writeFileSync(done, "");
  return bin;
}
