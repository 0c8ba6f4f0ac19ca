import type { SourceManifest } from "@groundrule/engine";
import { openSnapshot } from "@groundrule/engine/build";
import { BUILD_ALLOWANCES } from "@groundrule/engine/internal";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { type BuildOptions, buildSnapshot } from "./build.ts";
import { IngestError } from "./ingest-error.ts";
import { renderReport } from "./report.ts";

const manifest: SourceManifest = { source_name: "demo:parks", kind: "leaf" };

async function* createStream(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function build(text: string, more: Partial<SourceManifest> = {}, options: BuildOptions = {}) {
  const { file, report } = await buildSnapshot(createStream(text), { ...manifest, ...more }, options);
  const bytes = new Uint8Array(Buffer.concat([...file.chunks]));
  return { ...openSnapshot(bytes.buffer), report };
}

async function catchRefusal(text: string, more: Partial<SourceManifest> = {}, options: BuildOptions = {}) {
  const error: unknown = await build(text, more, options).catch((thrown: unknown) => thrown);
  if (error instanceof IngestError) return error;
  throw error;
}

type Ring = readonly (readonly number[])[];
const polygon = (...coordinates: Ring[]) => ({ type: "Polygon", coordinates });
const feature = (geometry: unknown, properties: object = {}) => ({ type: "Feature", geometry, properties });
const collection = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

const VALID = feature(polygon(createBoxPositions(0, 0, 1, 1)));
const LINE = { type: "LineString", coordinates: createBoxPositions(5, 5, 6, 6) };

describe("a feature that is left out", () => {
  it("is stored as the box of its positions, whatever is wrong with it", async () => {
    const random = createSeededRandom(4107);
    for (let i = 0; i < 40; i++) {
      const [west, south] = [random.between(-170, 160), random.between(-80, 70)];
      const box = createBoxPositions(
        west,
        south,
        west + random.between(0.1, 9),
        south + random.between(0.1, 9),
      );
      const spoilt = [
        { type: "LineString", coordinates: box },
        { type: "MultiLineString", coordinates: [box] },
        polygon([...box, ...[...box].reverse()]),
        { type: "GeometryCollection", geometries: [polygon(box)] },
      ][random.integer(4)];
      const { meta, report } = await build(collection(VALID, feature(spoilt)));
      expect(report.left_out).toMatchObject([{ number: 2 }]);
      expect(report.left_out[0]).not.toHaveProperty("place");
      const [left, down, right, up, areas] = meta.left_out![0]!;
      expect(areas).toBe(1);
      for (const [x, y] of box) expect(x! > left && x! < right && y! > down && y! < up).toBe(true);
    }
  });

  it.each<[string, unknown]>([
    ["no geometry", null],
    ["a point", { type: "Point", coordinates: [3, 3] }],
    [
      "a position that is no number",
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [null, 2],
        ],
      },
    ],
    [
      "a position off the earth",
      polygon([
        [0, 0],
        [1, 0],
        [1, 95],
        [0, 0],
      ]),
    ],
    ["no positions", { type: "Polygon", coordinates: [] }],
    [
      "a point in a collection",
      { type: "GeometryCollection", geometries: [LINE, { type: "Point", coordinates: [3, 3] }] },
    ],
  ])("stops the build where it has %s, until that is allowed", async (_, geometry) => {
    const text = collection(VALID, feature(geometry));
    const error = await catchRefusal(text);
    expect(error).toMatchObject({ code: "PLACE_UNKNOWN", details: { place: { feature: 2 } } });
    expect(error.message).toContain('--allow left_out, or "allow": ["left_out"] in the manifest');
    expect((await catchRefusal(text, { allow: ["repaired"] })).code).toBe("PLACE_UNKNOWN");
    const { meta, report } = await build(text, { allow: ["left_out"] });
    expect(meta.manifest.allow).toEqual(["left_out"]);
    expect(report).toMatchObject({ stored: 1, left_out: [{ number: 2, place: "unknown" }] });
    expect(renderReport(report).replaceAll(/\s+/g, " ")).toContain("it is not known how far it reaches");
  });

  it("stops a register, since anybody may be listed in it", async () => {
    const register = { kind: "subject_register", scheme: "br:cnpj", value: "id" } as const;
    const text = "id,name\n11222333000181,A\n1,2,3\n";
    expect((await catchRefusal(text, register)).code).toBe("PLACE_UNKNOWN");
    expect((await build(text, { ...register, allow: ["left_out"] })).report.left_out).toHaveLength(1);
  });

  it("changes no edition in which nothing is left out, whatever is allowed", async () => {
    const editions = await Promise.all(
      [undefined, BUILD_ALLOWANCES].map(
        async (allow) => (await build(collection(VALID), { allow })).meta.edition,
      ),
    );
    expect(editions[0]).toBe(editions[1]);
  });
});

