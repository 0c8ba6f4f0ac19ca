// Builds packages anew, by default the one in whose folder this is run, as `prepack` does: `dist` is emptied
// first, so that nothing is packed whose source is gone, beside the code come the files that it reads and
// the types that it names, and entries that need Node say so on one that is too old.
//   node tools/packages/build.mjs [FOLDER…]
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram } from "../program/build.mjs";
import { readTypesWithDocstrings } from "./add-docstrings.mjs";
import { bundlePackage } from "./bundle.mjs";
import { guardPackageEntries } from "./guard-entries.mjs";
import { gatherTypes, rollUpTypes } from "./roll-types.mjs";

/** The command: it is packed with all that it imports. */
const PROGRAM = "cli";

/** Packages that programs load at every start, and in which no module finds files by its own folder. */
const BUNDLED = ["engine", "crs", "ingest", "node"];

/** Where a package that depends on no other holds the types of others that it names. */
const GATHERED_TYPES = { client: "wire/answers.d.ts" };

/** Documents that a package serves, and where in it. */
const SERVED = { api: ["docs/errors.md", "http/docs/errors.md"] };

/** Packages with members that say what they mean beside their shapes. */
const DESCRIBING = ["engine", "contract"];

const root = fileURLToPath(new URL("../..", import.meta.url));
const args = process.argv.slice(2);
const folders = args.length === 0 ? [process.cwd()] : args;
const projects = folders.map((folder) => {
  const { compilerOptions, include } = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"));
  // Patterns tell the compiler of JSON in the folders that are named beside them.
  return {
    folder,
    include: include.filter((part) => !part.includes("*")),
    rootDir: compilerOptions.rootDir,
    outDir: compilerOptions.outDir,
  };
});

for (const { folder, outDir } of projects) rmSync(join(folder, outDir), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", ...folders], {
  stdio: "inherit",
});
for (const { folder, include, rootDir, outDir } of projects) {
  if (basename(folder) === PROGRAM) {
    await buildProgram(join(folder, outDir));
    continue;
  }
  if (BUNDLED.includes(basename(folder))) await bundlePackage(folder, outDir, rootDir);
  if (DESCRIBING.includes(basename(folder))) {
    for (const path of readdirSync(join(folder, outDir), { recursive: true })) {
      const file = join(folder, outDir, path);
      if (path.endsWith(".d.ts")) writeFileSync(file, readTypesWithDocstrings(file));
    }
  }
  const typesFile = GATHERED_TYPES[basename(folder)];
  if (typesFile !== undefined) {
    const file = join(folder, outDir, typesFile);
    gatherTypes(join(folder, outDir), file);
    rollUpTypes(file);
    // The compiler then writes all of its files anew when it next builds the project; otherwise it would keep some of these.
    rmSync(join(folder, outDir, ".tsbuildinfo"), { force: true });
  }
  const [document, place] = SERVED[basename(folder)] ?? [];
  if (document !== undefined) cpSync(join(root, document), join(folder, outDir, place));
  for (const part of include) {
    for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.(?:ts|md)$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      cpSync(file, join(folder, outDir, relative(join(folder, rootDir), file)));
    }
  }
}
for (const { folder } of projects) if (basename(folder) !== PROGRAM) guardPackageEntries(folder);
