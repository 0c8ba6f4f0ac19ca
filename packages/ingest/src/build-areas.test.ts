import { gzipSync } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { SourceManifest } from "@groundrule/engine";
import { type AreaSnapshot, openSnapshot } from "@groundrule/engine/build";
import { FormatError } from "@groundrule/formats";
import { createBoxPositions } from "@groundrule/testing/shapes";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSnapshot, type IngestProgress } from "./build.ts";
import { IngestError } from "./ingest-error.ts";

const SEED = 20261120;
const parks: SourceManifest = { source_name: "demo:parks", kind: "leaf" };

async function* inChunks(source: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function build(source: string | Uint8Array, more: Partial<SourceManifest> = {}, size = 1 << 16) {
  const { file, report } = await buildSnapshot(
    inChunks(source, size),
    { ...parks, ...more },
    { crs: crsTable },
  );
  const bytes = new Uint8Array(Buffer.concat([...file.chunks]));
  return { snapshot: openSnapshot(bytes.buffer) as AreaSnapshot, report };
}

async function buildError(source: string | Uint8Array, more: Partial<SourceManifest> = {}) {
  const error: unknown = await build(source, more).catch((thrown: unknown) => thrown);
  if (!(error instanceof IngestError || error instanceof FormatError)) throw error;
  return error;
}

type Ring = readonly (readonly [number, number])[];
const polygon = (...coordinates: Ring[]) => ({ type: "Polygon", coordinates });
const square = (x: number, y: number, size: number): Ring => createBoxPositions(x, y, x + size, y + size);
const feature = (geometry: unknown, properties: unknown = {}, more: object = {}) => ({
  type: "Feature",
  geometry,
  properties,
  ...more,
});
const collection = (features: readonly unknown[], more: object = {}) =>
  JSON.stringify({ type: "FeatureCollection", ...more, features });

const hole: Ring = [
  [0.2, 0.2],
  [0.2, 0.4],
  [0.4, 0.4],
  [0.2, 0.2],
];
const bowTie: Ring = [
  [10, 0],
  [11, 1],
  [11, 0],
  [10, 1],
  [10, 0],
];

/** Positions of each ring of each area, as stored. */
function listStoredRings({ layer }: AreaSnapshot): number[][][] {
  const areas: number[][][] = [];
  for (let area = 0; area < layer.areaCount; area++) {
    const rings: number[][] = [];
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      rings.push([...layer.xy.subarray(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!)]);
    }
    areas.push(rings);
  }
  return areas;
}

