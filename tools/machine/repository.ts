import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder of this checkout. */
export const REPOSITORY: string = join(import.meta.dirname, "../..");

/**
 * Files as they are now, relative to the folder, without those that git ignores.
 *
 * @param patterns git's own, such as `*.md`; by default every file
 */
export function listRepositoryFiles(patterns: readonly string[] = [], folder: string = REPOSITORY): string[] {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...patterns];
  const files = execFileSync("git", listing, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
  return files.split("\0").filter((file) => file !== "" && existsSync(join(folder, file)));
}
