import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { crc32 as zlibCrc32 } from "node:zlib";
import { createBoxRing } from "@groundrule/testing/shapes";
import { joinChunksInto, joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBoxHole, makeRegularPolygon, makeSmallAreaSnapshot } from "../../test/snapshot-fixtures.ts";
import { signedRingArea } from "../geometry/earth/authalic.ts";
import { findRingsMeetingBox } from "../geometry/trees/ring-index.ts";
import { canonicalizeValue } from "./canonical-value.ts";
import type { SourceManifest } from "./manifest.ts";
import { openSnapshot, verifySnapshot } from "./read/reader.ts";
import {
  type AreaInput,
  type AreaSnapshot,
  type AttributeValue,
  isRaster,
  type RecordInput,
  type RegisterSnapshot,
  type SnapshotFile,
} from "./snapshot.ts";
import { createRegisterWriter } from "./write/register-writer.ts";
import { createAreaWriter } from "./write/writer.ts";

const AREAS: SourceManifest = { source_name: "test:areas", kind: "leaf", category: "protected" };
const REGISTER: SourceManifest = { source_name: "test:register", kind: "subject_register" };
const RUNS = { seed: 20_240_612, numRuns: 150 };

function writeAreas(areas: readonly AreaInput[], manifest: SourceManifest = AREAS): SnapshotFile {
  const writer = createAreaWriter(manifest);
  for (const area of areas) writer.add(area);
  return writer.finish();
}

function writeRecords(records: readonly RecordInput[], manifest: SourceManifest = REGISTER): SnapshotFile {
  const writer = createRegisterWriter(manifest);
  for (const record of records) writer.add(record);
  return writer.finish();
}

function openAreas(areas: readonly AreaInput[], manifest: SourceManifest = AREAS): AreaSnapshot {
  const snapshot = verifySnapshot(joinFileBytes(writeAreas(areas, manifest)));
  if (snapshot.kind !== "leaf" || isRaster(snapshot)) throw new Error(`kind ${snapshot.kind}`);
  return snapshot;
}

function openRecords(records: readonly RecordInput[], manifest: SourceManifest = REGISTER): RegisterSnapshot {
  const snapshot = verifySnapshot(joinFileBytes(writeRecords(records, manifest)));
  if (snapshot.kind !== "subject_register") throw new Error(`kind ${snapshot.kind}`);
  return snapshot;
}

function makeArea(
  id: string,
  properties: AreaInput["properties"] = {},
  polygons: AreaInput["polygons"] = [],
): AreaInput {
  return { id, name: null, countryIso3: null, polygons, properties };
}

const text = fc.string({ unit: "binary", maxLength: 12 });
const attribute: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  text,
  fc.constantFrom("007", "1e3", "true", "2024-02-29", "2023-02-29", "0000-01-01", "9999-12-31", ""),
);
const properties = fc.dictionary(fc.constantFrom("a", "b", "Größe", "10", "constructor"), attribute, {
  noNullPrototype: true,
});
const ring = fc
  .array(
    fc.tuple(
      fc.double({ min: -540, max: 540, noNaN: true }),
      fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-0, 5e-324, -1e-46)),
    ),
    { minLength: 3, maxLength: 130 },
  )
  .map((positions) => Float64Array.from([...positions, positions[0]!].flat()));
const anyArea: fc.Arbitrary<AreaInput> = fc.record({
  id: text,
  name: fc.option(text),
  countryIso3: fc.option(fc.constantFrom("BRA", "PER", "COL")),
  polygons: fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  properties,
});
const identifier = fc.record({
  scheme: fc.constantFrom("br:cnpj", "br:cpf", "iso:lei"),
  value: fc
    .oneof(text, fc.constantFrom("12.3", "1-23", "ab/c", "ABC", "\uff21bc"))
    .filter((value) => canonicalizeValue(value.toWellFormed()) !== ""),
});
const anyRecord: fc.Arbitrary<RecordInput> = fc.record({
  id: text,
  name: fc.option(text),
  properties,
  identifiers: fc.array(identifier, { maxLength: 4 }),
});

