import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { AreaGeometry } from "../../area-geometry.ts";
import { densifyGreatCircles } from "./spherical-edges.ts";

type Position = readonly [number, number];
const RADIANS = Math.PI / 180;
const vector = ([x, y]: Position) => [
  Math.cos(y * RADIANS) * Math.cos(x * RADIANS),
  Math.cos(y * RADIANS) * Math.sin(x * RADIANS),
  Math.sin(y * RADIANS),
];

/** Metres of a position from the great circle of two others, by its pole. */
function measureMetersOff(position: Position, from: Position, to: Position): number {
  const [a, b, p] = [vector(from), vector(to), vector(position)];
  const pole = [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
  const length = Math.hypot(...pole);
  return 6_371_000 * Math.abs(Math.asin((pole[0]! * p[0]! + pole[1]! * p[1]! + pole[2]! * p[2]!) / length));
}

const line = (...coordinates: Position[]) => ({ type: "LineString", coordinates });
const filled = (...positions: Position[]) =>
  (densifyGreatCircles(line(...positions)) as { coordinates: Position[] }).coordinates;

describe("alongGreatCircles", () => {
  it("keeps straight edges within 1 cm of the great circle, wherever it is looked at", () => {
    const random = createSeededRandom(35);
    for (let i = 0; i < 200; i++) {
      const size = 10 ** random.between(-4, 1);
      const from: Position = [random.between(-179, 160), random.between(-60, 60)];
      const to: Position = [from[0] + random.between(-size, size), from[1] + random.between(-size, size)];
      const positions = filled(from, to);
      expect([positions[0], positions.at(-1)]).toEqual([from, to]);
      for (let k = 1; k < positions.length; k++) {
        const [a, b] = [positions[k - 1]!, positions[k]!];
        for (const part of [0.1, 0.3, 0.5, 0.8]) {
          const at: Position = [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
          expect(measureMetersOff(at, from, to)).toBeLessThan(0.01);
        }
      }
    }
  });

  it("puts nothing into short edges, meridians and the equator, and the same positions from either end", () => {
    expect(filled([-55, -6], [-55.0001, -6.0001])).toHaveLength(2);
    expect(filled([-55, -6], [-55, 20])).toHaveLength(2);
    expect(filled([-55, 0], [-20, 0])).toHaveLength(2);
    const [from, to]: [Position, Position] = [
      [-55, -30],
      [-54, -29],
    ];
    expect(filled(to, from).toReversed()).toEqual(filled(from, to));
    expect(filled([-55, -6], [130, -6])).toHaveLength(2);
  });

  it("fills the rings of polygons and what is in collections, and leaves points", () => {
    const ring = Float64Array.of(0, 40, 10, 40, 10, 50, 0, 40);
    const area = densifyGreatCircles(new AreaGeometry([[ring]], false)) as AreaGeometry;
    expect(area.polygons[0]![0]!.length).toBeGreaterThan(1000);
    expect(area.toGeoJson().type).toBe("Polygon");
    const point = { type: "Point", coordinates: [0, 40] };
    const geometries = [point, line([0, 40], [1, 40])];
    const collection = densifyGreatCircles({ type: "GeometryCollection", geometries }) as {
      geometries: unknown[];
    };
    expect(collection.geometries[0]).toBe(point);
    expect(collection.geometries[1]).toMatchObject({ type: "LineString" });
    expect(densifyGreatCircles(null)).toBeNull();
  });
});
