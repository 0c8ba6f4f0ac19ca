import { describe, expect, it } from "vitest";
import { bundleEntry } from "./bundle-entry.ts";
import { CONSOLE_BUILD, consoleParts } from "./console-parts.ts";

/** Bytes of the entry that opens, asks, compiles and evaluates, minified and gzipped. */
const BUDGET = 122_000;

describe("the engine's first entry point, bundled for a browser", () => {
  it("is at most 122 kB, and has in it nothing that builds, lints, records or converts", async () => {
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

  it.each([
    ["rulesets", /snapshot\/write|records\//],
    ["records", /snapshot\/write|ruleset\/lint/],
    ["json", /geometry|snapshot|ruleset/],
  ])("leaves the rest to the others: %s", async (entry, others) => {
    const { modules } = await bundleEntry(`packages/engine/src/${entry}.ts`);
    expect(modules.filter((path) => others.test(path))).toEqual([]);
  });
});

describe("the console", () => {
  const parts = new Map(consoleParts(CONSOLE_BUILD).map((part) => [part.name, part]));

  it("is at most 600 kB without the library of its map and its workers, and starts with less than half of it", () => {
    const [first, later] = [parts.get("at once")!, parts.get("when asked for")!];
    expect(first.gzipped + later.gzipped).toBeLessThanOrEqual(600_000);
    expect(first.gzipped).toBeLessThanOrEqual(300_000);
    expect(first.files.some((name) => name.startsWith("index-") && name.endsWith(".js"))).toBe(true);
    for (const name of ["editor-", "report-of-", "portfolio-"]) {
      expect(later.files.filter((file) => file.startsWith(name))).toHaveLength(1);
    }
  });

  it("loads the engine and the readers of files in workers of their own, each by need", () => {
    expect(parts.get("map library")!.files.length).toBeGreaterThanOrEqual(3);
    expect(parts.get("worker that reads files")!.gzipped).toBeLessThanOrEqual(300_000);
    expect(parts.get("worker that answers here")!.gzipped).toBeLessThanOrEqual(400_000);
    const wasm = [...parts.values()].filter(({ files }) => files.some((file) => file.endsWith(".wasm")));
    expect(wasm.map(({ name }) => name)).toEqual(["readers of formats, by need"]);
  });
});
