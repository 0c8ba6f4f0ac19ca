import { createSeededRandom, type Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { createBoxRing, createStarRing, reverseRing, toPlot } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import type { Plot } from "../plot/plot.ts";
import { exactKernel } from "./exact-kernel.ts";

const SEED = 20261122;
const LONG = process.env.GROUNDRULE_FULL !== undefined;
/** Square metres of a square degree at the equator, from above. */
const SQUARE_DEGREE = 1.24e10;

/** Parts in the cells of a square of degrees about a place, some with a hole. */
function randomStrewnParts(
  random: Random,
  count: number,
  degrees: number,
  [x, y]: readonly number[],
): Polygons {
  const side = Math.ceil(Math.sqrt(count));
  const cell = degrees / side;
  return Array.from({ length: count }, (_, i) => {
    const lon = x! + cell * ((i % side) + 0.5) - degrees / 2;
    const lat = y! + cell * (Math.floor(i / side) + 0.5) - degrees / 2;
    const outer = createStarRing(random, lon, lat, cell * random.between(0.1, 0.45), 3 + random.integer(12));
    const west = lon - cell / 100;
    return random.next() < 0.2
      ? [outer, reverseRing(createBoxRing(west, lat, west + cell / 50, lat + cell / 50))]
      : [outer];
  });
}

/** Small areas side by side, and a few large ones across them, some of several parts. */
function randomDenseAreas(random: Random, count: number): Polygons[] {
  const small = Array.from({ length: count }, (): Polygons => {
    const [x, y] = [random.between(-4, 4), random.between(-4, 4)];
    const size = 10 ** random.between(-3, -1);
    const parts = random.next() < 0.2 ? 2 : 1;
    return Array.from({ length: parts }, (_, part) => [
      createStarRing(random, x + 3 * size * part, y, size, 3 + random.integer(20)),
    ]);
  });
  const large = Array.from(
    { length: 6 },
    (): Polygons => [
      [createStarRing(random, random.between(-2, 2), random.between(-2, 2), random.between(1, 3), 150)],
    ],
  );
  return [...small, ...large];
}

const alone = (part: readonly Float64Array[]): Plot => toPlot([part]);

describe("a plot of many parts", () => {
  it(`has in common with each area what its parts have, one by one (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < (LONG ? 60 : 8); i++) {
      const layer = buildAreaLayer(randomDenseAreas(random, 400));
      const parts = randomStrewnParts(
        random,
        2 + random.integer(150),
        10 ** random.between(-0.5, 0.9),
        [0, 0],
      );
      const plot = toPlot(parts);
      const sums = new Map<number, number>();
      for (const part of parts) {
        for (const { area, overlapSquareMeters } of exactKernel.bind(alone(part)).intersections(layer)) {
          sums.set(area, (sums.get(area) ?? 0) + overlapSquareMeters);
        }
      }
      const bound = exactKernel.bind(plot);
      const hits = bound.intersections(layer);
      expect(hits.map(({ area }) => area)).toEqual([...sums.keys()].sort((a, b) => a - b));
      const [west, south, east, north] = plot.bbox;
      const allowed = 1e-14 * (east - west) * (north - south) * SQUARE_DEGREE;
      for (const { area, overlapSquareMeters } of hits) {
        expect(Math.abs(overlapSquareMeters - sums.get(area)!)).toBeLessThan(allowed);
      }
    }
  });

  it("has of a region what its parts have", () => {
    const random = createSeededRandom(SEED + 1);
    for (let i = 0; i < (LONG ? 30 : 4); i++) {
      const layer = buildAreaLayer(randomDenseAreas(random, 300));
      const parts = randomStrewnParts(random, 2 + random.integer(60), 5, [0, 0]);
      const bound = exactKernel.bind(toPlot(parts), new WorkMeter(Infinity));
      const areas = bound.intersections(layer).map(({ area }) => ({ layer, area }));
      const together = bound.regionSquareMeters({ op: "areas", areas });
      const apart = parts.reduce((sum, part) => {
        const one = exactKernel.bind(alone(part), new WorkMeter(Infinity));
        return sum + one.regionSquareMeters({ op: "areas", areas });
      }, 0);
      expect(Math.abs(together - apart)).toBeLessThan(1e-14 * 25 * SQUARE_DEGREE);
    }
  });

  it("is as far from each area as the nearest of its parts", () => {
    const random = createSeededRandom(SEED + 2);
    for (let i = 0; i < (LONG ? 30 : 4); i++) {
      const layer = buildAreaLayer(randomDenseAreas(random, 200));
      const parts = randomStrewnParts(
        random,
        2 + random.integer(80),
        10 ** random.between(-0.5, 0.9),
        [0.5, 1],
      );
      const dimension = (["polygon", "line", "point"] as const)[i % 3]!;
      const positions = parts.map(([outer]) => (dimension === "point" ? outer!.slice(0, 2) : outer!));
      const least = new Map<number, number>();
      for (const ring of positions) {
        const one = exactKernel.bind(toPlot([[ring]], dimension), new WorkMeter(Infinity));
        for (const { area, distanceMeters } of one.distances(layer, 20_000)) {
          least.set(area, Math.min(least.get(area) ?? Infinity, distanceMeters));
        }
      }
      const plot = toPlot(
        positions.map((ring) => [ring]),
        dimension,
      );
      const found = exactKernel.bind(plot, new WorkMeter(Infinity)).distances(layer, 20_000);
      expect(found.map(({ area }) => area)).toEqual([...least.keys()].sort((a, b) => a - b));
      for (const { area, distanceMeters } of found) {
        expect(Math.abs(distanceMeters - least.get(area)!)).toBeLessThan(1e-6);
      }
    }
  });

  it("covers an area that lies in its parts, and touches only where no part does more", () => {
    const random = createSeededRandom(SEED + 3);
    for (let i = 0; i < (LONG ? 30 : 4); i++) {
      const layer = buildAreaLayer(randomDenseAreas(random, 300));
      const parts = randomStrewnParts(random, 2 + random.integer(60), 4, [0, 0]);
      const bound = exactKernel.bind(toPlot(parts), new WorkMeter(Infinity));
      for (const { area } of bound.intersections(layer)) {
        const apart = parts.flatMap((part) => {
          const one = exactKernel.bind(alone(part), new WorkMeter(Infinity));
          return one.intersections(layer).some((hit) => hit.area === area) ? [one.relation(layer, area)] : [];
        });
        const together = bound.relation(layer, area);
        expect(together.touches).toBe(apart.every(({ touches }) => touches));
        // An area of one part that lies in the plot lies in one of its parts, which keep apart.
        if (layer.areaRings[area + 1]! - layer.areaRings[area]! === 1) {
          expect(together.coveredBy).toBe(apart.some(({ coveredBy }) => coveredBy));
        }
      }
    }
  });

  it("costs what its parts cost, not what its envelope holds", () => {
    const random = createSeededRandom(SEED + 4);
    const layer = buildAreaLayer(
      Array.from({ length: 20_000 }, (_, i): Polygons => {
        const [x, y] = [(i % 200) * 0.03 - 3, Math.floor(i / 200) * 0.06 - 3];
        return [[createStarRing(random, x, y, 0.01, 12)]];
      }),
    );
    const fields = Array.from({ length: 100 }, (_, i) => {
      const [x, y] = [(i % 10) * 0.6 - 3 + random.between(0, 0.5), Math.floor(i / 10) * 0.6 - 3];
      return [createBoxRing(x, y, x + 0.002, y + 0.002)];
    });
    const meter = new WorkMeter();
    const bound = exactKernel.bind(toPlot(fields), meter);
    expect(bound.intersections(layer).length).toBeGreaterThan(5);
    expect(meter.counted).toBeLessThan(200_000);
    const whole = new WorkMeter();
    exactKernel.bind(toPlot([[createBoxRing(-3, -3, 3, 3)]]), whole).intersections(layer);
    // An area inside costs no more than finding it, though it has a dozen edges.
    expect(whole.counted).toBeLessThan(20_000 * 250);
  });

  it("is counted the same whatever was evaluated before", () => {
    const random = createSeededRandom(SEED + 5);
    const layer = buildAreaLayer(randomDenseAreas(random, 200));
    const plots = Array.from({ length: 4 }, () => toPlot(randomStrewnParts(random, 40, 5, [0, 0])));
    const count = (plot: Plot): number => {
      const meter = new WorkMeter();
      const bound = exactKernel.bind(plot, meter);
      const areas = bound.intersections(layer).map(({ area }) => ({ layer, area }));
      bound.distances(layer, 10_000);
      bound.regionSquareMeters({ op: "areas", areas });
      for (const { area } of areas) bound.relation(layer, area);
      for (const { area } of areas) bound.overlapGeometry(layer, area);
      return meter.counted;
    };
    const counts = plots.map(count);
    expect(plots.toReversed().map(count).toReversed()).toEqual(counts);
    expect(new Set(counts).size).toBe(4);
  });
});
