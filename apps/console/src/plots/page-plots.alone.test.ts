import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBlob, openPath } from "@groundrule/formats";
import type { Point, Polygon } from "geojson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../../../packages/formats/test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../../../../packages/formats/test/geopackage-file.ts";
import { writeGeoParquet } from "../../../../packages/formats/test/geoparquet-file.ts";
import { encodeDbf, encodeShpAndShx } from "../../../../packages/formats/test/write-shapefile.ts";
import type { Answer } from "../answering/answerer.ts";
import { isOnEarth } from "../map/on-earth.ts";
import { factParts } from "../state/facts.ts";
import { registerPlacer } from "../state/placing.ts";
import type { PagePlot } from "../state/plot.ts";
import { addPlots } from "../state/store.ts";
import { findUnusedFacts } from "./facts/enter-facts.ts";
import {
  buildInputWithFacts,
  buildPropertiesWithFacts,
  isWaiting,
  rulesetFacts,
} from "./facts/ruleset-facts.ts";
import { type FileOptions, type NewPlot, readPagePlots, type TakenColumns } from "./page-plots.ts";
import { toMapGeometry } from "./placed.ts";
import { groupPlotSources } from "./plot-sources.ts";
import { formatPlotsCsv, toGeoJson } from "./portfolio.ts";
import { convertPastedText } from "./reading/pasted.ts";

async function read(text: string, options: FileOptions = {}) {
  let columns: TakenColumns | undefined;
  const reading = readPagePlots(openBlob(new Blob([text]), { name: "test" }), "test", options, (taken) => {
    columns = taken;
  });
  const plots: NewPlot[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { plots, columns, ...next.value };
    plots.push(next.value);
  }
}

const POINT = { type: "Point", coordinates: [-56, -7] };

describe("readPagePlots", () => {
  it("names plots by id, name or number, and keeps one that cannot be read among the others", async () => {
    const { plots } = await read("id,name,lon,lat,Area\na,,-56,-7,2\n,North,-56,-7,2\nc,,x,-7,2\n");
    expect(plots.map(({ id, state }) => [id, state.kind])).toEqual([["a", "new"], ["North", "new"], ["c", "unread"]]); // biome-ignore format: rows
    expect(plots[0]!.input).toEqual({ geometry: POINT, area_ha: 2 });
  });

  it("reports which columns have ids and areas, and takes ids from the chosen one", async () => {
    const table = "farm,code,area_m2,lon,lat\nNorth,7,20000,-56,-7\nSouth,8,30000,-56,-8\n";
    const firstPlot = await read(table);
    expect(firstPlot.columns).toMatchObject({ area: { column: "area_m2", unit: "m²" } });
    const column = (firstPlot.columns!.id as { readonly column: string }).column;
    const other = column === "farm" ? "code" : "farm";
    const again = await read(table, { id: other });
    expect(again.columns!.id).toEqual({ column: other });
    expect(again.plots.map(({ id }) => id)).toEqual(other === "farm" ? ["North", "South"] : ["7", "8"]);
    expect((await read("lon,lat,crop\n-56,-7,soy\n-56,-8,soy\n")).columns!.id).toBe("number");
  });

  it("reads identifiers from the chosen columns, besides those of scheme", async () => {
    const table = `id,lon,lat,Area,CNPJ,scheme\na,-56,-7,2,11.222.333/0001-81; x,\nb,-56,-8,2,,"{""type"":""us:ein"",""value"":""123456789""}"\n`;
    const firstPlot = await read(table);
    expect([firstPlot.columns?.identifiers, firstPlot.plots[0]!.input]).toEqual([
      undefined,
      { geometry: POINT, area_ha: 2 },
    ]);
    const identifiers = [{ type: "br:cnpj", role: "owner", column: "CNPJ" }];
    const { plots, columns } = await read(table, { identifiers });
    expect(columns?.identifiers).toEqual(identifiers);
    expect(plots.map(({ input }) => (input as { scheme?: unknown }).scheme)).toEqual([
      [
        { type: "br:cnpj", value: "11.222.333/0001-81", role: "owner" },
        { type: "br:cnpj", value: "x", role: "owner" },
      ],
      { type: "us:ein", value: "123456789" },
    ]);
  });

  it("doubts positions that are no place on earth, and takes the chosen reading", async () => {
    const swapped = "id,lon,lat\na,-7,-106\n";
    expect((await read(swapped)).doubt).toBe("axes");
    expect((await read(swapped, { swapAxes: true })).plots[0]!.geometry).toMatchObject({
      coordinates: [-106, -7],
    });
    const commas = "farm;lon;lat\nA;-56,25;-7,5\nB;-56,5;-7\n";
    expect((await read(commas)).doubt).toBe("decimal");
    const firstPlot = await read(commas, { decimal: "comma" });
    expect([firstPlot.doubt, firstPlot.plots[0]!.geometry]).toEqual([
      undefined,
      { type: "Point", coordinates: [-56.25, -7.5] },
    ]);
    const metres = "id,x,y\nb,712000,9236000\n";
    expect((await read(metres)).doubt).toBe("crs");
    const { plots, doubt } = await read(metres, { crs: "EPSG:31981" });
    expect(doubt).toBeUndefined();
    expect(plots[0]!.input).toMatchObject({
      crs: "EPSG:31981",
      geometry: { coordinates: [712000, 9236000] },
    });
    const [longitude, latitude] = (plots[0]!.geometry as Point).coordinates;
    expect([longitude, latitude]).toEqual([expect.closeTo(-55.08, 1), expect.closeTo(-6.9, 1)]);
  });
});

