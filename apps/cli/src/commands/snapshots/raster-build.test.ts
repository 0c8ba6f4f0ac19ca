import { readFileSync, writeFileSync } from "node:fs";
import { readCatalog } from "@groundrule/node/internal";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { encodeTiff } from "../../../../../packages/formats/test/write-tiff.ts";
import { matchFailedExit, runInProcess, splitCommandWords } from "../../../test/in-process.ts";

const STEP = 1 / 4000;
const COLUMNS = 300;
const ROWS = 40;
const palette = ["#ffffff", "#006400"];

const { at, write } = createFolderForEach();
const run = (...args: string[]) => runInProcess([...args, "--data", at("data")]);
const build = (...args: string[]) => run("snapshot", "build", "--source", "my:forest", ...args);

/** Forest in every column from the 100th on, not examined in the last ten. */
function writeTiffFile(name: string, from: number, to: number): string {
  const values = Array.from({ length: (to - from) * ROWS }, (_, i) => {
    const column = from + (i % (to - from));
    return column >= 290 ? 255 : column >= 100 ? 1 : 0;
  });
  const corner = [-60 + from * STEP, -10] as const;
  const content = { columns: to - from, rows: ROWS, values, corner, palette, nodata: "255" };
  write(name, encodeTiff(content));
  return at(name);
}

function makePlot(from: number, to: number): string {
  const [w, e, n, s] = [-60 + from * STEP, -60 + to * STEP, -10 - 5 * STEP, -10 - 15 * STEP] as const;
  write("plot.geojson", { type: "Polygon", coordinates: [createBoxPositions(w, s, e, n)] });
  return at("plot.geojson");
}