describe("a repair that leaves out more than a tenth of another reading", () => {
  const cap = polygon(createBoxPositions(-170, 60, 170, 80));
  const island = polygon(
    createBoxPositions(0, 0, 10, 10),
    createBoxPositions(2, 2, 8, 8),
    createBoxPositions(3, 3, 7, 7),
  );

  it.each([
    [
      "a cap from −170 to 170",
      cap,
      /short way round it has [\d,.]+ ha, as they are written [\d,.]+ ha, of which .* 100 %/,
    ],
    ["an island in a hole", island, /repaired it has [\d,.]+ ha; .* it has [\d,.]+ ha, of which .* %/],
  ])("stops the build, with both readings and their areas, of %s", async (_, geometry, words) => {
    const text = collection(VALID, feature(geometry));
    const error = await catchRefusal(text);
    expect(error).toMatchObject({ code: "AREA_LOST", details: { place: { feature: 2 } } });
    expect(error.message).toMatch(words);
    expect((await catchRefusal(text, { allow: ["left_out"] })).code).toBe("AREA_LOST");
    const { meta, report } = await build(text, { allow: ["repaired"] });
    expect(meta.manifest.allow).toEqual(["repaired"]);
    expect(report.repaired[0]?.loss).toMatch(words);
  });

  it("stops the build of a coverage by such polygons", async () => {
    const openPolygons = () => createStream(JSON.stringify(feature(cap)));
    const coverage = { polygons: "cap.geojson" };
    const error = await catchRefusal(collection(VALID), { coverage }, { openPolygons });
    expect(error.code).toBe("AREA_LOST");
    expect(error.message).toContain("polygons of the coverage");
    expect(
      (await build(collection(VALID), { coverage, allow: ["repaired"] }, { openPolygons })).report.stored,
    ).toBe(1);
  });
});

describe("columns with the name of a property of every area", () => {
  it("are its name, id and country where the manifest names no other, which the report states", async () => {
    const properties = { name: "Rio Claro", source_id: "p-7", country_iso3: "bra" };
    const built = await build(collection(feature(VALID.geometry, properties)));
    const { attributes } = built as Extract<typeof built, { kind: "leaf" }>;
    expect([attributes.id(0), built.meta.manifest]).toMatchObject([
      "p-7",
      { id: "source_id", name: "name", country: "country_iso3" },
    ]);
    expect(built.meta.country_coverage).toEqual(["BRA"]);
    expect(built.report.hidden_columns).toEqual([]);
    expect(renderReport(built.report)).toContain('column "name" is the name of its areas');
  });

  it("are reported where they have other values, and nothing is taken from them", async () => {
    const properties = {
      title: "Park",
      name: "Rio Claro",
      category: "APA",
      country_iso3: "BR",
      source_name: "demo:parks",
    };
    const features = [VALID, feature(VALID.geometry, properties)];
    const { meta, report } = await build(collection(...features), { name: "title", category: "unit" });
    expect(meta.manifest).not.toHaveProperty("country");
    expect(report.mapped_columns).toEqual([]);
    const first = { number: 2, line: 1 };
    expect(report.hidden_columns).toEqual([
      { name: "name", areas: 1, first },
      { name: "country_iso3", areas: 1, first },
      { name: "category", areas: 1, first },
    ]);
    expect(renderReport(report).replaceAll(/\s+/g, " ")).toContain(
      '"read": {"rename": {"category": "NEW_NAME"}}',
    );
    const read = { rename: { name: "label", category: "kind", country_iso3: "iso2" } };
    const renamed = await build(collection(...features), { name: "title", category: "unit" }, { read });
    expect(renamed.report.hidden_columns).toEqual([]);
  });
});