describe("exports", () => {
  it("have the columns of the file, and in GeoJSON the outcome of each check", async () => {
    const { plots } = await read("Farm,lon,lat,Area\nNorth,-56,-7,2\n");
    const check = { id: "near", status: "ok", triggered: true, outcome: "WARNING" };
    const verdict = { verdict: "WARNING", checks: [{ ...check, title: "Near", comparisons: [] }] };
    const answer = { verdict } as unknown as Answer;
    const answered = { ...plots[0]!, key: "plot-1", state: { kind: "answered", answer } } as PagePlot;
    const { properties } = JSON.parse(await toGeoJson([answered])).features[0];
    expect(properties).toMatchObject({ Farm: "North", groundrule: { verdict: "WARNING", checks: [check] } });
    const [head, row] = formatPlotsCsv([{ ...answered, state: { kind: "new" } }]).split("\r\n");
    expect([head, row].map((line) => line!.split(",").slice(-2))).toEqual([
      ["Farm", "Area"],
      ["North", "2"],
    ]);
  });
});

describe("what files declare of plots", () => {
  const ring: [number, number][] = [[-56, -7], [-55.9, -7], [-55.9, -6.9], [-56, -7]]; // biome-ignore format: a ring
  const geometry = { type: "Polygon", coordinates: [ring] } as const;
  const wkt = `POLYGON((${ring.map((position) => position.join(" ")).join(", ")}))`;
  const columns = { "fact:n": "5", "fact:asv.id": "P-1", property: wkt };
  const names = Object.keys(columns);
  const cells = Object.values(columns);
  const flat = {
    geometryType: "Polygon",
    columns: names.map((name) => [name, "String"] as const),
    features: [{ geometry, values: cells }],
  };
  const data = names.map((name, i) => `<Data name="${name}"><value>${cells[i]}</value></Data>`).join("");
  const corners = ring.map((position) => position.join(",")).join(" ");
  const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><ExtendedData>${data}</ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>${corners}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;
  const quoted = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(",");
  const shapes = encodeShpAndShx(5, [[[...ring].reverse()]]);
  const dbf = encodeDbf({ fields: [["fact:n", "N", 4], ["fact:asv.i", "C", 8], ["property", "C", 99]], rows: [cells] }); // biome-ignore format: a table
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "groundrule-page-"));
    const columns = { geom: "BLOB", ...Object.fromEntries(names.map((name) => [name, "TEXT"])) };
    const rows = [[encodeGeometryBlob(geometry), ...cells]];
    writeGeoPackage(join(dir, "a.gpkg"), [{ name: "plots", geometryType: "POLYGON", columns, rows }]);
    writeFileSync(join(dir, "a.shp"), shapes.shp);
    writeFileSync(join(dir, "a.shx"), shapes.shx);
    writeFileSync(join(dir, "a.dbf"), dbf);
  });
  afterAll(() => rmSync(dir, { recursive: true }));
  /** Without bytes, the file has been written before. */
  const firstOf = async (name: string, bytes?: string | Uint8Array) => {
    if (bytes !== undefined) writeFileSync(join(dir, name), bytes);
    const file = await openPath(join(dir, name));
    const plots = readPagePlots(file, name, {});
    const { value } = await plots.next();
    await plots.return(undefined as never);
    await file.close();
    return value as NewPlot;
  };

  it.each([
    ["CSV", "a.csv", `wkt,${names.join(",")}\n${quoted([wkt, ...cells])}\n`],
    [
      "GeoJSON",
      "a.geojson",
      JSON.stringify({ type: "Feature", geometry, properties: { ...columns, property: geometry } }),
    ],
    ["GeoPackage", "a.gpkg", undefined],
    [
      "GeoParquet",
      "a.parquet",
      writeGeoParquet(
        [{ id: "a", geometry }],
        Object.fromEntries(names.map((name, i) => [name, [cells[i]!]])),
      ),
    ],
    ["FlatGeobuf", "a.fgb", encodeFlatGeobuf(flat)],
    ["KML", "a.kml", kml],
  ])("is read of %s: columns of facts as found, and the property as a geometry", async (_, name, bytes) => {
    const plot = await firstOf(name, bytes);
    expect(plot).toMatchObject({
      fileFacts: { columns: { n: "5", "asv.id": "P-1" } },
      state: { kind: "new" },
    });
    expect(plot.input).toMatchObject({ property: geometry });
  });

  it("is read of a shapefile, whose names have ten letters at most", async () => {
    const plot = await firstOf("a.shp");
    expect(plot).toMatchObject({
      fileFacts: { columns: { n: 5, "asv.i": "P-1" } },
      input: { property: geometry },
    });
  });

  it("is facts in GeoJSON too, and a property turns with its plot where latitude stands first", async () => {
    const turned = { type: "Polygon", coordinates: [ring.map(([x, y]) => [y, x])] };
    const properties = { facts: { n: 5 }, property: turned };
    const text = JSON.stringify({ type: "Feature", geometry: turned, properties });
    const [plot] = (await read(text, { swapAxes: true })).plots;
    expect(plot).toMatchObject({ fileFacts: { facts: { n: 5 } }, input: { geometry, property: geometry } });
    expect(plot!.input).not.toHaveProperty("facts");
  });

  it("is refused of the plot alone where it cannot be read", async () => {
    const { plots } = await read(`wkt,property\n"${wkt}","POLYGON((0 0, 1 0"\n"${wkt}",Fazenda\n`);
    expect(plots.map(({ state }) => state)).toMatchObject([
      {
        kind: "unread",
        error: { code: "VALIDATION_FAILED", message: expect.stringContaining("properties.property") },
      },
      { kind: "new" },
    ]);
  });

  it("goes into the export, which sends the same request when it is opened again", async () => {
    const table = `id,wkt,fact:n,fact:asv.id,property\na,"${wkt}",5,P-1,"${wkt}"\nb,"${wkt}",6,,Fazenda\n`;
    const [first, second] = addPlots((await read(table)).plots);
    factParts.value = {
      rulesetFacts,
      inputWithFacts: buildInputWithFacts,
      isWaiting,
      propertiesWithFacts: buildPropertiesWithFacts,
      findUnusedFacts,
    };
    const firstPlot = withFacts(first!, { n: 7, asv: null });
    const again = await read(await toGeoJson([firstPlot, second!]));
    expect([again.plots[0]!.fileFacts, again.plots[1]!.fileFacts]).toEqual([
      { facts: { n: 7 } },
      { columns: { n: "6", "asv.id": null } },
    ]);
    expect(again.plots.map(({ properties }) => properties.property)).toEqual([geometry, "Fazenda"]);
    const inputs = [firstPlot, second!].map(buildInputWithFacts);
    expect(again.plots.map((plot) => buildInputWithFacts(plot as PagePlot))).toEqual(inputs);
    expect(inputs[0]).toMatchObject({ facts: { n: 7 }, property: geometry });
  });

  it("places the property of a plot in another reference system where its plot is", async () => {
    registerPlacer(async (geometries, crs) =>
      Promise.all(geometries.map((geometry) => toMapGeometry({ geometry, crs }))),
    );
    const metres = (east: number) => [[712000, 9236000], [712000 + east, 9236000], [712000 + east, 9237000], [712000, 9236000]]; // biome-ignore format: a ring
    const box = (east: number) => ({ type: "Polygon", coordinates: [metres(east)] });
    const { plots } = await read(JSON.stringify({ type: "Feature", geometry: box(500), properties: { property: box(900) } }), { crs: "EPSG:31981" }); // biome-ignore format: a plot
    const exported = JSON.parse(await toGeoJson(plots as PagePlot[])).features[0];
    const [[corner]] = exported.properties.property.coordinates;
    expect(corner).toEqual(exported.geometry.coordinates[0][0]);
  });
});

