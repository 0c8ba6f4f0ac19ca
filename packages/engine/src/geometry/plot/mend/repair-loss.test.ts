import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions as box } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { sumPolygonAreas } from "../../earth/authalic.ts";
import { prepareArea } from "./prepare-area.ts";

type Ring = (readonly [number, number])[];

const polygon = (...coordinates: Ring[]) => prepareArea({ type: "Polygon", coordinates });
const measureArea = (...rings: Ring[]) =>
  sumPolygonAreas([rings.map((ring) => Float64Array.from(ring.flat()))]);
/** A box whose ring has a position every 30° of longitude, so that it is read as it is written. */
const dense = (west: number, south: number, east: number, north: number): Ring => {
  const steps = Array.from({ length: 13 }, (_, i) => west + ((east - west) * i) / 12);
  const along = (latitude: number) => steps.map((longitude) => [longitude, latitude] as const);
  return [...along(south), ...along(north).reverse(), [west, south]];
};

describe("the loss of a repair", () => {
  it("is reported for every box between longitudes more than 180° apart, with both areas", () => {
    const random = createSeededRandom(4101);
    for (let i = 0; i < 200; i++) {
      const west = -random.between(90.1, 179.99);
      const east = random.between(90.1, 179.99);
      const south = random.between(-85, 60);
      const north = south + random.between(0.1, 25);
      const area = polygon(box(west, south, east, north));
      expect(area.faults[0]?.code).toBe("LONGITUDE_JUMP");
      const written = measureArea(dense(west, south, east, north));
      expect(area.loss?.reading).toBe("as_written");
      expect(area.loss!.squareMeters / written).toBeCloseTo(1, 9);
      expect(area.loss!.lostSquareMeters / written).toBeCloseTo(1, 9);
      const short = measureArea(box(east, south, west + 360, north));
      expect(area.squareMetersAfter! / short).toBeCloseTo(1, 9);
    }
  });

  it("is reported where both readings have a further fault alike", () => {
    const spiked: Ring = [
      [-170, 60],
      [170, 60],
      [170, 80],
      [-170, 80],
      [-170, 75],
      [-168, 70],
      [-168, 75],
      [-170, 70],
      [-170, 60],
    ];
    expect(polygon(spiked).loss?.reading).toBe("as_written");
  });

  it("is none where rings cross the antimeridian as none can that goes the long way", () => {
    const random = createSeededRandom(4102);
    for (let i = 0; i < 100; i++) {
      const [lon, lat] = [180 + random.between(-0.5, 0.5), random.between(-70, 70)];
      const radius = random.between(1, 8);
      const positions = Array.from({ length: 40 }, (_, k): readonly [number, number] => {
        const angle = (2 * Math.PI * k) / 40;
        const x = lon + radius * random.between(0.8, 1) * Math.cos(angle);
        return [x > 180 ? x - 360 : x, lat + radius * random.between(0.8, 1) * Math.sin(angle)];
      });
      const area = polygon([...positions, positions[0]!]);
      expect(area.faults.some(({ code }) => code === "LONGITUDE_JUMP")).toBe(true);
      if (area.loss !== undefined) expect(area.loss.reading).toBe("as_written");
      expect(area.squareMetersAfter!).toBeLessThan(3.2e5 * 1e6 * radius * radius);
    }
  });

  it.each([
    [
      "a cap cut at ±180",
      [
        [-180, 60],
        [180, 61],
        [180, 90],
        [-180, 90],
        [-180, 60],
      ],
      [-180, 60, 180, 90],
    ],
    [
      "a belt that ends at 180",
      [
        [-170, -80],
        [180, -80],
        [180, -60],
        [-170, -60],
        [-170, -80],
      ],
      [-170, -80, 180, -60],
    ],
    [
      "a cap that runs along the pole",
      [
        [-170, -90],
        [170, -90],
        [170, -60],
        [-170, -60],
        [-170, -90],
      ],
      [-170, -90, 170, -60],
    ],
  ] as [string, Ring, [number, number, number, number]][])(
    "is none of %s, which is read as it is written",
    (_, ring, bounds) => {
      const area = polygon(ring);
      expect(area).toMatchObject({ faults: [], repaired: false });
      expect(area.mended.map(({ code }) => code)).toContain("LONGITUDE_AS_WRITTEN");
      const whole = measureArea(dense(...bounds));
      expect(sumPolygonAreas(area.polygons) / whole).toBeGreaterThan(0.95);
      expect(sumPolygonAreas(area.polygons) / whole).toBeLessThan(1 + 1e-9);
    },
  );

  it("is none of a coast across the antimeridian that runs along it in places, and is valid the short way alone", () => {
    const coast: Ring = [
      [178, 0],
      [180, -1],
      [180, 0],
      [-179.9, 0.1],
      [-178, 2],
      [-179.9, 1],
      [179, 2],
      [178, 0],
    ];
    const area = polygon(coast);
    expect(area.faults.map(({ code }) => code)).toEqual(["LONGITUDE_JUMP", "LONGITUDE_JUMP"]);
    expect([area.loss, area.mended]).toEqual([undefined, []]);
    expect(area.squareMetersAfter!).toBeLessThan(1e11);
  });

  it("is reported where a cap that runs along one side of a map is valid in neither way", () => {
    const spike: Ring = [
      [-170, -70],
      [-168, -75],
      [-168, -70],
      [-170, -75],
    ];
    const cut = polygon([
      [180, -60],
      [180, -80],
      [-170, -80],
      ...[...spike].reverse(),
      [-170, -60],
      [180, -60],
    ]);
    expect(cut.loss?.reading).toBe("as_written");
  });

  it("is none of the whole earth, and of boxes from −180 to 180", () => {
    for (const [south, north] of [
      [-90, 90],
      [-60, 85],
    ] as const) {
      expect(polygon(box(-180, south, 180, north))).toMatchObject({ faults: [], repaired: false });
    }
  });

  it("is reported where an island within a hole is taken for a hole, and more than a tenth is lost with it", () => {
    const random = createSeededRandom(4103);
    for (let i = 0; i < 100; i++) {
      const side = random.between(0.5, 5.9);
      const area = polygon(box(0, 0, 10, 10), box(2, 2, 8.5, 8.5), box(2.2, 2.2, 2.2 + side, 2.2 + side));
      const island = measureArea(box(2.2, 2.2, 2.2 + side, 2.2 + side));
      const other = measureArea(box(0, 0, 10, 10)) - measureArea(box(2, 2, 8.5, 8.5)) + island;
      expect(area.loss !== undefined).toBe(island > other / 10);
      if (area.loss === undefined) continue;
      expect(area.loss.reading).toBe("even_odd");
      expect(area.loss.squareMeters / other).toBeCloseTo(1, 9);
      expect(area.loss.lostSquareMeters / island).toBeCloseTo(1, 9);
    }
  });

  it("is none of faults that take no land: repeated and overlapping parts, bow-ties, copies of a hole", () => {
    const whole = box(0, 0, 4, 4);
    const parts = [[whole], [whole], [box(2, 2, 6, 6)]];
    expect(prepareArea({ type: "MultiPolygon", coordinates: parts }).loss).toBeUndefined();
    expect(
      polygon([
        [0, 0],
        [4, 4],
        [4, 0],
        [0, 4],
        [0, 0],
      ]).loss,
    ).toBeUndefined();
    expect(polygon(whole, box(1, 1, 3, 3), [...box(1, 1, 3, 3)].reverse()).loss).toBeUndefined();
    expect(polygon([...whole.slice(0, 4), ...whole]).loss).toBeUndefined();
  });

  it("is reported where the outer ring collapsed, and its holes have all the land", () => {
    const collapsed: Ring = [
      [0, 0],
      [4, 0],
      [0, 0],
      [0, 0],
    ];
    const parts = [[box(5, 5, 6, 6)], [collapsed, box(0, 1, 3, 4)]];
    expect(prepareArea({ type: "MultiPolygon", coordinates: parts }).loss?.reading).toBe("even_odd");
  });
});
