import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../test/local-bytes.ts";
import { catchFormatError as errorOf, toPlainGeometry } from "../../test/reading.ts";
import { encodeZip } from "../../test/write-zip.ts";
import type { Feature, Row } from "../format-reader.ts";
import type { FormatOptions } from "./formats.ts";
import { openStream, openTable } from "./open-table.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const POINT = { type: "Point", coordinates: [1, 2] };
const FEATURE = JSON.stringify({ type: "Feature", id: "a", properties: { n: 1 }, geometry: POINT });
const CSV = "id,geometry\n1,POINT (1 2)\n";

async function* splitChunks(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Both ways of reading, which must agree. */
async function readFeatures(bytes: Uint8Array, options: FormatOptions = {}) {
  const tables = [
    await openTable(toLocalFile(bytes), options),
    await openStream(splitChunks(bytes), options),
  ];
  const [one, other] = await Promise.all(
    tables.map(async (table) => {
      const features: Feature[] = [];
      try {
        for await (const feature of table.features())
          features.push({ ...feature, geometry: toPlainGeometry(feature.geometry) });
      } finally {
        await table.close();
      }
      return { format: table.format, isPacked: table.isPacked, features };
    }),
  );
  expect(one).toEqual(other);
  return one!;
}

async function readRows(bytes: Uint8Array, options: FormatOptions = {}) {
  const table = await openTable(toLocalFile(bytes), options);
  const rows: Row[] = [];
  for await (const row of table.rows()) rows.push({ ...row, cells: new Map(row.cells) });
  await table.close();
  return { format: table.format, columns: table.columns, rows };
}

describe("openTable", () => {
  it("refuses a layer that is named of a format without layers", async () => {
    for (const text of [FEATURE, CSV]) {
      const error = await errorOf(openTable(toLocalFile(utf8(text)), { layer: "roads" }));
      expect(error).toMatchObject({ code: "LAYER_UNKNOWN", details: { layers: [] } });
    }
  });

  it.each([
    '"exceededTransferLimit":true',
    '"properties":{"exceededTransferLimit":true}',
    '"numberMatched":2,"numberReturned":1',
  ])("refuses a collection whose server declares that it is not whole: %s", async (member) => {
    const kind = '"type":"FeatureCollection"';
    for (const text of [
      `{${kind},${member},"features":[${FEATURE}]}`,
      `{${kind},"features":[${FEATURE}],${member}}`,
    ]) {
      expect((await errorOf(readFeatures(utf8(text)))).code).toBe("FILE_DAMAGED");
      expect((await errorOf(readRows(utf8(text)))).code).toBe("FILE_DAMAGED");
    }
    const whole = `{${kind},"numberMatched":1,"numberReturned":1,"exceededTransferLimit":false,"features":[${FEATURE}]}`;
    expect((await readFeatures(utf8(whole))).features).toHaveLength(1);
  });

  it("detects JSON, CSV and TSV by their content, packed or not", async () => {
    for (const [text, format] of [
      [FEATURE, "geojson"],
      [`\u{feff}  ${FEATURE}\n${FEATURE}`, "geojson"],
      [`\u001e${FEATURE}\n`, "geojson"],
      [CSV, "csv"],
      [CSV.replaceAll(",", ";"), "csv"],
      [CSV.replaceAll(",", "\t"), "tsv"],
      ["\u{feff}lon,lat\n1,2\n", "csv"],
    ] as const) {
      for (const isPacked of [false, true]) {
        const bytes = isPacked ? gzipSync(text) : utf8(text);
        const read = await readFeatures(bytes);
        expect(read).toMatchObject({ format, isPacked });
        expect(read.features[0]).toMatchObject({ geometry: POINT });
      }
      const zipped = await readFeatures(
        encodeZip([{ name: `x/data.${format === "geojson" ? "json" : "csv"}`, bytes: utf8(text) }]),
      );
      expect(zipped).toMatchObject({ format, isPacked: true });
      expect(zipped.features[0]).toMatchObject({ geometry: POINT });
    }
  });

  it("opens the one file of an archive that has geometries, or the one that is named", async () => {
    const csv = { name: "list.csv", bytes: utf8(CSV) };
    const one = { name: "in/a.geojson", bytes: utf8(FEATURE) };
    const other = { name: "in/b.geojson", bytes: utf8(FEATURE.replace('"a"', '"b"')) };
    expect(await readFeatures(encodeZip([csv, one]))).toMatchObject({ features: [{ id: "a" }] });
    const several = encodeZip([csv, one, other]);
    for (const layer of ["b", "b.geojson", "in/b", "in/b.geojson"]) {
      expect(await readFeatures(several, { layer })).toMatchObject({ features: [{ id: "b" }] });
    }
    expect(await errorOf(readFeatures(several))).toMatchObject({
      code: "LAYER_AMBIGUOUS",
      details: { layers: ["in/a.geojson", "in/b.geojson"] },
    });
    expect(await errorOf(readFeatures(several, { layer: "c" }))).toMatchObject({ code: "LAYER_UNKNOWN" });
    const list = { features: [{ id: "a" }, { id: "b", place: { feature: 2 } }] };
    expect(await readFeatures(several, { layer: "a, b" })).toMatchObject(list);
    expect(await errorOf(readFeatures(several, { layer: "a,c" }))).toMatchObject({ code: "LAYER_UNKNOWN" });
    const mixed = encodeZip([one, { name: "c.kml", bytes: utf8("<kml></kml>") }]);
    expect(await errorOf(readFeatures(mixed, { layer: "a,c" }))).toMatchObject({ code: "LAYER_UNKNOWN" });
  });

  it("opens an archive within an archive: the only one, or the one that is named, and a file of it", async () => {
    const [one, other] = ["a", "b"].map((id) => ({
      name: `${id}.geojson`,
      bytes: utf8(FEATURE.replace('"a"', `"${id}"`)),
    }));
    const inner = encodeZip([one!]);
    expect(await readFeatures(encodeZip([{ name: "in.zip", bytes: inner }]))).toMatchObject({
      features: [{ id: "a" }],
    });
    const both = encodeZip([
      { name: "AREA.zip", bytes: encodeZip([one!, other!]) },
      { name: "APPS.zip", bytes: encodeZip([other!]) },
    ]);
    expect(await errorOf(readFeatures(both))).toMatchObject({
      code: "LAYER_AMBIGUOUS",
      details: { layers: ["AREA.zip", "APPS.zip"] },
    });
    for (const layer of ["APPS.zip", "APPS", "AREA.zip/b", "AREA.zip/b.geojson"]) {
      expect(await readFeatures(both, { layer })).toMatchObject({ features: [{ id: "b" }] });
    }
    expect(await readFeatures(both, { layer: "AREA.zip/a,APPS" })).toMatchObject({
      features: [{ id: "a" }, { id: "b" }],
    });
    expect(await errorOf(readFeatures(both, { layer: "AREA" }))).toMatchObject({ code: "LAYER_AMBIGUOUS" });
    const deep = encodeZip([{ name: "out.zip", bytes: encodeZip([{ name: "in.zip", bytes: inner }]) }]);
    expect(await errorOf(readFeatures(deep))).toMatchObject({ code: "FORMAT_UNSUPPORTED" });
    const limits = { unpackedBytes: 200 };
    expect(await errorOf(readFeatures(both, { layer: "AREA", limits }))).toMatchObject({
      code: "UNPACKED_TOO_LARGE",
    });
    const renamed = encodeZip([{ name: "a.geojson", bytes: encodeZip([one!]) }]);
    expect(await errorOf(readFeatures(renamed))).toMatchObject({ code: "FORMAT_UNKNOWN" });
    expect(await errorOf(readFeatures(encodeZip([])))).toMatchObject({ code: "ARCHIVE_INVALID" });
  });

  it.each([
    ["<?xml version='1.0'?><!-- x --><wfs:FeatureCollection xmlns:gml='http://www.opengis.net/gml'>", "GML"],
    ['{"type":"Topology","objects":{}}', "TopoJSON"],
    ["!table\n!version 300\n", "MapInfo TAB"],
    ["  0\nSECTION\n", "DXF"],
  ])("prints the line that converts %j", async (text, name) => {
    const error = await errorOf(readFeatures(utf8(text)));
    expect(error.code).toBe("FORMAT_UNSUPPORTED");
    expect(error.message).toContain(`found ${name}, which is not read; convert it: ogr2ogr -f GPKG `);
  });

  it("names what is to be done with spreadsheets that are not read", async () => {
    const buildZip = (...names: string[]) => encodeZip(names.map((name) => ({ name, bytes: utf8("<x/>") })));
    const ods = buildZip("mimetype", "content.xml", "META-INF/manifest.xml");
    const xlsb = buildZip("[Content_Types].xml", "xl/workbook.bin");
    const xls = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const xml = utf8('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>');
    for (const bytes of [ods, xlsb, xls, xml]) {
      const error = await errorOf(openTable(toLocalFile(bytes)));
      expect(error).toMatchObject({ code: "FORMAT_UNSUPPORTED" });
      expect(error.message).toContain(
        "which is not read; open it in a spreadsheet and save it as .xlsx or CSV",
      );
    }
  });

  it("names the path within an archive in that line, quoted for a shell", async () => {
    const gml = { name: "o ne/x.gml", bytes: utf8("<gml:FeatureCollection>") };
    const file = { ...toLocalFile(encodeZip([gml])), name: "my files/it's.zip" };
    expect((await errorOf(openTable(file))).message).toContain(
      "ogr2ogr -f GPKG x.gpkg '/vsizip/my files/it'\\''s.zip/o ne/x.gml'",
    );
    const gdb = encodeZip([{ name: "x.gdb/a00000001.gdbtable", bytes: utf8("…") }]);
    expect((await errorOf(openTable({ ...toLocalFile(gdb), name: "x.zip" }))).message).toContain(
      "found an Esri file geodatabase (FileGDB), which is not read; convert it: ogr2ogr -f GPKG x.gpkg /vsizip/x.zip/x.gdb",
    );
  });

  it.each([
    ["<!DOCTYPE html><html>", "an HTML page (was the download refused?)"],
    ["%PDF-1.4", "a PDF"],
    ["II*\0", "a TIFF image"],
    ["\0\x01\x02", "binary data"],
  ])("names what %j is, which it does not read", async (text, name) => {
    const error = await errorOf(readFeatures(utf8(text)));
    expect(error).toMatchObject({
      code: "FORMAT_UNKNOWN",
      message: expect.stringContaining(`found ${name}`),
    });
  });

  it("refuses another format than the declared one", async () => {
    const error = await errorOf(readFeatures(utf8(FEATURE), { format: "geopackage" }));
    expect(error).toMatchObject({
      code: "FORMAT_UNKNOWN",
      message: "found GeoJSON, expected GeoPackage, the format that was named",
    });
    expect(await readFeatures(utf8("id;geometry\t;\n"), { format: "csv" })).toMatchObject({ features: [] });
  });

  it("swaps the axes of every geometry by option", async () => {
    const ring = [
      [1, 2],
      [3, 2],
      [3, 4],
      [1, 2],
    ];
    const collection = {
      type: "GeometryCollection",
      geometries: [POINT, { type: "LineString", coordinates: ring }],
    };
    const geometries = [POINT, { type: "Polygon", coordinates: [ring] }, collection, null];
    const text = geometries
      .map((geometry) => JSON.stringify({ type: "Feature", properties: {}, geometry }))
      .join("\n");
    const { features } = await readFeatures(utf8(text), { swapAxes: true });
    const swapped = ring.map(([x, y]) => [y, x]);
    expect(features.map(({ geometry }) => geometry)).toEqual([
      { type: "Point", coordinates: [2, 1] },
      { type: "Polygon", coordinates: [swapped] },
      {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [2, 1] },
          { type: "LineString", coordinates: swapped },
        ],
      },
      null,
    ]);
  });
});

