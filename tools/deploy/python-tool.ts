import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./manifests.ts";

/** Why a tool of Python is not there. */
export class ToolMissing extends Error {
  override readonly name = "ToolMissing";
}

/**
 * The path of a program of a Python package, installed once into a folder of its own below `node_modules/.cache`.
 *
 * Fails: {@link ToolMissing} where there is no Python, or its package index does not answer.
 */
export function installPythonTool(name: string, version: string): string {
  const folder = join(REPOSITORY, "node_modules/.cache", `${name}-${version}`);
  const program = join(folder, "bin", name);
  if (existsSync(program)) return program;
  const attempt = (command: string, args: readonly string[], missing: string) => {
    try {
      execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], timeout: 300_000 });
    } catch (error) {
      const { stderr } = error as { stderr?: Buffer };
      throw new ToolMissing(
        `${missing}: ${String(stderr ?? (error as Error).message)
          .trim()
          .split("\n")
          .at(-1)}`,
      );
    }
  };
  attempt("python3", ["-m", "venv", folder], "there is no Python with venv");
  attempt(
    join(folder, "bin/pip"),
    ["install", "--quiet", "--disable-pip-version-check", `${name}==${version}`],
    `Python's package index does not give ${name} ${version}`,
  );
  return program;
}
