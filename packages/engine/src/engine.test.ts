import { createBoxRing, createSquarePolygon } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { referenceKernel } from "../../reference/src/reference-kernel.ts";
import { EngineError } from "./base/errors.ts";
import { openEngine } from "./engine.ts";
import type { Kernel } from "./geometry/kernel/kernel.ts";
import { createRegisterWriter } from "./snapshot/write/register-writer.ts";
import { createAreaWriter } from "./snapshot/write/writer.ts";

const PARKS = {
  source_name: "t:parks",
  kind: "leaf",
  source_dataset: "Test parks",
  collected_at: "2026-01-01T00:00:00Z",
} as const;
const REGISTER = { source_name: "t:listed", kind: "subject_register", scheme: "br:cnpj" } as const;
const NOW = "2026-01-11T12:00:00Z";

function makeParksSnapshot(): ArrayBuffer {
  const writer = createAreaWriter(PARKS);
  const add = (id: string, countryIso3: string | null, ring: Float64Array) =>
    writer.add({ id, name: `Park ${id}`, countryIso3, polygons: [[ring]], properties: { rank: id.length } });
  add("b", "BRA", createBoxRing(10, 10, 11, 11));
  add("a", null, createBoxRing(10.5, 10, 12, 11));
  add("c", "PER", createBoxRing(20, 20, 21, 21));
  return joinFileBytes(writer.finish());
}

function register(): ArrayBuffer {
  const writer = createRegisterWriter(REGISTER);
  writer.add({
    id: "r1",
    name: "Listed",
    properties: { program: "X" },
    identifiers: [{ scheme: "br:cnpj", value: "11.222.333/0001-81" }],
  });
  return joinFileBytes(writer.finish());
}

const open = (kernel?: Kernel) =>
  openEngine([{ bytes: makeParksSnapshot() }, { bytes: register() }], {
    groups: { "t:all": ["t:parks"] },
    kernel,
  });

describe.each([
  ["default", undefined],
  ["reference", referenceKernel],
] as const)("openEngine with the %s kernel", (name, kernel) => {
  it("states which kernel answers, and under which semantics", () => {
    const { kernel: found, semantics } = open(kernel);
    expect([found, semantics > 0]).toEqual([name, name === "default"]);
  });

  it("answers which areas a plot meets, by source and id, with shares of both", () => {
    const { matches, sources } = open(kernel).intersections(createSquarePolygon(10.5, 10.25, 0.5), {
      now: NOW,
    });
    expect(matches.map(({ source_id, overlap_ratio }) => [source_id, overlap_ratio])).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(matches[1]?.area_overlap_ratio).toBeCloseTo(0.25, 3);
    expect(matches[0]).toMatchObject({ source_name: "t:parks", name: "Park a", country_iso3: null });
    expect(sources).toMatchObject([{ source_name: "t:parks", status: "ok", matched: 2, age_days: 10 }]);
  });

  it("counts areas that have no country instead of hiding them", () => {
    const { matches, sources } = open(kernel).intersections(createSquarePolygon(10.5, 10.25, 0.5), {
      countryIso3: "BRA",
    });
    expect(matches.map(({ source_id }) => source_id)).toEqual(["b"]);
    expect(sources[0]).toMatchObject({ matched: 1, without_country: 1 });
  });

  it("answers distances nearest first, bounds included", () => {
    const engine = open(kernel);
    const { matches } = engine.distance(createSquarePolygon(12.5, 10, 0.1), { maxDistanceMeters: 300_000 });
    expect(matches.map(({ source_id }) => source_id)).toEqual(["a", "b"]);
    const nearest = matches[0]!.distance_m;
    const query = (options: { minDistanceMeters?: number; maxDistanceMeters: number }) =>
      engine.distance(createSquarePolygon(12.5, 10, 0.1), options).matches.map(({ source_id }) => source_id);
    expect(query({ maxDistanceMeters: nearest })).toEqual(["a"]);
    expect(query({ minDistanceMeters: nearest + 0.001, maxDistanceMeters: 300_000 })).toEqual(["b"]);
  });

  it("gives the geometry that a caller requests", () => {
    const query = (geometry: "overlap" | "area") =>
      open(kernel).intersections(createSquarePolygon(10, 10, 0.5), { geometry }).matches[1]!.geometry!;
    const overlap = query("overlap").coordinates as number[][][][];
    expect(new Set(overlap.flat(2).map(String))).toEqual(
      new Set(["10,10", "10.5,10", "10.5,10.5", "10,10.5"]),
    );
    expect(query("area").coordinates).toHaveLength(1);
  });

  it("evaluates a ruleset over areas and subjects", () => {
    const engine = open(kernel);
    const ruleset = engine.compile({
      sets: { parks: { sources: ["t:all"] }, listed: { registers: ["t:listed"] } },
      checks: [
        { id: "park", set: "parks", measure: "overlap_ratio", value: 0.5, outcome: "WARNING" },
        { id: "owner", set: "listed", outcome: "NON_COMPLIANT" },
      ],
    });
    const evaluate = (value: string, west: number) =>
      ruleset.evaluate(
        { geometry: createSquarePolygon(west, 10.25, 0.5), scheme: { type: "br:cnpj", value } },
        { now: NOW },
      );
    expect(evaluate("11222333000181", 10.5)).toMatchObject({
      verdict: "NON_COMPLIANT",
      checks: [{ comparisons: [{ value: 1 }] }, { evidence: [{ source_id: "r1" }] }],
    });
    expect(evaluate("00000000000191", 10.5).verdict).toBe("WARNING");
    expect(evaluate("00000000000191", 30).verdict).toBe("COMPLIANT");
  });
});

