import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildBordersSnapshot } from "../../test/small-borders.ts";
import {
  makeBoxHole,
  makeSmallAreaSnapshot,
  makeSmallRegisterSnapshot,
} from "../../test/snapshot-fixtures.ts";
import { openEngine } from "../engine.ts";
import { getEngineParts } from "../engine-parts.ts";
import { exactKernel } from "../geometry/kernel/exact-kernel.ts";
import { parsePlot } from "../geometry/plot/parse-plot.ts";
import { openBorders } from "../sources/open-source.ts";
import { buildCountryCoverage, listCountries } from "./country-coverage.ts";
import { snapshotOf } from "./snapshot-of.ts";

/** Degrees of longitude on the equator, and of latitude there: 111 km each. */
const LAND = [
  { countries: ["BRA"], polygons: [[createBoxRing(0, 0, 5, 5)]] },
  { countries: ["BRA", "PER"], polygons: [[createBoxRing(5, 0, 6, 5)]] },
  {
    countries: ["PER"],
    polygons: [[createBoxRing(6, 0, 10, 5), makeBoxHole(7, 1, 8, 2)], [createBoxRing(40, 0, 41, 1)]],
  },
  { countries: ["COL"], polygons: [[createBoxRing(13, 0, 14, 5)], [createBoxRing(16, 0, 17, 5)]] },
  { countries: [], polygons: [[createBoxRing(0, 13, 5, 14)]] },
  { countries: ["ARG"], polygons: [[createBoxRing(0, 15, 5, 16)]] },
  { countries: ["FJI"], polygons: [[createBoxRing(179, -18, 181, -16)]] },
  { countries: ["WSM"], polygons: [[createBoxRing(-173, -14, -172, -13)]] },
];

describe("the coverage of countries", () => {
  const borders = openBorders(buildBordersSnapshot(LAND));

  it("holds the pieces of the countries, and of others the polygons within 1,000 km of those", () => {
    const coverage = buildCountryCoverage(borders, ["BRA"], "declared");
    expect(coverage).toMatchObject({ extent: "countries", known: "declared", countries: ["BRA"] });
    // Colombia is 780 km from the strip; its second polygon and Argentina are farther than 1,000 km.
    const kept = [LAND[0], LAND[1], { ...LAND[2], polygons: [LAND[2]!.polygons[0]] }];
    kept.push({ ...LAND[3], polygons: [LAND[3]!.polygons[0]] }, LAND[4]);
    expect("pieces" in coverage && coverage.pieces).toEqual(kept);
  });

  it("keeps every polygon of its own, however far from the others", () => {
    const coverage = buildCountryCoverage(borders, ["PER"], "derived");
    expect("pieces" in coverage && coverage.pieces).toContainEqual(LAND[2]);
    expect(coverage.known).toBe("derived");
  });

  it("sees the land of others on the other side of the antimeridian", () => {
    const coverage = buildCountryCoverage(borders, ["WSM"], "declared");
    expect("pieces" in coverage && coverage.pieces).toEqual([LAND[6], LAND[7]]);
  });

  it("leaves out land a quarter turn of latitude away, to which its bound does not reach", () => {
    const land = [
      { countries: ["CHL"], polygons: [[createBoxRing(-70, -50, -69, -49)]] },
      { countries: ["GRL"], polygons: [[createBoxRing(-70, 76, -69, 77)]] },
    ];
    const coverage = buildCountryCoverage(openBorders(buildBordersSnapshot(land)), ["CHL"], "declared");
    expect("pieces" in coverage && coverage.pieces).toEqual([land[0]]);
  });

  it("loses no piece within 1,000 km by the geodesics of the kernel", () => {
    const random = createSeededRandom(20_261_122);
    for (let world = 0; world < 30; world++) {
      const land = Array.from({ length: 24 }, (_, i) => {
        const [x, y] = [random.between(-180, 178), random.between(-85, 82)];
        const ring = createBoxRing(x, y, x + random.between(0.1, 12), y + random.between(0.1, 8));
        return {
          countries: [i === 0 ? "AAA" : "BBB"],
          polygons: [[ring.map((v, k) => (k % 2 ? Math.min(v, 90) : v))]],
        };
      });
      const pieces = openBorders(buildBordersSnapshot(land));
      const coverage = buildCountryCoverage(pieces, ["AAA"], "declared");
      const kept = new Set(
        "pieces" in coverage ? coverage.pieces.map(({ polygons }) => polygons.join()) : [],
      );
      const [west, south] = land[0]!.polygons[0]![0]!;
      const [east, north] = land[0]!.polygons[0]![0]!.subarray(4);
      const corners = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      const { plot } = parsePlot({ type: "Polygon", coordinates: [corners] });
      for (const { area } of exactKernel.bind(plot).distances(pieces.layer, 1_000_000)) {
        expect(kept).toContain(land[area]!.polygons.join());
      }
      expect(kept.size).toBeLessThan(land.length);
    }
  });

  it("reports no distance to others' land of a plot far from it, which a group's polygons cover", () => {
    const buildSource = (name: string, coverage: readonly string[] | object) =>
      snapshotOf(name, [], { id: "id", coverage, borders: new Uint8Array(buildBordersSnapshot(LAND)) });
    const square = (west: number, south: number, degrees: number) => {
      const corners = [[0, 0] as const, [1, 0] as const, [1, 1] as const, [0, 1] as const, [0, 0] as const];
      const ring = corners.map(([x, y]) => [west + x * degrees, south + y * degrees]);
      return { type: "Polygon", coordinates: [ring] };
    };
    const sources = [buildSource("one:bra", ["BRA"]), buildSource("one:fiji", square(179, -18, 2))];
    const engine = openEngine(
      sources.map(({ bytes }) => bytes),
      { groups: { both: ["one:bra", "one:fiji"] } },
    );
    const statusWithin = (meters: number) =>
      engine
        .compile({
          sets: { near: { sources: ["both"], within_m: meters } },
          checks: [{ id: "near", set: "near", outcome: "NON_COMPLIANT" }],
        })
        .evaluate({ geometry: square(179.9, -17.1, 0.2) }, { now: "2026-11-22T00:00:00Z" }).checks[0]?.status;
    expect([50_000, 300_000].map(statusWithin)).toEqual(["ok", "not_covered"]);
  });

  it("knows the countries of all pieces", () => {
    expect(listCountries(borders)).toEqual(["ARG", "BRA", "COL", "FJI", "PER", "WSM"]);
  });
});

