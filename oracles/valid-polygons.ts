import { repairPolygons } from "@groundrule/engine/internal";
import type { Random } from "@groundrule/testing/random";
import {
  createCombRing,
  createSpiralRing,
  createStarRing,
  moveRing,
  type Polygons,
  toRing,
} from "@groundrule/testing/shapes";

/**
 * A random valid polygon or multipolygon as plots come: 2 m to 100 km wide, anywhere within ±180 and ±90, also at
 * their edges; stars, slivers, combs, spirals, with holes, with positions nearer to each other than the grid of six
 * decimals, and whatever random rings enclose.
 */
export function randomValidPolygons(random: Random): Polygons {
  for (;;) {
    const made = drawPolygons(random);
    const valid = repairPolygons(made);
    const [lon, lat] = randomPlace(random);
    const placed = valid.map((rings) => rings.map((ring) => moveRing(ring, lon, lat)));
    // Moving rounds positions, so the polygon is made valid again.
    const settled = repairPolygons(placed);
    if (settled.length > 0 && settled.flat().every(isOnEarth)) return settled;
  }
}

function isOnEarth(ring: Float64Array): boolean {
  return ring.every((degrees, i) => Math.abs(degrees) <= (i % 2 === 0 ? 180 : 90));
}

function randomPlace(random: Random): [number, number] {
  const [lon, lat] = [random.between(-180, 180), random.between(-85, 85)];
  const edge = random.integer(12);
  if (edge === 0) return [random.integer(2) === 0 ? 179.999 : -179.999, lat];
  if (edge === 1) return [lon, random.integer(2) === 0 ? 89.999 : -89.999];
  if (edge === 2) return [random.between(-1e-4, 1e-4), random.between(-1e-4, 1e-4)];
  return [lon, lat];
}

function drawPolygons(random: Random): Polygons {
  const radius = 1e-5 * 10 ** random.between(0, 4.7);
  const count = 3 + random.integer(random.integer(10) === 0 ? 200 : 24);
  switch (random.integer(8)) {
    case 0:
      return [[createStarRing(random, 0, 0, radius, count)]];
    case 1:
      return [[createStarRing(random, 0, 0, radius, count, 10 ** -random.between(1, 5))]];
    case 2:
      return [[createStarRing(random, 0, 0, radius, count), ...randomHoles(random, radius)]];
    case 3:
      return [[createCombRing(0, 0, radius, radius * random.between(0.01, 2), 1 + random.integer(12))]];
    case 4:
      return [[createSpiralRing(0, 0, radius, 1 + random.integer(5), 6 + random.integer(20))]];
    case 5:
      return [[randomScatteredRing(random, radius, 4 + random.integer(16))]];
    case 6:
      return [
        [crumpleRing(random, createStarRing(random, 0, 0, radius, count)), ...randomHoles(random, radius)],
      ];
    default:
      return Array.from({ length: 1 + random.integer(5) }, () => [
        moveRing(
          createStarRing(random, 0, 0, radius, count),
          random.between(0, 2 * radius),
          random.between(0, 2 * radius),
        ),
      ]);
  }
}

/** Stars within the core that every star covers. */
function randomHoles(random: Random, radius: number): Float64Array[] {
  const count = 1 + random.integer(6);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const away = count === 1 ? 0 : 0.15 * radius;
    const size = (0.1 * radius) / count;
    return createStarRing(
      random,
      away * Math.cos(angle),
      away * Math.sin(angle),
      size,
      3 + random.integer(8),
    );
  });
}

/** A ring through random positions, crossing itself at will. */
function randomScatteredRing(random: Random, radius: number, count: number): Float64Array {
  return toRing(
    Array.from({ length: count }, () => [random.between(0, radius), random.between(0, radius)] as const),
  );
}

/** A ring with positions added along its edges, each off by less than a unit of the grid. */
function crumpleRing(random: Random, ring: Float64Array): Float64Array {
  const positions: [number, number][] = [];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const pieces = 1 + random.integer(4);
    for (let k = 0; k < pieces; k++) {
      const t = k / pieces;
      const off = () => random.between(-2e-6, 2e-6);
      positions.push([
        ring[i]! + t * (ring[i + 2]! - ring[i]!) + off(),
        ring[i + 1]! + t * (ring[i + 3]! - ring[i + 1]!) + off(),
      ]);
    }
  }
  return toRing(positions);
}
