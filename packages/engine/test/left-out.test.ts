import { openEngine } from "@groundrule/engine";
import { openSnapshot, type SnapshotOfOptions, snapshotOf } from "@groundrule/engine/build";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import type { AreaFeature } from "../src/areas/snapshot-of.ts";
import { findGeometryBox } from "../src/geometry/plot/placed-box.ts";
import { isLeftOutBox, type LeftOutBox } from "../src/snapshot/left-out.ts";
import { joinLeftOutBoxes } from "../src/snapshot/write/left-out-boxes.ts";

const NOW = "2026-11-28T00:00:00Z";
const OPTIONS: SnapshotOfOptions = { id: "code", coverage: "global", onFault: "leaveOut" };

const feature = (code: string, geometry: object | null): AreaFeature => ({
  type: "Feature",
  geometry,
  properties: { code, rank: code.length },
});

/** A star about a place; its positions lie in order. */
function randomStar(random: Random, longitude: number, latitude: number): [number, number][] {
  const count = 3 + random.integer(6);
  const positions = Array.from({ length: count }, (_, i): [number, number] => {
    const [angle, radius] = [(2 * Math.PI * (i + random.next() / 2)) / count, random.between(0.01, 0.3)];
    return [longitude + radius * Math.cos(angle), latitude + radius * Math.sin(angle)];
  });
  return [...positions, positions[0]!];
}

/** The same positions as something that is no area, but has a place. */
const SPOILT: readonly ((ring: [number, number][]) => object)[] = [
  (ring) => ({ type: "LineString", coordinates: ring }),
  (ring) => ({ type: "MultiLineString", coordinates: [ring] }),
  (ring) => ({ type: "Polygon", coordinates: [[...ring, ...[...ring].reverse()]] }),
  (ring) => ({ type: "GeometryCollection", geometries: [{ type: "LineString", coordinates: ring }] }),
];

const RULESET = {
  sets: {
    all: { sources: ["my:areas"] },
    short: { sources: ["my:areas"], where: "rank < 3" },
    near: { sources: ["my:areas"], within_m: 20_000 },
    both: { sources: ["my:areas", "my:others"] },
    others: { sources: ["my:others"] },
    rest: { difference: ["others", "all"] },
    shared: { intersection: ["all", "others"] },
  },
  checks: [
    { id: "any", set: "all", outcome: "NON_COMPLIANT" },
    { id: "none", set: "all", op: "=", value: 0, outcome: "WARNING" },
    { id: "few", set: "all", op: "<=", value: 2, outcome: "WARNING" },
    { id: "short", set: "short", outcome: "NON_COMPLIANT" },
    { id: "share", set: "all", measure: "overlap_ratio", op: ">", value: 0.2, outcome: "NON_COMPLIANT" },
    { id: "least", set: "all", measure: "overlap_ratio", op: "<", value: 0.2, outcome: "NON_COMPLIANT" },
    { id: "largest", set: "all", measure: "max_overlap_area_m2", op: ">", value: 1e8, outcome: "WARNING" },
    { id: "near", set: "near", outcome: "WARNING" },
    { id: "far", set: "near", measure: "min_distance_m", op: "<", value: 9_000, outcome: "WARNING" },
    { id: "sum", set: "all", measure: { sum: "rank" }, op: ">", value: 3, outcome: "WARNING" },
    { id: "group", set: "both", outcome: "WARNING" },
    { id: "rest", set: "rest", measure: "overlap_area_m2", op: ">", value: 1e7, outcome: "WARNING" },
    { id: "held", set: "rest", measure: "overlap_ratio", op: ">=", value: 0.3, outcome: "WARNING" },
    { id: "shared", set: "shared", measure: "overlap_ratio", op: ">", value: 0.1, outcome: "WARNING" },
  ],
};

