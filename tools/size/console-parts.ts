import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Where `apps/console/build.ts` writes the page. */
export const CONSOLE_BUILD: string = join(import.meta.dirname, "../../apps/console/dist");

/** Files of the built page that load together. */
export interface ConsolePart {
  readonly name: string;
  readonly files: readonly string[];
  /** Bytes, each file gzipped at level 9. */
  readonly gzipped: number;
}

const AT_ONCE = /(?:from|import)\s*["']\.\/([\w.-]+)["']/g;
const LATER = /import\([`"']\.\/([\w.-]+)[`"']\)/g;
const WORKERS = /new URL\(`([\w.-]+\.js)`,\s*import\.meta\.url/g;

/**
 * The built page by what makes it load: each file is counted in the first part that has it. The library of the map is a
 * part of its own, and so is what a worker loads: the page asks for it when files are opened.
 *
 * @param folder e.g. {@link CONSOLE_BUILD}
 */
export function consoleParts(folder: string): readonly ConsolePart[] {
  const names = globSync("assets/*.{js,mjs,css,wasm}", { cwd: folder }).map((path) =>
    path.slice("assets/".length),
  );
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, "assets", name), "latin1")]));
  const found = (name: string, pattern: RegExp): string[] =>
    [...texts.get(name)!.matchAll(pattern)].map(([, file]) => file!).filter((file) => texts.has(file));
  const together = (starts: readonly string[], patterns: readonly RegExp[]): string[] => {
    const all = new Set(starts);
    for (const name of all) for (const file of patterns.flatMap((each) => found(name, each))) all.add(file);
    return [...all];
  };

  const page = readFileSync(join(folder, "index.html"), "utf8");
  const first = names.filter((name) => page.includes(`assets/${name}`));
  const whole = together(first, [AT_ONCE, LATER]);
  const workers = whole.flatMap((name) => found(name, WORKERS));
  const groups: [string, readonly string[]][] = [
    ["map library", names.filter((name) => name.startsWith("maplibre-gl"))],
    ["at once", together(first, [AT_ONCE])],
    ["when asked for", whole],
    [
      "worker that reads files",
      together(
        workers.filter((name) => name.startsWith("read-worker")),
        [AT_ONCE],
      ),
    ],
    [
      "worker that answers here",
      together(
        workers.filter((name) => name.startsWith("worker")),
        [AT_ONCE, LATER],
      ),
    ],
    ["worker that runs tests of rulesets", workers.filter((name) => name.startsWith("tests-worker"))],
    ["readers of formats, by need", names],
  ];
  const counted = new Set<string>();
  return groups.map(([name, files]) => {
    const own = files.filter((file) => !counted.has(file));
    for (const file of own) counted.add(file);
    const sizes = own.map(
      (file) => gzipSync(readFileSync(join(folder, "assets", file)), { level: 9 }).length,
    );
    return { name, files: own, gzipped: sizes.reduce((sum, size) => sum + size, 0) };
  });
}
