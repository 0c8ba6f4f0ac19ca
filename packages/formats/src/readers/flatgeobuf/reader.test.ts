import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { encodeFlatGeobuf, type FlatGeobufFile } from "../../../test/flatgeobuf-file.ts";
import { toLocalFile } from "../../../test/local-bytes.ts";
import { randomGeometry } from "../../../test/random-geometry.ts";
import {
  catchFormatError,
  expectCutRefused,
  expectReadOrRefused,
  readTableFeatures,
  readTableRows,
  SQUARE,
  toPlainGeometry,
} from "../../../test/reading.ts";
import { AreaGeometry } from "../../area-geometry.ts";
import type { ReadOptions } from "../../format-reader.ts";
import { reader as flatgeobufReader } from "./reader.ts";

const open = (bytes: Uint8Array, options: ReadOptions = {}) =>
  flatgeobufReader.open(toLocalFile(bytes), options);
const read = (bytes: Uint8Array, options: ReadOptions = {}) => readTableFeatures(open(bytes, options));
const refusal = (bytes: Uint8Array, options: ReadOptions = {}) => catchFormatError(read(bytes, options));

const EVERY_TYPE: FlatGeobufFile = {
  geometryType: "Polygon",
  columns: [
    ["byte", "Byte"],
    ["ubyte", "UByte"],
    ["bool", "Bool"],
    ["short", "Short"],
    ["ushort", "UShort"],
    ["int", "Int"],
    ["uint", "UInt"],
    ["long", "Long"],
    ["ulong", "ULong"],
    ["float", "Float"],
    ["double", "Double"],
    ["string", "String"],
    ["json", "Json"],
    ["date", "DateTime"],
    ["binary", "Binary"],
  ],
  features: [
    {
      geometry: SQUARE,
      values: [-5, 250, true, -300, 65_000, -70_000, 4_000_000_000, 2n ** 60n, 7n, 0.5, 0.1, "Uaçá", '{"a":[1,12345678901234567890]}', "1991-10-29T00:00:00Z", Uint8Array.of(1, 2)], // biome-ignore format: in the order of the columns
    },
    { geometry: null, values: [undefined, 1, undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined, Number.NaN] }, // biome-ignore format: in the order of the columns
  ],
};

describe("a FlatGeobuf", () => {
  it("gives properties of every type, and null for those that a feature does not hold", async () => {
    const { features } = await read(encodeFlatGeobuf(EVERY_TYPE));
    const rows = await readTableRows(open(encodeFlatGeobuf(EVERY_TYPE)));
    expect(Object.fromEntries(features[0]!.properties)).toEqual({
      byte: -5,
      ubyte: 250,
      bool: true,
      short: -300,
      ushort: 65_000,
      int: -70_000,
      uint: 4_000_000_000,
      long: "1152921504606846976",
      ulong: 7,
      float: 0.5,
      double: 0.1,
      string: "Uaçá",
      json: { a: [1, "12345678901234567890"] },
      date: "1991-10-29T00:00:00Z",
    });
    expect(features[0]!.geometry).toBeInstanceOf(AreaGeometry);
    const second = features[1]!;
    expect(second.geometry).toBeNull();
    expect(second.properties.get("ubyte")).toBe(1);
    expect([...second.properties.values()].filter((value) => value !== null)).toEqual([1]);
    expect(rows.map(({ cells }) => cells)).toEqual(features.map(({ properties }) => properties));
  });

  it("gives random geometries of every kind bit by bit, with an index or without", async () => {
    const random = createSeededRandom(81);
    for (const [geometryType, nodeSize] of [
      ["Unknown", 0],
      ["Unknown", 16],
      ["Unknown", 2],
    ] as const) {
      // biome-ignore format: a table
      const geometries = Array.from({ length: 300 }, () => randomGeometry(random));
      const features = geometries.map((geometry) => ({ geometry }));
      const { features: got } = await read(encodeFlatGeobuf({ geometryType, nodeSize, features }));
      expect(got.map(({ fault }) => fault).filter((fault) => fault !== undefined)).toEqual([]);
      expect(got.map(({ geometry }) => toPlainGeometry(geometry))).toEqual(geometries);
    }
    const one = encodeFlatGeobuf({ geometryType: "Polygon", nodeSize: 16, features: [{ geometry: SQUARE }] });
    expect(toPlainGeometry((await read(one)).features[0]!.geometry)).toEqual(SQUARE);
  });

  it("names its CRS", async () => {
    for (const [crs, name] of [
      [{ code: 4674 }, "EPSG:4674"],
      [{ org: "epsg", code: 31976 }, "EPSG:31976"],
      [{ org: "OGC", codeText: "CRS84" }, "OGC:CRS84"],
      [{ org: "ESRI", code: 102_033 }, "ESRI:102033"],
      [{ name: "Our own" }, "Our own"],
      [{}, undefined],
      [undefined, undefined],
    ] as const)
      expect((await read(encodeFlatGeobuf(crs === undefined ? {} : { crs }))).crs).toBe(name);
  });

  it("reports one faulty geometry while the others go on", async () => {
    const ring = { type: "Polygon", coordinates: [[[0, 0], [1, 1]], [[2, 2]]] }; // biome-ignore format: rings
    const bytes = encodeFlatGeobuf({
      geometryType: "Polygon",
      features: [{ geometry: ring }, { geometry: SQUARE }],
    });
    const at = Buffer.from(bytes).indexOf(Buffer.from(Uint32Array.of(2, 2, 3).buffer));
    expect(at).toBeGreaterThan(0);
    bytes[at + 4] = 3;
    bytes[at + 8] = 2;
    const { features } = await read(bytes);
    expect(features[0]!.fault!.message).toMatch(
      /^byte \d+: found a ring that ends at 2, expected an end of 4 to 3$/,
    );
    expect(toPlainGeometry(features[1]!.geometry)).toEqual(SQUARE);
    const odd = encodeFlatGeobuf({ geometryType: "Polygon", features: [{ geometry: SQUARE }] });
    odd[Buffer.from(odd).lastIndexOf(Buffer.from(Uint32Array.of(8).buffer))] = 7;
    expect((await read(odd)).features[0]!.fault!.message).toContain(
      "found 7 coordinates, expected two a position",
    );
    const curve = encodeFlatGeobuf({ features: [{ geometry: SQUARE }] });
    const type = curve.lastIndexOf(3);
    curve[type] = 10;
    const fault = (await read(curve)).features[0]!.fault;
    expect(fault?.code === "FORMAT_UNSUPPORTED" || fault?.code === "FILE_DAMAGED").toBe(true);
  });
});

