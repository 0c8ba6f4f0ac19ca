import { readdirSync, readFileSync } from "node:fs";
import { createFolderForEach, createSharedFolder } from "@groundrule/testing/folder";
import { createBoxPositions, createSquarePolygon, toPairs } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeDbf, encodeShpAndShx } from "../../../../../packages/formats/test/write-shapefile.ts";
import { matchFailedExit, parseJsonLines, runInProcess } from "../../../test/in-process.ts";
import { formatNdjson, makeFeature } from "../../../test/plot-texts.ts";

const { at, write } = createFolderForEach();
const read = (name: string): string => readFileSync(at(name), "utf8");

const holed = {
  type: "Polygon",
  coordinates: [
    createBoxPositions(-60.0000001, -10, -59.9900009, -9.99),
    createBoxPositions(-59.998, -9.998, -59.996, -9.996).toReversed(),
  ],
};
const feature = (id: string, geometry: object | null, properties: object) =>
  makeFeature(id, geometry, { ProducerName: "Ana", ProducerCountry: "BR", ...properties });
const point = feature("point", { type: "Point", coordinates: [-59.9950001, -9.9950009] }, { Area: "3.5" });
const area = feature("area", holed, { ProducerCountry: "bra" });
const line = feature("line", { type: "LineString", coordinates: toPairs(0, 0, 1, 1) }, {});

describe("groundrule plots fix", () => {
  const fix = (input: string, ...args: string[]) => runInProcess(["plots", "fix", ...args], { input });

  it("lets no escape sequence of a plot reach the terminal", async () => {
    const unread = "{\u001b[2Ja\u009b5n}\n";
    const { err } = await fix(formatNdjson(point) + unread, "--output", at("fixed.ndjson"));
    const exported = formatNdjson(feature("\u001b[2Jb", line.geometry, {}));
    const args = ["plots", "export", "--profile", "eudr", "--out", at("out")];
    const checked = await runInProcess(args, { input: exported });
    expect(checked.code).toBe(1);
    expect(checked.err).toContain("LINE_UNSUPPORTED");
    expect(err).toContain("cannot be read");
    for (const control of ["\u001b", "\u009b"]) expect(err + checked.err).not.toContain(control);
  });

  it("writes every plot, reports each change, and changes nothing the second time", async () => {
    const args = ["--output", at("fixed.ndjson"), "--report", at("report.ndjson")];
    expect((await fix(formatNdjson(point, area, line), ...args)).code).toBe(1);
    const fixed = read("fixed.ndjson");
    expect(parseJsonLines(fixed).map(({ id }) => id)).toEqual(["point", "area#1", "area#2", "line"]);
    const checked = parseJsonLines(read("report.ndjson")).map(
      ({ change, finding }) => (change ?? finding) as object,
    );
    expect(checked).toMatchObject(
      [
        ...["COORDINATES_CUT", "AREA_READ", "COORDINATES_CUT"],
        ...["HOLES_SPLIT", "COUNTRY_CODE", "LINE_UNSUPPORTED"],
      ].map((code) => ({ code })),
    );
    expect((await fix(fixed, "--output", at("again.ndjson"))).err).toContain("4 plots read, 4 written");
    expect(read("again.ndjson")).toBe(fixed);
  });

  it("writes every digit of a property that no double holds, in the corrected file and in the EU's", async () => {
    const car = "12345678901234567891";
    const text = formatNdjson(point).replace('"Area":"3.5"', `"Area":3.5,"car":${car}`);
    const fixed = await fix(text, "--output", at("fixed.ndjson"));
    expect([fixed.code, JSON.parse(read("fixed.ndjson")).properties.car]).toEqual([0, car]);
    const exported = await runInProcess(["plots", "export", "--fix", "--out", at("out")], { input: text });
    expect([exported.code, read("out/0001-BR-Ana.geojson")]).toEqual([
      0,
      expect.not.stringContaining("12345678901234567000"),
    ]);
  });

  it("leaves no error that check finds, of what it mends", async () => {
    expect((await fix(formatNdjson(point, area), "--output", at("fixed.geojson"))).code).toBe(0);
    expect(JSON.parse(read("fixed.geojson")).type).toBe("FeatureCollection");
    const { code } = await runInProcess(["plots", "check", at("fixed.geojson"), "--profile", "eudr"]);
    expect(code).toBe(0);
  });

  it("replaces no file without --force, and leaves none where the input breaks off", async () => {
    write("taken.geojson", "mine");
    expect((await fix(formatNdjson(point), "--output", at("taken.geojson"))).code).toBe(3);
    expect(read("taken.geojson")).toBe("mine");
    expect((await fix(formatNdjson(point), "--output", at("taken.geojson"), "--force")).code).toBe(0);
    const broken = `{"type":"FeatureCollection","features":[${JSON.stringify(point)},{`;
    expect((await fix(broken, "--output", at("half.geojson"))).code).toBe(3);
    expect(readdirSync(at())).toEqual(["taken.geojson"]);
  });

  it("shows a table of 80 columns to people", async () => {
    const input = formatNdjson(point, area);
    const args = ["plots", "fix", "--output", at("x.geojson")];
    const { out, err } = await runInProcess(args, { input, columns: 80 });
    expect(err).toContain("2 plots read, 3 written; borders moved in 1 plot, most in plot area: 121.27 m²\n");
    expect(out).toMatch(
      /^change +plots +places +largest +in plot\nCOORDINATES_CUT +2 +\d+ +\+97\.02 m² +area\nHOLES_SPLIT +1 +1\n/,
    );
    expect(out.split("\n").every((text) => text.length <= 80)).toBe(true);
  });
});