describe("features that a build left out", () => {
  it("decide no check that they could change, wherever they lie", () => {
    const random = createSeededRandom(4104);
    let [decided, open, changed] = [0, 0, 0];
    for (let world = 0; world < 60; world++) {
      const rings = Array.from({ length: 6 }, () =>
        randomStar(random, random.between(-1, 1), random.between(-1, 1)),
      );
      const isLeft = rings.map(() => random.next() < 0.4);
      const features = (spoil: boolean) =>
        rings.map((ring, i) =>
          feature(
            "c".repeat(1 + (i % 4)) + i,
            spoil && isLeft[i]
              ? SPOILT[random.integer(SPOILT.length)]!(ring)
              : { type: "Polygon", coordinates: [ring] },
          ),
        );
      const others = snapshotOf(
        "my:others",
        [feature("o", { type: "Polygon", coordinates: [randomStar(random, 0, 0)] })],
        OPTIONS,
      );
      const [known, whole] = [true, false].map((spoil) =>
        openEngine([snapshotOf("my:areas", features(spoil), OPTIONS), others]).compile(RULESET),
      );
      for (let plot = 0; plot < 4; plot++) {
        const [x, y, size] = [random.between(-1, 1), random.between(-1, 1), random.between(0.01, 0.5)];
        const input = {
          geometry: { type: "Polygon", coordinates: [createBoxPositions(x, y, x + size, y + size)] },
        };
        const [found, truth] = [known!.evaluate(input, { now: NOW }), whole!.evaluate(input, { now: NOW })];
        for (const [i, check] of found.checks.entries()) {
          const { outcome } = truth.checks[i]!;
          if (check.status !== "ok") {
            open++;
            expect(check.open?.map(({ because }) => because)).toContain("left_out");
            continue;
          }
          decided++;
          expect([check.id, check.outcome]).toEqual([check.id, outcome]);
        }
        if (truth.verdict !== found.verdict) changed++;
      }
    }
    expect(decided).toBeGreaterThan(500);
    expect(open).toBeGreaterThan(300);
    expect(changed).toBeGreaterThan(20);
  });

  it("leave nothing open on plots that none of their boxes meets", () => {
    const built = snapshotOf(
      "my:areas",
      [feature("a", { type: "LineString", coordinates: createBoxPositions(5, 5, 6, 6) })],
      OPTIONS,
    );
    const policy = openEngine([built]).compile({
      sets: { all: { sources: ["my:areas"] } },
      checks: [{ id: "any", set: "all", outcome: "NON_COMPLIANT" }],
    });
    const verdictOn = (west: number) =>
      policy.evaluate(
        { geometry: { type: "Polygon", coordinates: [createBoxPositions(west, 5, west + 0.5, 5.5)] } },
        { now: NOW },
      );
    expect(verdictOn(4)).toMatchObject({
      verdict: "COMPLIANT",
      sources: [{ coverage: "full", left_out: 1 }],
    });
    expect(verdictOn(4.6)).toMatchObject({ verdict: "WARNING", sources: [{ coverage: "partial" }] });
    expect(verdictOn(4.6).checks[0]?.open).toEqual([
      { because: "left_out", source_name: "my:areas", areas: 1 },
    ]);
    expect(verdictOn(5.2)).toMatchObject({ verdict: "WARNING", sources: [{ coverage: "none" }] });
    expect(verdictOn(365.2 - 720)).toMatchObject({ verdict: "WARNING" });
  });

  it("change no digest where there are none, and each box changes it", () => {
    const areas = [feature("a", { type: "Polygon", coordinates: [createBoxPositions(0, 0, 1, 1)] })];
    const withLine = (east: number) =>
      snapshotOf(
        "my:areas",
        [
          ...areas,
          feature("b", {
            type: "LineString",
            coordinates: [
              [2, 2],
              [east, 3],
            ],
          }),
        ],
        OPTIONS,
      );
    const editions = [snapshotOf("my:areas", areas, OPTIONS), withLine(3), withLine(4)].map(
      ({ edition }) => edition,
    );
    expect(new Set(editions).size).toBe(3);
    expect(openSnapshot(withLine(3).bytes.buffer).meta.left_out).toEqual([
      [2 - 1e-5, 2 - 1e-5, 3 + 1e-5, 3 + 1e-5, 1],
    ]);
  });
});

