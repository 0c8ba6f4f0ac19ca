import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const REQUIREMENTS = join(import.meta.dirname, "requirements.txt");

/** A Python with everything that the tests need; or, in words, what this machine lacks for one. */
export function findPython(): { readonly python: string } | { readonly missing: string } {
  const system = process.env.GROUNDRULE_PYTHON ?? "python3";
  const version = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else "too old")';
  if (spawnSync(system, ["-c", version]).status !== 0) return { missing: "Python 3.10 with venv" };
  const java = spawnSync("java", ["-version"], { encoding: "utf8" });
  const release = /version "([0-9]+)/.exec(`${java.stdout}${java.stderr}`)?.[1];
  if (java.status !== 0 || Number(release) < 17) return { missing: "Java 17" };
  return venvOf(system);
}

/** A virtual environment that lasts for as long as its requirements do. */
function venvOf(system: string): { readonly python: string } | { readonly missing: string } {
  const digest = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex").slice(0, 12);
  const folder = join(ROOT, "node_modules/.cache/groundrule-spark", digest);
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const done = join(folder, "complete");
  if (existsSync(done)) return { python };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const steps = [
    [system, "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS],
  ] as const;
  for (const [program, ...args] of steps) {
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
    if (status !== 0) return { missing: `PyPI (${stderr.trim().split("\n").at(-1)})` };
  }
  writeFileSync(done, "");
  return { python };
}