describe("groundrule plots export", () => {
  const exportTo = (out: string, input: string, ...args: string[]) =>
    runInProcess(["plots", "export", "--out", at(out), ...args], { input });

  it("takes a Shapefile, whose names are cut and whose id is empty, to the EU's file", async () => {
    const ring = createSquarePolygon(-59.9, -9.9, 0.001).coordinates[0]!.map(([x, y]) => [x!, y!] as const);
    const other = ring.map(([x, y]) => [x + 1, y] as const);
    const { shp, shx } = encodeShpAndShx(5, [[ring.toReversed()], [other.reverse()]]);
    const names = ["id", "PLOT_ID", "ProducerNa", "ProducerCo", "Production"];
    const fields = names.map((name) => [name, "C", 12] as const);
    const rows = ["L-1", "L-2"].map((id) => ["0", id, "Ana", "BR", "Sul"]);
    for (const [end, bytes] of Object.entries({ shp, shx, dbf: encodeDbf({ fields, rows }) })) {
      write(`land/land.${end}`, bytes);
    }
    const { code, err } = await runInProcess(["plots", "export", at("land"), "--out", at("out")]);
    expect({ code, err }).toEqual(matchFailedExit(0, "the ids of plots are read from the column PLOT_ID"));
    const { features } = JSON.parse(read("out/0001-BR-Ana.geojson"));
    const properties = { ProducerName: "Ana", ProducerCountry: "BR", ProductionPlace: "Sul" };
    expect(features).toMatchObject(["L-1", "L-2"].map((id) => ({ id, properties })));
  });

  it("refuses plots with errors and writes nothing, but what --fix mends", async () => {
    const refused = await exportTo("out", formatNdjson(point, area));
    expect([refused.code, readdirSync(at())]).toEqual([1, []]);
    expect(refused.err).toContain("plot point: AREA_NOT_NUMBER");
    expect((await exportTo("out", formatNdjson(point, area, line), "--fix")).code).toBe(1);
    expect((await exportTo("out", formatNdjson(point, area), "--fix")).code).toBe(0);
    expect(readdirSync(at("out"))).toEqual(["0001-BR-Ana.geojson", "manifest.json"]);
    const manifest = JSON.parse(read("out/manifest.json"));
    expect(manifest.files[0].plots).toEqual([
      { number: 1, id: "point", line: 1 },
      { number: 2, id: "area#1", line: 2 },
      { number: 2, id: "area#2", line: 2 },
    ]);
    expect((await exportTo("out", formatNdjson(point, area), "--fix")).code).toBe(3);
    expect((await exportTo("out", formatNdjson(point, area), "--fix", "--force", "--type", "II")).code).toBe(
      0,
    );
    expect((await exportTo("x", formatNdjson(point), "--type", "III")).code).toBe(2);
  });

  it("leaves out plots with errors on request, and writes them down with why", async () => {
    const swapped = feature("swapped", { type: "Point", coordinates: [-9.9951, -59.9951] }, { Area: 2 });
    const input = `${formatNdjson(point, area, line, swapped)}{"type": "Feature", \n`;
    const refused = await exportTo("out", input, "--fix");
    expect([refused.code, readdirSync(at())]).toEqual([1, []]);
    expect(refused.err).toContain(
      "2 of 5 plots have 2 errors, so nothing was written; --leave-out-errors writes the other 3\n",
    );
    const { code, err } = await exportTo("out", input, "--fix", "--leave-out-errors");
    expect(code).toBe(1);
    expect(err).toContain("3 of 5 plots written, as 4 plots, in 1 file and ");
    expect(readdirSync(at("out"))).toEqual(["0001-BR-Ana.geojson", "left-out.geojson", "manifest.json"]);
    const written = JSON.parse(read("out/0001-BR-Ana.geojson"));
    const ids = ["point", "area#1", "area#2", "swapped"];
    expect(written.features).toMatchObject(ids.map((id) => ({ id })));
    expect(written.features[3].geometry.coordinates).toEqual([-59.9951, -9.9951]);
    const { features } = JSON.parse(read("out/left-out.geojson"));
    expect(features[0]).toEqual({
      ...line,
      properties: { ...line.properties, left_out_because: expect.stringMatching(/^LINE_UNSUPPORTED: /) },
    });
    expect(features[1].properties.left_out_because).toMatch(/^PLOT_UNREADABLE: /);
    expect(JSON.parse(read("out/manifest.json")).left_out.plots).toHaveLength(2);

    // Without --fix, plots that need fixing are left out unchanged; an old list of left-out plots is removed.
    expect((await exportTo("out", input, "--leave-out-errors")).code).toBe(1);
    const exact = { ...point, properties: { ...point.properties, Area: 3.5 } };
    expect((await exportTo("out", formatNdjson(exact, swapped), "--leave-out-errors", "--force")).code).toBe(
      1,
    );
    expect(JSON.parse(read("out/left-out.geojson")).features[0].geometry).toEqual(swapped.geometry);
    expect((await exportTo("out", formatNdjson(exact), "--leave-out-errors", "--force")).code).toBe(0);
    expect(readdirSync(at("out"))).toEqual(["0001-BR-Ana.geojson", "manifest.json"]);
    const none = await exportTo("none", formatNdjson(line), "--fix", "--leave-out-errors");
    expect([none.code, readdirSync(at())]).toEqual([1, ["out"]]);
    expect(none.err).toContain("1 of 1 plot has 1 error, so nothing was written\n");
  });

  it("reports points without Area", async () => {
    const { Area: _, ...properties } = point.properties as { Area?: unknown };
    const { code, err } = await exportTo("out", formatNdjson({ ...point, properties }));
    expect(code).toBe(0);
    expect(err).toContain("1 point without Area: the system assumes 4 ha of each");
  });
});

