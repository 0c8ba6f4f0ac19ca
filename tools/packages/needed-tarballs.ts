import type { PackedPackage } from "./pack.ts";

/**
 * The tarballs of packages and of all of ours that these depend on, which `npm install` is given in one line.
 *
 * Fails: for a name of none of them.
 */
export function listNeededTarballs(packages: readonly PackedPackage[], names: readonly string[]): string[] {
  const unknown = names.filter((name) => !packages.some((packed) => packed.name === name));
  if (unknown.length > 0) throw new Error(`no package is called ${unknown.join(", ")}`);
  const needed = new Set(names);
  // A set is walked to the end of what is added to it meanwhile.
  for (const name of needed) {
    const found = packages.find((packed) => packed.name === name);
    for (const dependency of Object.keys(found?.manifest.dependencies ?? {})) {
      if (packages.some((packed) => packed.name === dependency)) needed.add(dependency);
    }
  }
  return packages.filter(({ name }) => needed.has(name)).map(({ tarball }) => tarball);
}
