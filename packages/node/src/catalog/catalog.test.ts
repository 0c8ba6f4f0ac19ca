import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StoredManifest } from "@groundrule/engine";
import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createBoxRing } from "@groundrule/testing/shapes";
import { beforeEach, describe, expect, it } from "vitest";
import { installEdition, setGroup } from "../editions/install-edition.ts";
import { removeSource } from "../editions/remove-edition.ts";
import { buildEffectiveGroups, formatEditionPath, readCatalog } from "./catalog.ts";
import { listSources } from "./list-sources.ts";
import { withWriteLock } from "./write-lock.ts";

const { at } = createFolderForEach();
let dir: string;
beforeEach(() => {
  dir = at("data");
});

/** An edition of three boxes whose place depends on the letter; each letter makes a different edition. */
function createEdition(name: string, letter: string, more: Partial<StoredManifest> = {}): SnapshotFile {
  const { coverage: _, ...manifest } = { source_name: name, kind: "leaf" as const, ...more };
  const writer = createAreaWriter({ ...manifest, columns: { area: "number" } });
  const south = letter.charCodeAt(0) - 97;
  for (const id of ["1", "2", "3"]) {
    const west = 2 * Number(id);
    const polygons = [[createBoxRing(west, south, west + 1, south + 1)]];
    writer.add({ id, name: null, countryIso3: "BRA", polygons, properties: { area: 1 } });
  }
  const file = writer.finish();
  return { ...file, chunks: [...file.chunks] };
}

describe("installEdition", () => {
  it("keeps old editions and makes the newest current", async () => {
    const files = [createEdition("demo:parks", "a"), createEdition("demo:parks", "b")];
    for (const file of files) await installEdition(dir, file);
    expect(readCatalog(dir).sources.map((source) => source.edition)).toEqual([files[1]!.meta.edition]);
    for (const { meta, chunks } of files) {
      const path = formatEditionPath(dir, "demo:parks", meta.edition);
      expect(Buffer.compare(readFileSync(path), Buffer.concat([...chunks]))).toBe(0);
    }
    expect(readdirSync(join(dir, "editions"))).toEqual(["demo_parks"]);
  });

  it("refuses a source whose folder another source owns, before it writes anything", async () => {
    await installEdition(dir, createEdition("a:b", "a"));
    await expect(installEdition(dir, createEdition("a_b", "b"))).rejects.toMatchObject({
      code: "SOURCE_NAME_CLASH",
      details: { folder: "a_b" },
    });
    const { meta } = createEdition("a:b", "a");
    expect(readdirSync(join(dir, "editions", "a_b"))).toEqual([`${meta.edition}.snapshot`]);
    expect(readCatalog(dir).sources).toHaveLength(1);
  });

  it("refuses an edition that does not open, and leaves nothing of it behind", async () => {
    const { meta } = createEdition("demo:parks", "a");
    const file = { meta, byteLength: 200, chunks: [new TextEncoder().encode("no edition".repeat(20))] };
    await expect(installEdition(dir, file)).rejects.toMatchObject({
      code: "WRITE_UNREADABLE",
      message: expect.stringContaining("found byte 110 at 0, expected 137"),
    });
    expect(readdirSync(join(dir, "editions", "demo_parks"))).toEqual([]);
    expect(existsSync(join(dir, "catalog.json"))).toBe(false);
  });

  it("loses nothing when many writers install at once", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => installEdition(dir, createEdition(name, "c"))));
    expect(listSources(dir).map((entry) => entry.source_name)).toEqual([...names].sort());
  });
});

describe("withWriteLock", () => {
  it("gives up with the folder's name when another process holds the lock", async () => {
    await installEdition(dir, createEdition("demo:parks", "a"));
    const other = new DatabaseSync(join(dir, "catalog.lock"));
    other.exec("BEGIN EXCLUSIVE");
    await expect(withWriteLock(dir, () => 1, 60)).rejects.toMatchObject({ code: "DATA_FOLDER_LOCKED" });
    other.close();
    expect(await withWriteLock(dir, () => 1, 60)).toBe(1);
  });
});