describe("borders that are handed to an engine", () => {
  it("are opened once, and shared by every view of a part of its sources", () => {
    const engine = openEngine([makeSmallAreaSnapshot()], {
      borders: new Uint8Array(buildBordersSnapshot(LAND)),
    });
    const { borders } = getEngineParts(engine);
    expect(borders?.countries[1]).toEqual(["BRA", "PER"]);
    expect(getEngineParts(engine.within(["test:*"])).borders).toBe(borders);
    expect(getEngineParts(openEngine([])).borders).toBeUndefined();
  });

  it("may be a function, which is called once, when they are first needed", () => {
    let calls = 0;
    const engine = openEngine([makeSmallAreaSnapshot()], {
      borders: () => {
        calls++;
        return buildBordersSnapshot(LAND);
      },
    });
    const { borders } = getEngineParts(engine.within(["*"]));
    expect(calls).toBe(0);
    expect(borders?.countries[1]).toEqual(["BRA", "PER"]);
    expect(borders?.layer.areaCount).toBe(LAND.length);
    expect(calls).toBe(1);
  });

  it.each<[string, unknown, string, string]>([
    ["no bytes", "borders.snapshot", "VALIDATION_FAILED", 'found "borders.snapshot" at borders'],
    ["a register", makeSmallRegisterSnapshot(), "SNAPSHOT_CORRUPT", "found a register, expected areas"],
    ["areas that are no borders", makeSmallAreaSnapshot(), "SNAPSHOT_CORRUPT", '"borders" is corrupt'],
    ["other bytes", new Uint8Array(100), "SNAPSHOT_CORRUPT", '"borders" is corrupt'],
  ])("are refused: %s", (_, borders, code, message) => {
    expect(() => openEngine([], { borders: borders as ArrayBuffer })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});