describe("openEngine", () => {
  it("takes a damaged edition for a failed source when its manifest is at hand, and throws when not", () => {
    const bytes = makeParksSnapshot();
    new Uint8Array(bytes)[300]! ^= 1;
    expect(() => openEngine([{ bytes }])).toThrow(EngineError);
    const engine = openEngine([{ bytes, manifest: PARKS }, { bytes: register() }]);
    expect(engine.intersections(createSquarePolygon(10, 10, 1)).sources).toMatchObject([
      { source_name: "t:parks", status: "failed", matched: 0, reason: expect.stringContaining("corrupt") },
    ]);
    expect(engine.subjects({ type: "br:cnpj", value: "11222333000181" }).matches).toHaveLength(1);
    const ruleset = engine.compile({
      sets: { parks: { sources: ["t:parks"] } },
      checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
    });
    expect(ruleset.evaluate({ geometry: createSquarePolygon(10, 10, 1) }, { now: NOW })).toMatchObject({
      verdict: "DEGRADED",
      status: "degraded",
      at_least: "COMPLIANT",
    });
  });

  it("takes the CRS that a plot names where the input names none, into the digest too", () => {
    const engine = open();
    const ruleset = engine.compile({
      sets: { parks: { sources: ["t:parks"] } },
      checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
    });
    const readDigest = (geometry: object, crs?: string) =>
      ruleset.evaluate({ geometry, ...(crs !== undefined && { crs }) }, { now: NOW }).input.digest;
    const plot = createSquarePolygon(10, 10, 1);
    const naming = (name: string) => ({ ...plot, crs: { type: "name", properties: { name } } });
    expect(readDigest(naming("EPSG:4326"))).toBe(readDigest(plot, "EPSG:4326"));
    expect(readDigest({ type: "Feature", geometry: plot, crs: naming("EPSG:4326").crs })).toBe(
      readDigest(plot, "EPSG:4326"),
    );
    expect(readDigest(naming("EPSG:4326"), "OGC:CRS84")).toBe(readDigest(plot, "OGC:CRS84"));
    expect(readDigest(naming("EPSG:4326"))).not.toBe(readDigest(plot));
  });

  it("lists sources and groups as the catalog shows them", () => {
    expect(open().sources()).toEqual([
      {
        source_name: "t:all",
        source_dataset: "t:all",
        kind: "group",
        members: ["t:parks"],
        feature_count: 3,
        country_coverage: ["BRA", "PER"],
        coverage: { extent: "undeclared" },
        collected_at_latest: "2026-01-01T00:00:00Z",
        columns: { rank: "number" },
      },
      {
        source_name: "t:listed",
        source_dataset: "t:listed",
        kind: "subject_register",
        feature_count: 1,
        supported_schemes: ["br:cnpj"],
        columns: { program: "string" },
      },
      {
        source_name: "t:parks",
        source_dataset: "Test parks",
        kind: "leaf",
        feature_count: 3,
        country_coverage: ["BRA", "PER"],
        coverage: { extent: "undeclared" },
        collected_at_latest: "2026-01-01T00:00:00Z",
        columns: { rank: "number" },
      },
    ]);
  });

  it("refuses names it does not know, with the one that was meant", () => {
    const query = (name: string) => () =>
      open().intersections(createSquarePolygon(0, 0, 1), { sources: [name] });
    expect(query("t:park")).toThrow('no source is named "t:park"; did you mean "t:parks"?');
    expect(query("t:listed")).toThrow(
      '"t:listed" is a subject_register, expected a leaf or a group of leaves',
    );
  });

  it("takes a country in any letter case, and refuses one that does not exist instead of finding nothing", () => {
    const query = (countryIso3: string) =>
      open().intersections(createSquarePolygon(10.5, 10.25, 0.5), { countryIso3 });
    expect(query("bra")).toEqual(query("BRA"));
    expect(() => query("BRZ")).toThrow('found country "BRZ", expected an ISO 3166-1 alpha-3 code');
  });

  it("refuses an answer over the limit with the count, and cuts nothing", () => {
    expect(() => open().intersections(createSquarePolygon(9, 9, 20), { maxResults: 2 })).toThrow(
      "3 areas match",
    );
    expect(open().intersections(createSquarePolygon(9, 9, 20), { maxResults: 3 }).matches).toHaveLength(3);
  });

  it.each([
    [-1, 10, "/maxDistanceMeters"],
    [1_000_001, 0, "/maxDistanceMeters"],
    [10, 11, "/minDistanceMeters"],
    [10, -1, "/minDistanceMeters"],
    [Number.NaN, 0, "/maxDistanceMeters"],
  ])("refuses the distance bounds max %d, min %d", (maxDistanceMeters, minDistanceMeters, pointer) => {
    expect(() =>
      open().distance(createSquarePolygon(0, 0, 1), { maxDistanceMeters, minDistanceMeters }),
    ).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: { faults: expect.arrayContaining([expect.objectContaining({ pointer })]) },
      }),
    );
  });
});