describe("groundrule evaluate --as-submitted", () => {
  const RULESET = {
    sets: { protected: { sources: ["demo:parks"] } },
    checks: [
      { id: "overlap", set: "protected", measure: "overlap_area_m2", value: 1, outcome: "NON_COMPLIANT" },
    ],
  };
  const { at: data, write: writeData } = createSharedFolder();

  beforeAll(async () => {
    const parks = writeData("parks.geojson", makeFeature("P", createSquarePolygon(-60, -9.995, 0.002)));
    writeData("rules.json", RULESET);
    const source = ["--source", "demo:parks", "--collected-at", "2026-10-01T00:00:00Z", "--data", data()];
    const { code, err } = await runInProcess(["snapshot", "build", ...source, parks]);
    expect(code, err).toBe(0);
  });

  const ask = (command: string, input: string, ...args: string[]) => {
    const common = ["--ruleset", data("rules.json"), "--data", data(), "--now", "2026-11-01T00:00:00Z"];
    return runInProcess([command, ...common, ...args], { input });
  };

  it("judges what export writes, byte for byte, and its record replays", async () => {
    const records = at("records.ndjson");
    const options = ["--as-submitted", "eudr", "--record", records];
    const submitted = await ask("evaluate", formatNdjson(point, area), ...options);
    const written = ["plots", "export", "--fix", "--out", at("out")];
    expect((await runInProcess(written, { input: formatNdjson(point, area) })).code).toBe(0);
    const exported = await ask("evaluate", read("out/0001-BR-Ana.geojson"));
    expect(submitted.lines).toHaveLength(3);
    expect(exported.out).toBe(submitted.out);
    const screened = await ask(
      "screen",
      formatNdjson(point, area),
      "--as-submitted",
      "eudr",
      "--workers",
      "1",
    );
    expect(screened.out).toBe(submitted.out);

    const [first] = read("records.ndjson").split("\n");
    const record = JSON.parse(first!);
    expect(record.request.as_submitted).toEqual({
      profile: "eudr",
      sent_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(record.request.input.geometry.coordinates).toEqual([-59.995, -9.995]);
    const replayed = await runInProcess(["replay", records, "--data", data()]);
    expect(replayed.lines.map(({ result }) => result)).toEqual(["identical", "identical", "identical"]);
  });

  it("refuses what cannot be mended, and goes on", async () => {
    const { code, lines: checked } = await ask(
      "evaluate",
      formatNdjson(line, point),
      "--as-submitted",
      "eudr",
    );
    expect(code).toBe(3);
    expect(checked[0]).toMatchObject({ id: "line", error: { code: "GEOMETRY_INVALID" } });
    expect(checked[1]).toHaveProperty("verdict");
    expect((await ask("evaluate", "", "--as-submitted", "euro")).code).toBe(2);
  });
});
