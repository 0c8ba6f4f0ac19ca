import { gzipSync } from "node:zlib";
import { openBlob } from "@groundrule/formats";
import { type PlotFeature, readPlotInput } from "@groundrule/plots";
import { describe, expect, it } from "vitest";
import type { PlotColumns } from "./plot-columns.ts";
import { readPlotFile, untilBroken } from "./read-plot-file.ts";
import type { UnreadPlot } from "./unread-plot.ts";

/** A plot as it goes into an evaluation. */
function toEvaluationLine(plot: PlotFeature | UnreadPlot) {
  const { id } = plot;
  if ("error" in plot) return { id, error: plot.error };
  return { id, ...readPlotInput(plot, (code) => (code === "BR" ? "BRA" : undefined)) };
}

async function* toStream(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

async function read(text: string | Uint8Array, options = {}) {
  const plots = [];
  for await (const plot of untilBroken(readPlotFile(toStream(text), options))) plots.push(plot);
  return plots;
}

const POINT = { type: "Point", coordinates: [1, 2] };

describe("readPlotFile", () => {
  it("reads plots of CSV with their ids, lines and areas, and one bad one never sinks the rest", async () => {
    const plots = await read("id,lon,lat,Area,country\np1,1,2,3.5,BR\np2,x,2,,\n,1,2,,\n");
    expect(plots.map(toEvaluationLine)).toEqual([
      { id: "p1", input: { geometry: POINT }, area: 3.5, country: "BRA" },
      {
        id: "p2",
        error: { code: "GEOMETRY_INVALID", message: 'column "lon": found "x", expected a number' },
      },
      { id: "#4", input: { geometry: POINT }, area: null },
    ]);
    expect(plots.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it("reads what is gzipped as what is not, and swaps axes", async () => {
    const line = JSON.stringify({
      type: "Feature",
      id: 7,
      properties: {},
      geometry: { ...POINT, coordinates: [2, 1] },
    });
    for (const bytes of [`${line}\n{oops\n`, gzipSync(`${line}\n{oops\n`)]) {
      const plots = await read(bytes, { swapAxes: true });
      expect(plots).toMatchObject([
        { id: 7, geometry: POINT },
        { id: 2, error: { code: "MALFORMED_JSON" } },
      ]);
    }
  });

  it("reports where a document breaks off as the last of its plots", async () => {
    const broken = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":null},`;
    expect(await read(broken)).toMatchObject([
      { number: 1 },
      { number: 2, error: { code: "JSON_MALFORMED" } },
    ]);
  });

  it("names plots by the column that distinguishes the first hundred, and reports which", async () => {
    const row = (properties: object, more = {}) => ({
      type: "Feature",
      properties,
      geometry: POINT,
      ...more,
    });
    const detected = async (features: object[], options = {}) => {
      const columns: PlotColumns[] = [];
      const ids: unknown[] = [];
      const text = JSON.stringify({ type: "FeatureCollection", features }, undefined, 1);
      for await (const { id } of readPlotFile(toStream(text), options, (of) => columns.push(of)))
        ids.push(id);
      return { ids, id: columns[0]?.id, count: columns.length };
    };
    for (const column of ["plot_id", "PLOT_ID", "plotId", "id", "code", "codigo", "Código", "talhao"]) {
      const rows = ["a", "b"].map((value) => row({ note: 1, [column]: value }));
      expect(await detected(rows)).toEqual({ ids: ["a", "b"], id: { column }, count: 1 });
    }
    const both = [1, 2, 3].map((n) => row({ id: 0, code: "0901", talhao: `T${n}` }));
    expect(await detected(both)).toEqual({ ids: ["T1", "T2", "T3"], id: { column: "talhao" }, count: 1 });
    const none = [1, 2, 3].map(() => row({ id: 0 }));
    expect(await detected(none)).toEqual({ ids: [1, 2, 3], id: "number", count: 1 });
    const own = [1, 2].map((n) => row({ plot_id: n }, { id: `f${n}` }));
    expect(await detected(own)).toEqual({ ids: ["f1", "f2"], id: "feature", count: 1 });
    const chosen = { ids: [1, 2], id: { column: "plot_id" }, count: 1 };
    expect(await detected(own, { id: "PLOT_ID" })).toEqual(chosen);
    await expect(detected(own, { id: "parcel" })).rejects.toMatchObject({
      code: "COLUMN_UNKNOWN",
      message: 'found no column "parcel", expected one of plot_id',
    });
  });

  it("reports which column has the country, by its name in any spelling, and its values where they are no codes", async () => {
    const detected = async (header: string, ...rows: string[]) => {
      const columns: PlotColumns[] = [];
      const text = `lon,lat,${header}\n${rows.map((row) => `1,2,${row}`).join("\n")}\n`;
      for await (const _ of readPlotFile(toStream(text), {}, (of) => columns.push(of)));
      return columns[0]?.country;
    };
    expect(await detected("País", "", "BR")).toEqual({ column: "País" });
    expect(await detected("país de produção,nota", "br,x")).toEqual({ column: "país de produção" });
    expect(await detected("pais,country", "Brasil,BRA")).toEqual({ column: "country" });
    expect(await detected("pais", "Brasil")).toEqual({ column: "pais", unread: "Brasil" });
    expect(await detected("nota", "BR")).toBeUndefined();
  });

  it("keeps every digit of a number that no double holds, in a property at any depth, as the other formats do", async () => {
    const properties =
      '{"car":12345678901234567891,"of":{"all":[9007199254740993,1.5,2]},"far":1e999,"n":9007199254740991}';
    const kept = {
      ...{ car: "12345678901234567891", of: { all: ["9007199254740993", 1.5, 2] } },
      ...{ far: "1e999", n: 9007199254740991 },
    };
    const feature = `{"type":"Feature","id":7,"geometry":${JSON.stringify(POINT)},"properties":${properties}}`;
    for (const text of [
      feature,
      `${feature}\n${feature}`,
      `{"type":"FeatureCollection","features":[${feature}]}`,
    ]) {
      for await (const plot of readPlotFile(toStream(text))) {
        expect(plot).toMatchObject({ id: 7, geometry: POINT, properties: kept });
      }
    }
  });

  it("distinguishes a gap and a repeat by their lines, with their origin", async () => {
    const rows = ["p1", "p2", "", "p1", ...Array.from({ length: 120 }, (_, i) => `q${i % 110}`)];
    const plots = await read(`lon,lat,plot_id\n${rows.map((id) => `1,2,${id}`).join("\n")}\n`);
    const ids = plots.map(({ id }) => String(id));
    expect(ids.slice(0, 5)).toEqual(["p1", "p2", "#4", "p1#5", "q0"]);
    expect(ids.slice(-2)).toEqual(["q8#124", "q9#125"]);
    expect(new Set(ids).size).toBe(rows.length);
    expect(plots.slice(2, 4)).toMatchObject([
      { misnamed: { column: "plot_id" } },
      { misnamed: { column: "plot_id", value: "p1", first: 1 } },
    ]);
  });

  it("takes the columns of lines from the first, however long, and answers it before the second", async () => {
    const long = { type: "LineString", coordinates: Array.from({ length: 20_000 }, (_, i) => [i / 1000, 0]) };
    const lines = [long, POINT, POINT].map((geometry, i) =>
      JSON.stringify({ type: "Feature", properties: i === 2 ? {} : { plotId: `p${i}` }, geometry }),
    );
    expect((await read(lines.join("\n"))).map(({ id }) => id)).toEqual(["p0", "p1", "#3"]);
    async function* slow() {
      yield new TextEncoder().encode(`${lines[1]}\n`);
      await new Promise<never>(() => {});
    }
    expect((await readPlotFile(slow()).next()).value).toMatchObject({ id: "p1" });
  });

  it("reads decimal commas by option, and proposes it where the first rows agree", async () => {
    const text = "codigo;longitude;latitude;area_m2\nA;-47,25;-22,5;1.234,5\nB;-47,5;-22;900\n";
    const [first] = await read(text);
    expect(first).toMatchObject({
      id: "A",
      error: {
        message: expect.stringContaining(
          "the first 2 rows have decimal commas: read the file with --decimal comma",
        ),
      },
    });
    const plots = await read(text, { decimal: "comma" });
    expect(plots).toMatchObject([
      { id: "A", geometry: { coordinates: [-47.25, -22.5] }, properties: { area_m2: 1234.5 } },
      { id: "B", geometry: { coordinates: [-47.5, -22] }, properties: { area_m2: 900 } },
    ]);
    expect(toEvaluationLine(plots[0]!)).toMatchObject({ area: 0.12345 });
    const [mixed] = await read("lon;lat\n-47,25;-22.5\n");
    expect(mixed).toMatchObject({ error: { message: expect.not.stringContaining("--decimal") } });
  });

  it("reads columns as the options declare them", async () => {
    const text = "lon,lat,cadastro,socio,superficie\n1,2,c1,Ana,2.5\n";
    const columns = { ProducerName: "socio", Area: "superficie" };
    const [plot] = await read(text, { id: "cadastro", columns });
    expect(plot).toMatchObject({ id: "c1", properties: { ProducerName: "Ana", Area: 2.5, cadastro: "c1" } });
    expect(plot).not.toHaveProperty("properties.socio");
    await expect(read(text, { columns: { Area: "hectarage" } })).rejects.toMatchObject({
      code: "COLUMN_UNKNOWN",
    });
  });

  it.each(["EPSG:4618", "EPSG:3857"])(
    "reads the CRS that a collection names after its features: %s",
    async (name) => {
      const crs = { type: "name", properties: { name } };
      const text = JSON.stringify({
        type: "FeatureCollection",
        features: [{ type: "Feature", geometry: POINT }],
        crs,
      });
      for (const input of [toStream(text), openBlob(new TextEncoder().encode(text))]) {
        for await (const plot of readPlotFile(input))
          expect(plot).toMatchObject({ geometry: POINT, crs: name });
      }
    },
  );

  it("follows a crs member in its older forms, passes over null, and refuses one that names nothing", async () => {
    const feature = (crs: unknown) => JSON.stringify({ type: "Feature", geometry: POINT, crs });
    const codes = [
      { type: "EPSG", properties: { code: 4618 } },
      "EPSG:4618",
      { properties: { name: "EPSG:4618" } },
    ];
    for (const crs of codes) expect((await read(feature(crs)))[0]).toMatchObject({ crs: "EPSG:4618" });
    expect((await read(feature(null)))[0]).not.toHaveProperty("crs");
    const link = { type: "link", properties: { href: "data.crs" } };
    expect((await read(feature(link)))[0]).toMatchObject({
      error: { code: "CRS_UNSUPPORTED", message: expect.stringContaining("links are not followed") },
    });
  });

  it("reads lines that are no features by the geometry in them, and reports their members where there is none", async () => {
    const lines = [
      '{"id":"p1","producer":"Ana","wkt":"POINT(1 2)"}',
      '{"id":"p2","geometry":"{\\"type\\":\\"Point\\",\\"coordinates\\":[1,2]}"}',
      '{"id":"p3","geometry":{"type":"Point","coordinates":[1,2]},"scheme":{"type":"br:cpf","value":"1"}}',
      '{"id":"p4","producer":"Ana"}',
    ];
    const plots = await read(lines.join("\n"));
    expect(plots.map(({ id }) => id)).toEqual(["p1", "p2", "p3", "#4"]);
    expect(plots.slice(0, 3)).toMatchObject(Array(3).fill({ geometry: POINT }));
    expect(plots[2]).toMatchObject({ properties: { scheme: { type: "br:cpf", value: "1" } } });
    expect(plots[3]).toMatchObject({
      error: {
        message: expect.stringContaining("found an object with the members id, producer, expected a Feature"),
      },
    });
    const named = { wkt: "b" };
    expect(await read('{"id":1,"a":"POINT(1 2)","b":"POINT(3 4)"}', named)).toMatchObject([
      { geometry: { coordinates: [3, 4] } },
    ]);
  });

  it("names the column that distinguishes plots where features are merely numbered, as GeoPandas numbers them", async () => {
    const idColumn = async (ids: readonly string[], column: string) => {
      const columns: PlotColumns[] = [];
      const features = ids.map((id, i) => ({
        type: "Feature",
        id,
        properties: { [column]: `T${i}` },
        geometry: POINT,
      }));
      const text = JSON.stringify({ type: "FeatureCollection", features });
      for await (const _ of readPlotFile(toStream(text), {}, (of) => columns.push(of)));
      return columns[0]?.otherId;
    };
    expect(await idColumn(["0", "1", "2"], "plot_id")).toBe("plot_id");
    expect(await idColumn(["1", "2"], "talhao")).toBe("talhao");
    expect(await idColumn(["0", "1"], "note")).toBeUndefined();
    expect(await idColumn(["p1", "p2"], "plot_id")).toBeUndefined();
  });
});
