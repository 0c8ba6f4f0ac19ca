// Builds the command with all it imports into a folder of plain JavaScript, which needs Node and nothing else.
//   node tools/program/build.mjs FOLDER
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ABSENT from "./absent-modules.json" with { type: "json" };
import { buildThirdPartyNotices } from "./notices.mjs";
import { ASSETS, createPlacedModulesPlugin } from "./placed-modules.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files of other packages that are read as files, not imported, with the folder of the package that asks for them. */
const FOREIGN_FILES = [["data", "world-atlas/countries-50m.json"]];

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram(resolve(process.argv[2]));

/**
 * Builds the program into a folder, which is emptied first: `main.js` starts the command. Every module is in one of
 * the files beside it; the files that modules read, and the code of threads, are below, where their sources are
 * in the repository.
 *
 * @param destination the folder
 */
export async function buildProgram(destination) {
  rmSync(destination, { recursive: true, force: true });
  const parts = listShippedParts();
  const workers = parts.flatMap(listFiles).filter((file) => file.endsWith("-worker.ts"));
  const entries = [join(root, "apps/cli/src/main.ts"), ...workers];
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [toEntryName(file), file])),
    cwd: root,
    platform: "node",
    external: ABSENT,
    transform: { target: "es2024" },
    plugins: [createPlacedModulesPlugin(root)],
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.write({
    dir: destination,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  chmodSync(join(destination, "main.js"), 0o755);
  for (const file of workers) writeThreadStub(destination, file);
  for (const file of parts.flatMap(listFiles).filter(isReadAsFile))
    copyToPlace(file, join(destination, toProgramPath(file)));
  placeConsole(destination);
  for (const file of [...listFiles(join(root, "docs/guides")), join(root, "docs/errors.md")])
    copyToPlace(file, join(destination, toProgramPath(file)));
  const foreign = FOREIGN_FILES.map(([asking, name]) => [name, resolveModuleFrom(asking, name)]);
  for (const [name, file] of foreign) copyToPlace(file, join(destination, ASSETS, name));
  const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));
  const manifest = `${JSON.stringify({ name: "groundrule", version, private: true, type: "module" }, undefined, 2)}\n`;
  writeFileSync(join(destination, "package.json"), manifest);
  copyToPlace(join(destination, "package.json"), join(destination, "apps/cli/package.json"));
  copyToPlace(join(root, "LICENSE"), join(destination, "LICENSE"));
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const notices = buildThirdPartyNotices([...modules, ...foreign.map(([, file]) => file)]);
  writeFileSync(join(destination, "THIRD-PARTY-NOTICES.txt"), notices);
}

/** The folders of shipped code and what it reads, of every package that is published. */
function listShippedParts() {
  const folders = [
    ...["packages", "apps"].flatMap((group) =>
      readdirSync(join(root, group)).map((name) => join(root, group, name)),
    ),
    join(root, "data"),
  ];
  return folders.flatMap((folder) => {
    const manifest = readJson(join(folder, "package.json"));
    if (manifest === undefined || manifest.private === true) return [];
    const { include } = readJson(join(folder, "tsconfig.json"));
    // Patterns tell the compiler of JSON in the folders that are named beside them.
    return include.filter((part) => !part.includes("*")).map((part) => join(folder, part));
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function isReadAsFile(file) {
  return !/\.(?:ts|md)$/.test(file);
}

/** Where a file of the repository is in the program. */
function toProgramPath(file) {
  return relative(root, file);
}

function toEntryName(file) {
  return toProgramPath(file) === join("apps", "cli", "src", "main.ts")
    ? "main"
    : toProgramPath(file).replaceAll(/[/\\]/g, "-").slice(0, -".ts".length);
}

/** Code of a thread, where the module that starts it looks for it. */
function writeThreadStub(destination, file) {
  const stub = join(destination, toProgramPath(file).replace(/\.ts$/, ".js"));
  mkdirSync(dirname(stub), { recursive: true });
  const code = relative(dirname(stub), join(destination, `${toEntryName(file)}.js`)).replaceAll("\\", "/");
  writeFileSync(stub, `import "${code}";\n`);
}

function copyToPlace(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
}

/** The web page, built anew where its sources have changed. */
function placeConsole(destination) {
  execFileSync(process.execPath, [join(root, "apps/console/build.ts")], { stdio: "inherit" });
  const built = join(root, "apps/console/dist");
  for (const file of listFiles(built).filter((name) => !basename(name).startsWith("."))) {
    copyToPlace(file, join(destination, toProgramPath(file)));
  }
}

function resolveModuleFrom(folder, name) {
  return createRequire(join(root, folder, "package.json")).resolve(name);
}