describe("groups", () => {
  it("have the sources whose manifests join them, until they are defined by name", async () => {
    await installEdition(dir, createEdition("demo:parks", "a", { groups: ["demo"] }));
    await installEdition(dir, createEdition("demo:lands", "b", { collected_at: "2026-01-02T00:00:00Z" }));
    expect(await setGroup(dir, "demo", ["demo:lands"])).toEqual({
      members: ["demo:lands"],
      joined: ["demo:lands"],
      left: ["demo:parks"],
    });
    await installEdition(dir, createEdition("demo:parks", "c", { groups: ["demo"] }));
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({ demo: ["demo:lands"] });
    await setGroup(dir, "demo", ["demo:lands", "demo:parks"]);
    expect(listSources(dir)[0]).toEqual({
      source_name: "demo",
      source_dataset: "demo",
      kind: "group",
      members: ["demo:lands", "demo:parks"],
      feature_count: 6,
      country_coverage: ["BRA"],
      coverage: { extent: "undeclared" },
      collected_at_latest: "2026-01-02T00:00:00Z",
      columns: { area: "number" },
    });
    expect(await setGroup(dir, "demo", [])).toMatchObject({
      members: [],
      left: ["demo:lands", "demo:parks"],
    });
    await installEdition(dir, createEdition("demo:parks", "d", { groups: ["demo"] }));
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({});
  });

  it("remember a member that is removed, or that no longer declares the group", async () => {
    await installEdition(dir, createEdition("demo:parks", "a", { groups: ["demo"] }));
    await installEdition(dir, createEdition("demo:lands", "b", { groups: ["demo"] }));
    await installEdition(dir, createEdition("demo:parks", "c"), undefined, { allow: ["regrouped"] });
    expect(await removeSource(dir, "demo:lands")).toMatchObject({ groups: ["demo"] });
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({ demo: ["demo:lands", "demo:parks"] });
    expect(readCatalog(dir).removed).toMatchObject([
      { manifest: { source_name: "demo:lands" }, feature_count: 3 },
    ]);
    await setGroup(dir, "demo", ["demo:parks"]);
    expect(readCatalog(dir).removed).toEqual([]);
  });

  it("are all made up or none of them is, borders apart", async () => {
    await installEdition(dir, createEdition("real:parks", "a", { groups: ["all"] }));
    const borders = { category: "administrative border", groups: ["all"] };
    await installEdition(dir, createEdition("real:borders", "b", borders));
    const fictional = createEdition("made:up", "c", { fictional: true, groups: ["all"] });
    await expect(installEdition(dir, fictional)).rejects.toThrow("sources remove --fictional");
    await setGroup(dir, "all", ["real:borders"]);
    await installEdition(dir, fictional);
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({ all: ["made:up", "real:borders"] });
    await expect(setGroup(dir, "all", ["made:up", "real:parks"])).rejects.toMatchObject({
      code: "GROUP_INVALID",
      details: { fictional: ["made:up"] },
    });
  });

  it("have no member that ends before their cut-off, unless its manifest allows it", async () => {
    const loss = "preset:tree_cover_loss";
    const ending = (observed_until: string, more: object = {}) =>
      createEdition("old:loss", observed_until, { observed_until, groups: [loss], ...more });
    const refused = expect.objectContaining({
      code: "GROUP_INVALID",
      details: expect.objectContaining({ member: "old:loss", cutoff: "2021-01-01" }),
    });
    await expect(installEdition(dir, ending("2020-12-31"))).rejects.toEqual(refused);
    await expect(
      installEdition(dir, ending("2026-01-01", { collected_at: "2020-06-01T00:00:00Z" })),
    ).rejects.toEqual(refused);
    await installEdition(dir, ending("2021-01-01"));
    await expect(installEdition(dir, ending("1991-12-31"))).rejects.toEqual(refused);
    expect(readCatalog(dir).sources[0]!.manifest.observed_until).toBe("2021-01-01");
    await installEdition(dir, ending("1991-12-31", { allow: ["before_cutoff"] }));
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({ [loss]: ["old:loss"] });

    await installEdition(dir, createEdition("old:forest", "f", { observed_until: "2018-12-31" }));
    await expect(setGroup(dir, "preset:forest_2020", ["old:forest"])).rejects.toThrow(
      'groundrule sources group preset:forest_2020 MEMBER…), or add "allow": ["before_cutoff"]',
    );
    await setGroup(dir, "my:forest", ["old:forest"]);
  });

  it("of an earlier format lose the members that end before their cut-off", async () => {
    await installEdition(
      dir,
      createEdition("old:forest", "a", { groups: ["forest"], observed_until: "2018-12-31" }),
    );
    await installEdition(
      dir,
      createEdition("new:forest", "b", { groups: ["forest"], observed_until: "2020-12-31" }),
    );
    const path = join(dir, "catalog.json");
    const stored = readFileSync(path, "utf8").replaceAll('"forest"', '"preset:forest_2020"');
    writeFileSync(path, stored.replace(/"format":\s*4/, `"format": 3`));
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({ "preset:forest_2020": ["new:forest"] });
  });

  it("may be named __proto__", async () => {
    await installEdition(dir, createEdition("__proto__", "a"));
    await setGroup(dir, "constructor", ["__proto__"]);
    expect(Object.entries(buildEffectiveGroups(readCatalog(dir)))).toEqual([["constructor", ["__proto__"]]]);
  });

  it("refuse unknown members, other groups, and the name of a source, and stay as they were", async () => {
    await installEdition(dir, createEdition("demo:parks", "a"));
    await setGroup(dir, "demo", ["demo:parks"]);
    const before = readFileSync(join(dir, "catalog.json"), "utf8");
    const refused = expect.objectContaining({ code: "GROUP_INVALID" });
    await expect(setGroup(dir, "demo", ["demo:park"])).rejects.toEqual(refused);
    await expect(setGroup(dir, "all", ["demo"])).rejects.toThrow("is a group, and members must be sources");
    await expect(setGroup(dir, "demo:parks", ["demo:parks"])).rejects.toEqual(refused);
    await expect(setGroup(dir, "Not A Name", ["demo:parks"])).rejects.toEqual(refused);
    await expect(installEdition(dir, createEdition("demo", "b"))).rejects.toEqual(refused);
    expect(readFileSync(join(dir, "catalog.json"), "utf8")).toBe(before);
    expect(existsSync(join(dir, "editions", "demo"))).toBe(false);
  });
});

