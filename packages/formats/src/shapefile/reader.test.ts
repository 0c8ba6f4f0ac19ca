import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../test/local-bytes.ts";
import { collectItems, expectReadOrRefused, readTableFeatures, toPlainGeometry } from "../../test/reading.ts";
import {
  encodeDbf,
  encodeShpAndShx,
  type WrittenShape,
  type WrittenTable,
} from "../../test/write-shapefile.ts";
import { encodeZip } from "../../test/write-zip.ts";
import type { LocalFile } from "../file/local-file.ts";
import { FormatError } from "../format-error.ts";
import type { Feature, ReadOptions } from "../format-reader.ts";
import { openLocalFile, openPath } from "../host/node/files.ts";
import { openTable } from "../open/open-table.ts";
import { reader as shapefileReader } from "./reader.ts";

type Files = Readonly<Record<string, Uint8Array | string>>;

const SQUARE: WrittenShape = [
  [
    [0, 0],
    [0, 4],
    [4, 4],
    [4, 0],
    [0, 0],
  ],
];
const HOLE = [
  [1, 1],
  [2, 1],
  [1, 2],
  [1, 1],
] as const;
const TABLE: WrittenTable = { fields: [["id", "N", 4]], rows: [["1"], ["2"]] };
const WGS84 = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;

function createShapefile(
  type: number,
  shapes: readonly WrittenShape[],
  table: WrittenTable = TABLE,
  more: Files = {},
): Files {
  const { shp, shx } = encodeShpAndShx(type, shapes);
  return { "a.shp": shp, "a.shx": shx, "a.dbf": encodeDbf(table), "a.prj": WGS84, ...more };
}

const without = (files: Files, ...names: string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));

const zipped = (files: Files): Buffer =>
  encodeZip(Object.entries(files).map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes as string) })));

const read = async (files: Files | Buffer, options: ReadOptions = {}) => {
  const bytes = Buffer.isBuffer(files) ? files : zipped(files);
  return (await readTableFeatures(shapefileReader.open(toLocalFile(bytes), options))).features;
};

const listGeometries = (features: readonly Feature[]): unknown[] =>
  features.map(({ geometry }) => toPlainGeometry(geometry));

async function readCells(
  table: WrittenTable,
  more: Files = {},
  options: ReadOptions = {},
): Promise<unknown[][]> {
  const shapes = table.rows.map(() => null);
  const features = await read(createShapefile(5, shapes, table, more), options);
  return features.map(({ properties }) => [...properties.values()]);
}

