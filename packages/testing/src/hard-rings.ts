import { createSeededRandom } from "./random.ts";

// Rings of a given number of edges that are hard on whoever looks for edges that meet.

/** Teeth side by side, long and aslant: the boxes of all edges meet, no two edges do. */
export function createSlantedComb(n: number): Float64Array {
  const teeth = n >> 1;
  const xy: number[] = [];
  for (let i = 0; i < teeth; i++) xy.push(i / teeth, 0, 1 + (i + 0.5) / teeth, 1);
  xy.push(3, -1, 0, 0);
  return Float64Array.from(xy);
}

/** Radii at random, from the centre outwards and back. */
export function randomRadii(n: number): Float64Array {
  const random = createSeededRandom(3);
  return createPolarRing(n, (i) => [(2 * Math.PI * i) / n, 1 + 9 * random.next()]);
}

/** Long edges to and fro between two slanted lines. */
export function createParallelEdges(n: number): Float64Array {
  const lanes = n >> 1;
  const xy: number[] = [];
  for (let i = 0; i < lanes; i++) {
    const ends = [i, i, i + 4 * lanes, i + lanes];
    if (i % 2 === 0) for (const each of ends) xy.push(each);
    else xy.push(ends[2]!, ends[3]!, ends[0]!, ends[1]!);
  }
  xy.push(-1, 2 * lanes, xy[0]!, xy[1]!);
  return Float64Array.from(xy);
}

/** A band wound up, all its edges of about one length. */
export function createWoundBand(n: number): Float64Array {
  const half = n >> 1;
  const xy: number[] = [];
  const add = (i: number, offset: number): void => {
    const angle = Math.sqrt(Math.PI * (i + 100));
    const radius = (angle / (2 * Math.PI) + offset) / 100;
    xy.push(radius * Math.cos(angle), radius * Math.sin(angle));
  };
  for (let i = 0; i < half; i++) add(i, 0);
  for (let i = half - 1; i >= 0; i--) add(i, 0.5);
  xy.push(xy[0]!, xy[1]!);
  return Float64Array.from(xy);
}

/** Valid rings by name. */
export const VALID_SHAPES: Readonly<Record<string, (n: number) => Float64Array>> = {
  "slanted comb": createSlantedComb,
  "ring of random radii": randomRadii,
  "field of parallel slanted edges": createParallelEdges,
  spiral: createWoundBand,
};

/** The star {n, step}: each edge goes on by `step` of n corners of a circle; n · (step − 1) crossings. */
export function createRegularStar(n: number, step: number): Float64Array {
  return createPolarRing(n, (i) => [(2 * Math.PI * ((i * step) % n)) / n, 1]);
}

function createPolarRing(
  n: number,
  polar: (i: number) => readonly [angle: number, radius: number],
): Float64Array {
  const xy = new Float64Array(2 * (n + 1));
  for (let i = 0; i < n; i++) {
    const [angle, radius] = polar(i);
    xy[2 * i] = radius * Math.cos(angle);
    xy[2 * i + 1] = radius * Math.sin(angle);
  }
  xy.copyWithin(2 * n, 0, 2);
  return xy;
}