describe("readCatalog", () => {
  const write = (text: string) => writeFileSync(join(dir, "catalog.json"), text);

  it("reports where a damaged catalog is wrong", async () => {
    await installEdition(dir, createEdition("demo:parks", "a"));
    const good = readFileSync(join(dir, "catalog.json"), "utf8");
    write(good.slice(0, -20));
    expect(() => readCatalog(dir)).toThrow(/catalog .*catalog\.json is not valid JSON/);
    write(good.replace('"feature_count": 3', '"feature_count": -3'));
    expect(() => readCatalog(dir)).toThrow('at "/sources/0/feature_count"');
    write(good.replace('"groups": []', '"groups": [{"name": "g", "members": ["gone"]}]'));
    expect(() => readCatalog(dir)).toThrow('member "gone" of group "g" is not a source');
    write(good.replace('"groups": []', '"groups": [], "sources": []'));
    expect(() => readCatalog(dir)).toThrow(
      'is not valid JSON at "/sources": the same object already has a member of this name',
    );
    for (const format of [2, 5]) {
      write(good.replace('"format": 4', `"format": ${format}`));
      expect(() => readCatalog(dir)).toThrow(
        expect.objectContaining({
          code: "CATALOG_VERSION_UNSUPPORTED",
          message: expect.stringMatching(/expected 3 or 4; .*build the sources anew/),
          details: expect.objectContaining({ found: format, supported: [3, 4] }),
        }),
      );
    }
  });

  it("takes the demo of release 0.2.0 out of groups of real sources, and leaves it in its own", async () => {
    const demo = { source_dataset: "Fictional protected areas", groups: ["preset:parks", "demo:all"] };
    await installEdition(dir, createEdition("demo:parks", "a", demo));
    await installEdition(dir, createEdition("demo:lands", "c", { source_dataset: "Lands of the coop" }));
    const later = readFileSync(join(dir, "catalog.json"), "utf8");
    const earlier = JSON.parse(later);
    earlier.sources.push({
      ...earlier.sources[1],
      manifest: { source_name: "real:parks", kind: "leaf", groups: ["preset:parks"] },
      edition: "b".repeat(64),
    });
    write(JSON.stringify({ ...earlier, format: 3, groups: [] }));
    const catalog = readCatalog(dir);
    expect(buildEffectiveGroups(catalog)).toEqual({
      "demo:all": ["demo:parks"],
      "preset:parks": ["real:parks"],
    });
    write(JSON.stringify({ ...earlier, sources: earlier.sources.slice(0, 2), format: 3, groups: [] }));
    expect(buildEffectiveGroups(readCatalog(dir))).toEqual({
      "demo:all": ["demo:parks"],
      "preset:parks": ["demo:parks"],
    });
  });

  it("refuses two sources of one folder", async () => {
    await installEdition(dir, createEdition("a:b", "a"));
    await installEdition(dir, createEdition("a:c", "b"));
    const good = readFileSync(join(dir, "catalog.json"), "utf8");
    write(good.replace('"a:c"', '"a_b"'));
    expect(() => readCatalog(dir)).toThrow('would share the folder "a_b"');
    write(good.replace('"a:c"', '"a:b"'));
    expect(() => readCatalog(dir)).toThrow('source "a:b" is listed twice');
  });

  it("distinguishes a folder without data from a broken one", () => {
    expect(() => readCatalog(dir)).toThrow(expect.objectContaining({ code: "DATA_FOLDER_MISSING" }));
  });
});
