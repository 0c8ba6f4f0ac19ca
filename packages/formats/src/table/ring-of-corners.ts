type Position = readonly [number, number];

/** Most corners of a ring whose every pair of edges is compared; longer ones are left to the check of plots. */
const MOST_COMPARED = 3_000;

/**
 * True if no two edges of a ring cross or touch but where they follow each other.
 *
 * @param ring closed
 */
export function isSimpleRing(ring: readonly Position[]): boolean {
  const edges = ring.length - 1;
  if (edges > MOST_COMPARED) return true;
  for (let i = 0; i < edges; i++) {
    for (let j = i + 1; j < edges; j++) {
      const isNext = j === i + 1 || (i === 0 && j === edges - 1);
      if (isNext) continue;
      if (edgesIntersect(ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!)) return false;
    }
  }
  return true;
}

function edgesIntersect(a: Position, b: Position, c: Position, d: Position): boolean {
  const [abc, abd] = [computeSideOfLine(a, b, c), computeSideOfLine(a, b, d)];
  const [cda, cdb] = [computeSideOfLine(c, d, a), computeSideOfLine(c, d, b)];
  if (abc !== abd && cda !== cdb) return true;
  return (
    (abc === 0 && isWithin(a, b, c)) ||
    (abd === 0 && isWithin(a, b, d)) ||
    (cda === 0 && isWithin(c, d, a)) ||
    (cdb === 0 && isWithin(c, d, b))
  );
}

function computeSideOfLine(a: Position, b: Position, p: Position): number {
  return Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
}

function isWithin(a: Position, b: Position, p: Position): boolean {
  return (
    Math.min(a[0], b[0]) <= p[0] &&
    p[0] <= Math.max(a[0], b[0]) &&
    Math.min(a[1], b[1]) <= p[1] &&
    p[1] <= Math.max(a[1], b[1])
  );
}

const METERS_A_DEGREE = 111_320;

/** How far apart the farthest of some positions are, nearly; of positions in metres as those of a plane. */
export function measureSpreadMeters(positions: readonly Position[]): number {
  if (positions.length === 0) return 0;
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  const range = (values: readonly number[]): number => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    return most - least;
  };
  const [width, height] = [range(xs), range(ys)];
  const isDegrees = positions.every(([x, y]) => Math.abs(x) <= 360 && Math.abs(y) <= 90);
  if (!isDegrees) return Math.sqrt(width * width + height * height);
  const along = width * METERS_A_DEGREE * Math.cos((ys[0]! * Math.PI) / 180);
  const up = height * METERS_A_DEGREE;
  return Math.sqrt(along * along + up * up);
}
