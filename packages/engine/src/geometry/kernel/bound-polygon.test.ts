import { createSeededRandom } from "@groundrule/testing/random";
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
  toRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { exactRingArea } from "../../../test/exact-area.ts";
import { measurePlanarOverlap } from "../../../test/planar-overlap.ts";
import { ANSWER_WORK } from "../../base/work-meter.ts";
import { PLANE } from "../earth/authalic.ts";
import { createExactKernel, exactKernel } from "./exact-kernel.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_FULL !== undefined;
const planar = createExactKernel(PLANE);

function bboxArea(polygons: Polygons): number {
  const [west, south, east, north] = toPlot(polygons).bbox;
  return (east - west) * (north - south);
}

describe("overlap in the plane", () => {
  it(`is that of 320-bit arithmetic on adversarial pairs (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const worst = new Map<string, number>();
    for (let i = 0; i < (LONG ? 20_000 : 800); i++) {
      const pair = randomAdversarialPair(random);
      const truth = measurePlanarOverlap(pair.plot, pair.area);
      const bound = planar.bind(toPlot(pair.plot));
      const hits = bound.intersections(buildAreaLayer([pair.area], PLANE));
      const found = hits[0]?.overlapSquareMeters ?? 0;
      const smaller = Math.min(bboxArea(pair.plot), bboxArea(pair.area));
      const error = Math.max(
        Math.abs(found - truth) / smaller / 100,
        Math.abs(found - truth) / bboxArea(pair.plot),
      );
      worst.set(pair.kind, Math.max(worst.get(pair.kind) ?? 0, error));
      if (error > 1e-14)
        expect.fail(
          `${pair.kind}: ${found} instead of ${truth}, off by ${error} of the smaller bbox: ${JSON.stringify({ plot: pair.plot.map((p) => p.map((r) => [...r])), area: pair.area.map((p) => p.map((r) => [...r])) })}`,
        );
    }
    if (LONG) console.log(worst);
  });
});

/** The one hit's square metres; 0 where there is none. */
function measureOverlap(plot: Polygons, area: Polygons): number {
  return exactKernel.bind(toPlot(plot)).intersections(buildAreaLayer([area]))[0]?.overlapSquareMeters ?? 0;
}

/** A ring with more vertices on its edges, so that it takes the way of large plots. */
function densifyRing(ring: Float64Array, pieces: number): Float64Array {
  const positions: [number, number][] = [];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    for (let k = 0; k < pieces; k++) {
      const t = k / pieces;
      positions.push([
        ring[i]! + (ring[i + 2]! - ring[i]!) * t,
        ring[i + 1]! + (ring[i + 3]! - ring[i + 1]!) * t,
      ]);
    }
  }
  return toRing(positions);
}

describe("overlap on the ellipsoid", () => {
  it(`adds up over a partition of the plane (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 1);
    for (let i = 0; i < (LONG ? 3000 : 150); i++) {
      const radius = 10 ** random.between(-3, 1);
      const [lon, lat] = [random.between(-170, 170), random.between(-70, 70)];
      const plot: Polygons = [[createStarRing(random, lon, lat, radius, 3 + random.integer(30))]];
      const [x, y] = [lon + radius * random.between(-0.5, 0.5), lat + radius * random.between(-0.5, 0.5)];
      const far = 3 * radius;
      const quarters = [
        createBoxRing(lon - far, lat - far, x, y),
        createBoxRing(x, lat - far, lon + far, y),
        createBoxRing(x, y, lon + far, lat + far),
        createBoxRing(lon - far, y, x, lat + far),
      ];
      const bound = exactKernel.bind(toPlot(plot));
      const hits = bound.intersections(buildAreaLayer(quarters.map((ring) => [[ring]])));
      const sum = hits.reduce((total, hit) => total + hit.overlapSquareMeters, 0);
      expect(Math.abs(sum / bound.areaSquareMeters - 1)).toBeLessThan(1e-13);
    }
  });

  it(`is symmetric, and a plot less the overlap is what its complement covers (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 2);
    for (let i = 0; i < (LONG ? 5000 : 300); i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      const [west, south, east, north] = toPlot([...plot, ...area]).bbox;
      const scale = (east - west) * (north - south) * 1.24e10;
      const overlap = measureOverlap(plot, area);
      expect(Math.abs(measureOverlap(area, plot) - overlap), kind).toBeLessThan(2e-14 * scale);
      if (area.length > 1 || area[0]!.length > 1) continue;
      const [w, h] = [east - west, north - south];
      const outer = createBoxRing(west - w, Math.max(-90, south - h), east + w, Math.min(90, north + h));
      const complement = measureOverlap(plot, [[outer, reverseRing(area[0]![0]!)]]);
      const whole = exactKernel.bind(toPlot(plot)).areaSquareMeters;
      expect(Math.abs(overlap + complement - whole), kind).toBeLessThan(2e-14 * scale);
    }
  });

  it(`does not depend on where rings start, on longitudes by a turn, nor on the way it is computed (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 3);
    for (let i = 0; i < (LONG ? 2000 : 100); i++) {
      const radius = 10 ** random.between(-2, 0.5);
      const [lon, lat] = [random.between(-170, 170), random.between(-60, 60)];
      const plot = createStarRing(random, lon, lat, radius, 4 + random.integer(20));
      const area = createStarRing(
        random,
        lon + radius * random.between(-1, 1),
        lat,
        radius,
        300 + random.integer(600),
      );
      const overlap = measureOverlap([[plot]], [[area]]);
      const scale = radius * radius * 1.24e10;
      const n = plot.length / 2 - 1;
      const start = random.integer(n);
      const turned = toRing(
        Array.from({ length: n }, (_, k) => [plot[2 * ((k + start) % n)]!, plot[2 * ((k + start) % n) + 1]!]),
      );
      expect(Math.abs(measureOverlap([[turned]], [[area]]) - overlap)).toBeLessThan(4e-15 * scale);
      const shift = lon > 0 ? -360 : 360;
      expect(Math.abs(measureOverlap([[moveRing(plot, shift, 0)]], [[area]]) - overlap)).toBeLessThan(
        1e-11 * scale,
      );
      // More than 200 edges take the dual tree; positions on the edges are rounded, no more.
      const large = measureOverlap([[densifyRing(plot, Math.ceil(300 / n))]], [[area]]);
      expect(Math.abs(large - overlap)).toBeLessThan(1e-12 * scale);
    }
  });

  it("is the plot's own area, to the bit, where the area contains it, and the area's where the plot does", () => {
    const random = createSeededRandom(SEED + 4);
    const world = createBoxRing(-180, -90, 180, 90);
    const layer = buildAreaLayer([[[world]], [[createStarRing(random, 10, 50, 1, 500)]]]);
    const inner = exactKernel.bind(toPlot([[createStarRing(random, 10, 50, 0.05, 7)]]));
    for (const hit of inner.intersections(layer)) {
      expect(hit.overlapSquareMeters).toBe(inner.areaSquareMeters);
      expect(hit.overlapRatio).toBe(1);
    }
    const outer = exactKernel.bind(toPlot([[createBoxRing(0, 40, 20, 60)]]));
    expect(outer.intersections(layer)[1]!.overlapSquareMeters).toBe(layer.areaSquareMeters[1]);
  });

  it("holds the plot's small share of a very large area, and a small area's share of the world", () => {
    const random = createSeededRandom(SEED + 5);
    for (let i = 0; i < 50; i++) {
      // A coarse triangle over half a continent, its long edge through a plot of 100 m.
      const [lon, lat] = [random.between(-60, 60), random.between(-40, 40)];
      const [dx, dy] = [random.between(10, 40), random.between(-20, 20)];
      const area = toRing(toPairs(lon - dx, lat - dy, lon + dx, lat + dy, lon, lat - 45));
      const plot = createStarRing(random, lon, lat, 0.001, 6);
      const truth = measurePlanarOverlap([[plot]], [[area]]);
      const found = planar
        .bind(toPlot([[plot]]))
        .intersections(buildAreaLayer([[[area]]], PLANE))[0]!.overlapSquareMeters;
      expect(Math.abs(found - truth)).toBeLessThan(1e-14 * bboxArea([[plot]]));
      const small = [[plot]];
      const world = exactKernel.bind(toPlot([[createBoxRing(-180, -90, 180, 90)]]));
      expect(
        world.intersections(buildAreaLayer([small]))[0]!.overlapSquareMeters / exactRingArea(plot),
      ).toBeCloseTo(1, 12);
      // Cut by a large plot's edge, the small area keeps its digits.
      const cut = measureOverlap([[area]], small);
      expect(Math.abs(cut - measureOverlap(small, [[area]]))).toBeLessThan(1e-13 * exactRingArea(plot));
    }
  });

  it("takes several polygons and holes on both sides, and many areas at once in ascending order", () => {
    const plot: Polygons = [
      [createBoxRing(0, 0, 10, 10), reverseRing(createBoxRing(2, 2, 8, 8))],
      [createBoxRing(3, 3, 4, 4)],
    ];
    const layer = buildAreaLayer([
      [[createBoxRing(2.5, 2.5, 2.8, 2.8)]],
      [[createBoxRing(3.2, 3.2, 3.4, 3.4)], [createBoxRing(0.5, 0.5, 1, 1)]],
      [[createBoxRing(-5, -5, 15, 15), reverseRing(createBoxRing(-1, -1, 11, 11))]],
      [[createBoxRing(-5, -5, 15, 15), reverseRing(createBoxRing(2.5, 2.5, 5, 5))]],
    ]);
    const bound = exactKernel.bind(toPlot(plot));
    const hits = bound.intersections(layer);
    expect(hits.map(({ area }) => area)).toEqual([1, 3]);
    expect(hits[0]!.overlapSquareMeters).toBe(layer.areaSquareMeters[1]);
    const second = exactKernel.bind(toPlot([[createBoxRing(3, 3, 4, 4)]])).areaSquareMeters;
    expect(Math.abs(hits[1]!.overlapSquareMeters - (bound.areaSquareMeters - second))).toBeLessThan(1e-3);
  });

  it("covers polar caps written along the pole", () => {
    const cap = createBoxRing(-180, 80, 180, 90);
    const plot = createBoxRing(10, 85, 20, 90);
    const bound = exactKernel.bind(toPlot([[plot]]));
    const [hit] = bound.intersections(buildAreaLayer([[[cap]]]));
    expect(hit!.overlapRatio).toBeCloseTo(1, 13);
    expect(Math.abs(bound.areaSquareMeters / exactRingArea(plot) - 1)).toBeLessThan(1e-13);
  });

  it("answers or refuses entangled outlines of 100,000 positions within its budget", () => {
    const spikes = (n: number, lon: number): Float64Array =>
      toRing(
        Array.from({ length: n }, (_, i) => {
          const [angle, r] = [(2 * Math.PI * i) / n, i % 2 === 0 ? 0.01 : 0.1];
          return [lon + r * Math.cos(angle), 45 + r * Math.sin(angle)];
        }),
      );
    const n = LONG ? 100_000 : 20_000;
    const shapes: [Float64Array, Float64Array][] = [
      [spikes(n, 10), spikes(n, 10.01)],
      [spikes(n, 10), createBoxRing(9.95, 44.95, 10.05, 45.05)],
      [createSpiralRing(10, 45, 0.1, n / 400, 200), createSpiralRing(10.003, 45.002, 0.1, n / 400, 200)],
      [createCombRing(10, 45, 0.1, 0.1, n / 4), createCombRing(10.00001, 45.05, 0.1, 0.1, n / 4)],
    ];
    const refused: boolean[] = [];
    for (const [plot, area] of shapes) {
      const layer = buildAreaLayer([[[area]]]);
      const start = process.cpuUsage();
      let refusal = false;
      try {
        expect(exactKernel.bind(toPlot([[plot]])).intersections(layer)[0]!.overlapRatio).toBeLessThan(1);
      } catch (error) {
        expect(error).toMatchObject({ code: "GEOMETRY_TOO_COMPLEX", details: { allowed: ANSWER_WORK } });
        refusal = true;
      }
      refused.push(refusal);
      const { user, system } = process.cpuUsage(start);
      // 250 ms on a quiet machine; tests run on busy ones.
      expect((user + system) / 1000).toBeLessThan(1500);
    }
    expect(refused[1]).toBe(false);
    expect(refused[3]).toBe(false);
  });
});
