import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { toPairs, toPlot, toRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { GeodesicInverse } from "../../earth/geodesic.ts";
import { EdgeDistance } from "../edge-distance.ts";
import { PlotTree } from "../plot-tree.ts";
import { AreaBox } from "./area-box.ts";
import { Plane } from "./plane.ts";

const RADIANS = Math.PI / 180;
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);

type Position = readonly [lon: number, lat: number];

describe("Plane", () => {
  it("holds no chord shorter than in it, and none longer than its stretch allows, at all latitudes (seed 1)", () => {
    const random = createSeededRandom(1);
    let good = 0;
    for (let i = 0; i < 6_000; i++) {
      const { plane, plot, area, reachMeters } = randomPlane(random);
      if (plane.east === 0) continue;
      if (plane.stretch < Infinity) good++;
      for (let k = 0; k < 12; k++) {
        const p = randomCorner(random, plot);
        const q = randomCorner(random, area);
        const chord = chordLength(p, q);
        // A pair out of reach may be farther apart than its bound, but the bound puts it out of reach too.
        const x = (q[0] - p[0]) * plane.east;
        const y = (q[1] - p[1]) * plane.north;
        const meters = Math.hypot(x, y);
        if (meters > chord + 1e-7 && chord <= reachMeters)
          expect.fail(JSON.stringify({ p, q, meters, chord }));
        if (chord > meters * plane.stretch + 1e-7) expect.fail(JSON.stringify({ p, q, meters, chord }));
      }
    }
    expect(good).toBeGreaterThan(2_000);
  });

  it("leaves no geodesic out that is shorter than one it was bounded by (seed 2)", () => {
    const random = createSeededRandom(2);
    const inverse = new GeodesicInverse();
    let compared = 0;
    for (let i = 0; i < 8_000; i++) {
      const { plane, plot, area } = randomPlane(random);
      if (plane.stretch === Infinity) continue;
      const [p, q] = [randomCorner(random, plot), randomCorner(random, area)];
      const [r, s] = [randomCorner(random, plot), randomCorner(random, area)];
      const most = plane.mostWithin(planarDistanceSquared(plane, p, q));
      const shorter = inverse.solve(...r, ...s) < inverse.solve(...p, ...q);
      if (shorter && !(Math.sqrt(planarDistanceSquared(plane, r, s)) <= most))
        expect.fail(JSON.stringify({ p, q, r, s }));
      compared++;
    }
    expect(compared).toBeGreaterThan(2_000);
  });

  it("calls an end the nearest of an edge only where it is, to the bit (seed 3)", () => {
    const random = createSeededRandom(3);
    const exact = new EdgeDistance();
    let beyond = 0;
    for (let i = 0; i < 12_000; i++) {
      const { plane, plot, area } = randomPlane(random);
      if (plane.stretch === Infinity) continue;
      const p = randomCorner(random, plot);
      const [a, b] = [randomCorner(random, area), randomCorner(random, area)];
      const [x, y] = [(a[0] - p[0]) * plane.east, (a[1] - p[1]) * plane.north];
      const [u, v] = [(b[0] - a[0]) * plane.east, (b[1] - a[1]) * plane.north];
      const length = Math.hypot(u, v);
      if (!(length > 0) || !plane.isBeyond((x * u + y * v) / length, Math.hypot(x, y))) continue;
      beyond++;
      const toEdge = exact.meters(...p, ...a, ...b);
      const toEnd = exact.meters(...p, ...a, ...a);
      if (toEdge !== toEnd) expect.fail(JSON.stringify({ p, a, b, toEdge, toEnd }));
    }
    expect(beyond).toBeGreaterThan(1_000);
  });

  it("is none at a pole, and not a good one beside it nor between boxes far apart", () => {
    const fitPlane = (
      plot: readonly Position[],
      west: number,
      south: number,
      east: number,
      north: number,
    ) => {
      const tree = new PlotTree();
      tree.hold(toPlot([[toRing(plot.map(([lon, lat]) => [lon, lat]))]]), {});
      tree.setReach(10_000);
      const plane = new Plane();
      plane.set(Object.assign(new AreaBox(), { west, south, east, north }), tree, tree.root);
      return plane;
    };
    const square = (lat: number): Position[] => toPairs(0, lat, 0.01, lat, 0.01, lat + 0.01);
    expect(fitPlane(square(89.98), 0, 89.99, 1, 90).east).toBe(0);
    expect(fitPlane(square(89.9), 0.02, 89.91, 0.03, 89.92).stretch).toBe(Infinity);
    expect(fitPlane(square(10), 2, 10, 2.1, 10.1).stretch).toBe(Infinity);
    expect(fitPlane(square(10), 0.02, 10, 0.03, 10.01).stretch).toBeLessThan(1.001);
  });
});

/** The plane of a plot and a box beside it, with the corners of both. */
function randomPlane(random: Random): {
  readonly plane: Plane;
  readonly plot: readonly Position[];
  readonly area: readonly Position[];
  readonly reachMeters: number;
} {
  const lat =
    (random.next() < 0.2 ? random.between(80, 89.9) : random.between(0, 80)) * (random.next() < 0.5 ? -1 : 1);
  const lon = random.between(-360, 360);
  const size = 10 ** random.between(-5, -0.7);
  const wide = 1 / Math.cos(lat * RADIANS);
  const at = (x: number, y: number, s: number): Position[] => {
    const south = Math.max(-89.99, Math.min(89.99, lat + y));
    const north = Math.min(89.99, south + s * random.next());
    const west = lon + x * wide;
    const east = west + s * wide * random.next();
    return toPairs(west, south, east, south, east, north, west, north);
  };
  const plot = at(0, 0, size);
  const area = at(random.between(-0.2, 0.2), random.between(-0.2, 0.2), 10 ** random.between(-5, -0.7));
  const reachMeters = 10 ** random.between(3, 5);
  const tree = new PlotTree();
  tree.hold(toPlot([[toRing(plot)]]), {});
  tree.setReach(reachMeters);
  const box = new AreaBox();
  [[box.west, box.south], , [box.east, box.north]] = area as [Position, Position, Position, Position];
  const plane = new Plane();
  plane.set(box, tree, tree.root);
  return { plane, plot, area, reachMeters };
}

/** A corner, or a point between two that face each other. */
function randomCorner(random: Random, [southWest, , northEast]: readonly Position[]): Position {
  const share = () => (random.next() < 0.5 ? Math.round(random.next()) : random.next());
  const [x, y] = [share(), share()];
  return [
    southWest![0] + x * (northEast![0] - southWest![0]),
    southWest![1] + y * (northEast![1] - southWest![1]),
  ];
}

function planarDistanceSquared(plane: Plane, p: Position, q: Position): number {
  return ((q[0] - p[0]) * plane.east) ** 2 + ((q[1] - p[1]) * plane.north) ** 2;
}

function chordLength(p: Position, q: Position): number {
  return Math.hypot(...toPlace(p).map((value, k) => value - toPlace(q)[k]!));
}

function toPlace([lon, lat]: Position): [number, number, number] {
  const s = Math.sin(lat * RADIANS);
  const normal = A / Math.sqrt(1 - E2 * s * s);
  const axis = normal * Math.cos(lat * RADIANS);
  return [axis * Math.cos(lon * RADIANS), axis * Math.sin(lon * RADIANS), normal * (1 - E2) * s];
}
