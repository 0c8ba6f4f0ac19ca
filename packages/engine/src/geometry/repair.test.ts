import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf, type GridRing } from "../../test/cells.ts";
import { EngineError } from "../errors.ts";
import { pointInRing } from "./predicates.ts";
import { repairEvenOdd } from "./repair.ts";
import { findFaults } from "./validity.ts";
import { WorkMeter } from "./work-meter.ts";

const flat = (ring: GridRing): Float64Array => Float64Array.from(ring.flat());
const repaired = (...rings: GridRing[]): number[][][] =>
  repairEvenOdd(rings.map(flat)).map((polygon) => polygon.map((ring) => [...ring]));

const box = (west: number, south: number, east: number, north: number): GridRing => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

describe("repairEvenOdd", () => {
  it("parts a bow-tie at its knot", () => {
    const bowTie: GridRing = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ];
    expect(repaired(bowTie)).toEqual([[[0, 0, 1, 1, 0, 2, 0, 0]], [[2, 2, 1, 1, 2, 0, 2, 2]]]);
  });

  it("gives back a valid polygon, wound right", () => {
    const backwards = [...box(0, 0, 4, 4)].reverse();
    expect(repaired(backwards, box(1, 1, 2, 2))).toEqual([
      [
        [0, 0, 4, 0, 4, 4, 0, 4, 0, 0],
        [1, 1, 1, 2, 2, 2, 2, 1, 1, 1],
      ],
    ]);
  });

  it("turns an island written as a hole into land", () => {
    expect(areaOf(repairEvenOdd([flat(box(0, 0, 2, 2)), flat(box(4, 4, 6, 6))]))).toBe(8);
  });

  it("turns a part within another into a hole, and leaves out what two parts share", () => {
    expect(areaOf(repairEvenOdd([flat(box(0, 0, 6, 6)), flat(box(1, 1, 2, 2))]))).toBe(35);
    expect(areaOf(repairEvenOdd([flat(box(0, 0, 4, 4)), flat(box(2, 2, 6, 6))]))).toBe(24);
  });

  it("drops spikes and what encloses nothing", () => {
    const spike: GridRing = [
      [0, 0],
      [4, 0],
      [6, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ];
    expect(repaired(spike)).toEqual([[[0, 0, 4, 0, 4, 4, 0, 0]]]);
    expect(repaired(box(1, 1, 1, 1))).toEqual([]);
    expect(repaired(box(0, 0, 4, 4), box(0, 0, 4, 4))).toEqual([]);
    expect(repaired()).toEqual([]);
  });

  it("makes a ring that touches itself a ring with a hole that touches it", () => {
    const pinched: GridRing = [
      [0, 0],
      [6, 0],
      [6, 6],
      [3, 6],
      [4, 4],
      [2, 4],
      [3, 6],
      [0, 6],
      [0, 0],
    ];
    const [polygon, ...others] = repairEvenOdd([flat(pinched)]);
    expect(others).toEqual([]);
    expect(polygon).toHaveLength(2);
    expect(findFaults([polygon!])).toEqual([]);
  });

  it("nests islands in lakes on islands in lakes", () => {
    const nested = [6, 5, 4, 3, 2].map((size) => flat(box(6 - size, 6 - size, size, size)));
    const depths = Array.from({ length: 40 }, (_, i) => flat(box(i, i, 100 - i, 100 - i)));
    expect(repairEvenOdd(depths).map((polygon) => polygon.length)).toEqual(new Array(20).fill(2));
    expect(findFaults(repairEvenOdd([...depths, ...nested]))).toEqual([]);
  });

  it("encloses exactly what is odd, in valid polygons, for 2,000 random sets of rings", () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
    const ring = fc
      .array(point, { minLength: 3, maxLength: 9 })
      .map((points): GridRing => [...points, points[0]!]);
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (rings) => {
        const polygons = repairEvenOdd(rings.map(flat));
        expect(findFaults(polygons)).toEqual([]);
        const cells = cellsOf(rings);
        let area = 0;
        for (const cell of cells) {
          const odd = cell.inside.filter(Boolean).length % 2 === 1;
          if (odd) area += cell.area;
          expect(encloses(polygons, cell.middle)).toBe(odd);
        }
        expect(areaOf(polygons)).toBeCloseTo(area, 9);
      }),
      { seed: 4711, numRuns: 2000 },
    );
  });

  it("accepts its own output and changes nothing in it", () => {
    const point = fc.tuple(
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 30 }), (points) => {
        const once = repairEvenOdd([flat([...points, points[0]!])]);
        expect(findFaults(once)).toEqual([]);
        const twice = repairEvenOdd(once.flat());
        expect(positionsOf(twice)).toEqual(positionsOf(once));
        expect(findFaults(twice)).toEqual([]);
      }),
      { seed: 90_210, numRuns: 400 },
    );
  });

  it("settles edges that nearly coincide, to 1e-14 and to the last bit", () => {
    const jitter = fc.integer({ min: -3, max: 3 });
    const near = fc
      .tuple(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        jitter,
        jitter,
        fc.constantFrom(1e-14, 7e-15, 2 ** -50),
      )
      .map(([x, y, dx, dy, unit]): [number, number] => [
        -52.1234567890123 + x * 0.1 + dx * unit,
        3.98765432109876 + y * 0.1 + dy * unit,
      ]);
    fc.assert(
      fc.property(fc.array(near, { minLength: 3, maxLength: 24 }), (points) => {
        expect(findFaults(repairEvenOdd([flat([...points, points[0]!])]))).toEqual([]);
      }),
      { seed: 1_000_003, numRuns: 1500 },
    );
  });

  it("keeps every position that stays on the boundary to the bit", () => {
    const ring: GridRing = [
      [-52.123456789012344, 3.3333333333333335],
      [-51.7, 3.1],
      [-51.2, 4.100000000000001],
      [-52.1, 3.9],
      [-51.4, 3.05],
      [-52.123456789012344, 3.3333333333333335],
    ];
    const kept = new Set(positionsOf(repairEvenOdd([flat(ring)])));
    for (const [x, y] of ring) expect(kept).toContain(`${x},${y}`);
  });

  it("repairs stars, spirals and the whole world", () => {
    const star = starOf(101);
    const polygons = repairEvenOdd([star]);
    expect(findFaults(polygons)).toEqual([]);
    const spiral: [number, number][] = [];
    for (let i = 0; i < 2000; i++)
      spiral.push([Math.cos(i * 0.1) * (1 + i * 0.01), Math.sin(i * 0.1) * (1 + i * 0.01)]);
    expect(findFaults(repairEvenOdd([flat([...spiral, spiral[0]!])]))).toEqual([]);
    expect(repaired(box(-180, -90, 180, 90), box(-540, -90, -180, 90))).toHaveLength(1);
  });

  it("refuses a star of too many crossings by its work", () => {
    const repair = (): unknown => repairEvenOdd([starOf(20_001)], { meter: new WorkMeter(10_000_000) });
    expect(repair).toThrow(EngineError);
    expect(repair).toThrow(expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }));
  });
});

