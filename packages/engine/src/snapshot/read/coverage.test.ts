import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { createBoxRing } from "@groundrule/testing/shapes";
import { joinChunksInto, joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import { makeSmallCoveredSnapshot, SMALL_COVERAGE } from "../../../test/snapshot-fixtures.ts";
import type { Coverage, CoverageInput } from "../coverage.ts";
import { FIRST_COLUMN_SECTION, SECTION } from "../format.ts";
import type { SourceManifest } from "../manifest.ts";
import { createAreaWriter } from "../write/writer.ts";
import { openSnapshot, verifySnapshot } from "./reader.ts";

const POLYGONS: CoverageInput = {
  extent: "polygons",
  known: "declared",
  pieces: [{ polygons: [[createBoxRing(0, 0, 10, 10)]], countries: [] }],
};

function openCoverage(bytes: ArrayBuffer): Coverage {
  const snapshot = verifySnapshot(bytes);
  if (snapshot.kind !== "leaf") throw new Error("no areas");
  return snapshot.coverage;
}

function makeSnapshotFile(coverage?: CoverageInput, manifest: Partial<SourceManifest> = {}) {
  const writer = createAreaWriter({ source_name: "t:a", kind: "leaf", ...manifest });
  writer.add({
    id: "a",
    name: null,
    countryIso3: "BRA",
    polygons: [[createBoxRing(0, 0, 1, 1)]],
    properties: {},
  });
  return writer.finish(coverage);
}

describe("the coverage of a snapshot", () => {
  it("gives back every piece with its countries, bit for bit", () => {
    const coverage = openCoverage(makeSmallCoveredSnapshot());
    if (coverage.extent !== "countries") throw new Error(coverage.extent);
    expect(coverage).toMatchObject({ known: "declared", countries: ["BRA", "PER"] });
    expect(coverage.pieces.countries).toEqual([["BRA"], ["BRA", "PER"], ["PER"], ["COL"], []]);
    const { layer } = coverage.pieces;
    expect(layer.areaCount).toBe(5);
    const written = "pieces" in SMALL_COVERAGE ? SMALL_COVERAGE.pieces : [];
    expect([...layer.xy]).toEqual(
      written.flatMap((piece) => piece.polygons.flat(1).flatMap((ring) => [...ring])),
    );
  });

  it.each([
    [undefined, { extent: "undeclared" }],
    [{ extent: "global", known: "declared" } as const, { extent: "global", known: "declared" }],
    [POLYGONS, { extent: "polygons", known: "declared", pieces: { countries: [[]] } }],
  ])("is the declared one, also in the manifest", (input, expected) => {
    const written = makeSnapshotFile(input);
    expect(openCoverage(joinFileBytes(written))).toMatchObject(expected);
    expect(written.meta.manifest.coverage).toBe(input?.extent);
    expect(written.meta.manifest.coverage_known).toBe(input?.known);
  });

  it("opens in shared memory, in place, with the host's checksums", () => {
    const written = makeSnapshotFile(SMALL_COVERAGE);
    const shared = joinChunksInto(written, new SharedArrayBuffer(written.byteLength));
    const snapshot = verifySnapshot(shared, { crc32, sha256: () => createHash("sha256") });
    if (snapshot.kind !== "leaf" || !("pieces" in snapshot.coverage)) throw new Error("no pieces");
    expect(snapshot.coverage.pieces.layer.xy.buffer).toBe(shared);
  });

  it("is read in bounded work, though 50,000 pieces are of every country that three letters can name", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const all = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const pieces = Array.from({ length: 50_000 }, (_, i) => ({
      polygons: [],
      countries: i === 0 ? all : ["AAA"],
    }));
    const input = { extent: "countries", known: "declared", countries: ["AAA"], pieces } as const;
    const parts = new SnapshotParts(joinFileBytes(makeSnapshotFile(input)));
    const inner = new SnapshotParts(parts.bytes(SECTION.COVERAGE).buffer);
    // Every piece takes the first entry; the second stays in use by the last.
    const column = inner.bytes(FIRST_COLUMN_SECTION);
    column.fill(1, 4 + 4 * 3, 4 + 4 * 3 + 49_999);
    parts.replace(SECTION.COVERAGE, new Uint8Array(inner.seal()));
    const snapshot = openSnapshot(parts.seal(), { crc32 });
    if (snapshot.kind !== "leaf" || !("pieces" in snapshot.coverage)) throw new Error("no pieces");
    const { countries } = snapshot.coverage.pieces;
    expect([countries[49_998]!.length, countries[49_999]!.length]).toEqual([all.length, 1]);
  });
});

