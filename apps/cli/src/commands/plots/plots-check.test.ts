import { readFileSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon, toPairs, BOW_TIE as UNIT_TIE } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { runGroundrule } from "../../../test/groundrule.ts";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";
import { makeFeature } from "../../../test/plot-texts.ts";

const feature = (id: string, geometry: unknown, properties = {}) => makeFeature(id, geometry, properties);
const BOW_TIE = {
  type: "Polygon",
  coordinates: UNIT_TIE.coordinates.map((ring) => ring.map(([x, y]) => [x! / 10 - 59.1, y! / 10 - 9.1])),
};
const of = (name: string, country: string) => ({ ProducerName: name, ProducerCountry: country });
const FEATURES = [
  feature("good", createSquarePolygon(-59.1234567, -9.1234567, 0.001), of("Ana", "BR")),
  feature('tie, "crossed"', BOW_TIE, { ...of("Ana", "BRA"), Area: "3" }),
  feature("near", createSquarePolygon(-59.1229567, -9.1234567, 0.001), of("Bia", "BR")),
];
const collection = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

const { at, write } = createSharedFolder();
const run = (args: string[], input?: string) => runGroundrule(["plots", "check", ...args], at(), input);

write("plots.geojson", collection(...FEATURES));

describe("plots check", () => {
  it("reports every finding as a line of JSON in a pipe, and exits with 1 for errors", async () => {
    const { code, lines } = await run(["plots.geojson"]);
    expect(code).toBe(1);
    expect(lines).toMatchObject([
      { plot: 2, id: 'tie, "crossed"', code: "RING_SELF_CROSSING", pointer: "/geometry/coordinates/0/0" },
    ]);
  });

  it("checks what a profile requires", async () => {
    const { code, lines } = await run(["plots.geojson", "--profile", "eudr"]);
    expect(code).toBe(1);
    expect(lines.map((line) => line.code)).toEqual(
      expect.arrayContaining([
        "FEW_DECIMALS",
        "AREA_NOT_NUMBER",
        "COUNTRY_CODE_INVALID",
        "RING_SELF_CROSSING",
      ]),
    );
  });

  it("reports what is doubtful with the profile quality, alone or with a system, as warnings with measure and bound", async () => {
    const ring = toPairs(-59.1, -9.1, -59.09, -9.1, -59.1, -9.09, -59.1, -9.1);
    const triangle = { type: "Polygon", coordinates: [ring] };
    const input = collection(feature("few", triangle, of("Ana", "BR")), {
      ...FEATURES[0],
      properties: of("ANA", "BR"),
    });
    const { code, lines } = await run(["-", "--profile", "quality"], input);
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      {
        ...{ plot: 1, code: "FEW_VERTICES", severity: "warning", profile: "quality@1" },
        ...{ pointer: "/geometry/coordinates/0", position: [-59.1, -9.1] },
        found: expect.stringMatching(/^3 vertices around 60\.\d+ ha$/),
        expected: "more than 3 vertices above 10 ha",
        measure: { bound: 10, unit: "hectares" },
      },
      { plot: 2, code: "PRODUCER_SPELLINGS", pointer: "/properties/ProducerName" },
    ]);
    const both = await run(["-", "--profile", "eudr, quality"], input);
    expect(both.lines.map((line) => line.code)).toEqual(
      expect.arrayContaining(["FEW_DECIMALS", "FEW_VERTICES"]),
    );
    expect((await run(["-"], input)).lines.map((line) => line.code)).not.toContain("FEW_VERTICES");
  });

  it("keeps a spreadsheet from taking an identifier for a formula, and numbers as they are", async () => {
    const { code, out } = await run(["--format", "csv"], collection(feature("=1+1", BOW_TIE)));
    expect(code).toBe(1);
    expect(out.split("\n")[1]).toMatch(/^1,'=1\+1,,RING_SELF_CROSSING,error,[^,]*,-59[.0-9]*,-9[.0-9]*,/);
  });

  it("compares plots with each other", async () => {
    const { lines } = await run(["plots.geojson", "--compare"]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        code: "PLOTS_OVERLAP",
        severity: "error",
        plot: 3,
        other: { plot: 1, id: "good" },
      }),
    );
    const tolerant = await run(["plots.geojson", "--compare", "--tolerance", "1e6"]);
    expect(tolerant.lines.map((line) => line.code)).not.toContain("PLOTS_OVERLAP");
  });

  it("shows people a table within 80 columns: counts by finding, then each plot", async () => {
    const args = ["plots", "check", at("plots.geojson"), "--profile", "eudr", "--compare"];
    const { out } = await runInProcess(args, { columns: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
    const plain = out.replace(/\u001b\[\d+m/g, "");
    expect(plain).toMatch(/^FINDING +PLOTS +ERRORS +WARNINGS\n/);
    expect(plain).toContain(
      'plot 2, tie, "crossed"\n  error RING_SELF_CROSSING at /geometry/coordinates/0/0\n',
    );
    for (const line of plain.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("shows people the errors of all plots before any warning", async () => {
    const sea = feature("sea", createSquarePolygon(-20, -20, 0.01));
    write("sea.geojson", collection(sea, FEATURES[1]));
    const args = ["plots", "check", at("sea.geojson"), "--profile", "quality"];
    const { out } = await runInProcess(args, { columns: 80 });
    const found = out.split("\n").flatMap((line) => /(error|warning)[^a-z]*m [A-Z_]+/.exec(line)?.[1] ?? []);
    expect(new Set(found)).toEqual(new Set(["error", "warning"]));
    expect(found).toEqual(found.toSorted());
  });

  it("writes CSV that reads back, with titles even where nothing is found", async () => {
    expect(await run(["plots.geojson", "--output", "findings.csv"])).toMatchObject({ code: 1, out: "" });
    const [titles, first] = readFileSync(at("findings.csv"), "utf8").split("\n");
    expect(titles).toBe(
      "plot,id,line,code,severity,pointer,longitude,latitude,found,expected,mend,square_meters,other_plot,other_id",
    );
    expect(first).toMatch(
      /^2,"tie, ""crossed""",,RING_SELF_CROSSING,error,\/geometry\/coordinates\/0\/0,-59\.05,-9\.05,/,
    );
    const clean = await run(["-", "--format", "csv"], collection(FEATURES[0]));
    expect(clean).toMatchObject({ code: 0, out: `${titles}\n` });
  });

  it("writes GeoJSON of the faults: points, and the land that plots share", async () => {
    await run(["plots.geojson", "--compare", "--output", "faults.geojson"]);
    const { type, features } = JSON.parse(readFileSync(at("faults.geojson"), "utf8"));
    expect(type).toBe("FeatureCollection");
    expect(features).toMatchObject([
      {
        geometry: { type: "Point", coordinates: [-59.05, -9.05] },
        properties: { code: "RING_SELF_CROSSING" },
      },
      { geometry: { type: "MultiPolygon" }, properties: { code: "PLOTS_OVERLAP", plot: 3 } },
    ]);
    const empty = await run(["-", "--format", "geojson"], collection(FEATURES[0]));
    expect(JSON.parse(empty.out)).toEqual({ type: "FeatureCollection", features: [] });
  });

  it("fails on the severity of --fail-on", async () => {
    const warned = collection(feature("w", { type: "Point", coordinates: [1, 2, 3] }));
    expect((await run(["-"], warned)).code).toBe(0);
    expect((await run(["-", "--fail-on", "warning"], warned)).code).toBe(1);
    expect((await run(["plots.geojson", "--fail-on", "never"])).code).toBe(0);
  });

  it("exits with 3 where the file is no plots, with 2 where it is called wrongly", async () => {
    expect(await run(["-"], "<gml/>")).toMatchObject({ code: 3, out: "" });
    expect(await run(["missing.geojson"])).toMatchObject({ code: 3 });
    for (const wrong of [
      ["--profile", "eu"],
      ["--profile", "eudr,eudr"],
      ["--profile", "quality,"],
      ["--format", "xml"],
      ["--output", "faults.xlsx"],
      ["--format", "csv", "--output", "faults.geojson"],
      ["--country", "Brasil"],
      ["--fail-on", "x"],
    ]) {
      expect((await run(["plots.geojson", ...wrong])).code, wrong.join(" ")).toBe(2);
    }
  });

  it("reports where results cannot be written", async () => {
    expect(await run(["plots.geojson", "--output", "no/such/folder.csv"])).toMatchObject(
      matchFailedExit(3, "cannot write no/such/folder.csv"),
    );
  });

  it("reads plots in the CRS that is named", async () => {
    const metres = collection(feature("m", createSquarePolygon(500_000, 9_000_000, 100)));
    expect((await run(["-", "--crs", "EPSG:32721"], metres)).code).toBe(0);
    expect((await run(["-"], metres)).lines[0]).toMatchObject({ code: "LATITUDE_OUT_OF_RANGE" });
  });
});
