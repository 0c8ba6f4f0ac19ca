/**
 * Packs every published package and prints the lines that install them: the command first, then each library with
 * those it needs, because none of them can be asked of a registry.
 *   npm run -s packages [-- FOLDER]
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { listNeededTarballs } from "./needed-tarballs.ts";
import { packPublishedPackages } from "./pack.ts";

const folder = resolve(
  process.env.INIT_CWD ?? ".",
  process.argv[2] ?? join(import.meta.dirname, "../../dist/packages"),
);
mkdirSync(folder, { recursive: true });
const packages = await packPublishedPackages(folder);
const isProgram = (bin: unknown): boolean => bin !== undefined;
const programs = packages.filter(({ manifest }) => isProgram(manifest.bin));
const libraries = packages.filter(({ manifest }) => !isProgram(manifest.bin));
for (const { name, tarball } of programs) console.log(`# ${name}\nnpm install --global '${tarball}'`);
for (const { name } of libraries) {
  const tarballs = listNeededTarballs(packages, [name]).map((tarball) => `'${tarball}'`);
  console.log(`# ${name}\nnpm install ${tarballs.join(" ")}`);
}
