import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { connectLiveSource, installEdition, openData, setGroup } from "@groundrule/node";
import { formatEditionPath } from "@groundrule/node/internal";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createBoxSource, createRegisterFile } from "@groundrule/testing/small-sources";
import { createSquarePlot } from "@groundrule/testing/small-world";
import { beforeEach, describe, expect, it } from "vitest";
import { readFileContent } from "./bundle-file.ts";
import { collectPinnedData, type PinnedData } from "./pinned-data.ts";

const NOW = "2026-11-22T00:00:00Z";
const RULESET = {
  name: "policy",
  sets: {
    parks: { sources: ["demo:parks", "nature"] },
    listed: { registers: ["demo:list"] },
    near: { intersection: ["parks", "parks"] },
  },
  checks: [
    { id: "park", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" },
    { id: "near", set: "near", outcome: "NOTICE" },
  ],
};

const { at } = createFolderForEach();
let editions: Record<string, string>;
beforeEach(async () => {
  editions = {};
  const boxes = { a: [0, 0, 0.1, 0.1] };
  const notes = { left_out: 0, built_at: "2026-11-01T00:00:00Z" };
  for (const file of [
    createBoxSource("demo:parks", boxes),
    createBoxSource("demo:lands", boxes),
    createBoxSource("demo:mines", boxes),
    createRegisterFile("demo:list", ["12-3456789"]),
  ]) {
    // An edition may lack notes of its build.
    const isOld = file.meta.manifest.source_name === "demo:lands";
    const { meta } = await installEdition(at(), file, isOld ? undefined : notes);
    editions[meta.manifest.source_name] = meta.edition;
  }
  await setGroup(at(), "nature", ["demo:lands", "demo:parks"]);
  await setGroup(at(), "everything", ["demo:lands", "demo:mines", "demo:parks"]);
});

/** Unpacks the data folder of a bundle. */
async function unpackData({ files }: PinnedData): Promise<string> {
  const folder = at("unpacked");
  for (const file of files) {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await buffer(readFileContent(file)));
  }
  return join(folder, "data");
}

describe("pinnedData", () => {
  it("holds the sources that the ruleset names, by themselves and in groups, and no other", async () => {
    const pinned = collectPinnedData(at(), RULESET, NOW);
    const names = ["demo:lands", "demo:list", "demo:parks"];
    expect(pinned.editions).toEqual(names.map((name) => ({ source_name: name, edition: editions[name] })));
    const data = openData(await unpackData(pinned));
    expect([...data.editions.keys()]).toEqual(names);
    expect(data.failures()).toEqual([]);
    const { editions: left } = collectPinnedData(at(), RULESET, NOW, { without: ["demo:list"] });
    expect(left.map(({ source_name }) => source_name)).toEqual(["demo:lands", "demo:parks"]);
  });

  it("gives the verdicts of the whole data folder", async () => {
    const small = openData(await unpackData(collectPinnedData(at(), RULESET, NOW)));
    const input = { geometry: createSquarePlot(0.05, 0.05), scheme: { type: "us:ein", value: "12-3456789" } };
    const [here, there] = [small, openData(at())].map((data) =>
      data.compile(RULESET).evaluate(input, { now: NOW }),
    );
    expect(here).toEqual(there);
    expect(here!.verdict).toBe("NON_COMPLIANT");
  });

  it("has no group in part: its name would stand for less land", async () => {
    const data = openData(await unpackData(collectPinnedData(at(), RULESET, NOW)));
    expect(Object.keys(data.groups())).toEqual(["nature"]);
    const ruleset = { ...RULESET, sets: { ...RULESET.sets, parks: { sources: ["everything"] } } };
    expect(() => data.compile(ruleset)).toThrow(expect.objectContaining({ code: "SOURCE_UNKNOWN" }));
  });

  it("refuses a live source, and ignores one that the ruleset does not name", async () => {
    const provider = { kind: "postgis", connection: "env:X", table: "x", geometry: "g" } as const;
    await connectLiveSource(at(), createBoxSource("live:x", {}), provider);
    expect(collectPinnedData(at(), RULESET, NOW).editions).toHaveLength(3);
    const ruleset = { ...RULESET, sets: { ...RULESET.sets, parks: { sources: ["demo:parks", "live:x"] } } };
    expect(() => collectPinnedData(at(), ruleset, NOW)).toThrow(
      expect.objectContaining({ code: "SOURCE_LIVE", details: { sources: ["live:x"] } }),
    );
  });

  it("refuses an edition that is damaged or missing, and a name that is no source", () => {
    const path = formatEditionPath(at(), "demo:lands", editions["demo:lands"]!);
    truncateSync(path, 200);
    expect(() => collectPinnedData(at(), RULESET, NOW)).toThrow(
      expect.objectContaining({ code: "EDITION_DAMAGED" }),
    );
    rmSync(path);
    expect(() => collectPinnedData(at(), RULESET, NOW)).toThrow(
      expect.objectContaining({ code: "EDITION_MISSING" }),
    );
    const ruleset = { ...RULESET, sets: { ...RULESET.sets, parks: { sources: ["demo:park"] } } };
    expect(() => collectPinnedData(at(), ruleset, NOW)).toThrow('did you mean "demo:parks"?');
  });
});
