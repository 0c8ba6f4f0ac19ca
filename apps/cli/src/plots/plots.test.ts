import { Readable } from "node:stream";
import { readPlotFile } from "@groundrule/plot-files";
import { describe, expect, it } from "vitest";
import { type PlotLine, toPlotLine } from "./plots.ts";

const point = { type: "Point", coordinates: [1, 2] };
const feature = (more: object) => ({ type: "Feature", geometry: point, properties: null, ...more });
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

async function read(text: string, chunkBytes = 1 << 16): Promise<PlotLine[]> {
  const bytes = new TextEncoder().encode(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const plots: PlotLine[] = [];
  for await (const plot of readPlotFile(Readable.from(chunks))) plots.push(toPlotLine(plot));
  return plots;
}

describe("readPlots", () => {
  it("takes feature.id, else properties.id, else the line number", async () => {
    const text = lines(
      feature({ id: "a", properties: { id: "b" } }),
      feature({ properties: { id: 7 } }),
      point,
    );
    expect((await read(text)).map((plot) => plot.id)).toEqual(["a", 7, 3]);
    expect((await read(`\n\r\n${text}\n`)).map((plot) => plot.id)).toEqual(["a", 7, 5]);
  });

  it("reads the country of a feature from its code or its name, in the property that has one", async () => {
    const countryOf = async (properties: object) => {
      const [plot] = await read(lines(feature({ properties })));
      return plot !== undefined && "country" in plot ? plot.country : undefined;
    };
    expect(await countryOf({ ProducerCountry: "gh" })).toBe("GHA");
    expect(await countryOf({ country: "Brazil", iso3: "BRA" })).toBe("BRA");
    expect(await countryOf({ country_iso3: "COL", iso3: "BRA" })).toBe("COL");
    for (const column of [
      "Country",
      "País",
      "PAIS",
      "pais",
      "país_de_produção",
      "pais de produccion",
      "ISO2",
    ]) {
      expect(await countryOf({ [column]: "br " }), column).toBe("BRA");
    }
    // The unambiguous name takes precedence, even if it comes last; a name truncated by a Shapefile comes after whole
    // ones.
    expect(await countryOf({ país: "CO", country: "BR" })).toBe("BRA");
    expect(await countryOf({ pais_de_pr: "CO", pais: "PE" })).toBe("PER");
    expect(await countryOf({ pais_de_pr: "CO" })).toBe("COL");
    for (const name of ["Brazil", "Brasil", "brésil", " BRASIL"]) {
      expect(await countryOf({ país: name }), name).toBe("BRA");
    }
    for (const none of [
      { country: "Congo" },
      { país: "Brasilândia" },
      { country: 76 },
      { iso3: "" },
      { paisagem: "BR" },
      {},
    ]) {
      expect(await countryOf(none)).toBeUndefined();
    }
  });

  it("keeps the digits of an id that no double holds", async () => {
    const text = '{"type":"Feature","id":12345678901234567890,"geometry":null,"properties":{}}';
    expect(await read(text)).toEqual([{ id: "12345678901234567890", input: {} }]);
  });

  it("refuses a plot that names a member twice, and reads the next", async () => {
    const twice = `{"type":"Feature","geometry":null,"geometry":${JSON.stringify(point)},"properties":{}}`;
    const message = 'line 1: found the member "/geometry" a second time, expected each member once';
    expect(await read(`${twice}\n${lines(feature({ id: 2 }))}`)).toEqual([
      { id: 1, error: { code: "MALFORMED_JSON", message } },
      { id: 2, input: { geometry: point } },
    ]);
    await expect(read(`{"type":"FeatureCollection","features":[${twice}]}`)).rejects.toThrow(
      'feature 1, line 1, byte 74: found the member "/geometry" a second time',
    );
  });

  it("gives a line that cannot be read its own error, and goes on", async () => {
    const text = `{"type":"Feature", oops}\n${lines(feature({ id: 1 }))}\n{"type":\n[1]\n${lines({ type: "FeatureCollection", features: [] }, feature({ id: 2 }))}`;
    expect(await read(text)).toMatchObject([
      {
        id: 1,
        error: { code: "MALFORMED_JSON", message: expect.stringMatching(/^line 1: found .*expected/) },
      },
      { id: 1, input: { geometry: point } },
      { id: 3, error: { code: "MALFORMED_JSON" } },
      { id: 4, error: { code: "MALFORMED_JSON" } },
      { id: 5, error: { code: "VALIDATION_FAILED" } },
      { id: 2, input: { geometry: point } },
    ]);
  });

  it("reads a FeatureCollection in any layout and any chunks, with its crs, and counts its features", async () => {
    const crs = { type: "name", properties: { name: "EPSG:31983" } };
    const collection = { type: "FeatureCollection", crs, features: [feature({}), feature({ id: "x" })] };
    const expected = [
      { id: 1, input: { geometry: point, crs: "EPSG:31983" } },
      { id: "x", input: { geometry: point, crs: "EPSG:31983" } },
    ];
    for (const indent of [0, 2]) {
      for (const chunkBytes of [1, 7, 4096]) {
        expect(await read(JSON.stringify(collection, undefined, indent), chunkBytes)).toEqual(expected);
      }
    }
  });

  it("reads one pretty-printed Feature or geometry, and a text sequence", async () => {
    const expected = [{ id: 1, input: { geometry: point } }];
    expect(await read(JSON.stringify(feature({}), undefined, 2))).toEqual(expected);
    expect(await read(JSON.stringify(point, undefined, 2))).toEqual(expected);
    expect(await read(`\x1e${lines(feature({ id: 9 }))}\n\x1e${lines(feature({ id: 8 }))}\n`)).toMatchObject([
      { id: 9 },
      { id: 8 },
    ]);
  });

  it("reads a first line longer than what it looks at", async () => {
    const long = { type: "LineString", coordinates: Array.from({ length: 20_000 }, (_, i) => [i / 1000, 0]) };
    expect(await read(lines(long, point))).toEqual([
      { id: 1, input: { geometry: long } },
      { id: 2, input: { geometry: point } },
    ]);
  });

  it("gives a plot out as soon as its line is whole", async () => {
    const never = new Promise<never>(() => {});
    async function* slow() {
      for (const piece of ["\n", lines(point).slice(0, 9), `${lines(point).slice(9)}\n`]) {
        yield new TextEncoder().encode(piece);
      }
      await never;
    }
    expect(toPlotLine((await readPlotFile(slow()).next()).value!)).toEqual({
      id: 2,
      input: { geometry: point },
    });
  });

  it("takes a plot's subjects from properties.scheme, and refuses what is none", async () => {
    const scheme = [
      { type: "br:cnpj", value: "1" },
      { type: "br:cpf", value: "2", role: "owner" },
    ];
    const text = lines(
      feature({ properties: { scheme } }),
      feature({ geometry: null, properties: { scheme: scheme[0] } }),
      feature({ properties: { scheme: "br:cnpj 1" } }),
    );
    expect(await read(text)).toMatchObject([
      { input: { geometry: point, scheme } },
      { input: { scheme: scheme[0] } },
      { error: { code: "VALIDATION_FAILED", faults: [{ pointer: "/properties/scheme" }] } },
    ]);
  });

  it("refuses a collection that breaks off, after the plots before", async () => {
    const text = `{"type":"FeatureCollection","features":[${lines(feature({ id: 1 }))},{"type":`;
    const seen: unknown[] = [];
    await expect(async () => {
      for await (const plot of readPlotFile(Readable.from([new TextEncoder().encode(text)])))
        seen.push(plot.id);
    }).rejects.toMatchObject({ code: "JSON_MALFORMED" });
    expect(seen).toEqual([1]);
  });
});
