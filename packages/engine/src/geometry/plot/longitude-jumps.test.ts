import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import {
  createBoxPositions,
  createStarRing,
  moveRing,
  toPairs,
  toPositions,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { sumPolygonAreas } from "../earth/authalic.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import { isJump } from "./longitude-jumps.ts";
import { prepareArea } from "./mend/prepare-area.ts";
import { parsePlot } from "./parse-plot.ts";

const SEED = 20261122;
type Position = readonly [number, number];

/** Longitudes as most tools write them. */
const wrapped = (x: number): number => (x > 180 ? x - 360 : x < -180 ? x + 360 : x);
const polygon = (...coordinates: (readonly Position[])[]): object => ({ type: "Polygon", coordinates });

const refusal = (input: unknown) => catchRefusal(() => parsePlot(input));

const measureSquareMeters = (input: unknown): number =>
  exactKernel.bind(parsePlot(input).plot).areaSquareMeters;

/** A field of 0.2 by 0.2 degrees across the antimeridian, as most tools write it. */
const FIELD: Position[] = createBoxPositions(179.9, -17, -179.9, -16.8);

describe("an edge of 180° of longitude or more", () => {
  it("in a plot is a fault at its place, with the short way proposed", () => {
    const { code, details, message } = refusal(polygon(FIELD));
    expect(code).toBe("GEOMETRY_INVALID");
    expect(details.faults).toMatchObject([
      { code: "LONGITUDE_JUMP", pointer: "/coordinates/0/0", position: 0, coordinate: [179.9, -17] },
      { code: "LONGITUDE_JUMP", pointer: "/coordinates/0/2", position: 2, coordinate: [-179.9, -16.8] },
    ]);
    expect(message).toContain("179.9 to 180.1");
    expect(details.repaired).toEqual(polygon(createBoxPositions(179.9, -17, 180.1, -16.8)));
    expect(measureSquareMeters(details.repaired)).toBeGreaterThan(4e8);
    expect(details.area_change_m2).toBeLessThan(-7e11);
  });

  it("may run along a pole, or once round at one latitude", () => {
    expect(isJump(-180, 90, 180, 90)).toBe(false);
    expect(isJump(0, -90, 200, -90)).toBe(false);
    expect(isJump(-180, 10, 180, 10)).toBe(false);
    expect(isJump(-180, 10, 180, 11)).toBe(true);
    expect(isJump(-179, 10, 180, 10)).toBe(true);
    expect(isJump(0, 90, 200, -90)).toBe(true);
    const cap: Position[] = createBoxPositions(-180, 80, 180, 90);
    const belt: Position[] = cap.map(([x, y]) => [x, y - 20]);
    for (const ring of [cap, belt]) expect(parsePlot(polygon(ring)).warnings).toEqual([]);
  });

  it("of exactly 180° is halved as it is written", () => {
    const { details } = refusal(polygon(createBoxPositions(-90, 0, 90, 10)));
    expect(details.faults?.map(({ pointer }) => pointer)).toEqual(["/coordinates/0/0", "/coordinates/0/2"]);
    expect(details.repaired).toEqual(polygon(toPairs(-90, 0, 0, 0, 90, 0, 90, 10, 0, 10, -90, 10, -90, 0)));
    expect(details.area_change_m2).toBe(0);
  });

  it("beside one of 360° that leads back to the same place closes the ring (Fiji in world-atlas)", () => {
    const island: Position[] = toPairs(
      180,
      -16.5,
      179.75,
      -16.25,
      -180,
      -16,
      -179.5,
      -16.25,
      -180,
      -16.5,
      180,
      -16.5,
    );
    const { details } = refusal(polygon(island));
    expect(details.faults).toHaveLength(1);
    const diamond = Float64Array.of(180, -16.5, 179.75, -16.25, 180, -16, 180.5, -16.25, 180, -16.5);
    expect(measureSquareMeters(details.repaired) / sumPolygonAreas([[diamond]])).toBeCloseTo(1, 12);
    expect(prepareArea(polygon(island)).squareMetersAfter).toBeLessThan(3e9);
  });

  it("in a line is a fault too", () => {
    const { code, details } = refusal({
      type: "LineString",
      coordinates: toPairs(170, 1, -170, 2, -160, 2),
    });
    expect(code).toBe("GEOMETRY_INVALID");
    expect(details.faults).toMatchObject([{ code: "LONGITUDE_JUMP", pointer: "/coordinates/0" }]);
    expect(details.repaired).toEqual({
      type: "LineString",
      coordinates: toPairs(170, 1, 190, 2, 200, 2),
    });
  });

  it(`is taken the short way wherever shapes lie, holes with their polygons (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < 300; i++) {
      const [lon, lat] = [180 + random.between(-3, 3), random.between(-70, 70)];
      const outer = createStarRing(random, lon, lat, random.between(0.5, 8), 8 + random.integer(30));
      const whole = [
        outer,
        outer.map((value, k) => (k % 2 === 0 ? lon : lat) + (value - (k % 2 === 0 ? lon : lat)) / 8),
      ];
      const second = [moveRing(outer, random.between(20, 40) * (random.next() < 0.5 ? 1 : -1), 0)];
      const asWritten = {
        type: "MultiPolygon",
        coordinates: [whole, second].map((rings) =>
          rings.map((ring) => toPositions(ring).map(([x, y]) => [wrapped(x), y])),
        ),
      };
      const expected = sumPolygonAreas([whole, second]);
      const area = prepareArea(asWritten);
      const jumps = area.faults.length;
      expect(sumPolygonAreas(area.polygons) / expected).toBeCloseTo(1, 11);
      if (jumps === 0) continue;
      expect(area.repaired).toBe(true);
      expect(area.squareMetersAfter! / expected).toBeCloseTo(1, 11);
      const { details } = refusal(asWritten);
      expect(details.faults).toHaveLength(jumps);
      expect(measureSquareMeters(details.repaired) / expected).toBeCloseTo(1, 11);
    }
  });

  it(`makes a cap of what runs round a pole, less its holes (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < 100; i++) {
      const sign = random.next() < 0.5 ? 1 : -1;
      const start = random.between(-180, 180);
      const round = (low: number, high: number): Position[] => {
        const ring = Array.from({ length: 12 }, (_, k): Position => {
          const x = start + 30 * k + random.between(0, 20);
          return [wrapped(x > 540 ? x - 360 : x > 180 ? x - 360 : x), sign * random.between(low, high)];
        });
        return [...ring, ring[0]!];
      };
      const outer = round(60, 65);
      const inner = round(75, 80);
      const lakes = [-170, -60, 50, 175].map((x): Position[] => {
        const at = (dx: number, dy: number): Position => [wrapped(x + dx), sign * (70 + dy)];
        return [at(0, 0), at(8, 0), at(8, 2), at(0, 2), at(0, 0)];
      });
      /** Between a ring that runs round and the pole: by the sum along the ring, as far as a thin strip. */
      const beyond = (ring: Position[]): number => {
        let sum = 0;
        for (let k = 1; k < ring.length; k++) {
          const [[x0, y0], [x1, y1]] = [ring[k - 1]!, ring[k]!];
          const x = x1 - 360 * Math.round((x1 - x0) / 360);
          sum += sumPolygonAreas([[Float64Array.of(x0, y0, x, y1, x, 90 * sign, x0, 90 * sign, x0, y0)]]);
        }
        return sum;
      };
      const lake = sumPolygonAreas([[Float64Array.of(0, 70, 8, 70, 8, 72, 0, 72, 0, 70)]]);
      const expected = beyond(outer) - beyond(inner) - 4 * lake;
      const area = prepareArea(polygon(outer, inner, ...lakes));
      expect(area.squareMetersAfter! / expected).toBeCloseTo(1, 11);
      const capped = prepareArea(polygon(outer));
      expect(capped.squareMetersAfter! / beyond(outer)).toBeCloseTo(1, 11);
      const layer = buildAreaLayer([area.polygons, capped.polygons]);
      const pole = parsePlot({ type: "Point", coordinates: [12, 90 * sign] }).plot;
      expect(
        exactKernel
          .bind(pole)
          .intersections(layer)
          .map(({ area }) => area),
      ).toEqual([1]);
    }
  });
});
