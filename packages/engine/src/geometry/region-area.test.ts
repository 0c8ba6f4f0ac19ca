import { describe, expect, it } from "vitest";
import { buildLayer, type Polygons } from "../../test/build-layer.ts";
import { planarMeasure } from "../../test/planar-overlap.ts";
import { type Random, seededRandom } from "../../test/random.ts";
import { adversarialPair, box, moved, plotOf, star } from "../../test/shapes.ts";
import { PLANE } from "./authalic.ts";
import { createExactKernel, exactKernel } from "./exact-kernel.ts";
import type { Region } from "./kernel.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_LONG !== undefined;
const planar = createExactKernel(PLANE);

/** Areas about a place that share edges, nearly coincide, overlap or stand apart. */
function areasAbout(random: Random): { plot: Polygons; areas: Polygons[] } {
  const { plot, area } = adversarialPair(random);
  const { bbox } = plotOf(plot);
  const areas = [area, area.map((rings) => rings.map((ring) => moved(ring, random.next() * 1e-12, 0)))];
  const size = Math.max(bbox[2] - bbox[0], bbox[3] - bbox[1]);
  for (let i = random.integer(4); i >= 0; i--) {
    const [x, y] = [random.between(bbox[0], bbox[2]), random.between(bbox[1], bbox[3])];
    areas.push([[star(random, x, y, size * random.between(0.1, 1), 3 + random.integer(6))]]);
  }
  areas.push([[box(bbox[0] - size, bbox[1] - size, (bbox[0] + bbox[2]) / 2, bbox[3] + size)]], plot);
  return { plot, areas };
}

describe("regionSquareMeters", () => {
  it(`is, for every kind of region, what trapezoids in 320-bit arithmetic give in the plane (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let i = 0; i < (LONG ? 1500 : 60); i++) {
      const { plot, areas } = areasAbout(random);
      const layer = buildLayer(areas, PLANE);
      const bound = planar.bind(plotOf(plot));
      const of = (...list: number[]): Region => ({
        op: "areas",
        areas: list.map((area) => ({ layer, area })),
      });
      const n = areas.length;
      const all = areas.map((_, area) => area);
      const cases: [Region, (s: readonly boolean[]) => boolean][] = [
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
      const { bbox } = plotOf(plot);
      const size = (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]);
      for (const [k, [region, holds]] of cases.entries()) {
        const truth = planarMeasure([plot, ...areas], (s) => s[0]! && holds(s));
        const error = Math.abs(bound.regionSquareMeters(region) - truth) / size;
        if (error > 2e-14) expect.fail(`case ${k} of trial ${i} is off by ${error} of the plot's bbox`);
      }
    }
  });

  it("of one area is its overlap, on the ellipsoid", () => {
    const random = seededRandom(SEED + 1);
    for (let i = 0; i < 300; i++) {
      const { plot, area } = adversarialPair(random);
      const layer = buildLayer([area]);
      const bound = exactKernel.bind(plotOf(plot));
      const overlap = bound.intersections(layer)[0]?.overlapSquareMeters ?? 0;
      const region = bound.regionSquareMeters({ op: "areas", areas: [{ layer, area: 0 }] });
      const { bbox } = plotOf(plot);
      const size = (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]) * 1.24e10;
      expect(Math.abs(region - overlap)).toBeLessThan(2e-14 * size);
    }
  });

  it("of areas split at the antimeridian counts both sides, in either convention", () => {
    const layer = buildLayer([[[box(170, 0, 180, 10)], [box(-180, 0, -170, 10)]]]);
    for (const [west, east] of [
      [175, 185],
      [-185, -175],
    ] as const) {
      const bound = exactKernel.bind(plotOf([[box(west, 2, east, 4)]]));
      const region = bound.regionSquareMeters({ op: "areas", areas: [{ layer, area: 0 }] });
      expect(Math.abs(region / bound.areaSquareMeters - 1)).toBeLessThan(1e-14);
    }
  });

  it("of nothing is nothing", () => {
    const bound = exactKernel.bind(plotOf([[box(0, 0, 1, 1)]]));
    expect(bound.regionSquareMeters({ op: "areas", areas: [] })).toBe(0);
    expect(bound.regionSquareMeters({ op: "union", operands: [] })).toBe(0);
    expect(bound.regionSquareMeters({ op: "intersection", operands: [] })).toBe(0);
  });
});
