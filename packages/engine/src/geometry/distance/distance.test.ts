import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import type { Polygons } from "@groundrule/testing/shapes";
import {
  createBoxRing,
  createCombRing,
  createSpiralRing,
  createStarRing,
  moveRing,
  reverseRing,
  toPairs,
  toPlot,
  toPositions,
  toRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { findShortestOfAllPairs, listEdges } from "../../../test/every-pair.ts";
import { searchShortestMeters } from "../../../test/geodesic-oracle.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import type { Plot } from "../plot/plot.ts";
import { createDistanceWorkspace, PlotDistance } from "./distance.ts";

const LONG = process.env.GROUNDRULE_FULL !== undefined;
const workspace = createDistanceWorkspace();
const EVERYWHERE = Infinity;

describe("PlotDistance", () => {
  for (const [reachMeters, seed] of [
    [10_000, 1],
    [50_000, 2],
    [200_000, 3],
    [1_000_000, 4],
  ] as const) {
    const count = LONG ? 300 : 5;
    const tolerance = reachMeters <= 50_000 ? 2e-8 : 1e-6;
    it(`finds the shortest geodesic of a search on ${count} lopsided pairs within ${reachMeters} m (seed ${seed})`, () => {
      const random = createSeededRandom(seed);
      let compared = 0;
      while (compared < count) {
        const [plot, area] = randomLopsidedPair(random, reachMeters, 80);
        const found = computeDistance(plot, area, 2 * reachMeters);
        if (found === 0 || found > reachMeters) continue;
        const truth = searchShortestMeters(listEdges(plot), listEdges(area));
        expect(Math.abs(found - truth), JSON.stringify({ plot, area })).toBeLessThan(tolerance);
        compared++;
      }
    });
  }

  for (const [what, lon, lat] of [
    ["the tropics", -56, -6],
    ["the antimeridian", 179, 20],
    ["a pole", 10, 84],
  ] as const) {
    it(`measures thousands of small areas up to 1,000 km around a plot at ${what} in less than 1,500 units each, each as alone (seed 8)`, () => {
      const random = createSeededRandom(8);
      const areas = Array.from({ length: 4_000 }, () => {
        const y = Math.min(89, lat + random.between(-7, 7));
        const x = lon + random.between(-7, 7) / Math.cos((Math.min(y, lat) * Math.PI) / 180);
        return [[createStarRing(random, x, y, 10 ** random.between(-3.5, -2), 6 + random.integer(8))]];
      });
      const plot = [
        [createStarRing(random, lon, lat, 0.01, 50)],
        [createStarRing(random, lon + 0.05, lat, 0.01, 50)],
      ];
      const layer = buildAreaLayer(areas);
      const meter = new WorkMeter();
      const hits = new PlotDistance(toPlot(plot), workspace, meter).within(layer, 1_000_000);
      expect(hits.length).toBeGreaterThan(2_000);
      expect(meter.counted / hits.length).toBeLessThan(1_500);
      const shortest = (area: number): number =>
        findShortestOfAllPairs(listEdges(plot), listEdges(areas[area]!));
      for (let i = 0; i < hits.length; i += 97) {
        const { area, distanceMeters } = hits[i]!;
        expect(distanceMeters).toBeCloseTo(shortest(area), 6);
      }
      const found = new Set(hits.map(({ area }) => area));
      for (let area = 0; area < areas.length; area += 97) {
        if (!found.has(area)) expect(shortest(area)).toBeGreaterThan(1_000_000);
      }
    });
  }

  const polar = LONG ? 120 : 5;
  it(`finds the shortest geodesic of a search on ${polar} pairs around the poles (seed 5)`, () => {
    const random = createSeededRandom(5);
    for (let compared = 0; compared < polar; ) {
      const reachMeters = 10 ** random.between(4, 5.3);
      const [plot, area] = randomLopsidedPair(random, reachMeters, 89.95, 82);
      const found = computeDistance(plot, area, reachMeters);
      if (found === 0 || found > reachMeters) continue;
      const truth = searchShortestMeters(listEdges(plot), listEdges(area));
      expect(Math.abs(found - truth), JSON.stringify({ plot, area })).toBeLessThan(1e-6);
      compared++;
    }
  });

  const long = LONG ? 150 : 4;
  it(`finds the shortest geodesic of a search between ${long} pairs of edges of 4 to 12 degrees (seed 6)`, () => {
    const random = createSeededRandom(6);
    for (let i = 0; i < long; i++) {
      const lat = random.between(-78, 78);
      const slope = i % 3 === 0 ? 0 : random.between(-0.2, 0.2);
      const other = slope + (i % 4 === 0 ? random.between(-0.02, 0.02) : 0);
      const length = random.between(4, 12);
      const gap = random.between(0.05, i % 2 === 0 ? 0.4 : 2);
      const start = random.between(-2, 2);
      const at = (lon: number, offset: number, tilt: number): [number, number] => [
        lon,
        lat + offset + tilt * lon,
      ];
      const plot: Polygons = [[toRing([at(0, 0, slope), at(length / 2, -3, 0), at(length, 0, slope)])]];
      const area: Polygons = [
        [toRing([at(start, gap, other), at(start + length, gap, other), at(start + length / 2, gap + 4, 0)])],
      ];
      const found = computeDistance(plot, area, 3_000_000);
      if (found === 0) continue;
      const truth = searchShortestMeters(listEdges(plot), listEdges(area));
      const bound = truth <= 50_000 ? 1e-6 : 1e-3;
      expect(Math.abs(found - truth), JSON.stringify({ plot, area })).toBeLessThan(bound);
    }
  });

  it("agrees with comparing every position with every edge, on layers of many areas with holes and islands (seed 7)", () => {
    const random = createSeededRandom(7);
    for (let i = 0; i < (LONG ? 200 : 6); i++) {
      const [lon, lat] = [random.between(-179, 179), random.between(-75, 75)];
      const areas: Polygons[] = [];
      for (let k = 0; k < 12; k++) {
        const x = lon + random.between(-0.3, 0.3);
        const y = lat + random.between(-0.3, 0.3);
        areas.push(
          k % 4 === 0
            ? [[createSpiralRing(x, y, 0.1, 3, 40)]]
            : k % 4 === 1
              ? [[createStarRing(random, x, y, 0.2, 150)], [createStarRing(random, x + 0.5, y, 0.1, 20)]]
              : k % 4 === 2
                ? [
                    [
                      createBoxRing(x, y, x + 0.2, y + 0.2),
                      reverseRing(createStarRing(random, x + 0.1, y + 0.1, 0.08, 60)),
                    ],
                  ]
                : [[createCombRing(x, y, 0.2, 0.1, 30)]],
        );
      }
      const plot: Polygons = [
        [createStarRing(random, lon, lat, 10 ** random.between(-3, -1), 3 + random.integer(60))],
      ];
      const maxMeters = 10 ** random.between(3, 5);
      const layer = buildAreaLayer(areas);
      const touching = new Set(
        exactKernel
          .bind(toPlot(plot))
          .intersections(layer)
          .map(({ area }) => area),
      );
      const hits = new Map(
        new PlotDistance(toPlot(plot), workspace)
          .within(layer, maxMeters)
          .map((hit) => [hit.area, hit.distanceMeters]),
      );
      expect([...hits.keys()]).toEqual([...hits.keys()].sort((a, b) => a - b));
      areas.forEach((area, k) => {
        const naive = touching.has(k) ? 0 : findShortestOfAllPairs(listEdges(plot), listEdges(area));
        expect(hits.has(k)).toBe(naive <= maxMeters);
        if (hits.has(k)) expect(Math.abs(hits.get(k)! - naive)).toBeLessThan(1e-8);
      });
    }
  });

  it("is that to the shore where one of the two lies in a hole of the other, and 0 on an island there", () => {
    const lake: Polygons = [[createBoxRing(0, 0, 10, 10), reverseRing(createBoxRing(4, 4, 6, 6))]];
    const island: Polygons = [[createBoxRing(4.9, 4.9, 5.1, 5.1)]];
    for (const meters of [computeDistance(island, lake, 200_000), computeDistance(lake, island, 200_000)]) {
      // 0.9 degrees of latitude or, which are shorter here, of longitude.
      expect(meters).toBeGreaterThan(99_000);
      expect(meters).toBeLessThan(101_000);
    }
    expect(computeDistance(island, [...lake, ...island], 200_000)).toBe(0);
  });

  it("is 0 exactly where the plot and the area share a point, on adversarial pairs (seed 8)", () => {
    const random = createSeededRandom(8);
    for (let i = 0; i < (LONG ? 40_000 : 1_500); i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      const turn = i % 3 === 0 ? 360 : 0;
      const layer = buildAreaLayer([area.map((rings) => rings.map((ring) => moveRing(ring, turn, 0)))]);
      const shares = exactKernel.bind(toPlot(plot)).intersections(layer).length > 0;
      const hits = new PlotDistance(toPlot(plot), workspace).within(layer, 1e6);
      expect(hits.length > 0 && hits[0]!.distanceMeters === 0, `${kind}, pair ${i}`).toBe(shares);
    }
  });

  it("is symmetric, and only loses areas as the greatest distance shrinks (seed 9)", () => {
    const random = createSeededRandom(9);
    for (let i = 0; i < (LONG ? 2_000 : 150); i++) {
      const reachMeters = 10 ** random.between(3, 6);
      const [plot, area] = randomLopsidedPair(random, reachMeters, 89);
      const there = computeDistance(plot, area, 2 * reachMeters);
      if (there === Infinity) continue;
      expect(Math.abs(computeDistance(area, plot, 2 * reachMeters) - there)).toBeLessThan(1e-6);
      expect(computeDistance(plot, area, there)).toBe(there);
      expect(computeDistance(plot, area, there * 3 + 1)).toBeCloseTo(there, 7);
      if (there > 0) expect(computeDistance(plot, area, there - 1e-6)).toBe(Infinity);
    }
  });

  it("does not depend on where longitudes start, nor on the way an antimeridian is written (seed 10)", () => {
    const random = createSeededRandom(10);
    for (let i = 0; i < (LONG ? 1_000 : 60); i++) {
      const reachMeters = 10 ** random.between(3, 5.5);
      const pair = randomLopsidedPair(random, reachMeters, 85);
      const [plot, area] = [coarsenLongitudes(pair[0]), coarsenLongitudes(pair[1])];
      const here = computeDistance(plot, area, 3 * reachMeters);
      const turned = (polygons: Polygons, by: number): Polygons =>
        polygons.map((rings) => rings.map((ring) => moveRing(ring, by, 0)));
      for (const [a, b] of [
        [64, 64],
        [-32, 328],
        [360, 0],
        [0, -360],
        [-360, 360],
      ] as const) {
        const there = computeDistance(turned(plot, a), turned(area, b), 3 * reachMeters);
        if (here === Infinity) expect(there).toBe(Infinity);
        else expect(Math.abs(there - here)).toBeLessThan(2e-8);
      }
    }
  });

  it("measures across the antimeridian whether an area runs past 180° or is split there", () => {
    const plot: Polygons = [[createBoxRing(-179.5, 10, -179.4, 10.1)]];
    const past: Polygons = [[createBoxRing(179, 10, 180.2, 10.1)]];
    const split: Polygons = [[createBoxRing(179, 10, 180, 10.1)], [createBoxRing(-180, 10, -179.8, 10.1)]];
    const truth = searchShortestMeters(listEdges(plot), [[-179.8, 10, -179.8, 10.1]]);
    expect(computeDistance(plot, past, 1e5)).toBeCloseTo(truth, 7);
    expect(computeDistance(plot, split, 1e5)).toBeCloseTo(truth, 7);
    const astride: Polygons = [[createBoxRing(179.95, 10, 180.05, 10.1)]];
    expect(computeDistance([[createBoxRing(-179.95, 10.05, -179.9, 10.2)]], astride, 1e5)).toBe(0);
    expect(
      computeDistance(
        [[createBoxRing(-180, 10.05, -179.9, 10.2)]],
        [[createBoxRing(179.9, 10, 180, 10.1)]],
        1e5,
      ),
    ).toBe(0);
  });

  it("knows a pole as one point, and measures over it", () => {
    // Two wedges that reach the pole along different meridians.
    const wedge = (lon: number): Polygons => [[toRing(toPairs(lon, 85, lon + 10, 85, lon + 5, 90))]];
    expect(computeDistance(wedge(0), wedge(170), 1e3)).toBe(0);
    expect(
      computeDistance([[createBoxRing(-180, 89, 180, 90)]], [[createBoxRing(20, 80, 30, 85)]], 1e6),
    ).toBeCloseTo(searchShortestMeters([[25, 89, 25, 89]], [[25, 85, 25, 85]]), 7);
    // The ice cap as usually drawn, closed along the meridian of 180° and the pole.
    const cap: Polygons = [[createBoxRing(-180, -90, 180, -70)]];
    expect(computeDistance([[createBoxRing(3, -80, 4, -79)]], cap, 1e6)).toBe(0);
    expect(computeDistance([[createBoxRing(3, -69, 4, -68)]], cap, 2e5)).toBeCloseTo(
      searchShortestMeters([[3, -69, 3, -69]], [[3, -70, 3, -70]]),
      7,
    );
    // Over the pole: 2 · 1° of meridian.
    const over = computeDistance([[createBoxRing(0, 88, 1, 89)]], [[createBoxRing(180, 88, 181, 89)]], 1e6);
    expect(over).toBeCloseTo(searchShortestMeters([[0, 89, 1, 89]], [[180, 89, 181, 89]]), 5);
  });

  it("finds the nearest point inside edges that circle a pole far below it", () => {
    const ring: Polygons = [[createBoxRing(-179, 84, 179, 86)]];
    for (const [lon, lat] of [
      [12, 88.5],
      ...(LONG
        ? ([
            [-90, 89.9],
            [100, 87],
          ] as const)
        : []),
    ] as const) {
      const truth = searchShortestMeters([[lon, lat, lon, lat]], listEdges(ring));
      expect(computeDistance(makePoint(lon, lat), ring, 1e6, "point")).toBeCloseTo(truth, 5);
    }
  });

  it("measures from points and lines", () => {
    const area: Polygons = [[createBoxRing(10, 50, 11, 51)]];
    expect(computeDistance(makePoint(10.5, 50.5), area, 1e5, "point")).toBe(0);
    expect(computeDistance(makePoint(11, 50.25), area, 1e5, "point")).toBe(0);
    const truth = searchShortestMeters([[11.3, 50.5, 11.3, 50.5]], listEdges(area));
    expect(computeDistance(makePoint(11.3, 50.5), area, 1e5, "point")).toBeCloseTo(truth, 7);
    const line: Polygons = [[Float64Array.of(11.2, 49, 11.3, 50.5, 11.1, 52)]];
    expect(computeDistance(line, area, 1e5, "line")).toBeCloseTo(
      searchShortestMeters(listEdges(line), listEdges(area)),
      7,
    );
    expect(computeDistance([[Float64Array.of(9, 50.4, 12, 50.6)]], area, 1e5, "line")).toBe(0);
    expect(computeDistance([[Float64Array.of(10.2, 50.4, 10.3, 50.6)]], area, 1e5, "line")).toBe(0);
  });

  it("stays right far beyond its usual range, up to the antipode", () => {
    const random = createSeededRandom(11);
    for (let i = 0; i < (LONG ? 40 : 4); i++) {
      const plot: Polygons = [[createStarRing(random, 0, random.between(-60, 60), 0.3, 4)]];
      const area: Polygons = [
        [createStarRing(random, random.between(90, 179), random.between(-60, 60), 0.3, 4)],
      ];
      const truth = searchShortestMeters(listEdges(plot), listEdges(area));
      expect(computeDistance(plot, area, EVERYWHERE)).toBeCloseTo(truth, 3);
    }
  });

  it("refuses what takes too much work, always at the same count", () => {
    // A comb whose every tooth ends at the same distance below an edge of a hundred thousand positions.
    const teeth = 50_000;
    const plot: [number, number][] = [[0, -1]];
    const area: [number, number][] = [];
    for (let i = 0; i < teeth; i++) plot.push([(i + 0.5) / teeth, 0.3], [(i + 1) / teeth, 0.2]);
    for (let i = 0; i <= 2 * teeth; i++) area.push([i / (2 * teeth), 0.8]);
    const layer = buildAreaLayer([[[toRing([...area, [1, 6], [0, 6]])]]]);
    const refusal = () =>
      catchRefusal(() => new PlotDistance(toPlot([[toRing(plot)]]), workspace).within(layer, 1e6));
    const first = refusal();
    expect(first.code).toBe("GEOMETRY_TOO_COMPLEX");
    expect(first.details).toEqual(refusal().details);
  });
});

function computeDistance(
  plot: Polygons,
  area: Polygons,
  maxMeters: number,
  dimension?: Plot["dimension"],
): number {
  const hits = new PlotDistance(toPlot(plot, dimension), workspace).within(buildAreaLayer([area]), maxMeters);
  return hits[0]?.distanceMeters ?? Infinity;
}

/** Stars of all sizes and flatness, apart by up to about the reach. */
function randomLopsidedPair(
  random: Random,
  reachMeters: number,
  latMost: number,
  latLeast = 0,
): [Polygons, Polygons] {
  const reach = reachMeters / 111_000;
  const lat = random.between(latLeast, latMost) * (random.next() < 0.5 ? -1 : 1);
  const lon = random.between(-180, 180);
  const shape = (x: number, y: number, vertices: number): Polygons => {
    const flat = createStarRing(
      random,
      0,
      0,
      reach * random.between(0.02, 0.5),
      vertices,
      10 ** random.between(-1.5, 0),
    );
    return [
      [
        toRing(
          toPositions(flat)
            .slice(1)
            .map(([u, v]) => {
              const up = Math.max(-90, Math.min(90, lat + y + v));
              return [lon + (x + u) / Math.max(0.01, Math.cos((up * Math.PI) / 180)), up] as const;
            }),
        ),
      ],
    ];
  };
  const plot = shape(0, 0, 3 + random.integer(25));
  const angle = random.between(0, 2 * Math.PI);
  const apart = reach * random.between(0.1, 1.3);
  return [plot, shape(apart * Math.cos(angle), apart * Math.sin(angle), 3 + random.integer(40))];
}

/** Longitudes to 2⁻²⁴ degrees, so that turning them loses nothing. */
function coarsenLongitudes(polygons: Polygons): Polygons {
  return polygons.map((rings) =>
    rings.map((ring) => ring.map((v, k) => (k % 2 === 0 ? Math.round(v * 2 ** 24) / 2 ** 24 : v))),
  );
}

function makePoint(lon: number, lat: number): Polygons {
  return [[Float64Array.of(lon, lat)]];
}
