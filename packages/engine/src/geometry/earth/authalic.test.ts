import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createBoxRing, createStarRing, moveRing, reverseRing } from "@groundrule/testing/shapes";
import { Geodesic } from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { exactRingArea } from "../../../test/exact-area.ts";
import {
  computeZoneDifference,
  createLatitudeSeries,
  PLANE,
  signedRingArea,
  signedRingAreaOn,
} from "./authalic.ts";

const SEED = 20261120;
const COUNT = process.env.GROUNDRULE_FULL ? 400 : 25;

/** A star about a place within some latitude, cut off at the poles. */
function randomStarAtLatitude(
  random: Random,
  lat: number,
  radius: number,
  vertices: number,
  squash = 1,
): Float64Array {
  const ring = createStarRing(random, random.between(-180, 180), lat, radius, vertices, squash);
  return ring.map((value, i) => (i % 2 === 0 ? value : Math.max(-90, Math.min(90, value))));
}

function relativeAreaError(ring: Float64Array): number {
  const truth = exactRingArea(ring);
  return Math.abs(signedRingArea(ring) - truth) / Math.abs(truth);
}

describe("signedRingArea", () => {
  it(`stays within 1e-13 of 256-bit quadrature on rings of 1 m to 60 degrees (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < COUNT; i++) {
      const radius = 10 ** random.between(-5, 1.7);
      const ring = randomStarAtLatitude(random, random.between(-85, 85), radius, 3 + random.integer(6));
      expect(relativeAreaError(ring), JSON.stringify([...ring])).toBeLessThan(1e-13);
    }
  });

  it(`stays within 1e-12 on slivers a million times longer than wide (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 1);
    for (let i = 0; i < COUNT; i++) {
      const radius = 10 ** random.between(-3, 0);
      const squash = 10 ** random.between(-6, -1);
      const ring = randomStarAtLatitude(
        random,
        random.between(-80, 80),
        radius,
        3 + random.integer(6),
        squash,
      );
      expect(relativeAreaError(ring), JSON.stringify([...ring])).toBeLessThan(1e-12);
    }
  });

  it(`stays within 1e-12 beside the poles and on edges along them (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 2);
    for (let i = 0; i < COUNT; i++) {
      const lat = (random.next() < 0.5 ? -1 : 1) * (90 - 10 ** random.between(-4, 0));
      expect(
        relativeAreaError(randomStarAtLatitude(random, lat, 10 ** random.between(-5, 0), 6)),
      ).toBeLessThan(1e-12);
    }
    expect(relativeAreaError(createBoxRing(-180, 89, 180, 90))).toBeLessThan(1e-13);
  });

  it("gives the whole ellipsoid its published area, 510,065,621,724,088.44 m²", () => {
    expect(Math.abs(signedRingArea(createBoxRing(-180, -90, 180, 90)) - 510065621724088.44)).toBeLessThan(1);
  });

  it("changes only its sign when the winding is reversed, and little when the ring starts elsewhere", () => {
    const random = createSeededRandom(SEED + 3);
    for (let i = 0; i < 200; i++) {
      const n = 3 + random.integer(20);
      const ring = randomStarAtLatitude(random, random.between(-80, 80), 10 ** random.between(-4, 1), n);
      const area = signedRingArea(ring);
      expect(area).toBeGreaterThan(0);
      expect(Math.abs(signedRingArea(reverseRing(ring)) + area)).toBeLessThan(2e-15 * area);
      const start = random.integer(n);
      const turned = new Float64Array(ring.length);
      for (let k = 0; k <= n; k++)
        turned.set([ring[2 * ((start + k) % n)]!, ring[2 * ((start + k) % n) + 1]!], 2 * k);
      expect(Math.abs(signedRingArea(turned) - area)).toBeLessThan(1e-13 * area);
    }
  });

  it("does not change across the antimeridian, whichever way the longitudes are written", () => {
    const ring = Float64Array.of(179, 10, 181, 10, 181, 12, 179, 12.5, 179, 10);
    expect(signedRingArea(moveRing(ring, -360, 0))).toBe(signedRingArea(ring));
  });

  it(`agrees with GeographicLib on densified rings above 1 km² (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED + 4);
    for (let i = 0; i < 12; i++) {
      const radius = 10 ** random.between(-1, 1);
      const ring = randomStarAtLatitude(random, random.between(-60, 60), radius, 5);
      // Geodesic pieces of a straight edge err by the square of their number: Richardson takes that out.
      const coarse = geodesicArea(ring, 200);
      const fine = geodesicArea(ring, 400);
      const truth = fine + (fine - coarse) / 3;
      expect(Math.abs(signedRingArea(ring) - truth) / truth).toBeLessThan(2e-9);
    }
  });

  it("is the shoelace area on the plane", () => {
    const ring = Float64Array.of(10, 20, 14, 20, 14, 23, 10, 20);
    expect(signedRingAreaOn(PLANE, ring, 0, 4, createLatitudeSeries())).toBe(6);
  });
});

describe("zoneDifference", () => {
  it("is the area of a one-degree strip", () => {
    const random = createSeededRandom(SEED + 5);
    for (let i = 0; i < 100; i++) {
      const a = random.between(-90, 90);
      const b = a + (random.next() < 0.5 ? random.between(-1, 1) * 1e-4 : random.between(-90 - a, 90 - a));
      const strip = signedRingArea(createBoxRing(0, a, 1, b));
      expect(Math.abs(computeZoneDifference(a, b) - strip)).toBeLessThan(1e-13 * Math.abs(strip));
    }
  });
});

function geodesicArea(ring: Float64Array, pieces: number): number {
  const polygon = Geodesic.WGS84.Polygon(false);
  for (let i = 0; i + 3 < ring.length; i += 2) {
    for (let k = 0; k < pieces; k++) {
      const t = k / pieces;
      polygon.AddPoint(ring[i + 1]! * (1 - t) + ring[i + 3]! * t, ring[i]! * (1 - t) + ring[i + 2]! * t);
    }
  }
  return polygon.Compute(false, true).area!;
}