describe("shapefileReader", () => {
  it("reads polygons, parts of them, holes and null shapes, with rows and the CRS", async () => {
    const features = await read(
      createShapefile(5, [[...SQUARE!, HOLE, HOLE.map(([x, y]) => [x + 9, y] as const)], null]),
    );
    expect(features.map(({ place, id, crs }) => [place, id, crs])).toEqual([
      [{ entry: ".shp", feature: 1, byte: 108 }, undefined, "EPSG:4326"],
      [{ entry: ".shp", feature: 2, byte: 380 }, undefined, "EPSG:4326"],
    ]);
    expect(features.map(({ properties }) => properties.get("id"))).toEqual([1, 2]);
    const far = HOLE.map(([x, y]) => [x + 9, y]);
    expect(listGeometries(features)).toEqual([
      { type: "MultiPolygon", coordinates: [[SQUARE![0], HOLE], [far]] },
      null,
    ]);
  });

  it.each([5, 15, 25])("drops heights and measures of polygons (type %i)", async (type) => {
    const features = await read(createShapefile(type, [SQUARE, SQUARE]));
    expect(listGeometries(features)[1]).toEqual({ type: "Polygon", coordinates: SQUARE });
  });

  it.each([
    [1, [[[1, 2]]], { type: "Point", coordinates: [1, 2] }],
    [11, [[[1, 2]]], { type: "Point", coordinates: [1, 2] }],
    [21, [[[1, 2]]], { type: "Point", coordinates: [1, 2] }],
    [8, [HOLE], { type: "MultiPoint", coordinates: HOLE }],
    [18, [HOLE], { type: "MultiPoint", coordinates: HOLE }],
    [28, [HOLE], { type: "MultiPoint", coordinates: HOLE }],
    [3, [HOLE], { type: "LineString", coordinates: HOLE }],
    [13, [HOLE, HOLE], { type: "MultiLineString", coordinates: [HOLE, HOLE] }],
  ] as const)("reads shapes of type %i as GeoJSON", async (type, shape, geometry) => {
    expect(listGeometries(await read(createShapefile(type, [shape, null])))).toEqual([geometry, null]);
  });

  it("keeps every bit of coordinates, and swaps axes by option", async () => {
    const shape = [[[-0, 0.1 + 0.2] as const, [5e-324, -1.7976931348623157e308] as const]];
    const [feature] = await read(createShapefile(3, [shape, null]));
    expect(feature!.geometry).toEqual({ type: "LineString", coordinates: shape[0] });
    const [swapped] = await read(createShapefile(3, [shape, null]), { swapAxes: true });
    expect(swapped!.geometry).toEqual({ type: "LineString", coordinates: shape[0]!.map(([x, y]) => [y, x]) });
  });

  it("refuses patches, and names the mend", async () => {
    const files = createShapefile(5, [SQUARE, SQUARE]);
    const patched = Buffer.from(files["a.shp"] as Buffer);
    patched.writeInt32LE(31, 32);
    await expect(read({ ...files, "a.shp": patched })).rejects.toMatchObject({
      code: "FORMAT_UNSUPPORTED",
      message: expect.stringContaining("MultiPatch"),
    });
  });

  it("passes over deleted rows with their shapes", async () => {
    const features = await read(createShapefile(5, [SQUARE, null], { ...TABLE, deleted: [0] }));
    expect(features.map(({ place, geometry }) => [place.feature, geometry])).toEqual([[2, null]]);
  });

  it("goes in the order of the index, over records that it leaves out", async () => {
    const shapes = [1, 2, 3].map((x) => [[[x, x] as const]]);
    const { shp, shx } = encodeShpAndShx(1, shapes);
    const turned = Buffer.concat([shx.subarray(0, 100), shx.subarray(116), shx.subarray(100, 108)]);
    turned.writeInt32BE(turned.length / 2, 24);
    const features = await read({
      ...createShapefile(1, [null]),
      "a.shp": shp,
      "a.shx": turned,
      "a.dbf": encodeDbf(TABLE),
    });
    expect(features.map(({ geometry }) => (geometry as { coordinates: unknown }).coordinates)).toEqual([
      [3, 3],
      [1, 1],
    ]);
  });

  it("needs no index, no .cpg and no .prj, but a table", async () => {
    const files = createShapefile(5, [SQUARE, null]);
    const features = await read(without(files, "a.shx", "a.prj"));
    expect(features.map(({ crs }) => crs)).toEqual([undefined, undefined]);
    await expect(read(without(files, "a.dbf"))).rejects.toMatchObject({
      code: "FILE_DAMAGED",
      message: expect.stringContaining("a.dbf"),
    });
  });

  it("refuses a CRS that it cannot name, unless an option names it", async () => {
    const files = createShapefile(5, [SQUARE, null], TABLE, { "a.prj": WGS84.replace("D_WGS", "D_Our") });
    await expect(read(files)).rejects.toMatchObject({
      code: "CRS_UNSUPPORTED",
      message:
        '.prj: found "GCS_WGS_1984" in the .prj, expected a system that is known: name it (--crs EPSG:n), or `ogr2ogr -t_srs EPSG:4326 out.gpkg in.shp`',
    });
    expect((await read(files, { crs: "EPSG:4326" })).map(({ crs }) => crs)).toEqual([
      "EPSG:4326",
      "EPSG:4326",
    ]);
  });

  it("requires the name of one of several layers", async () => {
    const files = createShapefile(5, [SQUARE, null]);
    const both = Object.fromEntries(
      Object.entries(files).flatMap(([name, bytes]) => [
        [`x/${name}`, bytes],
        [name.replace("a.", "y/B.").toUpperCase(), bytes],
      ]),
    );
    await expect(read(both)).rejects.toMatchObject({
      code: "LAYER_AMBIGUOUS",
      details: { layers: ["a", "B"] },
    });
    await expect(read(both, { layer: "c" })).rejects.toMatchObject({ code: "LAYER_UNKNOWN" });
    expect(await read(both, { layer: "B" })).toHaveLength(2);
    expect(await read(both, { layer: "x/a" })).toHaveLength(2);
  });
});