describe("a snapshot of areas", () => {
  it("gives back every area, position for position and bit for bit", () => {
    fc.assert(
      fc.property(fc.array(anyArea, { maxLength: 12 }), (areas) => {
        const { layer, attributes, meta } = openAreas(areas);
        expect(meta.feature_count).toBe(areas.length);
        expect(attributes.rowCount).toBe(areas.length);
        let ring = 0;
        for (const [a, input] of areas.entries()) {
          expect(attributes.id(a)).toBe(input.id.toWellFormed());
          expect(attributes.name(a)).toBe(input.name);
          expect(attributes.countryIso3(a)).toBe(input.countryIso3);
          expect(layer.areaRings[a]).toBe(ring);
          for (const polygon of input.polygons) {
            for (const [r, xy] of polygon.entries()) {
              const [start, end] = [layer.ringStarts[ring]!, layer.ringStarts[ring + 1]!];
              const stored = layer.xy.slice(2 * start, 2 * end);
              expect(new BigUint64Array(stored.buffer)).toEqual(new BigUint64Array(xy.slice().buffer));
              expect(layer.ringRoles[ring]).toBe(r === 0 ? 0 : 1);
              expect(layer.ringAreas[ring]).toBe(a);
              ring++;
            }
          }
        }
        expect(layer.ringCount).toBe(ring);
        expect(layer.index === undefined).toBe(ring === 0);
        expect(meta.country_coverage).toEqual(
          [...new Set(areas.map((a) => a.countryIso3).filter((c) => c !== null))].sort(),
        );
      }),
      RUNS,
    );
  });

  it("has an index that misses no ring that a search by coordinates finds", () => {
    const box = fc.tuple(
      fc.double({ min: -540, max: 540, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: 0, max: 300, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(anyArea, { minLength: 1, maxLength: 12 }), box, (areas, [west, south, size]) => {
        const { layer } = openAreas(areas);
        const { index } = layer;
        const found = new Set(index && findRingsMeetingBox(index, west, south, west + size, south + size));
        for (let ring = 0; ring < layer.ringCount; ring++) {
          const positions = layer.xy.subarray(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
          const xs = positions.filter((_, i) => i % 2 === 0);
          const ys = positions.filter((_, i) => i % 2 === 1);
          const meets =
            Math.min(...xs) <= west + size &&
            Math.max(...xs) >= west &&
            Math.min(...ys) <= south + size &&
            Math.max(...ys) >= south;
          if (meets) expect(found).toContain(ring);
        }
      }),
      RUNS,
    );
  });

  it("knows each area's square metres: outer rings less holes", () => {
    const outer = createBoxRing(10, -5, 11, -4);
    const hole = makeBoxHole(10.2, -4.8, 10.4, -4.6);
    const island = makeRegularPolygon(13, -5, 0.5, 300);
    const { layer } = openAreas([makeArea("a"), makeArea("b", {}, [[outer, hole], [island]])]);
    expect(layer.areaSquareMeters[0]).toBe(0);
    expect(layer.areaSquareMeters[1]).toBe(
      signedRingArea(outer) + signedRingArea(hole) + signedRingArea(island),
    );
  });

  it("keeps longitudes past 180 where a ring crosses the antimeridian", () => {
    const fiji = createBoxRing(177, -20, 182.5, -15);
    const { layer } = openAreas([makeArea("fiji", {}, [[fiji]])]);
    expect(layer.xy).toEqual(fiji);
    expect(layer.bbox).toEqual([177, -20, 182.5, -15]);
    expect(findRingsMeetingBox(layer.index!, 181, -16, 182, -15.5)).toEqual([0]);
  });

  it("may be empty, and may hold areas without rings", () => {
    for (const areas of [[], [makeArea("a")], [makeArea("a"), makeArea("b")]]) {
      const { layer, attributes } = openAreas(areas);
      expect([layer.areaCount, layer.ringCount, layer.positionCount]).toEqual([areas.length, 0, 0]);
      expect(layer.index).toBeUndefined();
      expect(layer.bbox).toBeUndefined();
      expect(attributes.columns).toEqual([]);
    }
  });

  it("keeps to its budget of bytes: 18.5 a position for long rings, 16 a position and 90 a ring for short ones", () => {
    for (const [corners, budget] of [
      [99, 18.5],
      [150, 18.5],
      [1000, 18.5],
      [3, 16 + 90 / 4],
      [4, 16 + 90 / 5],
      [40, 16 + 90 / 41],
    ] as const) {
      const rings = 400;
      const areas = Array.from({ length: rings }, (_, i) =>
        makeArea("", {}, [[makeRegularPolygon(i / 4, 0, 0.1, corners)]]),
      );
      const bare = joinFileBytes(writeAreas(areas.map(({ id }) => makeArea(id)))).byteLength;
      const perPosition = (writeAreas(areas).byteLength - bare) / (rings * (corners + 1));
      // The areas without rings already pay for their own few numbers.
      expect(perPosition + 16 / (corners + 1)).toBeLessThanOrEqual(budget);
    }
  });

  it("refuses a ring that is open, too short, or out of range, with its place", () => {
    const refused = [
      [Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1), "is not closed"],
      [Float64Array.of(0, 0, 1, 0, 0, 0), "has 6 coordinates"],
      [Float64Array.of(0, 0, 1, 0, 1, 91, 0, 0), "holds position 2 [1, 91]"],
      [Float64Array.of(0, 0, 1, 0, Number.NaN, 1, 0, 0), "holds position 2 [NaN, 1]"],
      [Float64Array.of(0, 0, 541, 0, 1, 1, 0, 0), "holds position 1 [541, 0]"],
    ] as const;
    for (const [ring, message] of refused) {
      const writer = createAreaWriter(AREAS);
      expect(() =>
        writer.add(makeArea("x", {}, [[createBoxRing(0, 0, 1, 1)], [createBoxRing(3, 3, 5, 5), ring]])),
      ).toThrow(
        expect.objectContaining({
          code: "GEOMETRY_INVALID",
          message: expect.stringContaining(`ring 1 of polygon 1 of area "x" ${message}`),
        }),
      );
    }
  });
});

describe("attributes", () => {
  const inferType = (values: readonly AttributeValue[], declared?: SourceManifest["columns"]) => {
    const manifest = declared === undefined ? AREAS : { ...AREAS, columns: declared };
    const { attributes } = openAreas(
      values.map((value, i) => makeArea(`${i}`, { x: value })),
      manifest,
    );
    return [attributes.columns[0]?.type, ...values.map((_, row) => attributes.value(row, 0))];
  };

  it.each<[string, readonly AttributeValue[], (readonly AttributeValue[])?]>([
    ["number", [1, 2.5, null]],
    ["number", [-0, Number.MAX_VALUE, 5e-324]],
    ["boolean", [null, true, false]],
    ["date", ["2024-02-29", null]],
    ["string", ["2023-02-29"]],
    ["string", ["2024-02-29T00:00:00Z"]],
    ["string", ["007", "12"]],
    ["string", ["true"]],
    ["string", [null, null]],
    ["string", [1, null, "one"], ["1", null, "one"]],
    ["string", [0.1, -0, 1e21, "x"], ["0.1", "-0", "1e+21", "x"]],
    ["string", [true, 1], ["true", "1"]],
    ["string", ["2024-02-29", "soon"]],
    ["string", ["2024-02-29", 5], ["2024-02-29", "5"]],
    ["string", ["x", "2024-02-29", 5, true], ["x", "2024-02-29", "5", "true"]],
  ])("are stored as %s: %j", (type, values, stored = values) => {
    expect(inferType(values)).toEqual([type, ...stored]);
  });

  it("take the declared type, and refuse what does not fit it", () => {
    expect(inferType([1, true, "2024-02-29"], { x: "string" })).toEqual([
      "string",
      "1",
      "true",
      "2024-02-29",
    ]);
    expect(inferType([null], { x: "date" })).toEqual(["date", null]);
    for (const [type, value] of [
      ["number", "12"],
      ["boolean", 1],
      ["date", "29/02/2024"],
      ["number", Number.NaN],
    ] as const) {
      expect(() => inferType([value], { x: type })).toThrow(
        expect.objectContaining({
          code: "VALIDATION_FAILED",
          message: expect.stringContaining('row 0 of column "x"'),
        }),
      );
    }
  });

  it("are null where an area does not have them, wherever a column first appears", () => {
    const { attributes, meta } = openAreas([
      makeArea("0"),
      makeArea("1", { late: 5 }),
      makeArea("2", { later: "x" }),
    ]);
    expect(attributes.properties(0)).toEqual({ late: null, later: null });
    expect(attributes.properties(1)).toEqual({ late: 5, later: null });
    expect(attributes.properties(2)).toEqual({ late: null, later: "x" });
    expect(meta.manifest.columns).toEqual({ late: "number", later: "string" });
  });

  it("come back equal, or as JavaScript writes them where a column had to become text", () => {
    fc.assert(
      fc.property(fc.array(properties, { maxLength: 12 }), (rows) => {
        const { attributes } = openAreas(rows.map((row, i) => makeArea(`${i}`, row)));
        for (const [c, { name, type }] of attributes.columns.entries()) {
          for (const [r, row] of rows.entries()) {
            const value = Object.hasOwn(row, name) ? row[name]! : null;
            const written = Object.is(value, -0) ? "-0" : String(value).toWellFormed();
            expect(attributes.value(r, c)).toBe(
              value === null || (type !== "string" && type !== "date") ? value : written,
            );
          }
        }
      }),
      RUNS,
    );
  });

  it("hold texts past each width of dictionary index", () => {
    for (const distinct of [255, 256, 65_535, 65_536]) {
      const { attributes } = openAreas(
        Array.from({ length: distinct + 1 }, (_, i) => makeArea("", { x: i === 0 ? null : `v${i}` })),
      );
      for (const row of [0, 1, 254, 255, 256, distinct - 1, distinct]) {
        if (row <= distinct) expect(attributes.value(row, 0)).toBe(row === 0 ? null : `v${row}`);
      }
    }
  });

  it("hold texts that collide in the writer's dictionary", () => {
    // FNV-1a of these pairs is equal ("costarring" and "liquid", "declinate" and "macallums").
    const words = ["costarring", "liquid", "declinate", "macallums", "liquid"];
    expect(inferType(words)).toEqual(["string", ...words]);
  });

  it("replace half a surrogate pair, which UTF-8 cannot hold, by U+FFFD", () => {
    expect(inferType(["a\ud800b"])).toEqual(["string", "a\ufffdb"]);
  });

  it("refuse column names that no manifest takes", () => {
    for (const name of ["", "x".repeat(257), "\ud800"]) {
      expect(() => openAreas([makeArea("a", { [name]: 1 })])).toThrow(
        expect.objectContaining({ code: "VALIDATION_FAILED" }),
      );
    }
    const withProto = JSON.parse('{"__proto__": 1}');
    expect(() => openAreas([makeArea("a", withProto)])).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED" }),
    );
  });

  it("assert that rows and columns exist", () => {
    const { attributes } = openAreas([makeArea("a", { x: 1 })]);
    for (const row of [-1, 1, Number.NaN]) expect(() => attributes.id(row)).toThrow(RangeError);
    expect(() => attributes.value(0, 1)).toThrow(RangeError);
  });
});

