import { mulberry32 } from "@groundrule/testing/random";
import geographicLib from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { GeodesicInverse } from "./geodesic.ts";

const oracle = geographicLib.Geodesic.WGS84;
const PAIRS = Number(process.env.GROUNDRULE_FULL ? 2_000_000 : 12_000);
const SEED = 20130101;

describe("GeodesicInverse", () => {
  it("agrees with published lengths of geodesics", () => {
    const inverse = new GeodesicInverse();
    // Karney 2013, tables 3 and 4 (a short line and a nearly antipodal one), to the digits printed there.
    expect(inverse.solve(0, -30.12345, 0.00005, -30.12344)).toBeCloseTo(4.944208, 6);
    expect(inverse.solve(0, -30, 179.8, 29.9)).toBeCloseTo(19_989_832.82761, 5);
    // Wellington to Salamanca, from the documentation of GeographicLib.
    expect(inverse.solve(174.81, -41.32, -5.5, 40.96)).toBeCloseTo(19_959_679.267, 3);
  });

  it(`agrees with GeographicLib within 15 nm on ${PAIRS} pairs, near, far and nearly antipodal (seed ${SEED})`, () => {
    const random = mulberry32(SEED);
    const inverse = new GeodesicInverse();
    let worst = 0;
    let worstDirection = 0;
    for (let i = 0; i < PAIRS; i++) {
      const [lon1, lat1, lon2, lat2] = makePair(i, random);
      const found = inverse.solve(lon1, lat1, lon2, lat2);
      const truth = oracle.Inverse(lat1, lon1, lat2, lon2);
      worst = Math.max(worst, Math.abs(found - truth.s12!));
      // Directions are not unique for coincident and opposite positions.
      if (truth.s12! > 1 && truth.s12! < 19_900_000 && Math.abs(lat2) < 89.9 && Math.abs(lat1) < 89.9) {
        const azimuth = (truth.azi2! * Math.PI) / 180;
        const sine = inverse.sinAzimuth2 - Math.sin(azimuth);
        const cosine = inverse.cosAzimuth2 - Math.cos(azimuth);
        worstDirection = Math.max(worstDirection, Math.hypot(sine, cosine) * Math.min(truth.s12!, 1e6));
      }
    }
    expect(worst).toBeLessThan(1.5e-8);
    expect(worstDirection).toBeLessThan(1e-6);
  });

  it("is symmetric, and indifferent to whole turns of longitude", () => {
    const random = mulberry32(SEED + 1);
    const inverse = new GeodesicInverse();
    for (let i = 0; i < 2_000; i++) {
      const [lon1, lat1, lon2, lat2] = makePair(i, random).map(
        (x) => Math.round(x * 2 ** 20) / 2 ** 20,
      ) as Pair;
      const there = inverse.solve(lon1, lat1, lon2, lat2);
      expect(inverse.solve(lon2, lat2, lon1, lat1)).toBe(there);
      expect(inverse.solve(lon1 + 360, lat1, lon2 - 360, lat2)).toBe(there);
    }
  });

  it("is zero between names of one point, the poles included", () => {
    const inverse = new GeodesicInverse();
    expect(inverse.solve(180, 12.5, -180, 12.5)).toBe(0);
    expect(inverse.solve(17, 90, -120, 90)).toBe(0);
    expect(inverse.solve(17, -90, 400, -90)).toBe(0);
    expect(inverse.solve(-3.25, 0, -3.25, 0)).toBe(0);
  });
});

type Pair = [lon1: number, lat1: number, lon2: number, lat2: number];

/** Pairs of many kinds in turn: anywhere, close, nearly antipodal, on the equator, a meridian, at a pole. */
function makePair(i: number, random: () => number): Pair {
  const lon1 = 360 * random() - 180;
  const lat1 = 180 * random() - 90;
  const lon2 = 360 * random() - 180;
  const lat2 = 180 * random() - 90;
  const small = 10 ** (-9 * random());
  const near = Math.max(-90, Math.min(90, lat1 + (random() - 0.5) * small));
  switch (i % 8) {
    case 0:
    case 1:
      return [lon1, lat1, lon2, lat2];
    case 2:
    case 3:
      return [lon1, lat1, lon1 + (random() - 0.5) * small, near];
    case 4:
      return [lon1, lat1, lon1 + 180 + (random() - 0.5) * 3 * small, -near];
    case 5:
      return [lon1, 0, lon2, (random() - 0.5) * small * (i % 16 < 8 ? 1 : 0)];
    case 6:
      return [lon1, lat1, lon1 + (i % 16 < 8 ? 0 : 180), lat2];
    default:
      return [lon1, (i % 16 < 8 ? 90 : -90) * (1 - small * random() * 1e-2), lon2, lat2];
  }
}
