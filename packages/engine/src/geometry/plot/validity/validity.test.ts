import { createRegularStar, createSlantedComb, VALID_SHAPES } from "@groundrule/testing/hard-rings";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions as box, toPairs } from "@groundrule/testing/shapes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areConnected, type GridRing, isSimple, toCells } from "../../../../test/cells.ts";
import { EngineError } from "../../../base/errors.ts";
import { WorkMeter } from "../../../base/work-meter.ts";
import { findPolygonFaults } from "./validity.ts";

const flat = (ring: GridRing): Float64Array => Float64Array.from(ring.flat());
const listCodes = (polygons: readonly (readonly GridRing[])[]): string[] =>
  findPolygonFaults(polygons.map((rings) => rings.map(flat))).map((fault) => fault.code);

const bowTie: GridRing = toPairs(0, 0, 2, 2, 2, 0, 0, 2, 0, 0);

const RUNS = process.env.GROUNDRULE_FULL ? 5000 : 500;

describe("findFaults", () => {
  it("finds nothing in plots as they should be", () => {
    expect(listCodes([[box(0, 0, 6, 6), box(1, 1, 2, 2), box(3, 3, 4, 4)]])).toEqual([]);
    expect(listCodes([[box(0, 0, 6, 6), box(1, 1, 5, 5)], [box(2, 2, 4, 4)]])).toEqual([]);
  });

  it("reports where a ring crosses itself", () => {
    expect(findPolygonFaults([[flat(bowTie)]])).toEqual([
      {
        code: "RING_SELF_CROSSING",
        message: "the ring crosses itself: the edge from position 0 meets the edge from position 2",
        polygon: 0,
        ring: 0,
        position: 0,
        coordinate: [1, 1],
      },
    ]);
  });

  it("counts positions as they were sent, repeated ones too", () => {
    const ring = flat([[0, 0], [0, 0], [0, 0], ...bowTie.slice(1)]);
    expect(findPolygonFaults([[ring]])[0]).toMatchObject({
      position: 2,
      message: expect.stringContaining("position 4"),
    });
  });

  it("distinguishes a touch from a crossing at a position", () => {
    const touching: GridRing = toPairs(0, 0, 4, 0, 2, 2, 4, 4, 0, 4, 2, 2, 0, 0);
    const crossing: GridRing = toPairs(0, 0, 2, 2, 4, 4, 4, 0, 2, 2, 0, 4, 0, 0);
    expect(listCodes([[touching]])).toEqual(["RING_SELF_TOUCH"]);
    expect(listCodes([[crossing]])).toEqual(["RING_SELF_CROSSING"]);
  });

  it("reports spikes and doubled edges", () => {
    const spike: GridRing = toPairs(0, 0, 4, 0, 6, 0, 4, 0, 4, 4, 0, 0);
    expect(listCodes([[spike]])).toContain("RING_SELF_OVERLAP");
    const flatRing: GridRing = toPairs(0, 0, 2, 0, 4, 0, 0, 0);
    expect(listCodes([[flatRing]])).toContain("RING_SELF_OVERLAP");
  });

  it("reports rings of one or two positions", () => {
    expect(listCodes([[box(1, 1, 1, 1)]])).toEqual(["RING_TOO_SHORT"]);
    expect(listCodes([[toPairs(0, 0, 1, 1, 0, 0, 0, 0)]])).toEqual(["RING_TOO_SHORT"]);
  });

  it("reports islands written as holes, nested holes and holes across the shore", () => {
    expect(listCodes([[box(0, 0, 2, 2), box(4, 4, 6, 6)]])).toEqual(["HOLE_OUTSIDE_SHELL"]);
    expect(listCodes([[box(0, 0, 6, 6), box(1, 1, 5, 5), box(2, 2, 3, 3)]])).toEqual(["HOLES_OVERLAP"]);
    expect(listCodes([[box(0, 0, 4, 4), box(2, 2, 6, 3)]])).toEqual(["RINGS_CROSS", "RINGS_CROSS"]);
  });

  it("reports a part that lies within another or overlaps it", () => {
    expect(listCodes([[box(0, 0, 6, 6)], [box(1, 1, 2, 2)]])).toEqual(["PARTS_OVERLAP"]);
    expect(listCodes([[box(0, 0, 4, 4)], [box(2, 2, 6, 6)]])).toEqual(["PARTS_OVERLAP", "PARTS_OVERLAP"]);
    expect(listCodes([[box(0, 0, 4, 4)], [box(0, 0, 4, 4)]])).toEqual(["PARTS_OVERLAP"]);
  });

  it("reports parts that cross only where each has a corner on the other", () => {
    const slanted: GridRing = toPairs(0, 3, 3, 0, 6, 3, 3, 6, 0, 3);
    expect(listCodes([[box(0, 0, 6, 6)], [slanted]])).toEqual(["PARTS_OVERLAP"]);
    expect(listCodes([[box(0, 0, 3, 3)], [slanted]])).toContain("PARTS_OVERLAP");
  });

  it("lets neighbours share a border, and parts meet at the antimeridian", () => {
    expect(listCodes([[box(0, 0, 2, 4)], [box(2, 1, 4, 3)]])).toEqual([]);
    expect(listCodes([[box(0, 0, 4, 4), box(0, 1, 2, 3)]])).toEqual([]);
    expect(listCodes([[box(170, 0, 180, 4)], [box(-180, 0, -170, 4)]])).toEqual([]);
    expect(listCodes([[box(-180, -90, 180, -60)]])).toEqual([]);
  });

  it("reports holes that cut the interior in pieces, or cover it", () => {
    const diamond = (x: number, y: number): GridRing =>
      toPairs(x - 1, y, x, y - 1, x + 1, y, x, y + 1, x - 1, y);
    expect(listCodes([[box(0, 0, 4, 4), diamond(1, 2), diamond(3, 2)]])).toEqual(["INTERIOR_DISCONNECTED"]);
    expect(listCodes([[box(0, 0, 6, 4), diamond(1, 2), diamond(3, 2)]])).toEqual([]);
    expect(listCodes([[box(0, 0, 4, 4), box(0, 0, 4, 4)]])).toEqual(["INTERIOR_EMPTY"]);
    expect(listCodes([[box(0, 0, 4, 4), box(0, 0, 4, 2), box(0, 2, 4, 4)]])).toEqual(["INTERIOR_EMPTY"]);
    expect(listCodes([[box(0, 0, 4, 4), box(0, 1, 4, 3)]])).toEqual(["INTERIOR_DISCONNECTED"]);
  });

  it("decides by the last bit of a coordinate", () => {
    const ring = (y: number): Float64Array =>
      Float64Array.from([0, 0, 0.5, y, 1, 0, 1, 1, 0.5, 1e-16, 0, 1, 0, 0]);
    expect(findPolygonFaults([[ring(0)]])).toEqual([]);
    expect(findPolygonFaults([[ring(1e-16)]])[0]?.code).toBe("RING_SELF_TOUCH");
    expect(findPolygonFaults([[ring(1.0000000000000002e-16)]])[0]?.code).toBe("RING_SELF_CROSSING");
  });

  it("reports the first faults of a star in ring order, in little work", () => {
    const faults = findPolygonFaults([[createRegularStar(20_001, 10_000)]], {
      meter: new WorkMeter(40_000_000),
    });
    expect(faults).toHaveLength(100);
    expect(faults.every((fault) => fault.position === 0)).toBe(true);
  });

  it.each(Object.entries(VALID_SHAPES))(
    "answers for a %s of 60,000 edges in the work of a plot",
    (_, make) => {
      expect(findPolygonFaults([[make(60_000)]], { meter: new WorkMeter(60_000_000) })).toEqual([]);
    },
  );

  it("locates holes between long teeth in the work of a plot", () => {
    const teeth = 5000;
    const shell: number[] = [0, 0];
    const holes: Float64Array[] = [];
    for (let i = 0; i < teeth; i++) {
      shell.push(i + 0.1, 0, i + 0.1, 999, i + 0.9, 999, i + 0.9, 0);
      const [x, y] = [i + 0.5, 1 + (((i * 7919) % teeth) * 990) / teeth];
      holes.push(Float64Array.from([x, y, x + 0.1, y + 0.1, x, y + 0.2, x, y]));
    }
    shell.push(teeth, 0, teeth, -1, 0, -1, 0, 0);
    const outside = Float64Array.from([2, 5, 2.01, 5, 2.01, 6, 2, 5]);
    const faults = findPolygonFaults([[Float64Array.from(shell), ...holes, outside]], {
      meter: new WorkMeter(60_000_000),
    });
    expect(faults).toMatchObject([{ code: "HOLE_OUTSIDE_SHELL", ring: teeth + 1 }]);
  });

  it("refuses, by its work, a scribble whose faults come after much that boxes cannot separate", () => {
    const random = createSeededRandom(11);
    const scribble = Float64Array.from({ length: 60_002 }, (_, i) => (i < 60_000 ? 5 + random.next() : 5.5));
    scribble.copyWithin(60_000, 0, 2);
    const check = (): unknown =>
      findPolygonFaults([[createSlantedComb(30_000)], [scribble]], { meter: new WorkMeter(60_000_000) });
    expect(check).toThrow(EngineError);
    expect(check).toThrow(expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }));
  });

  it("reports the same faults whether boxes or a sweep find the edges that meet, again and again", () => {
    // Beside a comb that boxes cannot tell apart, everything is found by the sweep.
    const comb = createSlantedComb(700).map((value) => value * 3 - 20);
    let faulty = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(gridRingArbitrary(), { minLength: 1, maxLength: 3 }), {
          minLength: 1,
          maxLength: 2,
        }),
        (polygons) => {
          const flats = polygons.map((rings) => rings.map(flat));
          const faults = findPolygonFaults(flats);
          if (faults.length > 0) faulty++;
          expect(findPolygonFaults([...flats, [comb]])).toEqual(faults);
        },
      ),
      { seed: 4711, numRuns: RUNS },
    );
    expect(faulty).toBeGreaterThan(RUNS / 2);
  });

  it("agrees with a comparison of all pairs on random rings", () => {
    let valid = 0;
    fc.assert(
      fc.property(fc.array(gridPointArbitrary(4), { minLength: 3, maxLength: 7 }), (points) => {
        const ring: GridRing = [...points, points[0]!];
        const simple = isSimple(ring);
        if (simple) valid++;
        expect(findPolygonFaults([[flat(ring)]]).length === 0).toBe(simple);
      }),
      { seed: 81_467, numRuns: RUNS },
    );
    expect(valid).toBeGreaterThan(RUNS / 10);
  });

  it("agrees with the cells of the plane on random multipolygons", () => {
    let valid = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(gridRingArbitrary(), { minLength: 1, maxLength: 3 }), {
          minLength: 1,
          maxLength: 2,
        }),
        (polygons) => {
          const expected = isValidByCells(polygons);
          if (expected) valid++;
          expect(findPolygonFaults(polygons.map((rings) => rings.map(flat))).length === 0).toBe(expected);
        },
      ),
      { seed: 2026, numRuns: RUNS },
    );
    expect(valid).toBeGreaterThan(0.06 * RUNS);
  });
});

