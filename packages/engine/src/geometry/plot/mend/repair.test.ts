import { createRegularStar } from "@groundrule/testing/hard-rings";
import { createBoxPositions as box, toPairs } from "@groundrule/testing/shapes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cell, doCellsMeet, type GridRing, toCells } from "../../../../test/cells.ts";
import { pointInRing } from "../../../../test/point-in-ring.ts";
import { EngineError } from "../../../base/errors.ts";
import { WorkMeter } from "../../../base/work-meter.ts";
import { findPolygonFaults } from "../validity/validity.ts";
import { repairPolygons } from "./repair.ts";

const flat = (ring: GridRing): Float64Array => Float64Array.from(ring.flat());
const repair = (...polygons: GridRing[][]): Float64Array[][] =>
  repairPolygons(polygons.map((rings) => rings.map(flat)));
const repaired = (...rings: GridRing[]): number[][][] =>
  repair(rings).map((polygon) => polygon.map((ring) => [...ring]));

describe("repairPolygons", () => {
  it("parts a bow-tie at its knot", () => {
    const bowTie: GridRing = toPairs(0, 0, 2, 2, 2, 0, 0, 2, 0, 0);
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

  it("keeps islands in lakes on islands in lakes", () => {
    const ringAt = (i: number): GridRing => box(i, i, 100 - i, 100 - i);
    const nested = Array.from({ length: 20 }, (_, i) => [ringAt(2 * i), ringAt(2 * i + 1)]);
    expect(findPolygonFaults(repair(...nested, [box(60, 20, 70, 80)]))).toEqual([]);
    const squares = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (100 - 2 * i) ** 2);
    expect(measureArea(repair(...nested))).toBe(squares.reduce((sum, square) => sum + square));
  });

  it("encloses exactly what each ring winds round, less holes, united, for random geometries", () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
    const ring = fc
      .array(point, { minLength: 3, maxLength: 8 })
      .map((points): GridRing => [...points, points[0]!]);
    const polygon = fc.array(ring, { minLength: 1, maxLength: 3 });
    let promoted = 0;
    fc.assert(
      fc.property(fc.array(polygon, { minLength: 1, maxLength: 3 }), (polygons) => {
        const repairs = repair(...polygons);
        expect(findPolygonFaults(repairs)).toEqual([]);
        const { cells, region, islands } = describeStructure(polygons);
        promoted += islands;
        let area = 0;
        for (const cell of cells) {
          if (region.has(cell)) area += cell.area;
          expect(encloses(repairs, cell.middle)).toBe(region.has(cell));
        }
        expect(measureArea(repairs)).toBeCloseTo(area, 9);
      }),
      { seed: 4711, numRuns: process.env.GROUNDRULE_FULL ? 600 : 80 },
    );
    expect(promoted).toBeGreaterThan(5);
  });

  it("accepts its own output and changes nothing in it", () => {
    const point = fc.tuple(
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 30 }), (points) => {
        const once = repair([[...points, points[0]!]]);
        expect(findPolygonFaults(once)).toEqual([]);
        const twice = repairPolygons(once);
        expect(listPositions(twice)).toEqual(listPositions(once));
        expect(findPolygonFaults(twice)).toEqual([]);
      }),
      { seed: 90_210, numRuns: process.env.GROUNDRULE_FULL ? 400 : 60 },
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
        expect(findPolygonFaults(repair([[...points, points[0]!]]))).toEqual([]);
      }),
      { seed: 1_000_003, numRuns: process.env.GROUNDRULE_FULL ? 1500 : 200 },
    );
  });

  it("keeps every position that stays on the boundary to the bit", () => {
    const ring: GridRing = toPairs(
      -52.123456789012344,
      3.3333333333333335,
      -51.7,
      3.1,
      -51.2,
      4.100000000000001,
      -52.1,
      3.9,
      -51.4,
      3.05,
      -52.123456789012344,
      3.3333333333333335,
    );
    const kept = new Set(listPositions(repair([ring])));
    for (const [x, y] of ring) expect(kept).toContain(`${x},${y}`);
  });

  it("repairs stars, spirals and the whole world", () => {
    expect(findPolygonFaults(repairPolygons([[createRegularStar(101, 50)]]))).toEqual([]);
    const spiral: [number, number][] = [];
    for (let i = 0; i < 2000; i++)
      spiral.push([Math.cos(i * 0.1) * (1 + i * 0.01), Math.sin(i * 0.1) * (1 + i * 0.01)]);
    expect(findPolygonFaults(repair([[...spiral, spiral[0]!]]))).toEqual([]);
    expect(repair([box(-180, -90, 180, 90)], [box(-540, -90, -180, 90)])).toHaveLength(1);
  });

  it("refuses a star of too many crossings by its work", () => {
    const refused = (): unknown =>
      repairPolygons([[createRegularStar(20_001, 10_000)]], { meter: new WorkMeter(10_000_000) });
    expect(refused).toThrow(EngineError);
    expect(refused).toThrow(expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }));
  });
});

/** The region of polygons by its definition, cell by cell; and how many holes are land of their own. */
function describeStructure(polygons: readonly GridRing[][]): {
  cells: readonly Cell[];
  region: ReadonlySet<Cell>;
  islands: number;
} {
  const cells = toCells(polygons.flat());
  const region = new Set<Cell>();
  let islands = 0;
  let ring = 0;
  for (const rings of polygons) {
    const wound = rings.map((_, r) => cells.filter(({ turns }) => turns[ring + r] !== 0));
    ring += rings.length;
    const [shell, ...holes] = wound;
    if (shell!.length === 0) continue;
    const taken = new Set<Cell>();
    for (const hole of holes) {
      const meets = hole.some((cell) => shell!.some((other) => doCellsMeet(cell, other)));
      for (const cell of hole) (meets ? taken : region).add(cell);
      if (!meets && hole.length > 0) islands++;
    }
    for (const cell of shell!) if (!taken.has(cell)) region.add(cell);
  }
  return { cells, region, islands };
}

function listPositions(polygons: readonly (readonly Float64Array[])[]): string[] {
  const positions = new Set<string>();
  for (const ring of polygons.flat()) {
    for (let i = 0; i < ring.length; i += 2) positions.add(`${ring[i]},${ring[i + 1]}`);
  }
  return [...positions].sort();
}

/** Area in the plane of longitude and latitude. */
function measureArea(polygons: readonly (readonly Float64Array[])[]): number {
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