describe("a snapshot of a register", () => {
  it("finds what a scan of all canonical values finds, in order", () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 15 }), identifier, (records, { scheme, value }) => {
        const { identifiers, attributes, meta } = openRecords(records);
        const distinct = new Map<string, { scheme: string; value: string; canonical: string; row: number }>();
        for (const [row, record] of records.entries()) {
          expect(attributes.id(row)).toBe(record.id.toWellFormed());
          for (const { scheme, value } of record.identifiers) {
            const kept = value.toWellFormed();
            distinct.set(JSON.stringify([scheme, kept, row]), {
              scheme,
              value: kept,
              canonical: canonicalizeValue(kept),
              row,
            });
          }
        }
        const order = (a: { canonical: string; row: number; value: string }, b: typeof a) =>
          compare(a.canonical, b.canonical) || a.row - b.row || compare(a.value, b.value);
        const scan = (matches: (canonical: string) => boolean) =>
          [...distinct.values()]
            .filter((found) => found.scheme === scheme && matches(found.canonical))
            .sort(order)
            .map(({ scheme, value, row }) => ({ scheme, value, row }));
        expect(identifiers.count).toBe(distinct.size);
        expect(meta.schemes).toEqual(
          [...new Set([...distinct.values()].map((found) => found.scheme))].sort(),
        );
        for (const wanted of [
          canonicalizeValue(value.toWellFormed()),
          canonicalizeValue(records[0]?.identifiers[0]?.value ?? "x"),
        ]) {
          expect(identifiers.find(scheme, wanted)).toEqual(scan((canonical) => canonical === wanted));
          for (const prefix of [wanted, wanted.slice(0, 1), ""]) {
            if (prefix.isWellFormed()) {
              const found = scan((canonical) => canonical.startsWith(prefix));
              expect(identifiers.findPrefix(scheme, prefix)).toEqual(found);
              expect(identifiers.findPrefix(scheme, prefix, 2)).toEqual(found.slice(0, 2));
            }
          }
        }
      }),
      RUNS,
    );
  });

  it("orders canonical values by UTF-16 code units, supplementary characters before U+E000", () => {
    const values = ["\u{1f600}", "\ue000", "\ufffc", "z", "\ud7ff"];
    const { identifiers } = openRecords(
      values.map((value, i) => ({
        id: `${i}`,
        name: null,
        properties: {},
        identifiers: [{ scheme: "a:b", value }],
      })),
    );
    expect(identifiers.findPrefix("a:b", "").map((found) => found.value)).toEqual([
      "z",
      "\ud7ff",
      "\u{1f600}",
      "\ue000",
      "\ufffc",
    ]);
  });

  it("has no countries and needs no identifiers", () => {
    const { identifiers, attributes } = openRecords([
      { id: "a", name: "A", properties: {}, identifiers: [] },
    ]);
    expect(identifiers.count).toBe(0);
    expect(identifiers.find("br:cnpj", "1")).toEqual([]);
    expect(attributes.countryIso3(0)).toBeNull();
  });

  it("refuses malformed schemes and values without a canonical character", () => {
    for (const bad of [
      { scheme: "CNPJ", value: "1" },
      { scheme: "br:cnpj", value: " -/. " },
    ]) {
      expect(() => openRecords([{ id: "a", name: null, properties: {}, identifiers: [bad] }])).toThrow(
        expect.objectContaining({
          code: "VALIDATION_FAILED",
          message: expect.stringContaining('record "a"'),
        }),
      );
    }
  });
});

