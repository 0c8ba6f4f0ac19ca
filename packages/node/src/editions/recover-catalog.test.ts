import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { checkShape } from "@groundrule/engine/internal";
import { parseStrictJson } from "@groundrule/engine/internal/json";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildEffectiveGroups, formatCatalog, formatCatalogPath, readCatalog } from "../catalog/catalog.ts";
import { groupShape } from "../catalog/catalog-file.ts";
import type { CatalogGroup } from "../catalog/catalog-form.ts";
import { listSources } from "../catalog/list-sources.ts";
import { openData } from "../open-data.ts";
import { connectLiveSource } from "./connect-live-source.ts";
import { installEdition, setGroup } from "./install-edition.ts";
import { listEditions } from "./list-editions.ts";
import { recoverCatalog } from "./recover-catalog.ts";
import { removeSource } from "./remove-edition.ts";
import { releasePin, useEdition } from "./use-edition.ts";

const { at } = createFolderForEach();
const LIVE = { kind: "postgis", connection: "env:DB", table: "t", geometry: "g" } as const;

function createAreas(name: string, count: number, more: object = {}): SnapshotFile {
  const writer = createAreaWriter({ source_name: name, kind: "leaf", ...more });
  for (let i = 0; i < count; i++) {
    const polygons = [[createBoxRing(2 * i, 0, 2 * i + 1, 1)]];
    writer.add({ id: `b${i}`, name: null, countryIso3: null, polygons, properties: {} });
  }
  return writer.finish();
}

let day = 0;
async function build(name: string, count: number, more: object = {}, allow: readonly "shrunk"[] = []) {
  const built_at = new Date(Date.UTC(2026, 0, ++day)).toISOString();
  const { meta } = await installEdition(
    at(),
    createAreas(name, count, more),
    { left_out: 0, built_at },
    { allow },
  );
  return meta.edition;
}

/** A folder with all that a catalog has. */
async function prepare() {
  const old = await build("demo:parks", 4, { refresh_interval_days: 30 });
  const parks = await build("demo:parks", 5, { refresh_interval_days: 31, groups: ["all"] });
  await useEdition(at(), "demo:parks", old, { pin: true });
  const lands = await build("demo:lands", 3, { refresh_interval_days: 32, groups: ["all"] });
  await build("demo:gone", 2, { refresh_interval_days: 33 });
  await connectLiveSource(at(), createAreas("demo:live", 0), LIVE);
  await setGroup(at(), "chosen", ["demo:gone", "demo:lands", "demo:live"]);
  await removeSource(at(), "demo:gone");
  return { old, parks, lands };
}

const textOf = () => readFileSync(formatCatalogPath(at()), "utf8");
const write = (text: string) => writeFileSync(formatCatalogPath(at()), text);
const currentOf = (name: string) =>
  readCatalog(at()).sources.find(({ manifest }) => manifest.source_name === name)?.edition;

/** The groups that a damaged catalog still names. */
function parseGroups(text: string): readonly CatalogGroup[] {
  try {
    const bytes = new TextEncoder().encode(text);
    const { groups } = parseStrictJson(bytes, { exact: false }) as { readonly groups?: readonly unknown[] };
    return groups!.flatMap((each) => {
      const checked = checkShape(groupShape, each);
      return checked.faults === undefined ? checked.value : [];
    });
  } catch {
    return [];
  }
}

