import { createSeededRandom, type Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import {
  createBoxRing,
  createCombRing,
  createStarRing,
  moveRing,
  reverseRing,
  toPlot,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { measurePlanarRegion } from "../../../test/planar-overlap.ts";
import { EngineError } from "../../base/errors.ts";
import { PLANE, signedRingArea } from "../earth/authalic.ts";
import { createExactKernel, exactKernel } from "../kernel/exact-kernel.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { Region } from "./region.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_FULL !== undefined;
const planar = createExactKernel(PLANE);

/** Areas about a place that share edges, nearly coincide, overlap or stand apart; at times sets of cells of one grid. */
function randomAreasAbout(random: Random): { plot: Polygons; areas: Polygons[] } {
  if (random.next() < 0.2)
    return { plot: randomCells(random), areas: Array.from({ length: 3 }, () => randomCells(random)) };
  const { plot, area } = randomAdversarialPair(random);
  const { bbox } = toPlot(plot);
  const areas = [area, area.map((rings) => rings.map((ring) => moveRing(ring, random.next() * 1e-12, 0)))];
  const size = Math.max(bbox[2] - bbox[0], bbox[3] - bbox[1]);
  for (let i = random.integer(4); i >= 0; i--) {
    const [x, y] = [random.between(bbox[0], bbox[2]), random.between(bbox[1], bbox[3])];
    areas.push([[createStarRing(random, x, y, size * random.between(0.1, 1), 3 + random.integer(6))]]);
  }
  areas.push(
    [[createBoxRing(bbox[0] - size, bbox[1] - size, (bbox[0] + bbox[2]) / 2, bbox[3] + size)]],
    plot,
  );
  return { plot, areas };
}

/** Some of nine boxes, which share corners, edges and whole boundaries with those of other sets. */
function randomCells(random: Random): Polygons {
  const all = Array.from({ length: 9 }, (_, c) => [
    createBoxRing(c % 3, Math.floor(c / 3), (c % 3) + 1, Math.floor(c / 3) + 1),
  ]);
  return [all[0]!, ...all.slice(1).filter(() => random.next() < 0.5)];
}

describe("regionSquareMeters", () => {
  it(`is, for every kind of region, what trapezoids in 320-bit arithmetic give in the plane (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < (LONG ? 1500 : 60); i++) {
      const { plot, areas } = randomAreasAbout(random);
      const layer = buildAreaLayer(areas, PLANE);
      const bound = planar.bind(toPlot(plot));
      const of = (...list: number[]): Region => ({
        op: "areas",
        areas: list.map((area) => ({ layer, area })),
      });
      const n = areas.length;
      const all = areas.map((_, area) => area);
      const chance = randomRegion(random, layer, n, 2);
      const cases: [Region, (s: readonly boolean[]) => boolean][] = [
        [chance, (s) => regionContains(chance, s)],
        [of(...all), (s) => s.slice(1).some(Boolean)],
        [of(0, 0, 1), (s) => s[1]! || s[2]!],
        [{ op: "union", operands: [of(0), of(n - 2)] }, (s) => s[1]! || s[n - 1]!],
        [{ op: "intersection", operands: [of(0, 1), of(n - 2)] }, (s) => (s[1]! || s[2]!) && s[n - 1]!],
        [{ op: "difference", operands: [of(0), of(1), of(2)] }, (s) => s[1]! && !s[2]! && !s[3]!],
        [
          { op: "difference", operands: [of(n - 1), { op: "intersection", operands: [of(0), of(n - 2)] }] },
          (s) => s[n]! && !(s[1]! && s[n - 1]!),
        ],
      ];
      const { bbox } = toPlot(plot);
      const size = (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]);
      for (const [k, [region, holds]] of cases.entries()) {
        const truth = measurePlanarRegion([plot, ...areas], (s) => s[0]! && holds(s));
        const error = Math.abs(bound.regionSquareMeters(region) - truth) / size;
        if (error > 2e-14) expect.fail(`case ${k} of trial ${i} is off by ${error} of the plot's bbox`);
      }
    }
  });

  it("of one area is its overlap, on the ellipsoid", () => {
    const random = createSeededRandom(SEED + 1);
    for (let i = 0; i < 300; i++) {
      const { plot, area } = randomAdversarialPair(random);
      const layer = buildAreaLayer([area]);
      const bound = exactKernel.bind(toPlot(plot));
      const overlap = bound.intersections(layer)[0]?.overlapSquareMeters ?? 0;
      const region = bound.regionSquareMeters({
        op: "areas",
        areas: [
          { layer, area: 0 },
          { layer, area: 0 },
        ],
      });
      const { bbox } = toPlot(plot);
      const size = (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]) * 1.24e10;
      expect(Math.abs(region - overlap)).toBeLessThan(2e-14 * size);
    }
  });

  it(`keeps inclusion and exclusion, De Morgan's laws and the parts of a plot together (seed ${SEED + 3})`, () => {
    const random = createSeededRandom(SEED + 3);
    for (let i = 0; i < (LONG ? 2000 : 150); i++) {
      const [lon, lat] = [random.between(-170, 170), random.between(-80, 80)];
      const near = (size: number): Polygons => [
        [
          createStarRing(
            random,
            lon + random.between(-size, size),
            lat + random.between(-size, size),
            2 * size,
            5 + random.integer(40),
          ),
        ],
      ];
      const size = 10 ** random.between(-4, -1);
      const layer = buildAreaLayer([
        near(size),
        near(size),
        near(size),
        [[createBoxRing(lon - 9, lat - 9, lon + 9, lat + 9)]],
      ]);
      const [a, b, c, all] = [0, 1, 2, 3].map(
        (area): Region => ({ op: "areas", areas: [{ layer, area }] }),
      ) as [Region, Region, Region, Region];
      const plot = near(size);
      const bound = exactKernel.bind(toPlot(plot));
      const of = (op: "union" | "intersection" | "difference", ...operands: Region[]): Region => ({
        op,
        operands,
      });
      const share = (region: Region): number => bound.regionSquareMeters(region) / bound.areaSquareMeters;
      const same = (one: number, other: number): void => expect(Math.abs(one - other)).toBeLessThan(1e-12);
      same(share(of("union", a, b)), share(a) + share(b) - share(of("intersection", a, b)));
      same(share(of("difference", a, b)), share(a) - share(of("intersection", a, b)));
      same(
        share(of("difference", all, of("union", a, b, c))),
        share(
          of("intersection", of("difference", all, a), of("difference", all, b), of("difference", all, c)),
        ),
      );
      same(
        share(of("difference", all, of("intersection", a, b, c))),
        share(of("union", of("difference", all, a), of("difference", all, b), of("difference", all, c))),
      );
      same(share(of("union", a, of("difference", all, a))), 1);
      same(share(of("difference", a, a)), 0);

      const [west, south, east, north] = toPlot(plot).bbox;
      const [x, y] = [random.between(west, east), random.between(south, north)];
      const parts = [
        createBoxRing(west, south, x, y),
        createBoxRing(x, south, east, y),
        createBoxRing(west, y, x, north),
        createBoxRing(x, y, east, north),
      ];
      const whole = buildAreaLayer([plot]);
      const region = of("intersection", of("union", a, b, c), {
        op: "areas",
        areas: [{ layer: whole, area: 0 }],
      });
      const sum = parts.reduce(
        (total, part) => total + exactKernel.bind(toPlot([[part]])).regionSquareMeters(region),
        0,
      );
      same(sum / bound.areaSquareMeters, share(of("union", a, b, c)));
    }
  });

  it("holds many sets apart where all their boundaries run together", () => {
    const random = createSeededRandom(SEED + 5);
    const ring = createStarRing(random, 0, 45, 0.05, 3);
    const areas = Array.from({ length: 40 }, (_, i): Polygons => [[moveRing(ring, i * 1e-9, 0)]]);
    const layer = buildAreaLayer(areas, PLANE);
    const all = areas.map((_, area): Region => ({ op: "areas", areas: [{ layer, area }] }));
    const plot: Polygons = [[createBoxRing(-0.03, 44.97, 0.03, 45.03)]];
    const bound = planar.bind(toPlot(plot));
    const size = bound.areaSquareMeters;
    const cases = [
      [{ op: "intersection", operands: all }, (s: readonly boolean[]) => s.every(Boolean)],
      [{ op: "union", operands: all }, (s: readonly boolean[]) => s.slice(1).some(Boolean)],
    ] as const;
    for (const [region, expected] of cases) {
      const truth = measurePlanarRegion([plot, ...areas], (s) => s[0]! && expected(s));
      expect(Math.abs(bound.regionSquareMeters(region) - truth) / size).toBeLessThan(1e-14);
    }
  });

  it("is refused, by a count that does not change, where too many edges cross", () => {
    const turned = (ring: Float64Array): Float64Array => reverseRing(ring.map((_, i) => ring[i ^ 1]!));
    const upright = createCombRing(0, 0, 1, 1, 10_000);
    const layer = buildAreaLayer([[[turned(upright)]], [[createBoxRing(0, 0, 0.5, 0.5)]]]);
    const refusal = (): unknown => {
      try {
        return exactKernel.bind(toPlot([[upright]])).regionSquareMeters({
          op: "areas",
          areas: [
            { layer, area: 0 },
            { layer, area: 1 },
          ],
        });
      } catch (error) {
        return error instanceof EngineError && [error.code, error.details];
      }
    };
    expect(refusal()).toEqual([
      "GEOMETRY_TOO_COMPLEX",
      { counted: expect.any(Number), allowed: expect.any(Number) },
    ]);
    expect(refusal()).toEqual(refusal());
  });

  it("of areas split at the antimeridian counts both sides, in either convention", () => {
    const layer = buildAreaLayer([[[createBoxRing(170, 0, 180, 10)], [createBoxRing(-180, 0, -170, 10)]]]);
    for (const [west, east] of [
      [175, 185],
      [-185, -175],
    ] as const) {
      const bound = exactKernel.bind(toPlot([[createBoxRing(west, 2, east, 4)]]));
      const region = bound.regionSquareMeters({ op: "areas", areas: [{ layer, area: 0 }] });
      expect(Math.abs(region / bound.areaSquareMeters - 1)).toBeLessThan(1e-14);
    }
  });

  it("reaches to the poles and round them", () => {
    const cap = createBoxRing(-180, 80, 180, 90);
    const layer = buildAreaLayer([[[createBoxRing(-180, 85, 0, 90)]], [[createBoxRing(-90, 80, 180, 90)]]]);
    const bound = exactKernel.bind(toPlot([[cap]]));
    const union = bound.regionSquareMeters({ op: "areas", areas: [0, 1].map((area) => ({ layer, area })) });
    const missing = signedRingArea(createBoxRing(-180, 80, -90, 85));
    expect(Math.abs((union + missing) / bound.areaSquareMeters - 1)).toBeLessThan(1e-14);
  });

  it("of nothing is nothing", () => {
    const bound = exactKernel.bind(toPlot([[createBoxRing(0, 0, 1, 1)]]));
    expect(bound.regionSquareMeters({ op: "areas", areas: [] })).toBe(0);
    expect(bound.regionSquareMeters({ op: "union", operands: [] })).toBe(0);
    expect(bound.regionSquareMeters({ op: "intersection", operands: [] })).toBe(0);
  });
});

/** A region of up to three operands a node, over the areas 0 to `areas` − 1 of the layer. */
function randomRegion(random: Random, layer: AreaLayer, areas: number, depth: number): Region {
  if (random.next() < 0.1) return { op: "plot" };
  if (depth === 0 || random.next() < 0.3) {
    const list = Array.from({ length: 1 + random.integer(2) }, () => ({
      layer,
      area: random.integer(areas),
    }));
    return { op: "areas", areas: list };
  }
  const operands = Array.from({ length: 1 + random.integer(3) }, () =>
    randomRegion(random, layer, areas, depth - 1),
  );
  return { op: (["union", "intersection", "difference"] as const)[random.integer(3)]!, operands };
}

/** True if a place lies in a region, from its memberships; the membership in area i is `inside[i + 1]`. */
function regionContains(region: Region, inside: readonly boolean[]): boolean {
  if (region.op === "areas") return region.areas.some(({ area }) => inside[area + 1]!);
  if (region.op === "plot") return true;
  const [first, ...others] = region.operands.map((operand) => regionContains(operand, inside));
  if (region.op === "union") return first! || others.some(Boolean);
  if (region.op === "intersection") return first! && others.every(Boolean);
  return first! && !others.some(Boolean);
}