describe("a raster by the command", () => {
  it("goes from a GeoTIFF by a table that was filled in to areas of plots", async () => {
    const forest = writeTiffFile("forest.tif", 0, COLUMNS);
    const { out: stdout, err: stderr } = await run("snapshot", "inspect", forest);
    expect(stdout).toBe(
      `value,is,id,name,color,cells\n0,,0,,#ffffff,4000\n1,area,1,,#006400,7600\n255,nodata,255,,#000000,400\n`,
    );
    expect(stderr).toContain('the value 0 has no "is" yet');
    write("values.csv", stdout);
    expect(await build("--values", at("values.csv"), forest)).toMatchObject({ code: 3 });

    writeFileSync(
      at("values.csv"),
      stdout.replace("0,,0", "0,background,0").replace("1,area,1,", "1,area,forest,Forest"),
    );
    const built = await build("--values", at("values.csv"), "--observed-until", "2020-12-31", forest);
    expect(built.code).toBe(0);
    expect(built.out).toContain("63.33 %  forest  Forest");
    const answer = await run("intersections", "--source", "my:forest", makePlot(95, 105), "--json");
    expect(answer.lines).toMatchObject([
      {
        intersections: [
          { source_id: "forest", name: "Forest", properties: { value: 1 }, overlap_ratio: 0.5, cells: 50 },
        ],
      },
    ]);
    const listed = await run("sources", "list");
    expect(listed.lines).toMatchObject([{ source_name: "my:forest", observed_until: "2020-12-31" }]);
    const [source] = readCatalog(at("data")).sources;
    expect(source!.manifest).toMatchObject({ observed_until: "2020-12-31", columns: { value: "number" } });
    expect(source!.manifest.cells?.values).toEqual([
      { value: 1, id: "forest", name: "Forest", color: "#006400" },
    ]);
  });

  it("is the same edition from two files, and from the table of the edition before", async () => {
    write("values.csv", "value,is,from\n1,area,2020-01-01\n0,background,\n255,nodata,\n");
    const one = await build("--values", at("values.csv"), "--json", writeTiffFile("one.tif", 0, COLUMNS));
    const { edition, columns } = JSON.parse(one.out);
    expect(columns).toEqual([
      { name: "value", type: "number" },
      { name: "from", type: "date" },
    ]);
    const two = await build("--json", writeTiffFile("b.tif", 150, COLUMNS), writeTiffFile("a.tif", 0, 150));
    expect(JSON.parse(two.out).edition).toBe(edition);
    expect(JSON.parse(two.out).changes).toEqual([]);
    write("values.csv", "value,is,from\n1,area,2021-01-01\n0,background,\n255,nodata,\n");
    const again = await build("--values", at("values.csv"), "--json", at("one.tif"));
    const { changes } = JSON.parse(again.out);
    // The table replaced everything that the previous edition declared about cells.
    expect(again.err).toMatch(/keeps (?!.*cells).* from the edition before/);
    const counts = "1 areas, 1 of background, 1 of nodata, table ";
    expect(changes).toEqual([
      { member: "cells", before: expect.stringContaining(counts), after: expect.stringContaining(counts) },
      { member: "areas", before: "1", after: "1 (0 added, 0 removed, 1 changed)" },
    ]);
    expect(changes[0].before).not.toBe(changes[0].after);
  });

  it("keeps the tiles of a box, drops small patches, and reads masks beside the manifest", async () => {
    const cells = {
      values: [{ value: 1 }],
      background: [{ value: 0 }],
      nodata: [255],
      mask: { files: ["mask.tif"], nodata: [1] },
    };
    write("forest.json", { source_name: "my:forest", kind: "leaf", cells });
    writeTiffFile("mask.tif", 0, COLUMNS);
    const args = ["--manifest", at("forest.json"), "--json"];
    const masked = await run("snapshot", "build", ...args, writeTiffFile("forest.tif", 0, COLUMNS));
    expect(JSON.parse(masked.out)).toMatchObject({
      masked: 7600,
      cells: { nodata: 8000, background: 4000 },
    });
    const bounds = `${-60},${-10.001},${-60 + STEP},${-10}`;
    const shown = ["--mask", writeTiffFile("other.tif", 0, 200)];
    const kept = await run("snapshot", "build", ...args, ...shown, "--bounds", bounds, at("forest.tif"));
    expect(JSON.parse(kept.out).tiles.kept).toBeLessThan(3);
    const small = await run(
      ...splitCommandWords`snapshot build ${args} ${shown} --patches 4 --min-ha 0.01 ${at("forest.tif")}`,
    );
    expect(JSON.parse(small.out)).toMatchObject({ patches_dropped: 0 });
  });

  it("has in every report the words of its shipped manifest, with its cells drawn, under the same digest", async () => {
    const jrc = JSON.parse(readFileSync("data/sources/rasters/jrc_gfc2020_v4.json", "utf8"));
    const { scope, ...silent } = jrc;
    expect(scope).toContain("not legally binding");
    const forest = writeTiffFile("forest.tif", 0, 280);
    const rules = {
      sets: { forest: { sources: ["jrc:gfc2020"] } },
      checks: [{ id: "forest", set: "forest", measure: "overlap_ratio", outcome: "WARNING" }],
    };
    write("rules.json", rules);
    const plots = [makePlot(95, 105), makePlot(120, 121)].map((file, i) => {
      return `${JSON.stringify({ type: "Feature", id: `p${i}`, properties: {}, geometry: JSON.parse(readFileSync(file, "utf8")) })}\n`;
    });
    write("plots.ndjson", plots.join(""));
    const digests: unknown[] = [];
    for (const [name, manifest] of Object.entries({ silent, declared: jrc })) {
      write("jrc.json", manifest);
      const built = await run("snapshot", "build", "--manifest", at("jrc.json"), forest);
      expect(built.code, built.err).toBe(0);
      const evaluate = ["evaluate", "--ruleset", at("rules.json"), "--record", at(`${name}.ndjson`)];
      await run(...evaluate, at("plots.ndjson"));
      const stored = readFileSync(at(`${name}.ndjson`), "utf8")
        .trim()
        .split("\n");
      digests.push(stored.map((line) => JSON.parse(line).response.data.digest));
    }
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)]);

    const records = at("declared.ndjson");
    const { out: single } = await run("report", records, "--id", "p0");
    expect(single).toContain(`<dt>Scope</dt><dd><bdi>${scope}</bdi></dd>`);
    const [, width] = /(\d+\.\d) × \d+\.\d m/.exec(single)!;
    expect(Number(width)).toBeGreaterThan(20);
    // The cells within the plot are hatched on the map.
    expect(single).toMatch(/<path d="M[^"]+" fill="url\(#map0-hatch-0\)"/);
    expect(await run("report", records, "--portfolio", at("pages"))).toMatchObject({ code: 0 });
    expect(readFileSync(at("pages/reports/00001.html"), "utf8")).toBe(single);
    const index = readFileSync(at("pages/index.html"), "utf8");
    expect(index).toContain(`<p class="small">Scope: <strong>jrc:gfc2020</strong> – <bdi>${scope}</bdi></p>`);
    await run("report", at("silent.ndjson"), "--portfolio", at("silent"));
    expect(readFileSync(at("silent/index.html"), "utf8")).not.toContain("Scope");
  });

  it("reports what is missing", async () => {
    const forest = writeTiffFile("forest.tif", 0, COLUMNS);
    write("values.csv", "value,is\n1,area\n255,nodata\n");
    const unnamed = await build("--values", at("values.csv"), forest);
    expect(unnamed).toMatchObject(matchFailedExit(3, "groundrule snapshot inspect"));
    expect((await build(forest)).err).toContain("name the table with --values");
    expect((await build("--bounds", "1,2,3,4", at("values.csv"))).err).toContain("which is for rasters");
    const values = ["--values", at("values.csv")];
    expect((await build(...values, "--bounds", "1,2,3", forest)).err).toContain("expected W,S,E,N");
    expect((await build(...values, "--countries", "XYZ", forest)).err).toContain(
      'found "XYZ" in --countries',
    );
    expect((await build(...values, "--patches", "4", forest)).err).toContain("expected both");
    write("values.csv", "value,is\n1,forest\n");
    expect((await build(...values, forest)).err).toContain("expected area, background or nodata");
    expect(readFileSync(forest).length).toBeGreaterThan(0);
  });
});
