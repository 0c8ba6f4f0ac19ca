import { createSeededRandom } from "@groundrule/testing/random";
import geographicLib from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { cosDegrees, sinDegrees } from "./elementary.ts";
import { GeodesicInverse } from "./geodesic.ts";
import { GeodesicDirect } from "./geodesic-direct.ts";

const oracle = geographicLib.Geodesic.WGS84;
const LINES = Number(process.env.GROUNDRULE_FULL ? 1_000_000 : 10_000);
const SEED = 20261122;

const solve = (latitude: number, azimuth: number, meters: number): [lat: number, lon: number] => {
  const direct = new GeodesicDirect(latitude);
  direct.solve(sinDegrees(azimuth), cosDegrees(azimuth), meters);
  return [direct.latitude, direct.longitudeDifference];
};

describe("GeodesicDirect", () => {
  it("agrees with the published example of the direct problem", () => {
    // Karney 2013, table 2: φ1 = 40°, α1 = 30°, s12 = 10 000 km.
    const [latitude, longitude] = solve(40, 30, 10_000_000);
    expect(latitude).toBeCloseTo(41.79331020506, 11);
    expect(longitude).toBeCloseTo(137.84490004377, 11);
  });

  it(`agrees with GeographicLib within 15 nm on ${LINES} lines, short and long (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const inverse = new GeodesicInverse();
    let worst = 0;
    for (let i = 0; i < LINES; i++) {
      const latitude = [0, 89.9, -89.9, 90, -90][i % 20] ?? random.between(-90, 90);
      const azimuth = i % 7 === 0 ? 90 * (random.integer(4) - 1) : random.between(-180, 180);
      const meters = 10 ** random.between(-1, 7.2);
      const [lat, lon] = solve(latitude, azimuth, meters);
      const truth = oracle.Direct(latitude, 0, azimuth, meters);
      worst = Math.max(worst, inverse.solve(truth.lon2!, truth.lat2!, lon, lat));
    }
    expect(worst).toBeLessThan(1.5e-8);
  });
});