describe("recoverCatalog", () => {
  it("changes nothing where the catalog can be read", async () => {
    await prepare();
    const before = textOf();
    expect(await recoverCatalog(at())).toEqual({ unchanged: [], recovered: [], lost: [] });
    expect(textOf()).toBe(before);
  });

  it("keeps every entry that can be read, and finds the edition of another one by its digest", async () => {
    const { old } = await prepare();
    const good = textOf();
    write(good.replace('"refresh_interval_days": 30', '"refresh_interval_days": 1e20'));
    expect(() => readCatalog(at())).toThrow("groundrule sources recover");
    const { kept_as, ...recovery } = await recoverCatalog(at());
    expect(recovery).toEqual({
      fault: expect.stringContaining("a number is beyond"),
      unchanged: ["demo:lands", "demo:live"],
      recovered: [{ source_name: "demo:parks", edition: old, passed_over: [] }],
      lost: [],
    });
    expect(textOf()).toBe(good);
    expect(readFileSync(kept_as!, "utf8")).toContain("1e20");
  });

  it("repeats the builds where the entries are lost, so that no guard is passed", async () => {
    await prepare();
    const refused = await build("demo:lands", 1, { refresh_interval_days: 1, groups: ["all"] });
    const { lands, parks } = {
      lands: currentOf("demo:lands"),
      parks: listEditions(at(), "demo:parks")[0]!.edition,
    };
    const before = textOf();
    for (const text of [before.slice(0, -30), "", "[]", "\ufffd", undefined]) {
      if (text === undefined) rmSync(formatCatalogPath(at()));
      else write(text);
      const recovery = await recoverCatalog(at());
      expect(recovery.recovered).toEqual([
        {
          source_name: "demo:lands",
          edition: lands,
          passed_over: [{ edition: refused, reason: expect.stringContaining("shrunk: ") }],
        },
        { source_name: "demo:parks", edition: parks, passed_over: [] },
      ]);
      expect(recovery.lost).toEqual([expect.stringContaining("pins, live sources, and groups")]);
      expect(buildEffectiveGroups(readCatalog(at()))).toEqual({ all: ["demo:lands", "demo:parks"] });
      expect(openData(at()).failures()).toEqual([]);
    }
  });

  it("lets a member of a group fail in it whose editions cannot be used", async () => {
    await prepare();
    const folder = at("editions", "demo_lands");
    for (const file of readdirSync(folder)) writeFileSync(`${folder}/${file}`, "damaged");
    write(textOf().replace('"refresh_interval_days": 32', '"refresh_interval_days": -1'));
    expect((await recoverCatalog(at())).recovered).toEqual([
      {
        source_name: "demo:lands",
        passed_over: [{ edition: expect.any(String), reason: expect.any(String) }],
      },
    ]);
    expect(readCatalog(at()).removed.map(({ manifest }) => manifest.source_name)).toEqual([
      ...["demo:gone", "demo:lands"],
    ]);
    expect(buildEffectiveGroups(readCatalog(at()))).toMatchObject({
      chosen: ["demo:gone", "demo:lands", "demo:live"],
    });
  });

  it("refuses a folder without editions, and a catalog of a later release", async () => {
    await expect(recoverCatalog(at("nothing"))).rejects.toMatchObject({ code: "DATA_FOLDER_MISSING" });
    await prepare();
    write(textOf().replace('"format": 4', '"format": 5'));
    await expect(recoverCatalog(at())).rejects.toMatchObject({ code: "CATALOG_VERSION_UNSUPPORTED" });
  });

  it("makes a readable catalog of whatever became of the text, in which no group has fewer members", async () => {
    await prepare();
    const good = textOf();
    const random = createSeededRandom(42);
    const whole = (below: number) => Math.floor(random.next() * below);
    const values = ["1e20", "-1", "null", '"\\ud800"', "[]", "{}", '"demo:parks"', "5e-324", "true"];
    let recovered = 0;
    for (let i = 0; i < (process.env.GROUNDRULE_FULL === undefined ? 60 : 3000); i++) {
      const lines = good.split("\n");
      for (let change = 0; change < 1 + whole(3); change++) {
        const line = whole(lines.length);
        const kind = whole(4);
        if (kind === 0) lines.splice(line, 1 + whole(4));
        else if (kind === 1) lines.splice(line, 0, lines[whole(lines.length)]!);
        else {
          const value = values[whole(values.length)]!;
          lines[line] = (lines[line] ?? "").replace(/: [^[{,]+/, `: ${value}`);
        }
      }
      write(lines.join("\n"));
      const where = lines.join("\n");
      let isReadable = true;
      try {
        readCatalog(at());
      } catch (error) {
        if ((error as { code?: string }).code === "CATALOG_VERSION_UNSUPPORTED") continue;
        isReadable = false;
      }
      const recovery = await recoverCatalog(at());
      if (isReadable) {
        expect(recovery.fault, where).toBeUndefined();
        continue;
      }
      recovered++;
      const groups = buildEffectiveGroups(readCatalog(at()));
      expect(textOf(), where).toBe(formatCatalog(readCatalog(at())));
      expect(listSources(at()).length, where).toBeGreaterThan(0);
      const failed = openData(at())
        .failures()
        .map(({ source_name }) => source_name);
      for (const { source_name, edition } of recovery.recovered) {
        if (edition !== undefined) expect(failed, where).not.toContain(source_name);
      }
      for (const { name, members } of parseGroups(where)) {
        if (recovery.lost.some((each) => each.includes(name))) continue;
        expect(groups[name], where).toEqual(expect.arrayContaining([...members]));
      }
      expect((await recoverCatalog(at())).fault, where).toBeUndefined();
    }
    expect(recovered).toBeGreaterThan(20);
  });

  it("goes on as the folder would have without the damage", async () => {
    const { parks } = await prepare();
    write(textOf().replace('"refresh_interval_days": 32', '"refresh_interval_days": 1e20'));
    await recoverCatalog(at());
    expect(await releasePin(at(), "demo:parks")).toMatchObject({ released: true, edition: parks });
    expect(await build("demo:lands", 4, { groups: ["all"] })).toBe(currentOf("demo:lands"));
  });
});
