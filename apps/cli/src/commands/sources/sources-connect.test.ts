import { readFileSync } from "node:fs";
import { AreaProvider, selectNeededAreas } from "@groundrule/testing/area-provider";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { splitCommandWords } from "../../../test/in-process.ts";
import {
  ADDRESS,
  AREAS,
  LiveFolders,
  MANIFEST,
  omitEditionsAndDigests,
  PLOTS,
  PROVIDER,
} from "../../../test/live-folders.ts";

const folders = new LiveFolders();
beforeAll(() => folders.fill("global"));
beforeEach(() => {
  folders.provider = new AreaProvider(AREAS);
});
afterAll(() => folders.remove());

describe("groundrule sources connect", () => {
  it("keeps the name of the variable, lists the source, and takes it out again", async () => {
    const catalog = readFileSync(folders.at("live/catalog.json"), "utf8");
    expect(JSON.parse(catalog).live).toMatchObject([{ provider: PROVIDER }]);
    const { lines } = await folders.live("sources", "list");
    expect(lines).toMatchObject([{ source_name: "live:parks", live: true, coverage: { extent: "global" } }]);
    folders.write("other.json", { ...MANIFEST, source_name: "live:other", provider: PROVIDER });
    expect(
      (await folders.live("sources", "connect", "--manifest", folders.at("other.json"), "--no-check")).code,
    ).toBe(0);
    expect((await folders.live("sources", "list")).lines).toHaveLength(2);
    expect((await folders.live("sources", "disconnect", "live:other")).code).toBe(0);
    expect((await folders.live("sources", "disconnect", "live:other")).code).toBe(3);
  });

  it.each([
    ["no provider", { provider: undefined }, 'has no "provider"'],
    ["no columns", { columns: undefined }, 'has no "columns"'],
    ["no id", { id: undefined }, 'has no "id"'],
    [
      "a register",
      { kind: "subject_register", value: "v", scheme: "a:b", coverage: undefined },
      "kind subject_register",
    ],
    ["a typo", { provider: { ...PROVIDER, tabel: "x" } }, '"tabel"'],
    ["no address", { provider: { ...PROVIDER, connection: "mysql://u:hunter2@h/d" } }, "neither"],
  ])("refuses a manifest with %s", async (_, change, message) => {
    folders.write("bad.json", { ...MANIFEST, provider: PROVIDER, ...change });
    const { code, err } = await folders.live(
      ...splitCommandWords`sources connect --manifest ${folders.at("bad.json")} --no-check`,
    );
    expect(code).toBe(3);
    expect(err).toContain(message);
    expect(err).not.toContain("hunter2");
  });

  it("reports why the table cannot be queried, without the password, and connects nothing", async () => {
    folders.write("bad.json", {
      ...MANIFEST,
      source_name: "live:bad",
      provider: { ...PROVIDER, connection: ADDRESS },
    });
    const { code, err } = await folders.live("sources", "connect", "--manifest", folders.at("bad.json"));
    expect(code).toBe(4);
    expect(err).toContain("PROVIDER_UNAVAILABLE");
    expect(err).not.toContain("hunter2");
    const warned = await folders.live(
      ...splitCommandWords`sources connect --manifest ${folders.at("bad.json")} --no-check`,
    );
    expect(warned.err).toContain("warning: the manifest contains a password");
    expect(warned.err).not.toContain("hunter2");
    expect((await folders.live("sources", "disconnect", "live:bad")).code).toBe(0);
  });

  it("refuses the name of a source that has editions", async () => {
    const manifest = folders.at("live.json");
    const { code, err } = await folders.stored("sources", "connect", "--manifest", manifest, "--no-check");
    expect(code).toBe(3);
    expect(err).toContain("SOURCE_NAME_CLASH");
  });
});

describe("the commands over a live source", () => {
  const NOW = ["--now", "2026-11-01T00:00:00Z"];

  it.each([
    ["evaluate", ["--ruleset"]],
    ["intersections", []],
    ["distance", ["--max-distance-m", "25000"]],
  ])("answer as over its snapshot: %s", async (command, options) => {
    const args = [
      command,
      ...options,
      ...(options.at(-1) === "--ruleset" ? [folders.at("rules.json")] : []),
      ...NOW,
    ];
    const expected = await folders.stored(...args);
    const found = await folders.live(...args);
    expect(found.err).toBe(expected.err);
    expect(found.lines).toHaveLength(PLOTS.length);
    expect(omitEditionsAndDigests(found.lines)).toEqual(omitEditionsAndDigests(expected.lines));
    expect(folders.provider.queries).toHaveLength(PLOTS.length);
    expect(folders.provider.isClosed).toBe(true);
  });

  it("degrade the plots that their source fails for, and no other", async () => {
    let queries = 0;
    const needed = folders.provider.queries;
    folders.provider.fault = async () =>
      ++queries % 3 === 0
        ? { failed: `lost the connection to ${ADDRESS}` }
        : { candidates: selectNeededAreas(AREAS, needed.at(-1)!) };
    const { lines } = await folders.live("evaluate", "--ruleset", folders.at("rules.json"), ...NOW);
    const verdicts = lines.map(({ verdict }) => (verdict as { verdict: string }).verdict);
    expect(verdicts.filter((verdict) => verdict === "DEGRADED")).toHaveLength(PLOTS.length / 3);
  });

  it("write records that replay without the database", async () => {
    const path = folders.at("records.ndjson");
    await folders.live("evaluate", "--ruleset", folders.at("rules.json"), "--record", path, ...NOW);
    folders.provider.fault = async () => ({ failed: "there is no database" });
    const queries = folders.provider.queries.length;
    const { code, lines } = await folders.live("replay", path);
    expect(lines.map(({ result }) => result)).toEqual(PLOTS.map(() => "identical"));
    expect(code).toBe(0);
    expect(folders.provider.queries).toHaveLength(queries);
  });

  it("explain which sources are queried live", async () => {
    const { lines } = await folders.live("explain", "--ruleset", folders.at("rules.json"));
    expect(lines[0]).toMatchObject({ plan: { sources: [{ live: true, status: "ok" }] } });
    expect(folders.provider.queries).toEqual([]);
  });
});