describe("the file", () => {
  it("is the same, byte for byte, for the same manifest and areas", () => {
    expect(new Uint8Array(makeSmallAreaSnapshot())).toEqual(new Uint8Array(makeSmallAreaSnapshot()));
  });

  it("is the same with the host's hash and checksum as with the pure ones", () => {
    const writer = createAreaWriter(AREAS, { sha256: () => createHash("sha256"), crc32: zlibCrc32 });
    writer.add(makeArea("a", { x: 1 }, [[createBoxRing(0, 0, 1, 1)]]));
    const host = joinFileBytes(writer.finish());
    expect(host).toEqual(joinFileBytes(writeAreas([makeArea("a", { x: 1 }, [[createBoxRing(0, 0, 1, 1)]])])));
    openSnapshot(host, { crc32: zlibCrc32 });
    verifySnapshot(host, { crc32: zlibCrc32, sha256: () => createHash("sha256") });
  });

  it("opens in shared memory, in place", () => {
    const file = writeAreas([makeArea("Área ".repeat(20), { s: "é😀" }, [[createBoxRing(0, 0, 1, 1)]])]);
    const shared = joinChunksInto(file, new SharedArrayBuffer(file.byteLength));
    const snapshot = verifySnapshot(shared, { crc32: zlibCrc32, sha256: () => createHash("sha256") });
    if (snapshot.kind !== "leaf" || isRaster(snapshot)) throw new Error("not areas");
    expect(snapshot.layer.xy.buffer).toBe(shared);
    expect(snapshot.layer.index?.bytes.buffer).toBe(shared);
    expect(snapshot.attributes.id(0)).toBe("Área ".repeat(20));
    expect(snapshot.attributes.properties(0)).toEqual({ s: "é😀" });
  });

  it("opens in a worker on the memory that was shared with it", async () => {
    const small = new Uint8Array(makeSmallAreaSnapshot());
    const shared = new SharedArrayBuffer(small.length);
    new Uint8Array(shared).set(small);
    const reader = new URL("read/reader.ts", import.meta.url).href;
    const search = new URL("../geometry/trees/ring-index.ts", import.meta.url).href;
    const code = `
      const { parentPort, workerData } = require("node:worker_threads");
      Promise.all([import(${JSON.stringify(reader)}), import(${JSON.stringify(search)})]).then(
        ([{ openSnapshot }, { findRingsMeetingBox }]) => {
          const { layer, attributes } = openSnapshot(workerData);
          const rings = findRingsMeetingBox(layer.index, 20, 0, 33, 9);
          parentPort.postMessage([rings, attributes.id(2), attributes.name(2)]);
        });`;
    const worker = new Worker(code, { eval: true, workerData: shared });
    const answer = await new Promise((resolve, reject) =>
      worker.once("message", resolve).once("error", reject),
    );
    const [found, id, name] = answer as [number[], string, string];
    expect(found).toEqual(expect.arrayContaining([1, 2, 3]));
    expect([id, name]).toEqual(["area-2", "Área 2"]);
    await worker.terminate();
  });

  it("takes one finish, and no area after it", () => {
    const writer = createAreaWriter(AREAS);
    writer.add(makeArea("a"));
    writer.finish();
    expect(writer.count).toBe(1);
    expect(() => writer.add(makeArea("b"))).toThrow("finished");
    expect(() => writer.finish()).toThrow("finished");
  });

  it("is refused a manifest of another kind, or one that is none", () => {
    expect(() => createAreaWriter(REGISTER)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
    expect(() => createRegisterWriter(AREAS)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
    expect(() => createAreaWriter({ ...AREAS, source_name: "Not A Name" })).toThrow(
      expect.objectContaining({
        details: { faults: [expect.objectContaining({ pointer: "/source_name" })] },
      }),
    );
  });
});

describe("the edition", () => {
  /** The byte stream of docs/formats/snapshot.md, from the input alone. */
  function digestOfAreas(
    areas: readonly AreaInput[],
    columns: [string, "number" | "string"][],
    category: string,
  ): string {
    const parts: Buffer[] = [];
    const u8 = (value: number) => parts.push(Buffer.from([value]));
    const u32 = (value: number) => parts.push(Buffer.from(Uint32Array.of(value).buffer));
    const f64 = (value: number) => parts.push(Buffer.from(Float64Array.of(value).buffer));
    const text = (value: string) => {
      u32(Buffer.byteLength(value));
      parts.push(Buffer.from(value));
    };
    const optional = (value: string | null) => {
      u8(value === null ? 0 : 1);
      if (value !== null) text(value);
    };
    text("groundrule content 1");
    text("leaf");
    optional(category);
    u32(areas.length);
    for (const { id, name, countryIso3 } of areas) {
      text(id);
      optional(name);
      optional(countryIso3);
    }
    u32(columns.length);
    for (const [name, type] of columns) {
      text(name);
      text(type);
      for (const { properties } of areas) {
        const value = properties[name] ?? null;
        u8(value === null ? 0 : 1);
        if (typeof value === "number") f64(value);
        if (typeof value === "string") text(value);
      }
    }
    for (const { polygons } of areas) u32(polygons.flat().length);
    for (const { polygons } of areas) {
      for (const polygon of polygons) {
        for (const [r, ring] of polygon.entries()) {
          u8(r === 0 ? 0 : 1);
          u32(ring.length / 2);
        }
      }
    }
    for (const { polygons } of areas)
      for (const ring of polygons.flat()) for (const value of ring) f64(value);
    return createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  }

  it("is the digest that the format's page defines", () => {
    const areas: AreaInput[] = [
      {
        id: "é",
        name: "A",
        countryIso3: "BRA",
        polygons: [[createBoxRing(0, 0, 1, 1)]],
        properties: { n: 1.5, s: "x" },
      },
      { id: "b", name: null, countryIso3: null, polygons: [], properties: { n: null, s: null } },
      {
        id: "c",
        name: "",
        countryIso3: "PER",
        polygons: [[createBoxRing(2, 2, 9, 9), makeBoxHole(3, 3, 4, 4)], [createBoxRing(20, 2, 29, 9)]],
        properties: { n: -0, s: "" },
      },
    ];
    const { meta } = openAreas(areas);
    expect(meta.edition).toBe(
      digestOfAreas(
        areas,
        [
          ["n", "number"],
          ["s", "string"],
        ],
        "protected",
      ),
    );
  });

  it("stays as it was", () => {
    expect(openSnapshot(makeSmallAreaSnapshot()).meta.edition).toMatchInlineSnapshot(
      `"966a6284d65f2efb05b1bb664718d640aa702de24b6337bd6843efc7797a0c8c"`,
    );
  });

  const one = makeArea("a", { x: 1, y: "t" }, [[createBoxRing(0, 0, 1, 1)], [createBoxRing(2, 2, 3, 3)]]);
  const buildEdition = (areas: readonly AreaInput[], manifest = AREAS) =>
    writeAreas(areas, manifest).meta.edition;

  it("changes with anything that an answer could depend on", () => {
    const [first, second] = [one.polygons[0]![0]!, one.polygons[1]![0]!];
    const negativeZero = first.slice().fill(-0, 1, 2);
    const editions = [
      buildEdition([one]),
      buildEdition([one, one]),
      buildEdition([{ ...one, id: "b" }]),
      buildEdition([{ ...one, name: "" }]),
      buildEdition([{ ...one, countryIso3: "BRA" }]),
      buildEdition([{ ...one, polygons: [[second], [first]] }]),
      buildEdition([{ ...one, polygons: [[first, second]] }]),
      buildEdition([{ ...one, polygons: [[negativeZero], [second]] }]),
      buildEdition([{ ...one, properties: { x: 2, y: "t" } }]),
      buildEdition([{ ...one, properties: { x: null, y: "t" } }]),
      buildEdition([{ ...one, properties: { x: "1", y: "t" } }]),
      buildEdition([{ ...one, properties: { y: "t", x: 1 } }]),
      buildEdition([{ ...one, properties: { x: 1, z: "t" } }]),
      buildEdition([one], { ...AREAS, category: "embargo" }),
      buildEdition([one], { source_name: "test:areas", kind: "leaf" }),
    ];
    expect(new Set(editions).size).toBe(editions.length);
  });

  it("stays the same under another name, date or address", () => {
    const manifest: SourceManifest = {
      ...AREAS,
      source_name: "other",
      collected_at: "2024-01-01T00:00:00Z",
      source_url: "https://example.org/",
    };
    expect(buildEdition([one], manifest)).toBe(buildEdition([one]));
  });

  it("does not depend on the order of a record's identifiers, nor on repeated ones", () => {
    const a = { scheme: "br:cnpj", value: "1-2" };
    const b = { scheme: "br:cnpj", value: "12" };
    const edition = (identifiers: RecordInput["identifiers"]) =>
      writeRecords([{ id: "a", name: null, properties: {}, identifiers }]).meta.edition;
    expect(edition([a, b])).toBe(edition([b, a, b]));
    expect(edition([a, b])).not.toBe(edition([a]));
  });
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
