import { createSeededRandom } from "@groundrule/testing/random";
import geographicLib from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { roundSquareMeters } from "../../verdict/rounding.ts";
import { isCounterClockwise } from "../noding/mend-rings.ts";
import { findPolygonFaults } from "../plot/validity/validity.ts";
import { signedRingArea } from "./authalic.ts";
import { buildDiscRing, DISC_VERTICES } from "./disc.ts";
import { GeodesicInverse } from "./geodesic.ts";

const oracle = geographicLib.Geodesic.WGS84;
const DISCS = Number(process.env.GROUNDRULE_FULL ? 100_000 : 3_000);
const SEED = 20261122;

interface DiscCase {
  readonly longitude: number;
  readonly latitude: number;
  readonly hectares: number;
}

/** Anywhere that discs are made, of areas as people write them and of any. */
function* generateDiscCases(count: number, seed: number): Generator<DiscCase> {
  const random = createSeededRandom(seed);
  for (let i = 0; i < count; i++) {
    const longitude = [0, 180, -180, 179.9999, -540][i % 25] ?? random.between(-540, 540);
    const latitude = [0, 89, -89, 88.999, 1e-7][i % 30] ?? random.between(-89, 89);
    const any = 10 ** random.between(-4, 5);
    const hectares = [0.0001, 100_000, 4, Number(any.toPrecision(3))][i % 8] ?? any;
    yield { longitude, latitude, hectares: Math.min(Math.max(hectares, 0.0001), 100_000) };
  }
}

describe("discRing", () => {
  it(`prints the area that is asked, on ${DISCS} discs up to 89° and from 0.0001 to 100,000 ha (seed ${SEED})`, () => {
    for (const { longitude, latitude, hectares } of generateDiscCases(DISCS, SEED)) {
      const wanted = roundSquareMeters(hectares * 10_000);
      const ring = buildDiscRing(longitude, latitude, wanted);
      expect(roundSquareMeters(signedRingArea(ring)), `${latitude} ${hectares}`).toBe(wanted);
    }
  });

  it("is a valid ring of 64 vertices, closed, counter-clockwise from due north", () => {
    for (const { longitude, latitude, hectares } of generateDiscCases(300, SEED + 1)) {
      const ring = buildDiscRing(longitude, latitude, hectares * 10_000);
      expect(ring).toHaveLength(2 * DISC_VERTICES + 2);
      expect([ring[0], ring[1]]).toEqual([ring.at(-2), ring.at(-1)]);
      expect(findPolygonFaults([[ring]])).toEqual([]);
      expect(isCounterClockwise(ring)).toBe(true);
      expect(ring[0]).toBe(longitude);
      expect(ring[1]).toBe(Math.max(...ring.filter((_, i) => i % 2 === 1)));
      expect(ring[2]).toBeLessThan(longitude);
    }
  });

  it("has its vertices where GeographicLib's geodesics of one length end, at 5.625° from one to the next", () => {
    const inverse = new GeodesicInverse();
    for (const { longitude, latitude, hectares } of generateDiscCases(200, SEED + 2)) {
      const ring = buildDiscRing(longitude, latitude, hectares * 10_000);
      const { s12: radius } = oracle.Inverse(latitude, longitude, ring[1]!, ring[0]!);
      for (let k = 0; k < DISC_VERTICES; k++) {
        const truth = oracle.Direct(latitude, longitude, -5.625 * k, radius!);
        const meters = inverse.solve(truth.lon2!, truth.lat2!, ring[2 * k]!, ring[2 * k + 1]!);
        expect(meters, `${latitude} ${hectares} ${k}`).toBeLessThan(5e-8);
      }
    }
  });

  it("stays 90 km clear of the pole, and within 10° of longitude, at the greatest area and latitude", () => {
    const ring = buildDiscRing(0, 89, 1e9);
    expect(Math.max(...ring.filter((_, i) => i % 2 === 1))).toBeLessThan(89.17);
    expect(Math.max(...ring.filter((_, i) => i % 2 === 0))).toBeLessThan(10);
  });

  it("takes no area and no latitude beyond those it is for", () => {
    for (const [latitude, area] of [
      [89.0001, 1],
      [-90, 1],
      [0, 0],
      [0, 1.1e9],
      [0, Number.NaN],
      [Number.NaN, 1],
    ] as const) {
      expect(() => buildDiscRing(0, latitude, area)).toThrow("no disc of");
    }
  });
});
