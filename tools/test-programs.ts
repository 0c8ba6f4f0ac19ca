import { randomUUID } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import ABSENT from "./program/absent-modules.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
const OUTPUT = join(ROOT, "node_modules/.cache/test-programs");

const DAY_MS = 86_400_000;

/** The command and the code of every thread, from the root. */
const PROGRAMS = [
  "apps/cli/src/main.ts",
  ...globSync("{apps,packages}/*/src/**/*-worker.ts", { cwd: ROOT, exclude: ["apps/console/**"] }),
];

async function buildPrograms(): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((file) => [toEntryName(file), join(ROOT, file)])),
    cwd: ROOT,
    platform: "node",
    external: ABSENT,
    transform: { target: "es2024" },
    logLevel: "silent",
    plugins: [{ name: "places-of-sources", transform: placeInSources }],
  });
  const { output } = await bundle.generate({ format: "esm", sourcemap: true });
  await bundle.close();
  mkdirSync(OUTPUT, { recursive: true });
  // Tests of another project or run may be starting the same programs: only what is old goes, and only what differs is
  // replaced, at once.
  for (const file of globSync(`${OUTPUT}/*`)) {
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file, { force: true });
  }
  for (const item of output) {
    const text = item.type === "chunk" ? item.code : item.source;
    const file = join(OUTPUT, item.fileName);
    if (existsSync(file) && readFileSync(file, "utf8") === String(text)) continue;
    const making = `${file}.${randomUUID()}`;
    writeFileSync(making, text);
    renameSync(making, file);
  }
}

/**
 * A plugin of the tests: the command and the code of every thread that they start, or modules under test, is a bundle. A
 * process or a thread that loads the same modules one by one takes two to three times the CPU until it begins. The bundles
 * are built once a run, when the first test needs one.
 */
export function createTestProgramsPlugin(): {
  readonly name: string;
  readonly enforce: "pre";
  readonly transform: (code: string, id: string) => Promise<string | undefined>;
} {
  let built: Promise<void> | undefined;
  return {
    name: "test-programs",
    enforce: "pre",
    async transform(code, id) {
      const starting = startBundles(code, id);
      if (starting === undefined) return undefined;
      built ??= buildPrograms();
      await built;
      return starting;
    },
  };
}

/** A module in a bundle finds other files by the place of its source, but for the code of threads. */
function placeInSources(code: string, id: string): string | undefined {
  if (!id.startsWith(ROOT) || id.includes("/node_modules/") || !code.includes("import.meta"))
    return undefined;
  return (startBundles(code, id) ?? code)
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))
    .replaceAll("import.meta.filename", JSON.stringify(id));
}

/** The address of a program, as a module names it that starts it. */
const ADDRESS = /(?<!from )"(\.{1,2}\/[a-z\d./-]*(?:-worker|src\/main)\.ts)"/g;

function startBundles(code: string, id: string): string | undefined {
  if (!id.startsWith(ROOT) || !code.includes("import.meta.url")) return undefined;
  const starting = code.replaceAll(ADDRESS, (address, path: string) => {
    const source = fileURLToPath(new URL(path, pathToFileURL(id))).slice(ROOT.length + 1);
    if (!PROGRAMS.includes(source)) return address;
    return JSON.stringify(pathToFileURL(join(OUTPUT, `${toEntryName(source)}.js`)).href);
  });
  return starting === code ? undefined : starting;
}

function toEntryName(file: string): string {
  return file.replaceAll("/", "-").slice(0, -".ts".length);
}