describe("text in other encodings", () => {
  const LATIN = Uint8Array.from([...CSV.replace("id", "n\u00e3o")].map((letter) => letter.charCodeAt(0)));

  it("is read as declared, and UTF-16 by its byte order mark", async () => {
    const { features } = await readFeatures(LATIN, { encoding: "latin1" });
    expect([...features[0]!.properties.keys()]).toEqual(["não"]);
    for (const text of [CSV, FEATURE]) {
      const little = Buffer.from(`\u{feff}${text}`, "utf16le");
      expect((await readFeatures(little)).features[0]).toMatchObject({ geometry: POINT });
      expect((await readFeatures(Buffer.from(little).swap16())).features[0]).toMatchObject({
        geometry: POINT,
      });
    }
  });

  it("is refused where it cannot be decoded, with the line, and where no encoding has the name", async () => {
    expect(await errorOf(readFeatures(LATIN))).toMatchObject({
      code: "TEXT_NOT_UTF8",
      details: { place: { line: 1 } },
    });
    const broken = Buffer.concat([utf8("id,lon,lat\n1,1,2\n"), Uint8Array.of(0x81), utf8("\n")]);
    expect(await errorOf(readFeatures(broken, { encoding: "shift_jis" }))).toMatchObject({
      code: "TEXT_NOT_UTF8",
      details: { place: { line: 3 } },
    });
    expect(await errorOf(readFeatures(utf8(CSV), { encoding: "klingon" }))).toMatchObject({
      code: "ENCODING_UNKNOWN",
    });
  });
});

