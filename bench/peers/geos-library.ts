import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The release of shapely whose wheel holds GEOS 3.14.1, newer than Linux distributions have. */
const SHAPELY = "2.2.0";

/**
 * Path of libgeos_c of GEOS 3.14.1, out of the wheel of shapely, which pip fetches once into `.groundrule/bench`.
 * Undefined where there is no Python with pip, or no wheel for it: the system's libgeos_c is linked then, and
 * tables name its version.
 */
export function newestGeos(): string | undefined {
  const folder = join(import.meta.dirname, "../../.groundrule/bench", `shapely-${SHAPELY}`);
  if (!existsSync(folder)) {
    const made = `${folder}.${process.pid}`;
    try {
      mkdirSync(made, { recursive: true });
      const options = ["--quiet", "--no-deps", "--only-binary=:all:", "--target", made];
      execFileSync("python3", ["-m", "pip", "install", ...options, `shapely==${SHAPELY}`], { stdio: "pipe" });
      renameSync(made, folder);
    } catch {
      rmSync(made, { recursive: true, force: true });
      return undefined;
    }
  }
  const libraries = join(folder, "shapely.libs");
  const name = existsSync(libraries) && readdirSync(libraries).find((file) => file.startsWith("libgeos_c"));
  return name ? join(libraries, name) : undefined;
}
