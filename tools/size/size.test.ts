import { describe, expect, it } from "vitest";
import { bundleEntry } from "./bundle-entry.ts";

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