/** A plot with entered facts. */
function withFacts(plot: PagePlot, facts: object): PagePlot {
  return { ...plot, input: { ...plot.input, facts } };
}

describe("a plot with faults in another reference system", () => {
  it("is placed by its corners", async () => {
    const ring = [[712000, 9236000], [713000, 9237000], [713000, 9236000], [712000, 9237000], [712000, 9236000]]; // biome-ignore format: a ring
    const { plots } = await read(JSON.stringify({ type: "Polygon", coordinates: [ring] }), {
      crs: "EPSG:31981",
    });
    const [[corner, ...others]] = (plots[0]!.geometry as Polygon).coordinates as [[number[], ...number[][]]];
    expect(corner).toEqual([expect.closeTo(-55.08, 1), expect.closeTo(-6.9, 1)]);
    expect(others).toHaveLength(4);
  });
});

describe("isOnEarth", () => {
  it("takes what a map can draw, and nothing else", () => {
    expect(isOnEarth(POINT)).toBe(true);
    expect(isOnEarth({ type: "GeometryCollection", geometries: [POINT] })).toBe(true);
    const point = (...coordinates: unknown[]) => ({ type: "Point", coordinates });
    const bad = [point(1, 91), point("1", 2), point(), { type: "Polygon", coordinates: [[1, 2]] }, {}, null];
    for (const geometry of [...bad, { type: "constructor", coordinates: [1, 2] }]) {
      expect(isOnEarth(geometry)).toBe(false);
    }
  });

  it("keeps off the map what it could not draw, and sends it all the same", async () => {
    const { plots } = await read('{"type":"Point","coordinates":[1,95]}');
    expect(plots[0]).toMatchObject({ geometry: undefined, input: { geometry: { coordinates: [1, 95] } } });
  });
});

