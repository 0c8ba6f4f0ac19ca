import { gzipSync } from "node:zlib";
import type { SourceManifest } from "@groundrule/engine";
import {
  type AreaSnapshot,
  type Coverage,
  createAreaWriter,
  prepareArea,
  verifySnapshot,
} from "@groundrule/engine/build";
import { BOW_TIE, createSquarePolygon } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { buildSnapshot } from "./build.ts";
import { IngestError } from "./ingest-error.ts";
import { manifestFromOptions, parseManifest } from "./manifest/manifest.ts";
import { renderReport } from "./report.ts";

const feature = (iso3?: string | null, geometry: object = createSquarePolygon(-50, -10, 0.1)) => ({
  type: "Feature",
  properties: iso3 === undefined ? {} : { iso3 },
  geometry,
});
const collection = (...features: object[]) => JSON.stringify({ type: "FeatureCollection", features });
async function* toBytes(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

async function build(
  manifest: Partial<SourceManifest>,
  text: string = collection(feature()),
  polygons: string | Uint8Array = "",
) {
  const opened: string[] = [];
  const { file, report } = await buildSnapshot(
    toBytes(text),
    { source_name: "t:a", kind: "leaf", ...manifest },
    {
      openPolygons: (path) => {
        opened.push(path);
        return toBytes(polygons);
      },
    },
  );
  const { meta, coverage } = verifySnapshot(joinFileBytes(file)) as AreaSnapshot;
  return { meta, coverage, report, opened, text: renderReport(report).replace(/\s+/g, " ") };
}

function listCountriesAround(coverage: Coverage): ReadonlySet<string> {
  return new Set("pieces" in coverage ? coverage.pieces.countries.flat() : []);
}

describe("a coverage that the manifest declares", () => {
  it("is global", async () => {
    const { coverage, report, text } = await build({ coverage: "global" });
    expect(coverage).toEqual({ extent: "global", known: "declared" });
    expect(report.coverage).toEqual({ extent: "global", known: "declared" });
    expect(text).toContain("coverage global, as declared");
  });

  it("is of countries, with their pieces and the land of others around them", async () => {
    const { coverage, meta, report, text } = await build({ coverage: ["PRY", "BRA", "BRA"] });
    expect(coverage).toMatchObject({ extent: "countries", known: "declared", countries: ["BRA", "PRY"] });
    expect(meta.manifest.coverage).toEqual(["BRA", "PRY"]);
    const around = listCountriesAround(coverage);
    for (const code of ["BRA", "PRY", "ARG", "PER"]) expect(around).toContain(code);
    for (const code of ["FRA", "CAN"]) expect(around.has(code)).toBe(code === "FRA"); // Cayenne
    expect(report.coverage).toEqual({ extent: "countries", known: "declared", countries: ["BRA", "PRY"] });
    expect(text).toContain("coverage BRA, PRY, as declared");
  });

  it("is of polygons, which are read from their file, gzipped or not, and made one region", async () => {
    const land = collection(
      feature(undefined, createSquarePolygon(-50, -10, 1)),
      feature(undefined, createSquarePolygon(-49, -10, 1)),
      feature(undefined, createSquarePolygon(-49.5, -10, 1)),
    );
    const { coverage, opened, text } = await build({ coverage: { polygons: "land.json" } }, undefined, land);
    expect(opened).toEqual(["land.json"]);
    if (coverage.extent !== "polygons") throw new Error(coverage.extent);
    const { layer, countries } = coverage.pieces;
    expect([layer.areaCount, layer.ringCount, countries]).toEqual([1, 1, [[]]]);
    expect(layer.bbox).toEqual([-50, -10, -48, -9]);
    expect(text).toContain("coverage by polygons, as declared");
    const packed = gzipSync(land);
    expect((await build({ coverage: { polygons: "l" } }, undefined, packed)).coverage).toEqual(coverage);
  });

  it("reports which polygons were repaired", async () => {
    const land = collection(feature(undefined, createSquarePolygon(0, 0, 1)), feature(undefined, BOW_TIE));
    const { report, text } = await build({ coverage: { polygons: "l" } }, undefined, land);
    expect(report.coverage?.repaired).toMatchObject([
      { number: 2, id: "2", faults: [{ code: "RING_SELF_CROSSING" }] },
    ]);
    expect(report.repaired).toEqual([]);
    expect(text).toMatch(/repaired in the polygons of the coverage \(1\) feature 2, line 1: .*crosses/);
  });

  it.each<[string, string, string, RegExp]>([
    ["no JSON", "land", "FORMAT_UNKNOWN", /^coverage file "l", found text with the columns land/],
    ["nothing", "", "JSON_MALFORMED", /^coverage file "l", line 1/],
    ["no feature", collection(), "COVERAGE_INVALID", /^coverage file "l": found no polygon/],
    [
      "a point",
      collection(feature(undefined, { type: "Point", coordinates: [1, 2] })),
      "COVERAGE_INVALID",
      /Point/,
    ],
    [
      "a line after a polygon",
      collection(
        feature(),
        feature(undefined, {
          type: "LineString",
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        }),
      ),
      "COVERAGE_INVALID",
      /^coverage file "l", feature 2, .*LineString/,
    ],
    ["no geometry", collection({ ...feature(), geometry: null }), "COVERAGE_INVALID", /feature 1/],
    [
      "another CRS, without a table",
      JSON.stringify({ ...feature(), crs: { type: "name", properties: { name: "EPSG:31983" } } }),
      "CRS_UNSUPPORTED",
      /EPSG:31983/,
    ],
  ])("is refused where its file holds %s", async (_, land, code, message) => {
    await expect(build({ coverage: { polygons: "l" } }, undefined, land)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it("is refused where nothing can open its file", async () => {
    const manifest = { source_name: "t:a", kind: "leaf", coverage: { polygons: "l" } } as const;
    await expect(buildSnapshot(toBytes(collection(feature())), manifest)).rejects.toThrow("openPolygons");
  });

  it("is refused before the source is read, of a country whose borders are not known", async () => {
    const error = await build(
      { coverage: ["BRA", "GUF"] },
      `{"type":"FeatureCollection","features":[{]}`,
    ).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IngestError);
    expect(error).toMatchObject({
      code: "MANIFEST_INVALID",
      message: expect.stringMatching(/^manifest, \/coverage\/1: found "GUF", .*"polygons": "FILE\.geojson"/),
      details: { faults: [{ pointer: "/coverage/1", code: "BORDERS_MISSING" }] },
    });
  });
});

describe("a coverage that the manifest does not declare", () => {
  it("is of the countries of the areas", async () => {
    const text = collection(feature("PRY"), feature("bra"), feature("BRA"));
    const { coverage, meta, report, text: message } = await build({ country: "iso3" }, text);
    expect(coverage).toMatchObject({ extent: "countries", known: "derived", countries: ["BRA", "PRY"] });
    expect(meta.manifest).toMatchObject({ coverage: ["BRA", "PRY"], coverage_known: "derived" });
    expect(report.coverage).toEqual({
      extent: "countries",
      known: "derived",
      countries: ["BRA", "PRY"],
      without_borders: [],
      without_country: 0,
    });
    expect(message).toContain(
      "coverage BRA, PRY, derived from the countries that its areas tell. Elsewhere the source does not cover a plot. If that is wrong, declare its coverage",
    );
  });

  it("is of the one country of all areas, also where there are none yet", async () => {
    expect((await build({ country_iso3: "BRA" })).report.coverage).toMatchObject({ countries: ["BRA"] });
    expect((await build({ country_iso3: "BRA" }, collection())).coverage).toMatchObject({
      known: "derived",
      countries: ["BRA"],
    });
    const message = collection(feature("PRY"));
    expect((await build({ country: "iso3", country_iso3: "BRA" }, message)).coverage).toMatchObject({
      countries: ["PRY"],
    });
  });

  it("is no wider than what is known: not of areas without a country, nor of a country without borders", async () => {
    const text = collection(feature("BRA"), feature("GUF"), feature(null), feature("??"));
    const { coverage, text: message } = await build({ country: "iso3" }, text);
    expect(coverage).toMatchObject({ countries: ["BRA"] });
    expect(message).toContain("not of GUF, whose borders are not known; 2 areas tell no country");
  });

  it("is undeclared where no area has a country with borders, and the report states the remedy", async () => {
    for (const text of [collection(feature(null)), collection(feature("GUF")), collection()]) {
      const { coverage, meta, report, text: message } = await build({ country: "iso3" }, text);
      expect(coverage).toEqual({ extent: "undeclared" });
      expect(meta.manifest).not.toHaveProperty("coverage_known");
      expect(report.coverage).toMatchObject({ extent: "undeclared" });
      expect(message).toMatch(
        /coverage undeclared.*assumed to cover every plot.* Declare its coverage: global/,
      );
    }
  });

  it("counts no area that could not be stored", async () => {
    const text = collection(feature("BRA"), feature("PRY", { type: "Point", coordinates: [0, 0] }));
    const { coverage } = await build({ country: "iso3", allow: ["left_out"] }, text);
    expect(coverage).toMatchObject({ countries: ["BRA"] });
  });

  it("leaves the edition as it was", async () => {
    const text = collection(feature("BRA"));
    const derived = await build({ country: "iso3" }, text);
    const declared = await build({ country: "iso3", coverage: ["BRA"] }, text);
    expect(declared.meta.edition).not.toBe(derived.meta.edition);
    const writer = createAreaWriter({ source_name: "t:a", kind: "leaf" });
    const { polygons } = prepareArea(createSquarePolygon(-50, -10, 0.1));
    const properties = { iso3: "BRA" };
    writer.add({ id: "1", name: null, countryIso3: "BRA", polygons, properties });
    expect(derived.meta.edition).toBe(writer.finish().meta.edition);
  });
});

describe("the coverage in a manifest", () => {
  const of = (coverage: unknown, more: object = {}) => {
    try {
      return parseManifest({ source_name: "t:a", kind: "leaf", ...more, coverage }).coverage;
    } catch (error) {
      return (error as IngestError).details.faults;
    }
  };

  it.each<[unknown, string, RegExp]>([
    [
      "world",
      "/coverage",
      /found "world", expected "global", an array .* or \{"polygons": "FILE\.geojson"\}/,
    ],
    ["polygons", "/coverage", /expected "global"/],
    [[], "/coverage", /at least 1 entry/],
    [["BRA", "bra"], "/coverage/1", /ISO 3166-1/],
    [["BRA", "ZZZ"], "/coverage/1", /found "ZZZ", expected an ISO 3166-1 alpha-3 code/],
    [{ polygon: "a.geojson" }, "/coverage/polygons", /./],
    [{ polygons: "" }, "/coverage/polygons", /at least 1 character/],
    [7, "/coverage", /expected "global"/],
  ])("is refused as %j", (coverage, pointer, message) => {
    const faults = of(coverage) as readonly { pointer: string; message: string }[];
    expect(faults[0]).toMatchObject({ pointer, message: expect.stringMatching(message) });
  });

  it("is for areas, not for registers", () => {
    const register = { kind: "subject_register", value: "v", scheme: "br:cnpj" };
    expect(of("global", register)).toMatchObject([{ pointer: "/coverage", code: "MEMBER_FOREIGN" }]);
  });

  it("is not known by what an earlier build stored", () => {
    const stored = { coverage_known: "derived" };
    expect(of(["BRA"], stored)).toMatchObject([{ pointer: "/coverage_known", code: "MEMBER_UNKNOWN" }]);
  });

  it.each([
    ["global", "global"],
    ["BRA", ["BRA"]],
    ["BRA, COL", ["BRA", "COL"]],
    ["land.geojson", { polygons: "land.geojson" }],
    ["./BRA", { polygons: "./BRA" }],
    ["C:\\land", { polygons: "C:\\land" }],
  ])("is made of the option %j", (option, coverage) => {
    const file = { source_name: "t:a", coverage: "global" };
    expect(manifestFromOptions({ coverage: option }, file).coverage).toEqual(coverage);
    expect(manifestFromOptions({}, file).coverage).toBe("global");
  });

  it("refuses an option that is neither", () => {
    expect(() => manifestFromOptions({ source: "t:a", coverage: "Brazil" })).toThrow(
      'found "Brazil", expected an ISO 3166-1 alpha-3 code',
    );
  });
});
