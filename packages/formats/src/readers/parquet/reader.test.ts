import { createSeededRandom } from "@groundrule/testing/random";
import { type ParquetWriteOptions, parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../../test/local-bytes.ts";
import { randomArea } from "../../../test/random-geometry.ts";
import {
  catchFormatError,
  expectCutRefused,
  expectReadOrRefused,
  readTableFeatures,
  readTableRows,
  SQUARE,
  toPlainGeometry,
} from "../../../test/reading.ts";
import { encodeWkb } from "../../../test/wkb-encoder.ts";
import type { ReadOptions } from "../../format-reader.ts";
import { reader as geoparquetReader } from "./reader.ts";

type Column = ParquetWriteOptions["columnData"][number];

const WKB = encodeWkb(SQUARE);

function createGeoMetadata(column: object = {}, more: object = {}): { key: string; value: string }[] {
  const geometry = { encoding: "WKB", geometry_types: [], ...column };
  const geo = { version: "1.1.0", primary_column: "geometry", columns: { geometry }, ...more };
  return [{ key: "geo", value: JSON.stringify(geo) }];
}

function write(columnData: Column[], options: Partial<ParquetWriteOptions> = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ kvMetadata: createGeoMetadata(), ...options, columnData }));
}

const GEOMETRY: Column = { name: "geometry", data: [WKB, null, WKB], type: "BYTE_ARRAY" };

const open = (bytes: Uint8Array, options: ReadOptions = {}) =>
  geoparquetReader.open(toLocalFile(bytes), options);
const read = (bytes: Uint8Array, options: ReadOptions = {}) => readTableFeatures(open(bytes, options));
const refusal = (bytes: Uint8Array, options: ReadOptions = {}) => catchFormatError(read(bytes, options));