describe("the edition of a snapshot with a coverage", () => {
  const buildEdition = (coverage?: CoverageInput, manifest?: Partial<SourceManifest>) =>
    makeSnapshotFile(coverage, manifest).meta.edition;
  const countries = SMALL_COVERAGE as Extract<CoverageInput, { extent: "countries" }>;

  it("is that of the areas alone unless the coverage is declared", () => {
    expect(buildEdition({ ...countries, known: "derived" })).toBe(buildEdition());
    expect(buildEdition(countries)).not.toBe(buildEdition());
  });

  it("changes with what is declared and with the land that it means", () => {
    const moved = countries.pieces.map((piece, i) =>
      i === 3 ? { ...piece, polygons: [[createBoxRing(0, 10, 10, 12.5)]] } : piece,
    );
    const retold = countries.pieces.map((piece, i) => (i === 4 ? { ...piece, countries: ["ARG"] } : piece));
    const editions = [
      buildEdition(),
      buildEdition({ extent: "global", known: "declared" }),
      buildEdition(POLYGONS),
      buildEdition({ ...POLYGONS, pieces: [{ polygons: [[createBoxRing(0, 0, 10, 11)]], countries: [] }] }),
      buildEdition(countries),
      buildEdition({ ...countries, countries: ["BRA"] }),
      buildEdition({ ...countries, pieces: moved }),
      buildEdition({ ...countries, pieces: retold }),
    ];
    expect(new Set(editions).size).toBe(editions.length);
  });

  it("is the digest that the format's page defines", () => {
    const text = (value: string) => [...u32(Buffer.byteLength(value)), ...Buffer.from(value)];
    const u32 = (value: number) => [...Buffer.from(Uint32Array.of(value).buffer)];
    const ring = [...createBoxRing(0, 0, 1, 1)];
    const content = [
      ...[...text("leaf"), 0, ...u32(1), ...text("a"), 0, 1, ...text("BRA"), ...u32(0), ...u32(1), 0],
      ...[...u32(ring.length / 2), ...Buffer.from(Float64Array.from(ring).buffer)],
    ];
    const digest = (bytes: number[]) => createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");
    expect(buildEdition()).toBe(digest([...text("groundrule content 1"), ...content]));
    const global = [...text("global"), ...u32(0), 0];
    expect(buildEdition({ extent: "global", known: "declared" })).toBe(
      digest([...text("groundrule content 2"), ...content, ...global]),
    );
    const square = [...createBoxRing(0, 0, 10, 10)];
    const pieces = [
      ...[...text("groundrule content 1"), ...text("leaf"), 0, ...u32(1), ...text("0"), 0, 0, ...u32(1)],
      ...[...text("countries"), ...text("string"), 1, ...text("BRA,PER"), ...u32(1), 0],
      ...[...u32(square.length / 2), ...Buffer.from(Float64Array.from(square).buffer)],
    ];
    const one = { polygons: [[createBoxRing(0, 0, 10, 10)]], countries: ["BRA", "PER"] };
    expect(buildEdition({ ...countries, countries: ["PER"], pieces: [one] })).toBe(
      digest([
        ...[...text("groundrule content 2"), ...content],
        ...[...text("countries"), ...u32(1), ...text("PER"), 1, ...text(digest(pieces))],
      ]),
    );
  });
});

describe("a coverage that is handed to the writer", () => {
  const countries = SMALL_COVERAGE as Extract<CoverageInput, { extent: "countries" }>;

  it.each<[string, CoverageInput | undefined, SourceManifest["coverage"], string]>([
    ["no coverage for declared countries", undefined, ["BRA"], "found the coverage none"],
    ["derived countries for declared ones", { ...countries, known: "derived" }, ["BRA", "PER"], "declares"],
    ["other countries than declared", countries, ["BRA"], '["BRA","PER"]'],
    ["polygons for global", POLYGONS, "global", '"polygons"'],
    ["global for polygons", { extent: "global", known: "declared" }, { polygons: "a.geojson" }, '"global"'],
    ["global for countries", { extent: "global", known: "declared" }, ["BRA"], '"global"'],
    ["countries without a piece", { ...countries, countries: ["ARG"] }, undefined, "no piece of ARG"],
    ["countries that are none", { ...countries, countries: [] }, undefined, "names none"],
    ["countries out of order", { ...countries, countries: ["PER", "BRA"] }, undefined, "ascending"],
    ["no polygons", { ...POLYGONS, pieces: [] } as CoverageInput, undefined, "without pieces"],
    [
      "polygons of a country",
      { ...POLYGONS, pieces: countries.pieces } as CoverageInput,
      undefined,
      "a country",
    ],
  ])("is refused: %s", (_, input, coverage, message) => {
    expect(() => makeSnapshotFile(input, { coverage })).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED", message: expect.stringContaining(message) }),
    );
  });

  it("may be what the manifest declares, in whatever order and however often it names a country", () => {
    expect(makeSnapshotFile(countries, { coverage: ["PER", "BRA", "PER"] }).meta.manifest.coverage).toEqual([
      "BRA",
      "PER",
    ]);
    expect(makeSnapshotFile(POLYGONS, { coverage: { polygons: "a.geojson" } }).meta.manifest.coverage).toBe(
      "polygons",
    );
    expect(makeSnapshotFile(undefined, { coverage: "global" }).meta.manifest.coverage).toBe("global");
  });
});
