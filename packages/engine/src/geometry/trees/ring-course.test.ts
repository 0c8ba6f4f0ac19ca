import { createSeededRandom, type Random } from "@groundrule/testing/random";
import {
  createCoastRing,
  createCombRing,
  createSpiralRing,
  createStarRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { CELL_DEGREES } from "./cells.ts";
import { computeRingCourse, type RingView } from "./ring-course.ts";

const SEED = 20261123;

type Box = readonly [west: number, south: number, east: number, north: number];

function createView(bbox: Box, degrees = 0): RingView {
  return { bbox, longitude: degrees, latitudes: new Float64Array(91).fill(degrees) };
}

/** The polygon through positions of a ring. */
function pickPositions(ring: Float64Array, positions: readonly number[]): number[] {
  return positions.flatMap((i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}

/** Signed area of a polygon within a box: every edge is cut at the box's columns, and clamped between its rows. */
function polygonAreaWithin(polygon: readonly number[], [west, south, east, north]: Box): number {
  const clamp = (y: number): number => Math.max(south, Math.min(north, y)) - south;
  let sum = 0;
  for (let i = 0; i < polygon.length; i += 2) {
    const j = (i + 2) % polygon.length;
    const [xa, ya, xb, yb] = [polygon[i]!, polygon[i + 1]!, polygon[j]!, polygon[j + 1]!];
    if (xa === xb) continue;
    const yAt = (x: number): number => ya + ((x - xa) / (xb - xa)) * (yb - ya);
    const xAt = (y: number): number => xa + ((y - ya) / (yb - ya)) * (xb - xa);
    const [from, to] =
      xa < xb ? [Math.max(xa, west), Math.min(xb, east)] : [Math.min(xa, east), Math.max(xb, west)];
    if (xa < xb ? from >= to : from <= to) continue;
    const cuts = [from, ...(ya === yb ? [] : [xAt(south), xAt(north)]), to]
      .filter((x) => Math.min(from, to) <= x && x <= Math.max(from, to))
      .sort((a, b) => (xa < xb ? a - b : b - a));
    for (let k = 1; k < cuts.length; k++) {
      sum -= ((clamp(yAt(cuts[k - 1]!)) + clamp(yAt(cuts[k]!))) / 2) * (cuts[k]! - cuts[k - 1]!);
    }
  }
  return sum;
}

function randomRings(random: Random): Record<string, Float64Array> {
  return {
    "a coast": createCoastRing(random, 10, 45, 3, 2 ** 14),
    "a small coast": createCoastRing(random, -60, -10, 0.01, 2 ** 10),
    "a star of spikes": createStarRing(random, 10, -45, 3, 20_000),
    "a ring of a single chain": createStarRing(random, 0, 0, 2, 60),
    "a comb": createCombRing(-1, -1, 2, 2, 3_000),
    "a spiral": createSpiralRing(100, 30, 5, 40, 200),
  };
}

/** Boxes of every size in and around a ring, many of them on its edge. */
function randomBoxesAround(ring: Float64Array, random: Random, count: number): Box[] {
  const xs = ring.filter((_, i) => i % 2 === 0);
  const width = xs.reduce((a, b) => Math.max(a, b)) - xs.reduce((a, b) => Math.min(a, b));
  return Array.from({ length: count }, (): Box => {
    const at = Math.floor(random.between(0, ring.length / 2 - 1));
    const size = width * 10 ** random.between(-4, 0.5);
    const [x, y] = [ring[2 * at]!, ring[2 * at + 1]!].map(
      (value) => value - size * random.between(-0.5, 1.5),
    );
    return [x!, y!, x! + size, y! + size];
  });
}

describe("the course of a ring", () => {
  it.each(Object.entries(randomRings(createSeededRandom(SEED))))(
    `encloses in every box what the ring encloses: %s (seed ${SEED})`,
    (_, ring) => {
      const layer = buildAreaLayer([[[ring]]]);
      const whole = Array.from({ length: ring.length / 2 - 1 }, (__, i) => i);
      for (const box of randomBoxesAround(ring, createSeededRandom(SEED), 60)) {
        const { positions, isCoarse } = computeRingCourse(layer, 0, createView(box), 1_000_000);
        expect(isCoarse).toBe(false);
        const side = box[2] - box[0];
        const found = polygonAreaWithin(pickPositions(ring, positions), box) / (side * side);
        expect(found).toBeCloseTo(polygonAreaWithin(pickPositions(ring, whole), box) / (side * side), 8);
      }
    },
  );

  it("leaves out only what is closer than the tolerance, and the same for any box", () => {
    const random = createSeededRandom(SEED);
    for (const ring of [createCoastRing(random, 10, 45, 3, 2 ** 14), createStarRing(random, 0, 0, 2, 60)]) {
      const layer = buildAreaLayer([[[ring]]]);
      for (const degrees of [1, 0.05, 0.002]) {
        const { positions } = computeRingCourse(
          layer,
          0,
          createView([-180, -90, 180, 90], degrees),
          1_000_000,
        );
        const kept = new Set(positions);
        // Rounded outward, a box is two cells larger than what it holds.
        const reach = 2 * degrees + 4 * CELL_DEGREES;
        for (let i = 0, last = 0; i < ring.length / 2 - 1; i++) {
          if (kept.has(i)) last = i;
          expect(Math.abs(ring[2 * i]! - ring[2 * last]!)).toBeLessThanOrEqual(reach);
          expect(Math.abs(ring[2 * i + 1]! - ring[2 * last + 1]!)).toBeLessThanOrEqual(reach);
        }
        for (const box of randomBoxesAround(ring, random, 20)) {
          const within = (i: number): boolean =>
            ring[2 * i]! > box[0] &&
            ring[2 * i]! < box[2] &&
            ring[2 * i + 1]! > box[1] &&
            ring[2 * i + 1]! < box[3];
          const part = computeRingCourse(layer, 0, createView(box, degrees), 1_000_000).positions;
          expect(part.filter(within)).toEqual(positions.filter(within));
        }
      }
    }
  });

  it("costs what is near the box, not the length of the ring", () => {
    const [near, within]: [number[], number[]] = [[], []];
    for (const levels of [10, 14, 18]) {
      const ring = createCoastRing(createSeededRandom(SEED), 10, 45, 3, 2 ** levels);
      const layer = buildAreaLayer([[[ring]]]);
      const [x, y] = [ring[0]!, ring[1]!];
      // Half a degree from the shore, on either side; then a box that holds sixteen edges of it.
      for (const middle of [10, x + 0.5]) {
        within.push(
          computeRingCourse(layer, 0, createView([middle, 45, middle + 0.01, 45.01]), 1_000_000).work,
        );
      }
      const half = 8 * Math.hypot(ring[2]! - x, ring[3]! - y);
      near.push(
        computeRingCourse(layer, 0, createView([x - half, y - half, x + half, y + half]), 1_000_000).work,
      );
    }
    expect(Math.max(...within)).toBeLessThan(200);
    expect(Math.max(...near)).toBeLessThan(1_000);
  });

  it("costs in a far view what can be distinguished there", () => {
    const work = [14, 16, 18].map((levels) => {
      const layer = buildAreaLayer([[[createCoastRing(createSeededRandom(SEED), 10, 45, 3, 2 ** levels)]]]);
      return computeRingCourse(layer, 0, createView([-180, -90, 180, 90], 0.05), 1_000_000).work;
    });
    expect(Math.max(...work)).toBeLessThan(10_000);
  });

  it("takes few more steps than it may where everything can be distinguished, and is coarse then", () => {
    const ring = createStarRing(createSeededRandom(SEED), 10, 45, 3, 100_000);
    const layer = buildAreaLayer([[[ring]]]);
    for (const most of [128, 1_000, 10_000, 100_000]) {
      const course = computeRingCourse(layer, 0, createView([0, 0, 90, 90]), most);
      expect(course.isCoarse).toBe(true);
      expect(course.work).toBeLessThanOrEqual(most + Math.max(64, most / 16) + 16);
      expect(course.positions.length).toBeGreaterThanOrEqual(3);
      expect(new Set(course.positions).size).toBe(course.positions.length);
    }
    expect(computeRingCourse(layer, 0, createView([0, 0, 90, 90]), 200_000).isCoarse).toBe(false);
  });
});