describe("buildSnapshot of areas", () => {
  it("stores coordinates bit for bit, ids, names, countries and attributes", async () => {
    const awkward = square(0.1, -0.30000000000000004, 0.7);
    const multi = { type: "MultiPolygon", coordinates: [[square(0, 0, 1), hole], [square(5, 5, 1)]] };
    const text = collection([
      feature(polygon(awkward), { code: "A1", nome: "Ápis", pais: "bra", ha: 12.5, seen: "2020-01-31" }),
      feature(multi, { code: 7, nome: null, pais: "PER", ha: null, seen: "2021-02-28", open: true }),
    ]);
    const { snapshot, report } = await build(text, { id: "code", name: "nome", country: "pais" });
    expect(listStoredRings(snapshot)).toEqual([
      [awkward.flat()],
      [square(0, 0, 1).flat(), hole.flat(), square(5, 5, 1).flat()],
    ]);
    const { attributes, meta } = snapshot;
    expect(
      [0, 1].map((row) => [attributes.id(row), attributes.name(row), attributes.countryIso3(row)]),
    ).toEqual([
      ["A1", "Ápis", "BRA"],
      ["7", null, "PER"],
    ]);
    expect(attributes.properties(1)).toEqual({
      code: "7",
      nome: null,
      pais: "PER",
      ha: null,
      seen: "2021-02-28",
      open: true,
    });
    expect(meta.manifest.columns).toEqual({
      code: "string",
      nome: "string",
      pais: "string",
      ha: "number",
      seen: "date",
      open: "boolean",
    });
    expect(meta.country_coverage).toEqual(["BRA", "PER"]);
    expect(report).toMatchObject({
      read: 2,
      stored: 2,
      positions: 19,
      repaired: [],
      left_out: [],
      mended: [],
    });
    expect(report.columns).toContainEqual({ name: "ha", type: "number" });
  });

  it("gives the same snapshot and report however the source is cut, packed or laid out", async () => {
    const features = [feature(polygon(square(0, 0, 1)), { a: 1 }), feature(polygon(bowTie), { b: "ç" })];
    const text = collection(features);
    const whole = await build(text);
    for (const size of [1, 2, 3, 7, 50]) {
      const cut = await build(text, {}, size);
      expect(cut.snapshot.meta).toEqual(whole.snapshot.meta);
      expect(cut.report).toEqual(whole.report);
    }
    const packed = await build(gzipSync(text), {}, 9);
    expect(packed.snapshot.meta).toEqual(whole.snapshot.meta);
    expect(packed.report).toMatchObject({ gzip: true, bytes_read: gzipSync(text).length });
    const lines = await build(features.map((each) => JSON.stringify(each)).join("\n"));
    expect(lines.snapshot.meta).toEqual(whole.snapshot.meta);
    expect(lines.report.format).toBe("ndjson");
  });

  it("repairs what crosses itself and reports the place, the reason and the change of area", async () => {
    const text = collection([
      feature(polygon(square(0, 0, 1)), { id: "whole" }),
      feature(polygon(bowTie), { id: "tie", name: "Tie" }),
    ]);
    const { snapshot, report } = await build(text, { id: "id", name: "name" });
    expect(listStoredRings(snapshot)[1]!.map((ring) => ring.length / 2)).toEqual([4, 4]);
    expect(report.repaired).toHaveLength(1);
    const [repair] = report.repaired;
    expect(repair).toMatchObject({ number: 2, line: 1, id: "tie", name: "Tie" });
    expect(repair!.faults[0]).toMatchObject({ code: "RING_SELF_CROSSING", polygon: 0, ring: 0 });
    expect(repair!.faults[0]!.coordinate).toEqual([10.5, 0.5]);
    // Two triangles, each a quarter of a square of one degree at the equator.
    const squareDegree = 111_319.49 * 110_574.4;
    expect(repair!.area_after_m2 / (squareDegree / 2)).toBeCloseTo(1, 3);
    expect(report).toMatchObject({ read: 2, stored: 2, left_out: [] });
  });

  it("leaves out what cannot become an area, each with its place and reason, and nothing else", async () => {
    const flat: Ring = [
      [0, 0],
      [1, 1],
      [0, 0],
      [0, 0],
    ];
    const text = [
      feature(null, { id: "none" }),
      feature({ type: "Point", coordinates: [0, 0] }, { id: "point" }),
      feature(polygon(square(0, 0, 1)), { id: "kept" }),
      feature(polygon(flat), {}, { id: "flat" }),
      feature({ type: "Polygon", coordinates: "x" }),
      feature(polygon(square(0, 89, 2)), { id: "beyond the pole" }),
      feature({ type: "GeometryCollection", geometries: [] }),
    ]
      .map((each) => JSON.stringify(each))
      .join("\n");
    const { snapshot, report } = await build(text, { id: "id", allow: ["left_out"] });
    expect(snapshot.attributes.rowCount).toBe(1);
    expect(snapshot.attributes.id(0)).toBe("kept");
    expect(report.left_out.map(({ number, line, id, code }) => [number, line, id, code])).toEqual([
      [1, 1, "none", "GEOMETRY_INVALID"],
      [2, 2, "point", "GEOMETRY_INVALID"],
      [4, 4, "flat", "GEOMETRY_INVALID"],
      [5, 5, undefined, "GEOMETRY_INVALID"],
      [6, 6, "beyond the pole", "GEOMETRY_INVALID"],
      [7, 7, undefined, "GEOMETRY_INVALID"],
    ]);
    for (const { reason } of report.left_out) expect(reason).not.toBe("");
    expect(report).toMatchObject({ read: 7, stored: 1 });
  });

  it("refuses a source of which nothing is left, and takes one that holds nothing", async () => {
    const refused = build(
      collection([feature(null, { id: "a" }), feature({ type: "Point", coordinates: [0, 0] })]),
    );
    await expect(refused).rejects.toMatchObject({ code: "NOTHING_STORED", details: { leftOut: 2 } });
    await expect(refused).rejects.toThrow(/none of the source's 2 features .* the first, in line 1: /);
    expect((await build(collection([]))).report).toMatchObject({ read: 0, stored: 0 });
  });

  it("counts what was mended without changing a shape", async () => {
    const clockwise = [...square(0, 0, 1)].reverse();
    const text = collection([
      feature(polygon(clockwise), { id: "a" }),
      feature(polygon(square(2, 0, 1)), { id: "b" }),
      feature(polygon([...square(4, 0, 1)].reverse()), { id: "c" }),
    ]);
    const { snapshot, report } = await build(text, { id: "id" });
    expect(listStoredRings(snapshot)[0]).toEqual([square(0, 0, 1).flatMap((_, i) => [...clockwise[4 - i]!])]);
    expect(report.mended).toMatchObject([
      { code: "WINDING_REVERSED", count: 2, first: { number: 1, id: "a" } },
    ]);
    expect(report.repaired).toEqual([]);
  });

  it("keeps areas of one id apart in file order", async () => {
    const ids = ["a", "b", "a", "a#2", "a", null];
    const text = collection(ids.map((id, i) => feature(polygon(square(i, 0, 0.5)), { id })));
    const { snapshot, report } = await build(text, { id: "id" });
    expect(ids.map((_, row) => snapshot.attributes.id(row))).toEqual(["a", "b", "a#2", "a#2#2", "a#3", "6"]);
    expect(report.duplicate_ids).toEqual([
      { id: "a", stored_as: "a#2", number: 3, line: 1 },
      { id: "a#2", stored_as: "a#2#2", number: 4, line: 1 },
      { id: "a", stored_as: "a#3", number: 5, line: 1 },
    ]);
    expect(report.without_id).toBe(1);
  });

  it("takes a feature's own id where no column is named, else its number", async () => {
    const text = collection([
      feature(polygon(square(0, 0, 1)), { id: "column" }, { id: "own" }),
      feature(polygon(square(2, 0, 1)), {}, { id: 0 }),
      feature(polygon(square(4, 0, 1))),
    ]);
    const { snapshot, report } = await build(text);
    expect([0, 1, 2].map((row) => snapshot.attributes.id(row))).toEqual(["own", "0", "3"]);
    expect(report.without_id).toBe(0);
  });

  it("reads countries from their column, else takes the constant, and reports what is no code", async () => {
    const codes = ["BRA", " per ", "-99", "BRZ", null, "-99"];
    const text = collection(codes.map((iso, i) => feature(polygon(square(i, 0, 0.5)), { iso })));
    const { snapshot, report } = await build(text, { country: "iso" });
    expect(codes.map((_, row) => snapshot.attributes.countryIso3(row))).toEqual([
      "BRA",
      "PER",
      null,
      null,
      null,
      null,
    ]);
    expect(report).toMatchObject({
      without_country: 4,
      unknown_countries: [
        { value: "-99", count: 2 },
        { value: "BRZ", count: 1 },
      ],
    });
    const constant = await build(text, { country: "iso", country_iso3: "COL" });
    expect(constant.snapshot.attributes.countryIso3(4)).toBe("COL");
    expect(constant.report.without_country).toBe(0);
    expect((await build(text, { country_iso3: "COL" })).snapshot.meta.country_coverage).toEqual(["COL"]);
  });

  it("reads positions in the CRS of the manifest or of the source, and refuses two that differ", async () => {
    const utm = feature(
      polygon([
        [200000, 9000000],
        [201000, 9000000],
        [201000, 9001000],
        [200000, 9000000],
      ]),
    );
    const crs = { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::31983" } };
    const named = await build(collection([utm], { crs }));
    expect(named.report.crs).toBe("urn:ogc:def:crs:EPSG::31983");
    const [longitude, latitude] = listStoredRings(named.snapshot)[0]![0]!;
    expect(longitude).toBeCloseTo(-47.72, 1);
    expect(latitude).toBeCloseTo(-9.03, 1);
    const built = await build(collection([utm]), { crs: "EPSG:31983" });
    expect(listStoredRings(built.snapshot)).toEqual(listStoredRings(named.snapshot));
    expect(
      listStoredRings((await build(collection([utm], { crs }), { crs: "EPSG:31983" })).snapshot),
    ).toEqual(listStoredRings(named.snapshot));

    expect((await buildError(collection([utm], { crs }), { crs: "EPSG:4674" })).message).toBe(
      'feature 1, line 1, byte 114: the source names its CRS "urn:ogc:def:crs:EPSG::31983", expected "EPSG:4674" as in the manifest',
    );
    const unknown = await buildError(collection([utm]), { crs: "EPSG:999999" });
    expect(unknown.code).toBe("CRS_UNSUPPORTED");
    await expect(buildSnapshot(inChunks(collection([utm], { crs }), 100), parks)).rejects.toMatchObject({
      code: "CRS_UNSUPPORTED",
      message: expect.stringContaining("pass crsTable of @groundrule/crs"),
    });
  });

  it("names a mapped column that no feature has, and the columns there are", async () => {
    const text = collection([feature(polygon(square(0, 0, 1)), { nome: "x" }), feature(null, { uf: "PA" })]);
    const error = await buildError(text, { name: "nom" });
    expect(error.code).toBe("COLUMN_UNKNOWN");
    expect(error.message).toContain('"name" of the manifest names column "nom"');
    expect(error.message).toContain('did you mean "nome"? (its columns are nome, uf;');
    expect(error.details.columns).toEqual(["nome", "uf"]);
    expect((await buildError(text, { columns: { since: "date" } })).code).toBe("COLUMN_UNKNOWN");
  });

  it("reports nested members, and gives the place of an attribute no snapshot can hold", async () => {
    const text = collection([
      feature(polygon(square(0, 0, 1)), { tags: { a: [1] }, list: [], plain: "\ud800" }),
    ]);
    const { snapshot, report } = await build(text);
    expect(snapshot.attributes.properties(0)).toEqual({ tags: '{"a":[1]}', list: "[]", plain: "\ufffd" });
    expect(report.nested_columns).toEqual([
      { value: "tags", count: 1 },
      { value: "list", count: 1 },
    ]);
    expect(report.ill_formed_columns).toEqual([{ value: "plain", count: 1 }]);
    const hostile = `{"type":"Feature","properties":{"__proto__":1},"geometry":${JSON.stringify(polygon(hole))}}`;
    expect((await buildError(hostile)).message).toMatch(
      /^feature 1, line 1, byte 0: found the column name "__proto__"/,
    );
  });

  it.each([
    ["<!doctype html><html>", "FORMAT_UNKNOWN", "found an HTML page"],
    ["%PDF-1.7", "FORMAT_UNKNOWN", "found a PDF"],
    ["<wfs:FeatureCollection>", "FORMAT_UNSUPPORTED", "ogr2ogr -f GPKG"],
    [
      "id,name\n1,2\n",
      "FORMAT_UNKNOWN",
      "found text with the columns id, name, expected GeoJSON, or a table",
    ],
    ["PK\x03\x04…", "ARCHIVE_INVALID", ""],
    ["SQLite format 3\0…", "FILE_DAMAGED", ""],
  ])("reports that %j cannot be read", async (text, code, said) => {
    const error = await buildError(text);
    expect(error.code).toBe(code);
    expect(error.message).toContain(said);
  });

  it("takes no empty source for areas, but one without areas", async () => {
    expect((await buildError("")).message).toContain("the source is empty");
    const none = await build(collection([]), { id: "id" });
    expect(none.report).toMatchObject({ read: 0, stored: 0 });
  });

  it.each([
    ["of another format", "<!doctype html>", parks],
    ["that breaks off", '{"type":"FeatureCollection","features":[{', parks],
    ["that is no JSON", '{"type":"FeatureCollection","features":[}', parks],
    [
      "without the mapped column",
      "a,b\n1,2\n",
      { ...parks, kind: "subject_register", value: "c", scheme: "br:cnpj" },
    ],
  ] as const)("ends the stream of a source %s", async (_fault, text, manifest) => {
    for (const bytes of [Buffer.from(text), gzipSync(text)]) {
      let ended = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          yield bytes;
          if (manifest.kind === "leaf" && text.endsWith("{")) return;
          for (;;) yield new Uint8Array(4096).fill(0x20);
        } finally {
          ended = true;
        }
      }
      await expect(buildSnapshot(endless(), manifest)).rejects.toMatchObject({ code: expect.any(String) });
      expect(ended).toBe(true);
    }
  });

  it("reports its progress, up to the last byte and feature", async () => {
    const text = collection([1, 2, 3, 4].map((x) => feature(polygon(square(x, 0, 0.5)))));
    const seen: IngestProgress[] = [];
    await buildSnapshot(inChunks(text, 100), parks, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ bytesRead: text.length, featuresDone: 4 });
    expect(seen.length).toBeGreaterThan(4);
    for (const [i, { bytesRead, featuresDone }] of seen.entries()) {
      expect(bytesRead).toBeGreaterThanOrEqual(seen[i - 1]?.bytesRead ?? 0);
      expect(featuresDone).toBeGreaterThanOrEqual(seen[i - 1]?.featuresDone ?? 0);
    }
  });

  it("stores any valid ring bit for bit, wherever it lies", async () => {
    // A star around its centre, counter-clockwise: no edge crosses another.
    const star = fc
      .record({
        x: fc.double({ min: -170, max: 170, noNaN: true }),
        y: fc.double({ min: -80, max: 80, noNaN: true }),
        radii: fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 5, maxLength: 40 }),
      })
      .map(({ x, y, radii }): Ring => {
        const ring = radii.map((radius, i): [number, number] => {
          const angle = (2 * Math.PI * i) / radii.length;
          return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
        });
        return [...ring, ring[0]!];
      });
    await fc.assert(
      fc.asyncProperty(
        fc.array(star, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 300 }),
        async (rings, size) => {
          const { snapshot, report } = await build(
            collection(rings.map((ring) => feature(polygon(ring)))),
            {},
            size,
          );
          expect(listStoredRings(snapshot)).toEqual(rings.map((ring) => [ring.flat()]));
          expect(report.repaired).toEqual([]);
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
  });
});