describe("shapefileReader, beside a .shp", () => {
  const dir = createSharedFolder().at();

  it("finds the other files, whatever the case of their letters", async () => {
    const files = createShapefile(5, [SQUARE, null]);
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(join(dir, name === "a.dbf" ? "A.Dbf" : name), bytes);
    }
    const file = await openLocalFile(join(dir, "a.shp"));
    const table = await shapefileReader.open(file, {});
    expect([table.layer, table.crs, table.isPacked]).toEqual(["a", "EPSG:4326", false]);
    const rows: unknown[] = [];
    for await (const row of table.rows()) rows.push(row);
    expect(rows).toEqual([
      { place: { entry: ".dbf", row: 1 }, cells: new Map([["id", 1]]) },
      { place: { entry: ".dbf", row: 2 }, cells: new Map([["id", 2]]) },
    ]);
    await table.close();
    await file.close();
  });

  it("joins parts that a list names, from their folder and from an archive", async () => {
    const parts: Record<string, Uint8Array | string> = {};
    for (const [k, id] of ["1", "2", "3"].entries()) {
      const files = createShapefile(5, [SQUARE], { fields: [["id", "N", 4]], rows: [[id]] });
      for (const [name, bytes] of Object.entries(files)) parts[name.replace("a.", `AREA_${k + 1}.`)] = bytes;
    }
    const folder = join(dir, "parts");
    await mkdir(folder);
    for (const [name, bytes] of Object.entries(parts)) await writeFile(join(folder, name), bytes);
    const readIds = async (opened: LocalFile, layer: string) => {
      const table = await openTable(opened, { layer });
      const features = await collectItems(table.features());
      await table.close();
      return features.map(({ place, properties }) => [place.feature, properties.get("id")]);
    };
    for (const layer of ["AREA_3,AREA_1", "AREA_3, AREA_1"]) {
      const expected = [
        [1, 3],
        [2, 1],
      ];
      const file = await openPath(folder, layer);
      expect(await readIds(file, layer)).toEqual(expected);
      await file.close();
      expect(await readIds(toLocalFile(zipped(parts)), layer)).toEqual(expected);
    }
    await expect(openTable(toLocalFile(zipped(parts)), { layer: "AREA_3,AREA_9" })).rejects.toMatchObject({
      code: "LAYER_UNKNOWN",
    });
  });
});

describe("the table of a shapefile", () => {
  it("reads every type, and keeps as text what is none of it", async () => {
    const le = (value: number): Uint8Array => new Uint8Array(Int32Array.of(value).buffer);
    const table: WrittenTable = {
      fields: [
        ["c", "C", 6],
        ["n", "N", 20],
        ["d", "N", 8, 2],
        ["f", "F", 8, 3],
        ["day", "D", 8],
        ["l", "L", 1],
        ["i", "I", 4],
        ["b", "B", 8],
      ],
      rows: [
        [
          "  a b ",
          "9007199254740991",
          "-1.50",
          "1e3",
          "20240229",
          "T",
          le(-5),
          new Uint8Array(Float64Array.of(0.1).buffer),
        ],
        [
          "",
          "9223372036854775807",
          "",
          "*****",
          "00000000",
          "?",
          le(7),
          new Uint8Array(Float64Array.of(1e300).buffer),
        ],
        ["abcdef", "x", "1,5", ".5", "2024", "n", le(0), new Uint8Array(8)],
      ],
    };
    expect(await readCells(table)).toEqual([
      ["  a b", 9007199254740991, -1.5, 1000, "2024-02-29", true, -5, 0.1],
      [null, "9223372036854775807", null, null, null, null, 7, 1e300],
      ["abcdef", "x", "1,5", 0.5, "2024", false, 0, 0],
    ]);
  });

  it.each([
    ["UTF-8", "ção", Buffer.from("ção")],
    ["ANSI 1252", "é€", Buffer.from([0xe9, 0x80])],
    ["OEM 437", "é", Buffer.from([0x82])],
    ["88591", "é", Buffer.from([0xe9])],
    ["8859-2", "ą", Buffer.from([0xb1])],
    ["Big5", "中", Buffer.from([0xa4, 0xa4])],
    ["windows-1250", "ž", Buffer.from([0x9e])],
  ])("reads text in the encoding of the .cpg: %s", async (label, text, bytes) => {
    const table: WrittenTable = { fields: [["c", "C", 12]], rows: [[bytes]], driver: 87 };
    expect(await readCells(table, { "a.cpg": `${label}\r\n` })).toEqual([[text]]);
  });

  it("takes the option before the .cpg, and that before the language driver", async () => {
    const table: WrittenTable = { fields: [["c", "C", 2]], rows: [[Uint8Array.of(0x82)]], driver: 1 };
    expect(await readCells(table)).toEqual([["é"]]);
    expect(await readCells(table, { "a.cpg": "1252" })).toEqual([["‚"]]);
    expect(await readCells(table, { "a.cpg": "1252" }, { encoding: "cp866" })).toEqual([["В"]]);
  });

  it("refuses bytes that are no text, with their place", async () => {
    const table: WrittenTable = {
      fields: [
        ["n", "N", 3],
        ["c", "C", 4],
      ],
      rows: [
        ["1", "a"],
        ["2", Uint8Array.of(0x61, 0xe9, 0x20)],
      ],
    };
    await expect(readCells(table)).rejects.toMatchObject({
      code: "ENCODING_UNKNOWN",
      details: { place: { entry: ".dbf", row: 2, byte: 97 + 8 + 4 } },
      message: expect.stringContaining("--encoding"),
    });
    await expect(readCells(table, { "a.cpg": "UTF-8" })).rejects.toMatchObject({ code: "TEXT_NOT_UTF8" });
    await expect(readCells(table, { "a.cpg": "klingon" })).rejects.toMatchObject({
      code: "ENCODING_UNKNOWN",
      details: { place: { entry: ".cpg" } },
    });
    await expect(readCells(table, {}, { encoding: "utf-16" })).rejects.toMatchObject({
      code: "ENCODING_UNKNOWN",
    });
  });

  it("recognizes UTF-8 where nothing is declared", async () => {
    const names = ["São Félix do Xingu", "análise", "Vitória", "ascii"].map((name) => [Buffer.from(name)]);
    const table: WrittenTable = { fields: [["c", "C", 24]], rows: names };
    expect(await readCells(table)).toEqual(names.map(([name]) => [name!.toString()]));
    const mixed = { ...table, rows: [...names, [Buffer.from("São", "latin1")]] };
    await expect(readCells(mixed)).rejects.toMatchObject({
      code: "ENCODING_UNKNOWN",
      message: expect.stringContaining("--encoding utf-8"),
    });
  });

  it("drops half a character that the width of a field has cut", async () => {
    const table: WrittenTable = { fields: [["c", "C", 2]], rows: [[Buffer.from("aé").subarray(0, 2)]] };
    expect(await readCells(table, { "a.cpg": "UTF-8" })).toEqual([["a"]]);
  });

  it("refuses memo fields, two fields of one name, and tables of another length", async () => {
    const rows = [["1", "2"]];
    const field = (name: string, type: string) => [name, type, 10] as const;
    await expect(readCells({ fields: [field("a", "C"), field("m", "M")], rows })).rejects.toMatchObject({
      code: "FORMAT_UNSUPPORTED",
    });
    await expect(readCells({ fields: [field("a", "C"), field("a", "C")], rows })).rejects.toMatchObject({
      code: "FILE_DAMAGED",
    });
    const files = createShapefile(5, [SQUARE, SQUARE], { ...TABLE, rows: [["1"]] });
    await expect(read(files)).rejects.toMatchObject({
      code: "FILE_DAMAGED",
      message: ".dbf, byte 4: found 1 rows, expected 2, one for each shape",
    });
    await expect(read(without(files, "a.shx"))).rejects.toMatchObject({ code: "FILE_DAMAGED" });
  });
});

