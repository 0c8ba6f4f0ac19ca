import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleEntry } from "./bundle-entry.ts";
import { CONSOLE_BUILD, measureConsoleParts, sumOwnBytes } from "./console-parts.ts";

/** Bytes of the entry that opens, asks, compiles and evaluates, minified and gzipped. */
const BUDGET = 159_000;

describe("the engine's first entry point, bundled for a browser", () => {
  it("is at most 159 kB, and has in it nothing that builds, lints, records or converts", async () => {
    const { gzipped, modules } = await bundleEntry("packages/engine/src/index.ts");
    expect(gzipped).toBeLessThanOrEqual(BUDGET);
    const foreign = modules.flatMap(
      (path) => /node_modules\/(?:\.pnpm\/)?.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    expect([...new Set(foreign)].sort()).toEqual(["flatbush", "flatqueue"]);
    expect(
      modules.filter((path) => /\/(?:write|records|crs|lint[^/]*)\/|lint|writer|json-schema/.test(path)),
    ).toEqual([]);
  });

  it("leaves measuring to the engine that authors of rulesets open: theirs is at most 46 kB", async () => {
    const { gzipped, modules } = await bundleEntry("packages/engine/src/rulesets.ts");
    expect(gzipped).toBeLessThanOrEqual(46_000);
    const measuring =
      /geometry\/(?:noding|plot|overlap|distance|kernel)|snapshot\/(?:read|write)|node_modules|records\//;
    expect(modules.filter((path) => measuring.test(path))).toEqual([]);
  });

  it.each([
    ["records", /snapshot\/write|ruleset\/lint/],
    ["json", /geometry|snapshot|ruleset/],
  ])("leaves the rest to the others: %s", async (entry, others) => {
    const { modules } = await bundleEntry(`packages/engine/src/${entry}.ts`);
    expect(modules.filter((path) => others.test(path))).toEqual([]);
  });
});

describe("the console", () => {
  const all = measureConsoleParts(CONSOLE_BUILD);
  const parts = new Map(all.map((part) => [part.name, part]));
  const budget = (name: string): number => parts.get(name)!.inAll;

  it("is at most 1039 kB with all that it can ever load, each file gzipped once: page, styles, workers and readers of formats, without the library of its map, the borders of countries, the presets and SQLite's WebAssembly", () => {
    expect(sumOwnBytes(all)).toBeLessThanOrEqual(1_039_000);
    const others = all.flatMap(({ isOurs, files }) => (isOurs ? [] : files));
    expect(others.map((name) => name.replace(/-.*\./, ".")).toSorted()).toEqual([
      "borders.gz",
      "maplibre.css",
      "maplibre.js",
      "maplibre.mjs",
      "presets.gz",
      "sql.wasm",
    ]);
  });

  it("is at most 549 kB without its workers and the library of its map", () => {
    expect(budget("when asked for")).toBeLessThanOrEqual(549_000);
  });

  it("has every version of every preset in a file of at most 17 kB, which is fetched where files are opened", () => {
    expect(budget("presets")).toBeLessThanOrEqual(17_000);
  });

  it("starts with at most 145 kB beside the library of its map, in at most five files", () => {
    const first = parts.get("at once")!;
    expect(first.gzipped).toBeLessThanOrEqual(145_000);
    expect(first.files.length).toBeLessThanOrEqual(5);
    expect(first.files.some((name) => name.startsWith("index-") && name.endsWith(".js"))).toBe(true);
    const later = parts.get("when asked for")!;
    for (const name of ["editor-", "plot-drawing-", "report-of-", "portfolio-"]) {
      expect(later.files.filter((file) => file.startsWith(name))).toHaveLength(1);
    }
  });

  it.each([
    ["worker that reads files", 56_600],
    ["worker that checks plots", 177_000],
    ["worker that answers here", 320_000],
    ["worker that runs tests of rulesets", 268_500],
  ])("loads in the %s at most %i bytes, gzipped, with what it shares", (name, bytes) => {
    expect(budget(name)).toBeLessThanOrEqual(bytes);
  });

  it.each([
    ["the engine's kernel", "an edge was halved more often than its length allows"],
    ["the reading of plots", "the ring has fewer than three distinct positions"],
    ["reference systems", "+proj=somerc"],
    ["borders", "the borders were used before they were ready"],
    ["zlib", "incorrect header check"],
  ])("has %s in one file, which page and workers share", (_, text) => {
    const files = globSync("assets/*.js", { cwd: CONSOLE_BUILD });
    expect(
      files.filter((file) => readFileSync(join(CONSOLE_BUILD, file), "utf8").includes(text)),
    ).toHaveLength(1);
  });

  it("loads by need alone what reads one format: Brotli's dictionary, SQLite, tables, archives, names of systems, and at most 277 kB in all", () => {
    const readers = parts.get("readers of formats, by need")!;
    expect(readers.inAll).toBeLessThanOrEqual(277_000);
    for (const name of ["tables-", "zip-", "inflate-", "read-found-object-", "crs-of-"]) {
      expect(readers.files.filter((file) => file.startsWith(name))).toHaveLength(1);
    }
    expect(readers.files.filter((name) => /^(?:brotli|sql-wasm)/.test(name))).toHaveLength(2);
  });
});
