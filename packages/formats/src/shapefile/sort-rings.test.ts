import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { groupRingsIntoPolygons } from "./sort-rings.ts";

type Box = readonly [x: number, y: number, size: number];

/** A star about the middle of a box, with its first position repeated; closed or not, either way round. */
function createStar([x, y, size]: Box, random: Random): Float64Array {
  const count = 4 + random.integer(12);
  const positions = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.8 * random.next())) / count;
    const radius = size * random.between(0.35, 0.49);
    return [x + size / 2 + radius * Math.cos(angle), y + size / 2 + radius * Math.sin(angle)] as const;
  });
  if (random.next() < 0.5) positions.reverse();
  const start = random.integer(count);
  const turned = [...positions.slice(start), ...positions.slice(0, start)];
  return Float64Array.from([...turned, turned[0]!].flat());
}

/** Boxes in a grid, each with holes within the inner circle of its star, and islands within those. */
function createNestedPolygons(random: Random): Float64Array[][] {
  const polygons: Float64Array[][] = [];
  const add = ([x, y, size]: Box, depth: number): void => {
    const polygon = [createStar([x, y, size], random)];
    polygons.push(polygon);
    const inner = size * 0.35 * Math.SQRT1_2;
    for (const [dx, dy] of [
      [-1, -1],
      [0, -1],
      [-1, 0],
      [0, 0],
    ] as const) {
      if (random.next() < 0.4) continue;
      // A star with few corners reaches in as far as the middle of a long edge.
      const hole: Box = [x + size / 2 + (dx * inner) / 4, y + size / 2 + (dy * inner) / 4, inner / 4];
      polygon.push(createStar(hole, random));
      if (depth < 3 && random.next() < 0.7) {
        const island = hole[2] / 8;
        add([hole[0] + hole[2] / 2 - island / 2, hole[1] + hole[2] / 2 - island / 2, island], depth + 1);
      }
    }
  };
  for (let i = 0; i < 6; i++) add([(i % 3) * 10, Math.floor(i / 3) * 10, 10], 0);
  return polygons;
}

/** Whatever the order of polygons and holes. */
const canonical = (polygons: readonly (readonly Float64Array[])[]): string[] =>
  polygons.map(([outer, ...holes]) => `${outer} with ${holes.map((hole) => `${hole}`).sort()}`).sort();

const ring = (...positions: number[]): Float64Array => Float64Array.from(positions);
const square = (x: number, y: number, size: number): Float64Array =>
  ring(x, y, x + size, y, x + size, y + size, x, y + size, x, y);

describe("sortRings", () => {
  it("brings random polygons back, whatever the order and winding of their rings", () => {
    const random = createSeededRandom(1998);
    for (let round = 0; round < 150; round++) {
      const polygons = createNestedPolygons(random);
      const rings = polygons.flat();
      for (let i = rings.length - 1; i > 0; i--) {
        const j = random.integer(i + 1);
        [rings[i], rings[j]] = [rings[j]!, rings[i]!];
      }
      expect(canonical(groupRingsIntoPolygons(rings))).toEqual(canonical(polygons));
    }
  });

  it("keeps the order of outer rings and of holes", () => {
    const [a, b, hole, second] = [square(10, 0, 5), square(0, 0, 5), square(1, 1, 1), square(3, 3, 1)];
    expect(groupRingsIntoPolygons([a, second, b, hole])).toEqual([[a], [b, second, hole]]);
  });

  it.each([
    ["at its first position", ring(0, 0, 2, 1, 1, 2, 0, 0)],
    ["at another position", ring(1, 2, 0, 0, 2, 1, 1, 2)],
    ["along a part of its edge", ring(0, 1, 0, 3, 1, 2, 0, 1)],
    ["at every position", ring(0, 2, 2, 0, 4, 2, 2, 4, 0, 2)],
    ["at every position, by chords and edges", ring(0, 0, 4, 0, 0, 4, 0, 0)],
  ])("takes a ring that touches from inside %s for a hole", (_, hole) => {
    const outer = square(0, 0, 4);
    expect(groupRingsIntoPolygons([hole, outer])).toEqual([[outer, hole]]);
  });

  it("takes rings that touch from outside for polygons of their own", () => {
    const rings = [square(0, 0, 4), square(4, 1, 2), square(-2, -2, 2), ring(1, 4, 3, 4, 2, 6, 1, 4)];
    expect(groupRingsIntoPolygons(rings)).toEqual(rings.map((each) => [each]));
  });

  it("keeps rings of no area, of one position, and the same ring twice", () => {
    const rings = [ring(1, 1), ring(2, 2, 3, 3, 2, 2), square(10, 10, 1), square(10, 10, 1)];
    expect(groupRingsIntoPolygons(rings).flat()).toHaveLength(4);
  });

  it("gives up on rings that all lie above each other, by counted work", () => {
    const slivers = Array.from({ length: 1_000 }, (_, i) => ring(i, i, 1e6, i, 1e6, i + 0.5, i, i));
    expect(groupRingsIntoPolygons(slivers, 5e6)).toHaveLength(1_000);
    expect(() => groupRingsIntoPolygons(slivers, 1e6)).toThrow("1000 rings");
  });
});