describe("features of CSV", () => {
  it("come from WKT, EWKT, or longitude and latitude; the other columns are properties", async () => {
    const { features } = await readFeatures(utf8("name,Wkt\na,POINT(1 2)\nb,SRID=31983;POINT(3 4)\nc,\n"));
    expect(features.map(({ geometry, crs }) => [geometry, crs])).toEqual([
      [POINT, undefined],
      [{ type: "Point", coordinates: [3, 4] }, "EPSG:31983"],
      [null, undefined],
    ]);
    expect([...features[0]!.properties]).toEqual([["name", "a"]]);
    const named = await readFeatures(utf8("e,n,lat\n1,2,x\n"), { longitude: "e", latitude: "n" });
    expect(named.features).toMatchObject([{ geometry: POINT }]);
  });

  it("that cannot be read are faults, and the next is read", async () => {
    const { features } = await readFeatures(utf8('lon;lat\n"1,5";2\n1;2\n1\n1;x\n'));
    expect(features.map(({ fault }) => fault?.message)).toEqual([
      'column "lon": found "1,5", expected a number with a point, not a comma',
      undefined,
      "found 1 cells, expected 2, as in the header",
      'column "lat": found "x", expected a number',
    ]);
    const wkt = await readFeatures(utf8("id,wkt\n1,POINT(1)\n"));
    expect(wkt.features[0]!.fault).toEqual({
      code: "GEOMETRY_INVALID",
      message: 'column "wkt": WKT, character 8: found ")", expected a number',
    });
  });

  it("need a column of their geometry", async () => {
    const error = await errorOf(readFeatures(utf8("id,name\n1,a\n")));
    expect(error).toMatchObject({ code: "FORMAT_UNKNOWN", details: { columns: ["id", "name"] } });
    expect(await errorOf(readFeatures(utf8(CSV), { wkt: "shape" }))).toMatchObject({ code: "CSV_MALFORMED" });
  });
});