describe("a hostile FlatGeobuf", () => {
  it("is refused where it declares more than it has", async () => {
    const whole = encodeFlatGeobuf({
      geometryType: "Polygon",
      features: [{ geometry: SQUARE }, { geometry: SQUARE }],
    });
    const cases: [FlatGeobufFile, RegExp][] = [
      [{ featureCount: 2 ** 50, nodeSize: 16 }, /found an index of \d+ bytes, for 1125899906842624 features, expected/],
      [{ featureCount: 3, features: [{ geometry: SQUARE }] }, /feature 1, byte \d+: found 1 features, expected 3, as/],
      [{ columns: [["a", "Int"], ["a", "Int"]] }, /found two columns "a", expected names of their own/],
      [{ columns: [["a", "Int"]], features: [{ bytes: [1, 0, 1, 0, 0, 0] }] }, /found column 1, expected one of 1/],
      [{ columns: [["a", "Int"]], features: [{ bytes: [0, 0, 1, 0, 0] }] }, /found 3 bytes, expected a value of "a" of 4/],
      [{ columns: [["a", "Bool"]], features: [{ bytes: [0, 0, 1, 0, 0, 1] }] }, /found column "a" twice/],
      [{ columns: [["a", "String"]], features: [{ bytes: [0, 0, 255, 255, 255, 255] }] }, /of 4294967295 bytes/],
      [{ columns: [["a", "String"]], features: [{ values: [Uint8Array.of(0xff)] }] }, /found bytes that are not UTF-8/],
    ]; // biome-ignore format: a table
    for (const [file, message] of cases) {
      const error = await refusal(encodeFlatGeobuf(file));
      expect(error.message).toMatch(message);
    }
    const long = Buffer.concat([whole, Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0)]);
    expect((await refusal(long)).message).toMatch(
      /feature 3, byte \d+: found a feature of 4294967295 bytes, expected at most 2/,
    );
    whole.fill(0xff, 8, 12);
    expect((await refusal(whole)).message).toMatch(
      /^byte 8: found a header of 4294967295 bytes, expected at most \d+$/,
    );
    expect((await refusal(new Uint8Array(0))).code).toBe("FILE_DAMAGED");
  });

  it("has features no larger than the limit", async () => {
    const bytes = encodeFlatGeobuf({ geometryType: "Polygon", features: [{ geometry: SQUARE }] });
    const error = await refusal(bytes, { limits: { featureBytes: 100 } });
    expect(error).toMatchObject({ code: "TEXT_TOO_LARGE", details: { limit: 100 } });
  });

  it("cannot multiply its parts by pointing at one of them again and again", async () => {
    const parts = Array.from({ length: 200 }, () => ({ type: "Polygon", coordinates: [[[1, 2], [3, 4], [5, 6]]] })); // biome-ignore format: a triangle
    const geometry = { type: "MultiPolygon", coordinates: parts.map(({ coordinates }) => coordinates) };
    const big = { type: "Polygon", coordinates: [Array.from({ length: 500 }, (_, i) => [i, i])] };
    const bytes = encodeFlatGeobuf({
      geometryType: "MultiPolygon",
      features: [{ geometry: { ...geometry, coordinates: [big.coordinates, ...geometry.coordinates] } }],
    });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The vector of parts: all of its offsets lead to where the first one leads.
    let vector = -1;
    for (let at = 0; at + 4 < bytes.length; at++)
      if (view.getUint32(at, true) === 201 && vector === -1) vector = at;
    expect(vector).toBeGreaterThan(0);
    const target = vector + 4 + view.getUint32(vector + 4, true);
    for (let i = 0; i < 201; i++) view.setUint32(vector + 4 + 4 * i, target - (vector + 4 + 4 * i), true);
    const { features } = await read(bytes);
    expect(features[0]!.fault!.message).toMatch(/found parts that overlap in the file/);
  });

  it("cut at any byte is refused, unless the rest is whole and declares no count", async () => {
    await expectCutRefused(encodeFlatGeobuf({ ...EVERY_TYPE, nodeSize: 16 }), read);
  });

  it("with bits flipped is read or refused, and never anything else", async () => {
    const random = createSeededRandom(82);
    const features = Array.from({ length: 3 }, () => ({
      geometry: randomGeometry(random),
      values: [1, 2, true],
    }));
    const bytes = encodeFlatGeobuf({ columns: EVERY_TYPE.columns!.slice(0, 3), features });
    const options = { seed: 83, count: 3000, flips: 3, refused: 500 };
    await expectReadOrRefused([bytes], options, async (turned) => {
      await read(turned);
      await readTableRows(open(turned));
    });
  });
});

describe("the layer of a FlatGeobuf", () => {
  it("is refused where another one is named", async () => {
    expect(await refusal(encodeFlatGeobuf(EVERY_TYPE), { layer: "roads" })).toMatchObject({
      code: "LAYER_UNKNOWN",
    });
  });
});