describe("computePointsBox", () => {
  const lineString = {
    type: "LineString",
    coordinates: [
      [1, 2],
      [3, -4],
    ],
  };

  it.each<[string, unknown, [number, number, number, number] | undefined, boolean?]>([
    ["a line", lineString, [1, -4, 3, 2], true],
    [
      "a ring of two positions",
      { type: "Polygon", coordinates: [lineString.coordinates] },
      [1, -4, 3, 2],
      true,
    ],
    ["a point", { type: "Point", coordinates: [1, 2] }, [1, 2, 1, 2], false],
    [
      "an edge of 180° or more",
      {
        type: "LineString",
        coordinates: [
          [-170, 1],
          [170, 2],
        ],
      },
      [-180, 1, 180, 2],
      true,
    ],
    [
      "positions past the antimeridian",
      {
        type: "LineString",
        coordinates: [
          [170, 1],
          [190, 2],
        ],
      },
      [170, 1, 190, 2],
      true,
    ],
    [
      "a point in a collection",
      { type: "GeometryCollection", geometries: [lineString, { type: "Point", coordinates: [9, 9] }] },
      [1, -4, 9, 9],
      false,
    ],
    [
      "a collection in a Feature",
      { type: "Feature", geometry: { type: "GeometryCollection", geometries: [lineString] } },
      [1, -4, 3, 2],
      true,
    ],
    ["an empty collection", { type: "GeometryCollection", geometries: [] }, undefined],
    [
      "a position that is no number",
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [null, 3],
        ],
      },
      undefined,
    ],
    [
      "a position off the earth",
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 95],
        ],
      },
      undefined,
    ],
    ["no positions", { type: "Polygon", coordinates: [] }, undefined],
    ["nothing", null, undefined],
    ["another type", { type: "Circle", coordinates: [1, 2] }, undefined],
    [
      "an unknown CRS",
      { ...lineString, crs: { type: "name", properties: { name: "EPSG:99999" } } },
      undefined,
    ],
  ])("finds of %s what its positions show", (_, geometry, box, isExtent) => {
    const found = findGeometryBox(geometry);
    expect(found).toEqual(box && { box, isExtent });
  });

  it("survives collections within each other", () => {
    let nested: unknown = lineString;
    for (let i = 0; i < 100_000; i++) nested = { type: "GeometryCollection", geometries: [nested] };
    expect(findGeometryBox(nested)).toBeUndefined();
  });
});

describe("joinedBoxes", () => {
  it("covers every box with at most 1,024, and counts each feature once", () => {
    const random = createSeededRandom(4105);
    for (const count of [1, 1024, 1025, 5000]) {
      const boxes = Array.from({ length: count }, (): LeftOutBox => {
        const [west, south] = [random.between(-200, 190), random.between(-90, 89)];
        return [
          west,
          south,
          west + random.between(0.001, 30),
          Math.min(90, south + random.between(0.001, 9)),
          1,
        ];
      });
      const joined = joinLeftOutBoxes(boxes);
      expect(joined.length).toBeLessThanOrEqual(1024);
      expect(joined.every(isLeftOutBox)).toBe(true);
      expect(joined.reduce((sum, box) => sum + box[4], 0)).toBe(count);
      const isListed = ([west, south, east, north]: LeftOutBox) =>
        joined.some((box) => {
          const isRound = box[0] === -180 && box[2] === 180;
          return (isRound || (box[0] <= west && box[2] >= east)) && box[1] <= south && box[3] >= north;
        });
      expect(boxes.every(isListed)).toBe(true);
    }
  });
});
