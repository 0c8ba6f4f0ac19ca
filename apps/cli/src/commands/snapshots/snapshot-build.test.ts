import { writeFileSync } from "node:fs";
import { readCatalog } from "@groundrule/node/internal";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeEach, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";

const MANIFEST = {
  ...{ source_name: "my:parks", kind: "leaf", source_dataset: "Parks of 2026", category: "park" },
  ...{ license_spdx: "CC0-1.0", scope: "federal units", collected_at: "2026-01-01T00:00:00Z" },
  ...{ id: "id", name: "name", country: "iso3", groups: ["g:parks"], refresh_interval_days: 30 },
  ...{ columns: { code: "string", founded: "date" }, date_formats: { founded: "dd/MM/yyyy" } },
  coverage: { polygons: "land.geojson" },
  fetch: { file: "parks.geojson" },
};

const { at } = createFolderForEach();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const build = (...args: string[]) => run("snapshot", "build", "--source", "my:parks", ...args);
const sync = () => run("sources", "sync", "--manifests", at("parks.json"));
const stored = () => readCatalog(at("data")).sources[0]!;

function write(name: string, value: unknown): string {
  writeFileSync(at(name), JSON.stringify(value));
  return at(name);
}

function makeParks(properties: (place: number) => object): string {
  const features = [0, 1, 2].map((place) => ({
    type: "Feature",
    geometry: createSquarePolygon(-60 + 2 * place, -10, 1),
    properties: { id: `p${place}`, name: `Park ${place}`, iso3: "BRA", ...properties(place) },
  }));
  return write("parks.geojson", { type: "FeatureCollection", features });
}
const whole = (place: number) => ({ code: 700 + place, founded: `0${place + 1}/02/1990` });

beforeEach(async () => {
  // Two touching polygons and an island, like real coverages: when kept, they must make exactly the same territory.
  const land = [
    createSquarePolygon(-62, -11, 4),
    createSquarePolygon(-58, -11, 5),
    createSquarePolygon(-50, -11, 1),
  ];
  write("land.geojson", {
    type: "FeatureCollection",
    features: land.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
  });
  write("parks.json", MANIFEST);
  makeParks(whole);
  expect(await sync()).toMatchObject({ code: 0, lines: [{ outcome: "installed" }] });
});