describe("rows", () => {
  it("are those of CSV, of objects one a line, and of the properties of features", async () => {
    const csv = await readRows(utf8("a,b\n1,x\n2\n"));
    expect(csv).toMatchObject({ format: "csv", columns: ["a", "b"] });
    expect(csv.rows.map(({ cells, fault }) => [[...cells], fault?.code])).toEqual([
      [
        [
          ["a", "1"],
          ["b", "x"],
        ],
        undefined,
      ],
      [[["a", "2"]], "ROW_RAGGED"],
    ]);
    const lines = await readRows(utf8('{"a":1,"b":null}\n{"a":12345678901234567890}\n'), {
      format: "json-lines",
    });
    expect(lines.rows.map(({ place, cells }) => [place, [...cells]])).toEqual([
      [
        { row: 1, line: 1, byte: 0 },
        [
          ["a", 1],
          ["b", null],
        ],
      ],
      [{ row: 2, line: 2, byte: 17 }, [["a", "12345678901234567890"]]],
    ]);
    expect((await readRows(utf8(FEATURE))).rows.map(({ cells }) => [...cells])).toEqual([[["n", 1]]]);
  });
});

describe("limits of what is unpacked", () => {
  const ZEROS = gzipSync(new Uint8Array(1 << 20).fill(0x20));

  it("hold for gzip, and for gzip in zip", async () => {
    const limits = { unpackedBytes: 100_000 };
    for (const bytes of [
      ZEROS,
      encodeZip([{ name: "x.json.gz", bytes: ZEROS }]),
      encodeZip([{ name: "x.json", bytes: new Uint8Array(1 << 20) }]),
    ]) {
      const error = await errorOf(readFeatures(bytes, { limits }));
      expect(error.code).toBe("UNPACKED_TOO_LARGE");
    }
    expect(await errorOf(readFeatures(gzipSync(ZEROS)))).toMatchObject({ code: "FORMAT_UNKNOWN" });
  });

  it("let no more through than one chunk beyond", async () => {
    let produced = 0;
    const { gunzipWithinLimits: gunzip } = await import("./gzip.ts");
    const reading = async () => {
      const limits = { unpackedBytes: 100_000, ratio: 200 };
      for await (const chunk of gunzip(splitChunks(ZEROS, 100), limits)) produced += chunk.length;
    };
    await expect(reading()).rejects.toMatchObject({ code: "UNPACKED_TOO_LARGE" });
    expect(produced).toBeLessThanOrEqual(100_000);
  });
});