/** The polygon {n, (n − 1) / 2}, every edge of which crosses almost every other. */
function starOf(n: number): Float64Array {
  const star = new Float64Array(2 * (n + 1));
  for (let i = 0; i <= n; i++) {
    const angle = (2 * Math.PI * (((i % n) * (n - 1)) / 2)) / n;
    star[2 * i] = Math.cos(angle);
    star[2 * i + 1] = Math.sin(angle);
  }
  return star;
}

function positionsOf(polygons: readonly (readonly Float64Array[])[]): string[] {
  const positions = new Set<string>();
  for (const ring of polygons.flat()) {
    for (let i = 0; i < ring.length; i += 2) positions.add(`${ring[i]},${ring[i + 1]}`);
  }
  return [...positions].sort();
}

/** Area in the plane of longitude and latitude. */
function areaOf(polygons: readonly (readonly Float64Array[])[]): number {
  let doubled = 0;
  for (const ring of polygons.flat()) {
    for (let i = 0; i + 3 < ring.length; i += 2)
      doubled += ring[i]! * ring[i + 3]! - ring[i + 2]! * ring[i + 1]!;
  }
  return doubled / 2;
}

function encloses(
  polygons: readonly (readonly Float64Array[])[],
  [x, y]: readonly [number, number],
): boolean {
  const around = polygons.flat().filter((ring) => pointInRing(x, y, ring, 0, ring.length / 2) === "inside");
  return around.length % 2 === 1;
}