describe("a GeoParquet", () => {
  it("gives features with properties, over pages and row groups", async () => {
    const random = createSeededRandom(91);
    const areas = Array.from({ length: 500 }, () => randomArea(random));
    const columns: Column[] = [
      { name: "name", data: areas.map((_, i) => (i % 7 === 0 ? null : `plot ${i % 20}`)), type: "STRING" },
      { name: "geometry", data: areas.map((area) => encodeWkb(area)), type: "BYTE_ARRAY" },
      { name: "number", data: areas.map((_, i) => BigInt(i) * 2n ** 45n), type: "INT64" },
      { name: "share", data: areas.map((_, i) => i / 3), type: "DOUBLE" },
      { name: "flag", data: areas.map((_, i) => i % 3 === 0), type: "BOOLEAN" },
    ];
    const { crs, features } = await read(write(columns, { rowGroupSize: [64, 150], pageSize: 700 }));
    expect(crs).toBe("OGC:CRS84");
    expect(features.map(({ geometry }) => toPlainGeometry(geometry))).toEqual(areas);
    expect(features.map(({ place }) => place.feature)).toEqual(areas.map((_, i) => i + 1));
    for (const [i, { properties }] of features.entries())
      expect(Object.fromEntries(properties)).toEqual({
        name: i % 7 === 0 ? null : `plot ${i % 20}`,
        number: i < 256 ? i * 2 ** 45 : String(BigInt(i) * 2n ** 45n),
        share: i / 3,
        flag: i % 3 === 0,
      });
  });

  it("reports one faulty geometry while the others go on", async () => {
    const data = [WKB, WKB.subarray(0, 20), null, Uint8Array.of(1, 10, 0, 0, 0)];
    const { features } = await read(write([{ ...GEOMETRY, data }]));
    expect(features.map(({ fault }) => fault?.code)).toEqual([
      undefined,
      "FILE_DAMAGED",
      undefined,
      "FORMAT_UNSUPPORTED",
    ]);
    expect(features[2]!.geometry).toBeNull();
  });

  it("names its CRS: longitude and latitude where none is declared, none where it is null", async () => {
    const cases: [object, string | undefined][] = [
      [{}, "OGC:CRS84"],
      [{ crs: null }, undefined],
      [{ crs: { type: "ProjectedCRS", name: "Ours", id: { authority: "ACME", code: 7 } } }, "Ours"],
    ];
    for (const [column, crs] of cases)
      expect((await read(write([GEOMETRY], { kvMetadata: createGeoMetadata(column) }))).crs).toBe(crs);
  });

  it("is refused where it is another version, encoding or surface", async () => {
    const cases: [{ key: string; value: string }[], string, string][] = [
      [
        createGeoMetadata({}, { version: "0.4.0" }),
        "FORMAT_UNSUPPORTED",
        'found GeoParquet of version "0.4.0", expected 1.0 or 1.1',
      ],
      [createGeoMetadata({ encoding: "polygon" }), "FORMAT_UNSUPPORTED", "-lco GEOMETRY_ENCODING=WKB"],
      [createGeoMetadata({ edges: "vincenty" }), "FORMAT_UNSUPPORTED", 'found edges that are "vincenty"'],
      [createGeoMetadata({}, { primary_column: "shape" }), "FILE_DAMAGED", 'no column "shape"'],
      [createGeoMetadata({}, { columns: [] }), "FILE_DAMAGED", 'no column "geometry" in the geo metadata'],
      [[{ key: "geo", value: "{" }], "FILE_DAMAGED", "geo metadata that are no JSON"],
      [[{ key: "geo", value: "null" }], "FORMAT_UNSUPPORTED", "GeoParquet of version undefined"],
      [[], "FORMAT_UNSUPPORTED", "found no geometry column, expected the metadata of GeoParquet"],
    ];
    for (const [kvMetadata, code, message] of cases) {
      const error = await refusal(write([GEOMETRY], { kvMetadata }));
      expect(error.code).toBe(code);
      expect(error.message).toContain(message);
    }
    const missing = { geometry: { encoding: "WKB" }, other: { encoding: "WKB" } };
    const bytes = write([GEOMETRY], { kvMetadata: createGeoMetadata({}, { columns: missing }) });
    expect((await refusal(bytes, { layer: "other" })).message).toContain('no column "other" of bytes');
    expect((await refusal(bytes, { layer: "x" })).details.layers).toEqual(["geometry", "other"]);
  });

  it("passes over other geometries, boxes and bytes, and reads what is nested", async () => {
    const bytes = write(
      [
        { name: "geometry", data: [WKB, null, WKB] },
        { name: "centre", data: [WKB, WKB, WKB] },
        { name: "blob", data: [WKB, WKB, WKB] },
        { name: "box", data: [{ xmin: 1 }, { xmin: 2 }, null] },
        { name: "tags", data: [["a", null, "b"], [], null] },
        { name: "names", data: [{ de: "Wien", en: null }, null, { de: null, en: "Vienna" }] },
      ],
      {
        kvMetadata: createGeoMetadata(
          { covering: { bbox: { xmin: ["box", "xmin"] } } },
          {
            columns: {
              geometry: { encoding: "WKB", covering: { bbox: { xmin: ["box", "xmin"] } } },
              centre: { encoding: "WKB" },
            },
          },
        ),
        schema: [
          { name: "root", num_children: 6 },
          { name: "geometry", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
          { name: "centre", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
          { name: "blob", type: "BYTE_ARRAY", repetition_type: "OPTIONAL" },
          { name: "box", num_children: 1, repetition_type: "OPTIONAL" },
          { name: "xmin", type: "DOUBLE", repetition_type: "OPTIONAL" },
          { name: "tags", num_children: 1, repetition_type: "OPTIONAL", converted_type: "LIST" },
          { name: "list", num_children: 1, repetition_type: "REPEATED" },
          { name: "element", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
          { name: "names", num_children: 2, repetition_type: "OPTIONAL" },
          { name: "de", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
          { name: "en", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
        ],
      },
    );
    const { features } = await read(bytes);
    expect(features.map(({ properties }) => Object.fromEntries(properties))).toEqual([
      { tags: ["a", null, "b"], names: { de: "Wien", en: null } },
      { tags: [], names: null },
      { tags: null, names: { de: null, en: "Vienna" } },
    ]);
  });

  it("is found by Parquet's own type, and must be named where there are two", async () => {
    const bytes = (...columns: Column[]): Uint8Array => write(columns, { kvMetadata: [] });
    const shape: Column = { name: "shape", data: [SQUARE], type: "GEOMETRY" };
    const found = await read(bytes(shape));
    expect(found.crs).toBe("OGC:CRS84");
    expect(toPlainGeometry(found.features[0]!.geometry)).toEqual(SQUARE);
    const two = bytes(shape, { ...shape, name: "other" });
    const error = await refusal(two);
    expect(error.code).toBe("LAYER_AMBIGUOUS");
    expect(error.details.layers).toEqual(["shape", "other"]);
    expect((await read(two, { layer: "other" })).features[0]!.properties.size).toBe(0);
    const [onSphere] = (await read(bytes({ ...shape, type: "GEOGRAPHY" }))).features;
    const [ring] = (toPlainGeometry(onSphere!.geometry) as { coordinates: number[][][] }).coordinates;
    expect(ring!.length).toBeGreaterThan(SQUARE.coordinates[0]!.length);
    expect(ring).toEqual(expect.arrayContaining(SQUARE.coordinates[0]!));
  });
});

describe("a plain Parquet", () => {
  it("gives rows, which count from 1", async () => {
    const data = [new Date("2024-02-29T12:00:00.5Z"), null];
    const bytes = write([{ name: "seen", data, type: "TIMESTAMP" }], { kvMetadata: [] });
    const rows = await readTableRows(open(bytes));
    expect(rows.map(({ place, cells }) => [place.row, cells.get("seen")])).toEqual([
      [1, "2024-02-29T12:00:00.5Z"],
      [2, null],
    ]);
  });
});

describe("a hostile Parquet", () => {
  const small = write(
    [
      GEOMETRY,
      { name: "name", data: ["a", "b", "a"], type: "STRING" },
      { name: "n", data: [1, 2, 3], type: "INT32", encoding: "DELTA_BINARY_PACKED" },
    ],
    { codec: "UNCOMPRESSED" },
  );

  it("cut at any byte is refused", async () => {
    expect((await read(small)).features).toHaveLength(3);
    await expectCutRefused(small, read);
  });

  it("with bits flipped is read or refused, and never anything else", async () => {
    const packed = write([
      GEOMETRY,
      { name: "tags", data: [["a"], ["b", "c"], []] },
      { name: "name", data: ["a", "b", "a"] },
    ]);
    await expectReadOrRefused([small, packed], { seed: 92, count: 1000, flips: 3, refused: 200 }, (turned) =>
      read(turned),
    );
  });

  it("is refused where its metadata are longer than the file, or nothing at all", async () => {
    const long = Uint8Array.from(small);
    long.fill(0xff, long.length - 8, long.length - 4);
    expect((await refusal(long)).message).toMatch(
      /found metadata of 4294967295 bytes, expected at most \d+$/,
    );
    const none = Uint8Array.from(small);
    none.set([1, 0, 0, 0], none.length - 8);
    expect((await refusal(none)).code).toBe("FILE_DAMAGED");
    const secret = Uint8Array.from(small);
    secret.set([0x45], secret.length - 1);
    expect((await refusal(secret)).message).toBe("found an encrypted file, expected a plain one");
  });
});