describe("a damaged shapefile", () => {
  const files = createShapefile(5, [[...SQUARE!, HOLE], SQUARE]);

  it("is a fault where one shape lies of its parts or positions, and the next is read", async () => {
    const shp = Buffer.from(files["a.shp"] as Buffer);
    for (const [at, value] of [
      [108 + 36, 3],
      [108 + 40, 10],
      [108 + 40, -1],
      [108 + 48, 99],
      [108, 3],
    ] as const) {
      const turned = Buffer.from(shp);
      turned.writeInt32LE(value, at);
      const [first, second] = await read({ ...files, "a.shp": turned });
      expect(first).toMatchObject({ geometry: null, fault: { code: "FILE_DAMAGED" } });
      expect(listGeometries([second!])).toEqual([{ type: "Polygon", coordinates: SQUARE }]);
    }
    shp.writeDoubleLE(Number.NaN, 108 + 52);
    expect((await read({ ...files, "a.shp": shp }))[0]!.fault?.message).toContain("no number");
  });

  it("is refused where one record stands under many numbers", async () => {
    const shx = Buffer.from(files["a.shx"] as Buffer);
    shx.copy(shx, 108, 100, 108);
    await expect(read({ ...files, "a.shx": shx })).rejects.toMatchObject({
      message: expect.stringContaining("share bytes"),
    });
  });

  it.each(["a.shp", "a.shx", "a.dbf", "a.prj"])("is refused where %s is cut at any byte", async (name) => {
    const whole = Buffer.from(files[name] as Buffer);
    for (let length = 0; length < whole.length; length++) {
      const reading = read({ ...files, [name]: whole.subarray(0, length) });
      // An empty .prj declares nothing, and the end mark of a table may be missing.
      if ((name === "a.prj" && length === 0) || (name === "a.dbf" && length === whole.length - 1))
        await reading;
      else await expect(reading).rejects.toBeInstanceOf(FormatError);
    }
  });

  it("is read or refused, never more, with any bits turned", async () => {
    const names = ["a.shp", "a.shx", "a.dbf"];
    const parts = names.map((name) => files[name] as Buffer);
    const options = { seed: 9994, count: 200, flips: 3, refused: 20 };
    await expectReadOrRefused(parts, options, async (turned, original) => {
      const name = names[parts.indexOf(original as Buffer)]!;
      expect((await read({ ...files, [name]: turned })).length).toBeLessThanOrEqual(2);
    });
  });
});
