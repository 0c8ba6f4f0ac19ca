import type { Random } from "@groundrule/testing/random";
import type { Polygons } from "./wkt.ts";

/** Grid on which corners, edges and crossings meet often. */
const SIDE = 7;

/**
 * A ring through random corners of a small grid: crossing, touching and running over itself, with
 * repeated positions, as it comes. Four positions at least, closed.
 */
export function randomGridRing(random: Random): Float64Array {
  const corners = 3 + random.integer(5);
  const positions = Array.from({ length: corners }, () => [random.integer(SIDE), random.integer(SIDE)]);
  return closeRing(positions.flat());
}

/** A box, triangle or slanted square on the grid: simple, so that what is made of them is often valid. */
export function randomGridShape(random: Random): Float64Array {
  const [x, y] = [random.integer(SIDE), random.integer(SIDE)];
  const [w, h] = [1 + random.integer(SIDE - 2), 1 + random.integer(SIDE - 2)];
  switch (random.integer(4)) {
    case 0:
      return closeRing([x, y, x + w, y, x, y + h]);
    case 1:
      return closeRing([x, y, x + w, y, x + random.integer(SIDE), y + h]);
    case 2:
      return closeRing([x, y - h, x + w, y, x, y + h, x - w, y]);
    default:
      return closeRing([x, y, x + w, y, x + w, y + h, x, y + h]);
  }
}

/** Flat positions on the grid, none the same as the one before it. */
export function randomGridPositions(random: Random, count: number): Float64Array {
  const xy: number[] = [];
  while (xy.length < 2 * count) {
    const [x, y] = [random.integer(SIDE), random.integer(SIDE)];
    if (x !== xy.at(-2) || y !== xy.at(-1)) xy.push(x, y);
  }
  return Float64Array.from(xy);
}

/** Random positions: crosses itself more often than not. */
function randomTangledRing(random: Random): Float64Array {
  const corners = 3 + random.integer(6);
  return closeRing(
    Array.from({ length: 2 * corners }, () => random.between(-1, 1) * 10 ** random.integer(3)),
  );
}

/** Positions around a centre by angle: simple. */
export function randomStarRing(
  random: Random,
  x: number,
  y: number,
  radius: number,
  corners: number,
): Float64Array {
  const turn = random.between(0, 2 * Math.PI);
  const positions = Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * (i + random.between(0, 0.9))) / corners;
    const r = radius * random.between(0.4, 1);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
  return closeRing(positions.flat());
}

/** A polygon or multipolygon, valid or not, of one of many makes. */
export function randomPolygons(random: Random): Polygons {
  switch (random.integer(7)) {
    case 0:
      return [[randomGridRing(random)]];
    case 1:
      return [[randomTangledRing(random)]];
    case 2:
      return [[randomGridShape(random), randomGridShape(random)]];
    case 3:
      return [[makeBigBox(), randomGridShape(random), randomGridShape(random)]];
    case 4:
      return [[makeBigBox(), ...makeUpTo(random, 4, () => randomUnitBox(random))]];
    case 5:
      return makeUpTo(random, 3, () => [randomGridShape(random)]);
    default: {
      const [x, y] = [random.between(-50, 50), random.between(-50, 50)];
      const hole = () =>
        randomStarRing(
          random,
          x + random.between(-2, 2),
          y + random.between(-2, 2),
          random.between(0.2, 2),
          3 + random.integer(6),
        );
      return [[randomStarRing(random, x, y, 6, 5 + random.integer(8)), ...makeUpTo(random, 2, hole)]];
    }
  }
}

function makeBigBox(): Float64Array {
  return closeRing([-SIDE, -SIDE, 2 * SIDE, -SIDE, 2 * SIDE, 2 * SIDE, -SIDE, 2 * SIDE]);
}

function randomUnitBox(random: Random): Float64Array {
  const [x, y] = [random.integer(3), random.integer(3)];
  return closeRing([x, y, x + 1, y, x + 1, y + 1, x, y + 1]);
}

function makeUpTo<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: 1 + random.integer(most) }, make);
}

function closeRing(xy: readonly number[]): Float64Array {
  return Float64Array.from([...xy, xy[0]!, xy[1]!]);
}

/** One to three parts with up to two holes each, of rings of all kinds: most are invalid. */
export function randomTangledPolygons(random: Random): Polygons {
  const ring = (): Float64Array => {
    switch (random.integer(4)) {
      case 0:
        return randomGridRing(random);
      case 1:
        return randomTangledRing(random);
      default:
        return randomGridShape(random);
    }
  };
  const parts = makeUpTo(random, 3, () => makeUpTo(random, 3, ring));
  // Parts are repeated too, as they are or the other way round.
  const again = parts[random.integer(parts.length)]!;
  switch (random.integer(8)) {
    case 0:
      return [...parts, again];
    case 1:
      return [...parts, again.map(reverseRing)];
    case 2:
      return [...parts, [again[0]!, again[0]!]];
    default:
      return parts;
  }
}

function reverseRing(ring: Float64Array): Float64Array {
  const positions = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
  return Float64Array.from(positions.reverse().flat());
}
