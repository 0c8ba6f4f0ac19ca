import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundleFile } from "./bundle-file.ts";

/** The running program, as files of a bundle. */
export interface ProgramFiles {
  readonly files: readonly BundleFile[];
  /** Removes files that were created only for the bundle. */
  discard(): Promise<void>;
}

/** The root folder of the program, in its sources and as built. */
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * The files of the program. If this runs from its sources, they are built anew, so that they are never out of date.
 *
 * Fails: if building or reading them does.
 */
export async function collectProgramFiles(): Promise<ProgramFiles> {
  if (!import.meta.url.endsWith(".ts")) return { files: listBundleFiles(ROOT), discard: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "groundrule-program-"));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    await buildProgram(folder);
    return { files: listBundleFiles(folder), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function buildProgram(folder: string): Promise<void> {
  const script = join(ROOT, "tools/program/build.mjs");
  // The build's output is for people, and standard output belongs to the command.
  const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}`);
}

function listBundleFiles(folder: string): BundleFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: `program/${relative(folder, file).replaceAll(sep, "/")}`,
      from: { file },
    }));
}
