import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node that the packages promise, and the one between it and the pinned one. */
export const OTHER_NODES: readonly string[] = ["22.13.0", "24.11.0"];

const cache = join(import.meta.dirname, "../node_modules/.cache/groundrule");

/** The program of a Node release, from the npm package `node`; kept for the next run. */
export function nodeOf(version: string): string {
  return programOf("node", version);
}

/**
 * A program from the npm package of its name; kept for the next run.
 *
 * Fails: where npm cannot install it, as on a platform that it is not built for.
 */
export function programOf(name: string, version: string): string {
  const folder = join(cache, `${name}-${version}`);
  const program = join(folder, "node_modules/.bin", name);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true })}\n`);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", `${name}@${version}`], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return program;
}
