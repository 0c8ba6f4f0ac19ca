import { createSeededRandom } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { createBoxRing, reverseRing, toPlot } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { findExactRelation } from "../../../test/exact-relation.ts";
import { measurePlanarRegion } from "../../../test/planar-overlap.ts";
import { pointInRing } from "../../../test/point-in-ring.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import { findPolygonFaults } from "../plot/validity/validity.ts";
import { buildAreaBoundary, buildPlotBoundary } from "../trees/boundary.ts";
import { findUncoveredPosition, type Relations } from "./relation.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_FULL !== undefined;
/** Square degrees below which 320-bit arithmetic has nothing left but its own rounding. */
const NOTHING = 1e-60;

describe("intersections and relation", () => {
  it(`answer on adversarial pairs as rational arithmetic does, with no exception (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const seen = { meets: 0, touches: 0, covers: 0, coveredBy: 0, apart: 0 };
    for (let i = 0; i < (LONG ? 100_000 : 1500); i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      if (findPolygonFaults(plot).length > 0 || findPolygonFaults(area).length > 0) continue;
      const { meets, overlaps, within, contains } = findExactRelation(area, plot);
      const layer = buildAreaLayer([area]);
      const bound = exactKernel.bind(toPlot(plot));
      const failure = (what: string): never =>
        expect.fail(
          `${what} of "${kind}", trial ${i}: ${JSON.stringify([plot, area].map((s) => s.map((p) => p.map((r) => [...r]))))}`,
        );
      if ((bound.intersections(layer).length === 1) !== meets) failure("intersections");
      if (!meets) {
        seen.apart++;
        continue;
      }
      const expected: Relations = { touches: !overlaps, covers: contains, coveredBy: within };
      const found = bound.relation(layer, 0);
      for (const name of ["touches", "covers", "coveredBy"] as const) {
        if (found[name] !== expected[name]) failure(`${name} (found ${found[name]})`);
        if (found[name]) seen[name]++;
      }
      seen.meets++;
    }
    if (LONG) console.log(seen);
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(10);
  });

  it("see through the antimeridian, where areas and plots are split", () => {
    const split: Polygons = [[createBoxRing(170, 0, 180, 10)], [createBoxRing(-180, 0, -170, 10)]];
    const layer = buildAreaLayer([
      split,
      [[createBoxRing(170, 0, 190, 10)]],
      [[createBoxRing(-190, 0, -170, 10)]],
    ]);
    const plots: Polygons[] = [
      [[createBoxRing(175, 2, 185, 4)]],
      [[createBoxRing(-185, 2, -175, 4)]],
      [[createBoxRing(175, 2, 180, 4)], [createBoxRing(-180, 2, -175, 4)]],
    ];
    for (const plot of plots) {
      const bound = exactKernel.bind(toPlot(plot));
      const hits = bound.intersections(layer);
      expect(hits.map(({ area }) => area)).toEqual([0, 1, 2]);
      for (const hit of hits) {
        expect(hit.overlapRatio).toBeCloseTo(1, 13);
        expect(bound.relation(layer, hit.area)).toEqual({ touches: false, covers: true, coveredBy: false });
      }
    }
    const whole = exactKernel.bind(toPlot([[createBoxRing(160, -5, 200, 15)]]));
    for (const area of [0, 1, 2])
      expect(whole.relation(layer, area)).toEqual({ touches: false, covers: false, coveredBy: true });
  });

  it("find what only touches across the antimeridian, or at a pole", () => {
    const layer = buildAreaLayer([[[createBoxRing(-180, 0, -170, 10)]], [[createBoxRing(30, 80, 40, 90)]]]);
    const bound = exactKernel.bind(toPlot([[createBoxRing(179, 2, 180, 3)]]));
    expect(bound.intersections(layer)).toEqual([{ area: 0, overlapSquareMeters: 0, overlapRatio: 0 }]);
    expect(bound.relation(layer, 0).touches).toBe(true);
    const polar = exactKernel.bind(toPlot([[createBoxRing(-100, 85, -90, 90)]]));
    expect(polar.intersections(layer)).toEqual([{ area: 1, overlapSquareMeters: 0, overlapRatio: 0 }]);
    expect(polar.relation(layer, 1)).toEqual({ touches: true, covers: false, coveredBy: false });
  });

  it("of points and lines follow the closed sets", () => {
    const layer = buildAreaLayer([[[createBoxRing(0, 0, 10, 10), reverseRing(createBoxRing(4, 4, 6, 6))]]]);
    const bound = (dimension: "point" | "line", xy: number[]) =>
      exactKernel.bind(toPlot([[Float64Array.from(xy)]], dimension));
    const relation = (dimension: "point" | "line", ...xy: number[]) =>
      bound(dimension, xy).relation(layer, 0);
    const ratio = (dimension: "point" | "line", ...xy: number[]) =>
      bound(dimension, xy).intersections(layer)[0]?.overlapRatio;
    expect(ratio("point", 1, 1)).toBe(1);
    expect(ratio("point", 5, 5)).toBeUndefined();
    expect(ratio("point", 4, 5)).toBe(1);
    expect(relation("point", 1, 1)).toEqual({ touches: false, covers: true, coveredBy: false });
    expect(relation("point", 4, 5)).toEqual({ touches: true, covers: true, coveredBy: false });
    expect(ratio("line", -5, 5, 5, 5)).toBeCloseTo(0.4, 12);
    expect(ratio("line", 0, 2, 0, 4)).toBe(1);
    expect(relation("line", 0, 2, 0, 4)).toEqual({ touches: true, covers: true, coveredBy: false });
    expect(ratio("line", 0, 2, 0, 14)).toBeCloseTo(0.6666, 2);
    expect(relation("line", 1, 1, 3, 3)).toEqual({ touches: false, covers: true, coveredBy: false });
    expect(relation("line", 1, 1, 5, 5)).toEqual({ touches: false, covers: false, coveredBy: false });
    expect(relation("line", -5, 0, 5, -5)).toEqual({ touches: true, covers: false, coveredBy: false });
  });
});

describe("findUncoveredPosition", () => {
  const find = (plot: Polygons, area: Polygons) => {
    const [meter, one] = [new WorkMeter(), toPlot(plot)];
    const found = findUncoveredPosition(
      buildPlotBoundary(one, meter),
      buildAreaBoundary(buildAreaLayer([area]), 0, one.bbox, meter),
      meter,
    );
    return found;
  };
  const isOutside = (area: Polygons, [x, y]: readonly [number, number]) => {
    const sides = area.flat().map((ring) => pointInRing(x, y, ring, 0, ring.length / 2));
    return !sides.includes("boundary") && sides.filter((side) => side === "inside").length % 2 === 0;
  };

  it(`gives a position of what is not covered wherever anything is not, by 320-bit areas (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 1);
    const seen = { corner: 0, other: 0, covered: 0 };
    for (let i = 0; i < (LONG ? 100_000 : 1500); i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      const found = find(plot, area);
      const left = measurePlanarRegion([plot, area], ([p, a]) => p! && !a!);
      if (found === undefined) {
        expect(left, kind).toBeLessThanOrEqual(NOTHING);
        seen.covered++;
        continue;
      }
      expect(left, kind).toBeGreaterThan(NOTHING);
      const [x, y] = found;
      const isCorner = plot
        .flat()
        .some((ring) => ring.some((_, k) => k % 2 === 0 && ring[k] === x && ring[k + 1] === y));
      if (isCorner && isOutside(area, found)) {
        seen.corner++;
        continue;
      }
      // A few units in the last place about it.
      const about = [[createBoxRing(x - 1e-12, y - 1e-12, x + 1e-12, y + 1e-12)]];
      expect(
        measurePlanarRegion([plot, area, about], ([p, a, b]) => p! && !a! && b!),
        kind,
      ).toBeGreaterThan(0);
      seen.other++;
    }
    expect(
      Object.values(seen).every((count) => count > 20),
      JSON.stringify(seen),
    ).toBe(true);
  });

  const square = createBoxRing(0, 0, 8, 8);
  const hole = reverseRing(createBoxRing(2, 2, 4, 4));
  it.each<[string, Polygons, Polygons, (at: readonly [number, number]) => boolean]>([
    [
      "a hole within the plot",
      [[square]],
      [[createBoxRing(-1, -1, 9, 9), hole]],
      ([x, y]) => 2 <= x && x <= 4 && 2 <= y && y <= 4,
    ],
    [
      "a hole that the plot fills",
      [[createBoxRing(2, 2, 4, 4)]],
      [[square, hole]],
      ([x, y]) => 2 <= x && x <= 4 && 2 <= y && y <= 4,
    ],
    [
      "a gap that no corner lies in",
      [[square]],
      [[createBoxRing(-1, -1, 3, 9)], [createBoxRing(5, -1, 9, 9)]],
      ([x]) => 3 <= x && x <= 5,
    ],
    [
      "an area within the plot",
      [[square]],
      [[createBoxRing(2, 2, 4, 4)]],
      ([x, y]) => x % 8 === 0 && y % 8 === 0,
    ],
    [
      "one of two parts",
      [[createBoxRing(1, 1, 2, 2)], [createBoxRing(12, 1, 13, 2)]],
      [[square]],
      ([x]) => x >= 12,
    ],
    [
      "a plot across ±180",
      [[createBoxRing(179, 0, 181, 1)]],
      [[createBoxRing(178, -1, 180, 2)]],
      ([x]) => x >= 180,
    ],
  ])("finds %s", (_, plot, area, holds) => {
    const at = find(plot, area);
    expect(at, String(at)).toSatisfy((found) => found !== undefined && holds(found as [number, number]));
  });
});