function gridPointArbitrary(size: number): fc.Arbitrary<[number, number]> {
  return fc.tuple(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: size }));
}

/** Mostly boxes and triangles: what touches, nests and shares borders. */
function gridRingArbitrary(): fc.Arbitrary<GridRing> {
  const boxes = fc
    .tuple(gridPointArbitrary(5), gridPointArbitrary(5))
    .map(([[x, y], [w, h]]) => box(x, y, Math.min(6, x + 1 + w), Math.min(6, y + 1 + h)));
  const polygons = fc
    .array(gridPointArbitrary(6), { minLength: 3, maxLength: 4 })
    .map((points): GridRing => [...points, points[0]!]);
  return fc.oneof({ weight: 3, arbitrary: boxes }, polygons);
}

/** The rules of `findFaults` in terms of sets of cells. */
function isValidByCells(polygons: readonly (readonly GridRing[])[]): boolean {
  const rings = polygons.flat();
  if (!rings.every(isSimple)) return false;
  const cells = toCells(rings);
  const within = (a: number, b: number): boolean => cells.every(({ inside }) => !inside[a] || inside[b]!);
  const apart = (a: number, b: number): boolean => cells.every(({ inside }) => !inside[a] || !inside[b]);
  for (let a = 0; a < rings.length; a++) {
    for (let b = 0; b < a; b++) if (!within(a, b) && !within(b, a) && !apart(a, b)) return false;
  }
  const shells: { shell: number; holes: number[] }[] = [];
  let next = 0;
  for (const polygon of polygons) {
    shells.push({ shell: next, holes: polygon.slice(1).map((_, h) => next + 1 + h) });
    next += polygon.length;
  }
  return shells.every(({ shell, holes }, p) => {
    if (!holes.every((hole) => within(hole, shell))) return false;
    if (!holes.every((a) => holes.every((b) => a === b || apart(a, b)))) return false;
    const interior = cells.filter(({ inside }) => inside[shell] && !holes.some((hole) => inside[hole]));
    if (interior.length === 0 || !areConnected(interior)) return false;
    return shells.every(
      (other, q) => p === q || !within(shell, other.shell) || other.holes.some((hole) => within(shell, hole)),
    );
  });
}