describe("pastedFile", () => {
  it("makes tables of WKT, a geometry over several lines too", () => {
    expect(convertPastedText("POINT (1 2)\nPOLYGON ((0 0, 1 0,\n 1 1, 0 0))")).toBe(
      'wkt\n"POINT (1 2)"\n"POLYGON ((0 0, 1 0, 1 1, 0 0))"\n',
    );
  });

  it("makes points or one polygon of positions, and leaves the rest as it is", () => {
    expect(JSON.parse(convertPastedText("-7, -56"))).toEqual(POINT);
    expect(JSON.parse(convertPastedText("0, 0\n0, 1\n1, 1\n"))).toMatchObject({ type: "Polygon" });
    for (const text of ["id,lon,lat\n1,2,3\n", "{}", "nonsense"]) expect(convertPastedText(text)).toBe(text);
  });
});

describe("plotSources", () => {
  it("puts the files of a shapefile together, whatever the case of their letters", () => {
    const files = ["a.shp", "A.DBF", "a.prj", "b.dbf", "c.geojson"].map((name) => new File([], name));
    expect(
      groupPlotSources(files).map((source) => [source.name, "file" in source && source.companions.length]),
    ).toEqual([
      ["a.shp", 2],
      ["b.dbf", 0],
      ["c.geojson", 0],
    ]);
  });
});
