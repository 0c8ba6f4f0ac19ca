import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pythonPackages } from "@groundrule/testing/python-packages";

/** The release of shapely whose wheel holds GEOS 3.14.1, newer than Linux distributions have. */
const SHAPELY = "2.2.0";

/**
 * Path of libgeos_c of GEOS 3.14.1, out of the wheel of shapely. Undefined where {@link pythonPackages} finds none: the
 * system's libgeos_c is linked then, and tables name its version.
 */
export function newestGeos(): string | undefined {
  const folder = pythonPackages(`shapely-${SHAPELY}`, `shapely==${SHAPELY}`);
  if (folder === undefined) return undefined;
  const libraries = join(folder, "shapely.libs");
  const name = existsSync(libraries) && readdirSync(libraries).find((file) => file.startsWith("libgeos_c"));
  return name ? join(libraries, name) : undefined;
}
