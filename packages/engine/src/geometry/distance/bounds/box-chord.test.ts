import { createSeededRandom, type Random } from "@groundrule/testing/random";
import geographicLib from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { GeodesicInverse } from "../../earth/geodesic.ts";
import { leastBoxChordSquared } from "./box-chord.ts";
import { TANGENT, TANGENT_ERROR, writeTangentPlace, writeTangentPlane } from "./tangent.ts";

const { WGS84 } = geographicLib.Geodesic;
const RADIANS = Math.PI / 180;
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);

type Box = readonly [west: number, south: number, east: number, north: number];

describe("leastBoxChordSquared", () => {
  it("never exceeds a chord or a geodesic between two envelopes, on 120,000 pairs (seed 1)", () => {
    const random = createSeededRandom(1);
    const inverse = new GeodesicInverse();
    for (let i = 0; i < 120_000; i++) {
      const a = randomBox(random, i % 6, random.between(-180, 180));
      const b = randomBox(
        random,
        Math.floor(i / 6) % 6,
        a[0] + random.between(-400, 400) * random.next() ** 3,
      );
      const square = leastBoxChordSquared(...a, ...b);
      const p = randomPositionIn(random, a);
      const q = i % 3 === 0 ? findNearestPosition(a, b) : randomPositionIn(random, b);
      const from = i % 3 === 0 ? findNearestPosition(b, a) : p;
      const chord = Math.hypot(...place(...from).map((value, k) => value - place(...q)[k]!));
      if (!(Math.sqrt(square) <= chord + 1e-6)) expect.fail(JSON.stringify({ a, b, from, q, square, chord }));
      const meters =
        i % 10 === 0 ? WGS84.Inverse(from[1], from[0], q[1], q[0]).s12! : inverse.solve(...from, ...q);
      if (!(Math.sqrt(square) <= meters + 1e-6))
        expect.fail(JSON.stringify({ a, b, from, q, square, meters }));
    }
  });

  it("comes within 15 m of the chord between two positions up to 1,000 km apart (seed 2)", () => {
    const random = createSeededRandom(2);
    for (let i = 0; i < 20_000; i++) {
      const lat = random.between(-80, 80);
      const other = Math.max(-84, Math.min(84, lat + random.between(-6, 6)));
      const lon = random.between(-6, 6);
      const chord = Math.hypot(...place(0, lat).map((value, k) => value - place(lon, other)[k]!));
      expect(Math.sqrt(leastBoxChordSquared(0, lat, 0, lat, lon, other, lon, other))).toBeGreaterThan(
        chord - 15,
      );
    }
  });

  it("is 0 between envelopes that meet, and at a pole whatever its longitude", () => {
    expect(leastBoxChordSquared(0, 0, 2, 2, 1, 1, 3, 3)).toBe(0);
    expect(leastBoxChordSquared(0, 90, 0, 90, 120, 90, 120, 90)).toBeLessThan(1e-12);
    expect(leastBoxChordSquared(0, -90, 1, -90, 120, -90, 121, -89)).toBeLessThan(1e-12);
  });
});

describe("the circle with a geodesic's chord and length", () => {
  it("has the radius of the normal section in the middle but for 2.5e-17 of it a m² of chord, to 1,200 km (seed 3)", () => {
    const random = createSeededRandom(3);
    const inverse = new GeodesicInverse();
    for (let i = 0; i < 60_000; i++) {
      const lat = i % 3 === 0 ? (i % 2 === 0 ? 1 : -1) * random.between(70, 90) : random.between(-80, 80);
      const [lon, other] = computeDestination(
        lat,
        random.between(0, 360),
        random.between(100_000, 1_190_000),
      );
      const meters =
        i % 10 === 0 ? WGS84.Inverse(lat, 0, other, lon).s12! : inverse.solve(0, lat, lon, other);
      const chord = Math.hypot(...place(0, lat).map((value, k) => value - place(lon, other)[k]!));
      const w2 = 1 - E2 * Math.sin(((lat + other) / 2) * RADIANS) ** 2;
      const y = (other - lat) * RADIANS;
      const north = Math.min(1, (((A * (1 - E2)) / w2 ** 1.5) * y * (1 - (y * y) / 24)) ** 2 / chord ** 2);
      const radius = A / (Math.sqrt(w2) * (1 + north * (w2 / (1 - E2) - 1)));
      const error = 2.5e-17 * chord ** 2;
      const length = (r: number) => 2 * r * Math.asin(chord / (2 * r));
      if (!(length(radius * (1 - error)) >= meters && meters >= length(radius * (1 + error)))) {
        expect.fail(JSON.stringify({ lat, lon, other, meters, length: length(radius) }));
      }
    }
  });
});

describe("writeTangentPlane", () => {
  it("is no farther from the envelope's points than its error (seed 4)", () => {
    const random = createSeededRandom(4);
    const tangent = new Float64Array(TANGENT);
    const placed = new Float64Array(3);
    for (let i = 0; i < 30_000; i++) {
      const box = randomBox(random, i % 6, random.between(-540, 540));
      writeTangentPlane(...box, tangent, 0);
      const [lon, lat] = i % 2 === 0 ? randomPositionIn(random, box) : ([box[0], box[3]] as const);
      writeTangentPlace(tangent, 0, lon, lat, placed);
      const off = Math.hypot(...place(lon, lat).map((value, k) => value - placed[k]!));
      if (!(off <= tangent[TANGENT_ERROR]!)) expect.fail(JSON.stringify({ box, lon, lat, off }));
    }
  });
});

/** A point, a small box, a large one, at the equator, near or at a pole. */
function randomBox(random: Random, kind: number, west: number): Box {
  const size = kind === 0 ? 0 : 10 ** random.between(-5, kind === 2 ? 1.5 : 0);
  const south =
    kind === 3
      ? random.between(-size, size)
      : kind === 4
        ? 90 - size * random.between(1, 3)
        : kind === 5
          ? -90
          : random.between(-90, 90);
  const low = Math.max(-90, south);
  return [west, low, west + size * random.between(0, 4), Math.min(90, low + size)];
}

function randomPositionIn(random: Random, [west, south, east, north]: Box): [number, number] {
  return [west + random.next() * (east - west), south + random.next() * (north - south)];
}

/** The position of an envelope that is nearest to another in longitude and in latitude. */
function findNearestPosition(other: Box, [west, south, east, north]: Box): [number, number] {
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
  return [clamp(other[0], west, east), clamp(other[1], south, north)];
}

function place(lon: number, lat: number): [number, number, number] {
  const s = Math.sin(lat * RADIANS);
  const normal = A / Math.sqrt(1 - E2 * s * s);
  const axis = normal * Math.cos(lat * RADIANS);
  return [axis * Math.cos(lon * RADIANS), axis * Math.sin(lon * RADIANS), normal * (1 - E2) * s];
}

/** About so many metres ahead on a sphere. */
function computeDestination(lat: number, azimuth: number, meters: number): [number, number] {
  const [s, c] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)];
  const angle = meters / 6_371_000;
  const sine = s * Math.cos(angle) + c * Math.sin(angle) * Math.cos(azimuth * RADIANS);
  const lon = Math.atan2(Math.sin(azimuth * RADIANS) * Math.sin(angle) * c, Math.cos(angle) - s * sine);
  return [lon / RADIANS, Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS];
}