describe("snapshot build of a source that was built before", () => {
  it("warns of a date in the future, from which no age counts", async () => {
    const { code, err } = await build("--collected-at", "2999-01-01T00:00:00Z", makeParks(whole));
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("my:parks has collected_at 2999-01-01T00:00:00Z, which is in the future"),
    ]);
    expect((await run("sources", "list")).lines).toContainEqual(
      expect.objectContaining({ source_name: "my:parks", overdue: true }),
    );
    expect((await build("--observed-until", "2020-12-31", makeParks(whole))).err).not.toContain(
      "in the future",
    );
  });

  it("gives the same edition from its name and its file alone, with all that was known but the day of the data", async () => {
    const before = stored();
    const { code, err } = await build(makeParks(whole));
    expect(code).toBe(0);
    const { collected_at, ...kept } = before.manifest;
    expect(stored()).toEqual({ ...before, manifest: kept });
    expect(err).toContain("my:parks keeps category, columns, country, coverage, date_formats, groups, id, ");
    expect(err).toContain("its age is not known");
    expect(err).toContain(`my:parks changed: collected_at: none, before it was ${collected_at}`);
    // A changed manifest file corrects it, though the data is the same.
    const mended = await sync();
    expect(mended.lines).toMatchObject([{ outcome: "unchanged", changes: [{ member: "collected_at" }] }]);
    expect(stored()).toEqual(before);
  });

  it("is changed by options, each of which is reported", async () => {
    const { err } = await build("--dataset", "Parks of 2027", "--group", "g:all", makeParks(whole));
    expect(err).toContain('regrouped: the manifest no longer joins "g:parks"');
    const allowed = await build(
      "--group",
      "g:all",
      "--allow",
      "regrouped",
      "--license",
      "MIT",
      makeParks(whole),
    );
    expect(allowed.err).toContain("my:parks changed: groups: g:all, g:parks, before it was g:parks");
    expect(allowed.err).toContain("my:parks changed: license_spdx: MIT, before it was CC0-1.0");
    const groups = (await run("sources", "list")).lines.filter(({ kind }) => kind === "group");
    expect(groups.map(({ source_name, members }) => [source_name, members])).toEqual([
      ["g:all", ["my:parks"]],
      ["g:parks", ["my:parks"]],
    ]);
  });

  it("stays current where the new file lacks a column, or has no values in it", async () => {
    const renamed = await build(
      makeParks((place) => ({ ...whole(place), founded: undefined, since: "1990" })),
    );
    expect(renamed).toMatchObject({ code: 1 });
    expect(renamed.err).toContain('narrowed: the edition has no column "founded", which rulesets may read');
    const hollow = await build(makeParks((place) => ({ ...whole(place), founded: null })));
    expect(hollow.err).toContain('column "founded" has a value in 0 of 3 areas, and had one in 3 of 3');
    expect(stored().manifest.columns).toMatchObject({ code: "string", founded: "date" });
  });

  it("comes back to its groups as what it was, or not unless that is allowed", async () => {
    await run("sources", "remove", "my:parks", "--yes");
    const less = await build("--afresh", makeParks(whole));
    expect(less.err).toMatch(
      /regrouped[\s\S]*narrowed: the manifest declares no coverage, and declared polygons/,
    );
    expect(readCatalog(at("data"))).toMatchObject({ sources: [], removed: [{}] });
    const lost = await build(makeParks(whole));
    expect(lost).toMatchObject(
      matchFailedExit(3, "the polygons of the coverage of my:parks were deleted with"),
    );
    expect(await build("--coverage", at("land.geojson"), makeParks(whole))).toMatchObject({ code: 0 });
    expect(readCatalog(at("data"))).toMatchObject({ groups: [{ members: ["my:parks"] }], removed: [] });
  });

  it("stops where what is left out has no place, or a repair takes land, until it is allowed for good", async () => {
    const [nowhere, cap] = [null, createSquarePolygon(-170, 60, 340)].map((geometry) => {
      if (geometry !== null)
        for (const position of geometry.coordinates[0]!) position[1] = position[1]! > 60 ? 80 : 60;
      const areas = [createSquarePolygon(-60, -10, 1), geometry].map((each) => ({
        type: "Feature",
        geometry: each,
        properties: { name: "Rio Claro" },
      }));
      return write(`${geometry === null ? "nowhere" : "cap"}.geojson`, {
        type: "FeatureCollection",
        features: areas,
      });
    }) as [string, string];
    const source = (...args: string[]) =>
      run("snapshot", "build", "--source", "my:areas", "--coverage", "global", ...args);
    const stopped = await source(nowhere);
    expect(stopped).toMatchObject(matchFailedExit(3, "PLACE_UNKNOWN"));
    expect(stopped.err).toContain("--allow left_out");
    const lost = await source(cap);
    expect(lost).toMatchObject(matchFailedExit(3, "AREA_LOST"));
    expect(lost.err).toMatch(/has [\d,.]+ ha, as they are written [\d,.]+ ha/);
    expect(await source("--allow", "lost", cap)).toMatchObject({ code: 2 });
    expect(await source("--allow", "repaired", cap)).toMatchObject({ code: 0 });
    const { manifest } = readCatalog(at("data")).sources.find(
      (each) => each.manifest.source_name === "my:areas",
    )!;
    expect(manifest).toMatchObject({ allow: ["repaired"], name: "name" });
    // Kept with everything else known of the source, and extended.
    expect(await source(cap)).toMatchObject({ code: 0 });
    expect((await source("--allow", "left_out,shrunk", nowhere)).err).toContain(
      'allow: ["left_out","repaired"], before it was ["repaired"]',
    );
  });
});
