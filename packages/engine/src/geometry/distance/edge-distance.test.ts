import { createSeededRandom } from "@groundrule/testing/random";
import geographicLib from "geographiclib-geodesic";
import { describe, expect, it } from "vitest";
import { searchShortestMeters } from "../../../test/geodesic-oracle.ts";
import { LocalFrame } from "../earth/local-frame.ts";
import { EdgeDistance } from "./edge-distance.ts";
import { completeEdgeRecord, RECORD, SAG } from "./plot-tree.ts";

const { WGS84 } = geographicLib.Geodesic;
const LONG = process.env.GROUNDRULE_FULL !== undefined;

describe("EdgeDistance", () => {
  it("agrees with GeographicLib within 0.1 µm between positions up to and beyond 60 km, poles included (seed 1)", () => {
    const random = createSeededRandom(1);
    const exact = new EdgeDistance();
    for (let i = 0; i < (LONG ? 1_000_000 : 20_000); i++) {
      const lon = random.between(-180, 180);
      const lat = i % 3 === 0 ? 90 - random.next() ** 2 * 2 : random.between(-90, 90);
      const there = WGS84.Direct(lat, lon, random.between(0, 360), 10 ** random.between(-3, 5));
      const truth = WGS84.Inverse(lat, lon, there.lat2!, there.lon2!).s12!;
      const found = exact.meters(lon, lat, there.lon2!, there.lat2!, there.lon2!, there.lat2!);
      expect(Math.abs(found - truth)).toBeLessThan(1e-7);
    }
  });

  it("finds the nearest point of an edge, its ends included, as a search does (seed 2)", () => {
    const random = createSeededRandom(2);
    const exact = new EdgeDistance();
    for (let i = 0; i < (LONG ? 5_000 : 100); i++) {
      const lon = random.between(-180, 180);
      const lat = random.between(-80, 80);
      const far = 10 ** random.between(-2, 1);
      const [lonA, latA] = [lon + random.between(-far, far), lat + random.between(-far, far)];
      const [lonB, latB] = [lonA + random.between(-0.05, 0.05), latA + random.between(-0.05, 0.05)];
      const truth = searchShortestMeters([[lon, lat, lon, lat]], [[lonA, latA, lonB, latB]]);
      expect(Math.abs(exact.meters(lon, lat, lonA, latA, lonB, latB) - truth)).toBeLessThan(1e-6);
    }
  });
});

describe("LocalFrame", () => {
  it("places positions within the error it states, near and far (seed 3)", () => {
    const random = createSeededRandom(3);
    const frame = new LocalFrame();
    const out = new Float64Array(6);
    for (let i = 0; i < 20_000; i++) {
      const radius = 10 ** random.between(-3, 1.5);
      const lon = random.between(-180, 180);
      const lat = random.between(-85, 85);
      const span = Math.min(radius, 90 - Math.abs(lat));
      frame.set(lon, lat, 2 * radius, span);
      const at = (): [number, number] => [
        lon + random.between(-2, 2) * radius,
        lat + random.between(-1, 1) * span,
      ];
      const [a, b] = [at(), at()];
      frame.place(...a, out, 0);
      frame.place(...b, out, 3);
      const chord = Math.hypot(out[0]! - out[3]!, out[1]! - out[4]!, out[2]! - out[5]!);
      expect(
        Math.abs(chord - Math.hypot(...subtractVectors(toGeocentric(...a), toGeocentric(...b)))),
      ).toBeLessThan(2 * frame.errorMeters);
    }
  });
});

describe("an edge's sag", () => {
  it("is never less than the distance of the edge from its chord (seed 4)", () => {
    const random = createSeededRandom(4);
    const record = new Float64Array(RECORD);
    const frame = new LocalFrame();
    frame.set(0, 0, 180, 90);
    for (let i = 0; i < 5_000; i++) {
      const size = 10 ** random.between(-3, 1);
      const lat = random.between(-90, 90);
      const far = Math.max(-90, Math.min(90, lat + random.between(-size, size)));
      const lon = random.between(-3, 3) * size;
      record.set([0, lat, lon, far]);
      completeEdgeRecord(record, 0, frame);
      const [a, b] = [toGeocentric(0, lat), toGeocentric(lon, far)];
      for (const t of [0.25, 0.5, 0.75]) {
        const on = toGeocentric(lon * t, lat + (far - lat) * t);
        const chord = a.map((v, k) => v + (b[k]! - v) * t) as [number, number, number];
        expect(Math.hypot(...subtractVectors(on, chord))).toBeLessThan(record[SAG]! + 1e-8);
      }
    }
  });
});

function toGeocentric(lon: number, lat: number): [number, number, number] {
  const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  const f = 1 / 298.257223563;
  const e2 = f * (2 - f);
  const n = 6378137 / Math.sqrt(1 - e2 * Math.sin(p) ** 2);
  return [n * Math.cos(p) * Math.cos(l), n * Math.cos(p) * Math.sin(l), n * (1 - e2) * Math.sin(p)];
}

function subtractVectors(a: [number, number, number], b: [number, number, number]): [number, number, number] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
