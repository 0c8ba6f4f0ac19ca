import { createSeededRandom, type Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { createBoxRing, reverseRing, toPlot } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import {
  BANDS,
  COLUMNS,
  collectCellCorners,
  moveToAntimeridian,
  snapRingToGrid,
  splitAtMeridian,
  toCellPolygons,
} from "../../../test/turned.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import { isCounterClockwise, withoutRepeats } from "../noding/mend-rings.ts";
import { findPolygonFaults } from "../plot/validity/validity.ts";

const SEED = 20261123;
const LONG = process.env.GROUNDRULE_FULL !== undefined;

/** Pairs of shapes near 90° east, among them many that share boundary, touch or nest. */
function randomPairAt90(random: Random): { plot: Polygons; area: Polygons } | undefined {
  const pair = random.next() < 0.6 ? randomAdversarialPair(random) : randomGridPair(random);
  const [lon] = [pair.area[0]![0]![0]!];
  const toMeridian = 90 - lon - random.between(-1, 1);
  const prepared = (polygons: Polygons): Polygons =>
    polygons.map((rings) =>
      rings.map((ring, r) => {
        const turned = withoutRepeats(
          splitAtMeridian(snapRingToGrid(ring.map((value, i) => (i % 2 === 0 ? value + toMeridian : value)))),
        );
        // A sliver may turn over as it is snapped.
        return findPolygonFaults([[turned]]).length > 0 || isCounterClockwise(turned) === (r === 0)
          ? turned
          : reverseRing(turned);
      }),
    );
  const [plot, area] = [prepared(pair.plot), prepared(pair.area)];
  if (findPolygonFaults(plot).length > 0 || findPolygonFaults(area).length > 0) return undefined;
  return { plot, area };
}

function randomGridPair(random: Random): { plot: Polygons; area: Polygons } {
  const edge = (): number => 90 + random.integer(5) - 2;
  const side = (): Polygons => {
    const west = edge();
    const south = random.integer(5) - 2;
    const outer = createBoxRing(west, south, west + 1 + random.integer(3), south + 1 + random.integer(3));
    const [w, s, e, n] = [outer[0]!, outer[1]!, outer[2]!, outer[5]!];
    if (random.next() < 0.3 && e - w > 2 && n - s > 2)
      return [[outer, reverseRing(createBoxRing(w + 1, s + 1, w + 2, s + 2))]];
    if (random.next() < 0.3) return [[outer], [createBoxRing(e + 1, s, e + 2, n)]];
    return [[outer]];
  };
  const plot = side();
  return { plot, area: random.next() < 0.2 ? plot : side() };
}

describe("at the antimeridian", () => {
  it(`every relation is what it is at 90° east, however either shape is written (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const seen = { apart: 0, touches: 0, covers: 0, coveredBy: 0, equal: 0, overlaps: 0 };
    for (let i = 0; i < (LONG ? 60_000 : 1500); i++) {
      const pair = randomPairAt90(random);
      if (pair === undefined) continue;
      const layerHere = buildAreaLayer([pair.area]);
      const here = exactKernel.bind(toPlot(pair.plot));
      const plot = moveToAntimeridian(random, pair.plot, true);
      const area = moveToAntimeridian(random, pair.area, false);
      const layer = buildAreaLayer([area]);
      const there = exactKernel.bind(toPlot(plot));
      const failure = (what: string): never =>
        expect.fail(
          `${what}, trial ${i}: ${JSON.stringify({ plot, area, at90: pair }, (_, v) => (v instanceof Float64Array ? [...v] : v))}`,
        );
      const [expected] = here.intersections(layerHere);
      const [hit] = there.intersections(layer);
      if ((hit === undefined) !== (expected === undefined)) failure("intersections");
      const metersHere = here.distances(layerHere, 200_000)[0]?.distanceMeters;
      const meters = there.distances(layer, 200_000)[0]?.distanceMeters;
      if ((meters === undefined) !== (metersHere === undefined)) failure("distances");
      if (meters !== undefined && !(Math.abs(meters - metersHere!) < 1e-6)) failure(`distance ${meters}`);
      if (hit === undefined || expected === undefined) {
        seen.apart++;
        continue;
      }
      const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(a, b) + 1e-4;
      if (!close(hit.overlapSquareMeters, expected.overlapSquareMeters)) {
        failure(`overlap ${hit.overlapSquareMeters}, expected ${expected.overlapSquareMeters}`);
      }
      const region = there.regionSquareMeters({
        op: "union",
        operands: [{ op: "areas", areas: [{ layer, area: 0 }] }],
      });
      if (!close(region, expected.overlapSquareMeters)) failure(`region ${region}`);
      const relation = here.relation(layerHere, 0);
      const found = there.relation(layer, 0);
      for (const name of ["touches", "covers", "coveredBy"] as const) {
        if (found[name] !== relation[name]) failure(`${name} (found ${found[name]})`);
        if (found[name]) seen[name]++;
      }
      if (found.covers && found.coveredBy) seen.equal++;
      if (!found.touches && !found.covers && !found.coveredBy) seen.overlaps++;
    }
    if (LONG) console.log(seen);
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(15);
  });

  it(`and at the poles, cells of the earth relate as cells do (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const seen = { apart: 0, touches: 0, covers: 0, coveredBy: 0, equal: 0, overlaps: 0 };
    const drawn = (): Set<number> => {
      const cells = new Set<number>();
      switch (random.integer(4)) {
        case 0: {
          // Caps, belts, the whole earth.
          const from = random.integer(BANDS);
          const to = from + 1 + random.integer(BANDS - from);
          for (let cell = from * COLUMNS; cell < to * COLUMNS; cell++) cells.add(cell);
          break;
        }
        case 1: {
          // Lunes and boxes.
          const [west, width] = [random.integer(COLUMNS), 1 + random.integer(COLUMNS - 1)];
          const from = random.integer(BANDS);
          const to = from + 1 + random.integer(BANDS - from);
          for (let c = 0; c < width; c++) {
            for (let b = from; b < to; b++) cells.add(b * COLUMNS + ((west + c) % COLUMNS));
          }
          break;
        }
        default: {
          const share = random.between(0.02, 0.9);
          for (let cell = 0; cell < COLUMNS * BANDS; cell++) if (random.next() < share) cells.add(cell);
          if (cells.size === 0) cells.add(random.integer(COLUMNS * BANDS));
        }
      }
      return cells;
    };
    for (let i = 0; i < (LONG ? 60_000 : 2000); i++) {
      const plotCells = drawn();
      const areaCells = random.next() < 0.15 ? plotCells : drawn();
      const plot = toCellPolygons(plotCells, random.integer(COLUMNS));
      const area = toCellPolygons(areaCells, random.integer(COLUMNS));
      const layer = buildAreaLayer([area]);
      const bound = exactKernel.bind(toPlot(plot));
      const failure = (what: string): never =>
        expect.fail(`${what}, trial ${i}: ${JSON.stringify({ plot: [...plotCells], area: [...areaCells] })}`);
      const common = [...plotCells].filter((cell) => areaCells.has(cell)).length;
      const corners = collectCellCorners(plotCells);
      const meets = [...collectCellCorners(areaCells)].some((corner) => corners.has(corner));
      if ((bound.intersections(layer).length === 1) !== meets) failure("intersections");
      if (!meets) {
        seen.apart++;
        continue;
      }
      const expected = {
        touches: common === 0,
        covers: common === plotCells.size,
        coveredBy: common === areaCells.size,
      };
      const found = bound.relation(layer, 0);
      for (const name of ["touches", "covers", "coveredBy"] as const) {
        if (found[name] !== expected[name]) failure(`${name} (found ${found[name]})`);
        if (found[name]) seen[name]++;
      }
      if (found.covers && found.coveredBy) seen.equal++;
      if (!found.touches && !found.covers && !found.coveredBy) seen.overlaps++;
    }
    if (LONG) console.log(seen);
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(15);
  });

  it("a plot that is split there is covered by itself, and by what holds it", () => {
    const split: Polygons = [[createBoxRing(175, 0, 180, 10)], [createBoxRing(-180, 0, -175, 10)]];
    const layer = buildAreaLayer([
      split,
      [[createBoxRing(170, -5, 190, 15)]],
      [[createBoxRing(-190, -5, -170, 15)]],
      [[createBoxRing(176, 2, 184, 8)]],
    ]);
    const bound = exactKernel.bind(toPlot(split));
    expect([0, 1, 2, 3].map((area) => bound.relation(layer, area))).toEqual([
      { touches: false, covers: true, coveredBy: true },
      { touches: false, covers: true, coveredBy: false },
      { touches: false, covers: true, coveredBy: false },
      { touches: false, covers: false, coveredBy: true },
    ]);
  });

  it("a point on a seam or at a pole lies within, one on an end of the seam on the boundary", () => {
    const layer = buildAreaLayer([
      [[createBoxRing(170, 0, 180, 10)], [createBoxRing(-180, 0, -170, 10)]],
      [[createBoxRing(-180, 80, 180, 90)]],
      [[createBoxRing(30, 80, 40, 90)]],
    ]);
    const relation = (area: number, x: number, y: number) =>
      exactKernel.bind(toPlot([[Float64Array.of(x, y)]], "point")).relation(layer, area);
    for (const x of [180, -180]) {
      expect(relation(0, x, 5)).toEqual({ touches: false, covers: true, coveredBy: false });
      expect(relation(0, x, 10)).toEqual({ touches: true, covers: true, coveredBy: false });
    }
    expect(relation(1, 17, 90)).toEqual({ touches: false, covers: true, coveredBy: false });
    expect(relation(2, 17, 90)).toEqual({ touches: true, covers: true, coveredBy: false });
    const pole = exactKernel.bind(toPlot([[Float64Array.of(17, 90)]], "point"));
    expect(pole.intersections(layer).map(({ area, overlapRatio }) => [area, overlapRatio])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});
