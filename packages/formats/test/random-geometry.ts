import type { Random } from "@groundrule/testing/random";
import type { Geometry } from "./wkb-encoder.ts";

const SIMPLE = ["Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon"];

/** A geometry of any kind, empty ones among them, valid or not. */
export function randomGeometry(random: Random, depth = 0): Geometry {
  if (depth < 3 && random.integer(8) === 0) {
    return {
      type: "GeometryCollection",
      geometries: createRandomCount(random, () => randomGeometry(random, depth + 1)),
    };
  }
  const type = SIMPLE[random.integer(SIMPLE.length)]!;
  return { type, coordinates: randomCoordinates(type, random) };
}

/** A Polygon or MultiPolygon with rings. */
export function randomArea(random: Random): Geometry {
  const type = random.integer(2) === 0 ? "Polygon" : "MultiPolygon";
  const coordinates = randomCoordinates(type, random) as unknown[];
  return coordinates.length > 0 ? { type, coordinates } : randomArea(random);
}

function randomCoordinates(type: string, random: Random): unknown {
  const line = (): number[][] => [
    randomPosition(random),
    ...createRandomCount(random, () => randomPosition(random)),
  ];
  const polygon = (): number[][][] => [line(), ...createRandomCount(random, line)];
  switch (type) {
    case "Point":
      return random.integer(5) === 0 ? [] : randomPosition(random);
    case "LineString":
    case "MultiPoint":
      return createRandomCount(random, () => randomPosition(random));
    case "Polygon":
      return random.integer(5) === 0 ? [] : polygon();
    case "MultiLineString":
      return createRandomCount(random, line);
    default:
      return createRandomCount(random, polygon);
  }
}

function randomPosition(random: Random): number[] {
  return [random.between(-180, 180), random.between(-90, 90)];
}

function createRandomCount<T>(random: Random, make: () => T): T[] {
  return Array.from({ length: random.integer(5) }, make);
}
