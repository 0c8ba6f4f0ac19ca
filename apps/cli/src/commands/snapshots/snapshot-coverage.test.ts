import { mkdirSync, writeFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../../test/in-process.ts";

const { at } = createSharedFolder();
const areas = at("areas.geojson");
const land = at("manifests", "land.geojson");
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const seen = (...args: string[]) => runInProcess([...args, "--data", at("data")], { columns: 80 });
const area = (iso3: string, x: number) => ({
  type: "Feature",
  geometry: createSquarePolygon(x, -10, 1),
  properties: { iso3 },
});
const build = (name: string, ...options: string[]) =>
  run("snapshot", "build", "--source", `demo:${name}`, ...options, areas);

beforeAll(async () => {
  mkdirSync(at("manifests"));
  const features = [area("BRA", -50), area("PER", -74), area("COL", -72)];
  writeFileSync(areas, JSON.stringify({ type: "FeatureCollection", features }));
  writeFileSync(land, JSON.stringify(createSquarePolygon(-50, -10, 5)));
  const manifest = at("manifests", "polygons.json");
  const coverage = { polygons: "land.geojson" };
  writeFileSync(manifest, JSON.stringify({ source_name: "demo:polygons", kind: "leaf", coverage }));
  for (const { code, err } of [
    await build("global", "--coverage", "global"),
    await build("declared", "--coverage", "BRA"),
    await build("derived", "--country", "iso3"),
    await build("undeclared"),
    await run("snapshot", "build", "--manifest", manifest, areas),
    await run("sources", "group", "all", "demo:declared", "demo:derived"),
  ]) {
    expect([code, err]).toEqual([0, ""]);
  }
});

describe("the coverage of a source, on the command line", () => {
  it("is listed with how it is known, within 80 columns for people", async () => {
    const { out } = await seen("sources", "list");
    const [, ...lines] = out.trimEnd().split("\n");
    expect(lines.pop()).toBe("group all: demo:declared, demo:derived");
    const rows = lines;
    const found = rows.map((row) =>
      row.match(/(global|polygons|undeclared|BRA|\d codes)( (declared|assumed))?/g)?.at(-1),
    );
    expect(found).toEqual([
      ...["3 codes assumed", "BRA declared", "3 codes assumed"],
      ...["global declared", "polygons declared", "undeclared"],
    ]);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });

  it("is a member of each entry for programs", async () => {
    const { lines } = await run("sources", "list");
    expect(
      lines.map(({ source_name, coverage, country_coverage }) => [source_name, coverage, country_coverage]),
    ).toEqual([
      ["all", { extent: "countries", known: "derived" }, ["BRA", "COL", "PER"]],
      ["demo:declared", { extent: "countries", known: "declared" }, ["BRA"]],
      ["demo:derived", { extent: "countries", known: "derived" }, ["BRA", "COL", "PER"]],
      ["demo:global", { extent: "global", known: "declared" }, []],
      ["demo:polygons", { extent: "polygons", known: "declared" }, []],
      ["demo:undeclared", { extent: "undeclared" }, []],
    ]);
  });

  it.each([
    ["demo:declared", /coverage +BRA, declared; \d+ pieces of [\d,]+ positions/],
    ["demo:derived", /coverage +BRA COL PER, assumed from the countries of its areas; \d+ pieces of/],
    ["demo:polygons", /coverage +polygons, declared; 1 piece of 5 positions/],
    ["demo:global", /coverage +global, declared\n/],
    ["demo:undeclared", /coverage +undeclared\n/],
  ])("is shown by snapshot inspect: %s", async (source, pattern) => {
    expect((await seen("snapshot", "inspect", source)).out).toMatch(pattern);
    const { lines } = await run("snapshot", "inspect", source);
    const { coverage } = lines[0] as { coverage: { extent: string; pieces?: number } };
    expect(coverage.pieces ?? 0).toBeGreaterThan(["global", "undeclared"].includes(coverage.extent) ? -1 : 0);
  });

  it("is stated in the report of the build, and in its JSON", async () => {
    const { out, lines } = await run("snapshot", "build", "--source", "demo:global", "--json", areas);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(lines[0]).toMatchObject({ coverage: { extent: "global" } });
    expect((await build("global", "--coverage", "global")).out).toContain("coverage global, as declared");
    const afresh = await build("global", "--afresh", "--json");
    expect(afresh).toMatchObject({
      code: 1,
      lines: [{ coverage: { extent: "undeclared" }, findings: [{ guard: "narrowed" }] }],
    });
  });

  it("may be polygons next to the manifest, or at a path of an option", async () => {
    expect((await build("polygons", "--coverage", land)).code).toBe(0);
    const missing = await build("polygons", "--coverage", "./land.geojson");
    expect(missing.code).toBe(3);
    expect(missing.err).toMatch(/cannot read .*land\.geojson: no such file/);
  });

  it.each([
    ["Brazil", 'found "Brazil", expected an ISO 3166-1 alpha-3 code'],
    ["BRA,GUF", 'found "GUF", whose borders are not known'],
  ])("refuses --coverage %j", async (coverage, message) => {
    const { code, err } = await build("refused", "--coverage", coverage);
    expect(code).toBe(3);
    expect(err).toContain(message);
    expect((await run("sources", "list")).out).not.toContain("demo:refused");
  });

  it("is refused of a register", async () => {
    const { code, err } = await build("register", "--kind", "subject_register", "--coverage", "global");
    expect(code).toBe(3);
    expect(err).toContain('"coverage" is for areas, but this is a register');
  });

  it("is verified with the snapshot", async () => {
    const { code, out } = await run("snapshot", "verify", "demo:declared", "demo:polygons");
    expect([code, out.includes("demo:declared")]).toEqual([0, true]);
  });
});
