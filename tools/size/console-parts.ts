import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Where `apps/console/build.ts` writes the page. */
export const CONSOLE_BUILD: string = join(import.meta.dirname, "../../apps/console/dist");

/** Files of the built page that load together. */
export interface ConsolePart {
  readonly name: string;
  /** Those that no part before this one has. */
  readonly files: readonly string[];
  /** Bytes of these, each file gzipped at level 9. */
  readonly gzipped: number;
  /** The same of everything that loads with this part, also what a part before it has; without the library of the map. */
  readonly inAll: number;
  /** True for code and styles of ours: not the library of the map, data, or SQLite. */
  readonly isOurs: boolean;
}

const STATIC = /(?:from|import)\s*["']\.\/([\w.-]+)["']/g;
const DYNAMIC = /import\([`"']\.\/([\w.-]+)[`"']\)/g;
/** Styles that a part links which is loaded later. */
const STYLE = /new URL\(["'`]([\w.-]+\.css)["'`],\s*import\.meta\.url/g;
const WORKER = /new Worker\(new URL\(`([\w.-]+\.js)`,\s*import\.meta\.url/g;
const WASM = /new URL\(`([\w.-]+\.wasm)`,\s*import\.meta\.url/g;
/** Data beside the page, packed as they stand. */
const DATA = { "borders of countries": "borders.gz", presets: "presets.gz" };

/**
 * The built page by what makes it load, in the order in which the parts are given: page and workers share files, and a
 * file is counted in the first part that loads it.
 *
 * Fails: where a script, a style or a module of WebAssembly is in no part.
 *
 * @param folder e.g. {@link CONSOLE_BUILD}
 */
export function measureConsoleParts(folder: string): readonly ConsolePart[] {
  const names = globSync("assets/*.{js,mjs,css,wasm}", { cwd: folder }).map((path) =>
    path.slice("assets/".length),
  );
  const bytes = new Map(names.map((name) => [name, readFileSync(join(folder, "assets", name))]));
  const texts = new Map([...bytes].map(([name, content]) => [name, content.toString("latin1")]));
  const found = (name: string, pattern: RegExp): string[] =>
    [...texts.get(name)!.matchAll(pattern)].map(([, file]) => file!).filter((file) => texts.has(file));
  /** Files and all that they lead to. */
  const together = (starts: readonly string[], ...patterns: readonly RegExp[]): string[] => {
    const all = new Set(starts);
    for (const name of all) for (const file of patterns.flatMap((each) => found(name, each))) all.add(file);
    return [...all];
  };

  const html = readFileSync(join(folder, "index.html"), "utf8");
  const first = names.filter((name) => html.includes(`assets/${name}`));
  const page = together(first, STATIC, DYNAMIC, STYLE);
  const workers = page.flatMap((name) => found(name, WORKER));
  const worker = (name: string): string[] => workers.filter((file) => file.startsWith(`${name}-`));
  const library = names.filter((name) => name.startsWith("maplibre-gl"));
  const groups: [name: string, files: readonly string[]][] = [
    [MAP_LIBRARY, library],
    ["at once", together(first, STATIC)],
    ["when asked for", page],
    ["worker that reads files", together(worker("read-worker"), STATIC)],
    ["worker that checks plots", together(worker("check-worker"), STATIC, DYNAMIC)],
    ["worker that answers here", together(worker("worker"), STATIC, DYNAMIC)],
    ["worker that runs tests of rulesets", together(worker("tests-worker"), STATIC, DYNAMIC)],
    ["readers of formats, by need", together(worker("read-worker"), STATIC, DYNAMIC)],
    [SQLITE, together(worker("read-worker"), STATIC, DYNAMIC, WASM).filter((name) => name.endsWith(".wasm"))],
  ];

  const packed = new Map([...bytes].map(([name, content]) => [name, gzipSync(content, { level: 9 }).length]));
  const sum = (files: readonly string[]): number => files.reduce((all, file) => all + packed.get(file)!, 0);
  const counted = new Set<string>();
  const parts = groups.map(([name, files]): ConsolePart => {
    const own = files.filter((file) => !counted.has(file));
    for (const file of own) counted.add(file);
    const inAll = sum(name === MAP_LIBRARY ? files : files.filter((file) => !library.includes(file)));
    const isOurs = name !== MAP_LIBRARY && name !== SQLITE;
    return { name, files: own, gzipped: sum(own), inAll, isOurs };
  });
  const uncounted = names.filter((name) => !counted.has(name));
  if (uncounted.length > 0) throw new Error(`nothing loads ${uncounted.join(", ")}`);
  const data = Object.entries(DATA).map(([name, file]): ConsolePart => {
    const { length } = readFileSync(join(folder, file));
    return { name, files: [file], gzipped: length, inAll: length, isOurs: false };
  });
  return [...parts, ...data];
}

const MAP_LIBRARY = "library of the map";
const SQLITE = "SQLite, with the first GeoPackage";

/** Bytes of all that is ours, gzipped: everything that the page and its workers can ever load. */
export function sumOwnBytes(parts: readonly ConsolePart[]): number {
  return parts.filter(({ isOurs }) => isOurs).reduce((all, { gzipped }) => all + gzipped, 0);
}
