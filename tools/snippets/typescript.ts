import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { REPOSITORY } from "../machine/repository.ts";

/** A program made of a page's fences. */
export interface Program {
  readonly file: string;
  /** True if it runs; otherwise only its types are checked. */
  readonly runs: boolean;
}

/** Output of one program, or the error that it threw. */
export interface Outcome {
  readonly printed: readonly string[];
  readonly thrown?: string;
}

/**
 * Makes a folder where programs find this workspace's packages by name, as if they were installed.
 *
 * @param libraries other packages that programs may import, and the workspace package that has each
 */
export function linkPackages(folder: string, libraries: Readonly<Record<string, string>>): void {
  const link = (name: string, target: string): void => {
    const path = join(folder, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "dir");
  };
  for (const manifest of globSync("{packages,apps,data}{/*,}/package.json", { cwd: REPOSITORY })) {
    if (manifest.includes("node_modules")) continue;
    const { name } = JSON.parse(readFileSync(join(REPOSITORY, manifest), "utf8"));
    link(name, join(REPOSITORY, dirname(manifest)));
  }
  for (const [name, owner] of Object.entries(libraries))
    link(name, join(REPOSITORY, owner, "node_modules", name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
}

/** Errors of the compiler in programs; empty if there are none. */
export async function checkProgramTypes(folder: string, programs: readonly Program[]): Promise<string> {
  const config = {
    compilerOptions: {
      target: "es2024",
      lib: ["es2024", "dom", "dom.iterable"],
      module: "nodenext",
      types: ["node"],
      strict: true,
      allowJs: true, // read for the sake of those that import them; their types are not checked
      noUncheckedIndexedAccess: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    },
    files: programs.map(({ file }) => file),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(REPOSITORY, "node_modules/.bin/tsc");
  const { out } = await runProgram(tsc, ["-p", folder, "--pretty", "false"], folder);
  return out;
}

/** Runs programs one after the other in a process of their own, in the folder; `env` comes on top of its own. */
export async function runPrograms(
  folder: string,
  programs: readonly Program[],
  env: Readonly<Record<string, string>> = {},
): Promise<Map<string, Outcome>> {
  const files = programs.filter(({ runs }) => runs).map(({ file }) => file);
  const runner = fileURLToPath(new URL("run-programs.ts", import.meta.url));
  const { out, err } = await runProgram(process.execPath, [runner, ...files], folder, env);
  const last = out.trimEnd().split("\n").at(-1)!;
  if (!last.startsWith("[")) throw new Error(`the programs did not come to an end\n${out}${err}`);
  return new Map(JSON.parse(last));
}

async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ out: string; err: string }> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err };
}
