import type { Random } from "./random.ts";

/** One ring of `[lon, lat]`, closed, counter-clockwise, rounded to 1e-7°. */
export type Ring = [number, number][];

const DEGREES_PER_KM = 1 / 111.2;

/**
 * A natural-looking outline: the radius wanders with the direction as fractal noise (midpoint
 * displacement on a circle), so the ring never crosses itself however rough it is.
 *
 * @param radiusKm mean radius
 * @param levels the ring gets 8·2^levels vertices
 * @param roughness 0 smooth to 1 ragged
 */
export function fractalOutline(
  random: Random,
  [lon, lat]: readonly [number, number],
  radiusKm: number,
  levels: number,
  roughness: number,
): Ring {
  let radii = Array.from({ length: 8 }, () => random.between(0.6, 1.25));
  let amplitude = 0.35 * roughness;
  for (let level = 0; level < levels; level++) {
    radii = radii.flatMap((radius, i) => {
      const next = radii[(i + 1) % radii.length] as number;
      const middle = ((radius + next) / 2) * (1 + amplitude * random.between(-1, 1));
      return [radius, Math.max(middle, 0.15)];
    });
    amplitude *= 0.58;
  }
  const stretch = random.between(0.55, 1);
  const turn = random.between(0, Math.PI);
  const ring = radii.map((radius, i): [number, number] => {
    const angle = (2 * Math.PI * i) / radii.length;
    const east = Math.cos(angle) * radius * stretch;
    const north = Math.sin(angle) * radius;
    return offsetPosition(
      lon,
      lat,
      (east * Math.cos(turn) - north * Math.sin(turn)) * radiusKm,
      (east * Math.sin(turn) + north * Math.cos(turn)) * radiusKm,
    );
  });
  return closeRing(ring);
}

/**
 * A river as a polygon: a meandering course that always moves on in one direction, widened across
 * it, then turned. It cannot cross itself.
 */
export function riverCourse(
  random: Random,
  [lon, lat]: readonly [number, number],
  lengthKm: number,
  steps: number,
): Ring {
  const bends = Array.from({ length: 6 }, (_, k) => ({
    turns: (k + 1) * random.between(0.8, 3),
    reachKm: (lengthKm * random.between(0.01, 0.05)) / (k + 1),
    phase: random.between(0, 2 * Math.PI),
  }));
  const turn = random.between(0, Math.PI);
  const bank = (i: number, side: 1 | -1): [number, number] => {
    const share = i / steps;
    const along = (share - 0.5) * lengthKm;
    const wander = bends.reduce(
      (sum, bend) => sum + bend.reachKm * Math.sin(2 * Math.PI * bend.turns * share + bend.phase),
      0,
    );
    const across = wander + (side * (0.05 + 0.6 * share)) / 2;
    return offsetPosition(
      lon,
      lat,
      along * Math.cos(turn) - across * Math.sin(turn),
      along * Math.sin(turn) + across * Math.cos(turn),
    );
  };
  const right = Array.from({ length: steps + 1 }, (_, i) => bank(i, -1));
  const left = Array.from({ length: steps + 1 }, (_, i) => bank(steps - i, 1));
  return closeRing([...right, ...left]);
}

/** A field: a turned quadrilateral with one corner pushed, as fields are. */
export function fieldOutline(random: Random, [lon, lat]: readonly [number, number], hectares: number): Ring {
  const sideKm = Math.sqrt(hectares / 100);
  const turn = random.between(0, Math.PI / 2);
  const corners: [number, number][] = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5 + random.between(-0.15, 0.25), 0.5 + random.between(-0.15, 0.25)],
    [-0.5, 0.5],
  ];
  return closeRing(
    corners.map(([x, y]) =>
      offsetPosition(
        lon,
        lat,
        (x * Math.cos(turn) - y * Math.sin(turn)) * sideKm,
        (x * Math.sin(turn) + y * Math.cos(turn)) * sideKm,
      ),
    ),
  );
}

/** The place so many kilometres east and north, near enough for drawing. */
function offsetPosition(lon: number, lat: number, eastKm: number, northKm: number): [number, number] {
  const latitude = lat + northKm * DEGREES_PER_KM;
  return [
    roundCoordinate(lon + (eastKm * DEGREES_PER_KM) / Math.cos((lat * Math.PI) / 180)),
    roundCoordinate(latitude),
  ];
}

function roundCoordinate(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

function closeRing(ring: Ring): Ring {
  return [...ring, ring[0] as [number, number]];
}
