import { orient2d } from "../../earth/predicates.ts";

/*
 * Certificates that rings bound regions. Each is exact where it says yes; no means only that it cannot tell cheaply:
 * code that asks then looks for faults with `findFaults`.
 */

/** Share of its terms below which a determinant's sign is in doubt, and products that may have underflowed: see `orient2d`. */
const SIGN_BOUND = 3.3306690738754716e-16;
const UNDERFLOW = 1e-270;

/**
 * How a ring winds that is seen whole from a point within: 1 counter-clockwise, −1 clockwise, 0 where it
 * is not known to be such a ring. All its edges pass the point on the same side, and a ray from there leaves
 * through one of them; so directions from the point meet the ring once each, and it meets itself nowhere.
 *
 * @param from first position of the ring in `xy`, flat `[lon, lat, …]`
 * @param to one past its last position, which equals the first
 * @param x the point, say the middle of the ring's bbox
 */
export function findWindingAbout(
  xy: Float64Array,
  from: number,
  to: number,
  x: number,
  y: number,
): -1 | 0 | 1 {
  let xa = xy[2 * from]! - x;
  let ya = xy[2 * from + 1]! - y;
  let left = 0;
  let right = 0;
  let rising = 0;
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]! - x;
    const yb = xy[2 * i + 1]! - y;
    const one = xa * yb;
    const other = xb * ya;
    const determinant = one - other;
    const doubt = SIGN_BOUND * (Math.abs(one) + Math.abs(other)) + UNDERFLOW;
    if (determinant > doubt) left++;
    else if (determinant < -doubt) right++;
    else return 0;
    // A difference of doubles has the sign of the exact one.
    if (ya <= 0 && yb > 0) rising++;
    xa = xb;
    ya = yb;
  }
  if (rising !== 1) return 0;
  return right === 0 ? 1 : left === 0 ? -1 : 0;
}

/** Most edges of a chain, and chains of a block. */
const LONGEST_CHAIN = 16;
const BLOCK = 8;
/** Comparisons that a certificate is worth: beyond, sweeps and trees are quicker. */
const STEPS = 2_000;
const STEPS_PER_EDGE = 100;

/**
 * True if rings share no point with each other, and none with themselves except where one edge follows another.
 *
 * 1. Edges that follow each other and go into one quadrant make a chain: it meets itself nowhere, and its box
 *    is that of its ends. Up to eight chains of a ring make a block.
 * 2. Blocks whose boxes meet are searched for chains, and those for edges, whose boxes do.
 * 3. Such edges are compared by exact predicates. Those that follow each other may not fold back.
 *
 * @param ringStarts first position of each ring in `xy`; one entry more. Each ring ends where it starts
 * @returns the boxes and edges compared; −1 where it is not known
 */
export function countStepsToProveApart(xy: Float64Array, ringStarts: Uint32Array): number {
  const positions = xy.length >> 1;
  if (positions > scratch.capacity) scratch = createChains(2 * positions);
  return countChainSteps(scratch, xy, ringStarts);
}

/** Filled and read within one call, which calls nobody back: made anew it would take a third of the time. */
let scratch = createChains(256);

function countChainSteps(chains: Chains, xy: Float64Array, ringStarts: Uint32Array): number {
  const blockCount = writeChains(chains, xy, ringStarts);
  if (blockCount < 0) return -1;
  const { boxes, blockStarts, blockBoxes } = chains;
  const worth = STEPS + STEPS_PER_EDGE * (xy.length >> 1);
  let steps = 0;
  for (let b = 0; b < blockCount; b++) {
    const start = blockStarts[b]!;
    const end = blockStarts[b + 1]!;
    for (let other = b; other < blockCount; other++) {
      steps++;
      const isSame = other === b;
      if (!isSame && areBoxesApart(blockBoxes, b, blockBoxes, other)) continue;
      for (let d = blockStarts[other]!, last = blockStarts[other + 1]!; d < last; d++) {
        steps++;
        if (!isSame && areBoxesApart(blockBoxes, b, boxes, d)) continue;
        for (let c = start; c < (isSame ? d : end); c++) {
          steps++;
          if (areBoxesApart(boxes, c, boxes, d)) continue;
          const compared = compareChains(xy, ringStarts, chains, c, d);
          if (compared < 0) return -1;
          steps += compared;
        }
      }
      if (steps > worth) return -1;
    }
  }
  return steps;
}

/** The chains of some rings: scratch space, to be written again by the next. */
interface Chains {
  /** Positions there is room for. */
  readonly capacity: number;
  /** First and last position of each chain, and its ring: three entries a chain. */
  readonly runs: Int32Array;
  /** West, south, east and north of each chain, and of each block. */
  readonly boxes: Float64Array;
  readonly blockBoxes: Float64Array;
  /** First chain of each block; one entry more. */
  readonly blockStarts: Int32Array;
}

function createChains(capacity: number): Chains {
  return {
    capacity,
    runs: new Int32Array(3 * capacity),
    boxes: new Float64Array(4 * capacity),
    blockBoxes: new Float64Array(4 * capacity),
    blockStarts: new Int32Array(capacity + 1),
  };
}

const [EAST, WEST, NORTH, SOUTH] = [1, 2, 4, 8];

/** Writes chains and blocks; how many blocks, or −1 where a position repeats the one before. */
function writeChains(chains: Chains, xy: Float64Array, ringStarts: Uint32Array): number {
  const { runs } = chains;
  let at = 0;
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const first = ringStarts[ring]!;
    const last = ringStarts[ring + 1]! - 1;
    let ways = EAST | WEST;
    let x0 = xy[2 * first]!;
    let y0 = xy[2 * first + 1]!;
    for (let i = first; i < last; i++) {
      const x1 = xy[2 * i + 2]!;
      const y1 = xy[2 * i + 3]!;
      const way = (x1 > x0 ? EAST : x1 < x0 ? WEST : 0) | (y1 > y0 ? NORTH : y1 < y0 ? SOUTH : 0);
      if (way === 0) return -1;
      ways |= way;
      if ((ways & (ways >> 1) & (EAST | NORTH)) !== 0 || i - runs[at - 3]! === LONGEST_CHAIN) {
        if (i > first) runs[at - 2] = i;
        runs[at] = i;
        runs[at + 2] = ring;
        at += 3;
        ways = way;
      }
      x0 = x1;
      y0 = y1;
    }
    runs[at - 2] = last;
  }
  return writeChainBlocks(chains, xy, at / 3);
}

function writeChainBlocks(
  { runs, boxes, blockBoxes, blockStarts }: Chains,
  xy: Float64Array,
  count: number,
): number {
  let blocks = 0;
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  blockStarts[0] = 0;
  for (let c = 0; c < count; c++) {
    const first = 2 * runs[3 * c]!;
    const last = 2 * runs[3 * c + 1]!;
    const w = Math.min(xy[first]!, xy[last]!);
    const s = Math.min(xy[first + 1]!, xy[last + 1]!);
    const e = Math.max(xy[first]!, xy[last]!);
    const n = Math.max(xy[first + 1]!, xy[last + 1]!);
    boxes[4 * c] = w;
    boxes[4 * c + 1] = s;
    boxes[4 * c + 2] = e;
    boxes[4 * c + 3] = n;
    west = Math.min(west, w);
    south = Math.min(south, s);
    east = Math.max(east, e);
    north = Math.max(north, n);
    const isLast = c + 1 === count || runs[3 * c + 5] !== runs[3 * c + 2];
    if (!isLast && c + 1 - blockStarts[blocks]! < BLOCK) continue;
    blockBoxes[4 * blocks] = west;
    blockBoxes[4 * blocks + 1] = south;
    blockBoxes[4 * blocks + 2] = east;
    blockBoxes[4 * blocks + 3] = north;
    blockStarts[++blocks] = c + 1;
    west = Infinity;
    south = Infinity;
    east = -Infinity;
    north = -Infinity;
  }
  return blocks;
}

function areBoxesApart(p: Float64Array, a: number, q: Float64Array, b: number): boolean {
  return (
    p[4 * a]! > q[4 * b + 2]! ||
    p[4 * a + 2]! < q[4 * b]! ||
    p[4 * a + 1]! > q[4 * b + 3]! ||
    p[4 * a + 3]! < q[4 * b + 1]!
  );
}

/** Edges of chains c < d compared; −1 where two of them meet and do not just follow each other. */
function compareChains(
  xy: Float64Array,
  ringStarts: Uint32Array,
  { runs, boxes }: Chains,
  c: number,
  d: number,
): number {
  const first = runs[3 * c]!;
  const last = runs[3 * c + 1]!;
  const ring = runs[3 * c + 2]!;
  const west = boxes[4 * c]!;
  const south = boxes[4 * c + 1]!;
  const east = boxes[4 * c + 2]!;
  const north = boxes[4 * c + 3]!;
  // The first and the last edge of a ring follow each other too.
  const opening = ring === runs[3 * d + 2] ? ringStarts[ring]! : -1;
  const closing = ringStarts[ring + 1]! - 2;
  let steps = 0;
  for (let j = runs[3 * d]!, end = runs[3 * d + 1]!; j < end; j++) {
    const cx = xy[2 * j]!;
    const cy = xy[2 * j + 1]!;
    const dx = xy[2 * j + 2]!;
    const dy = xy[2 * j + 3]!;
    if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
    if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
    steps += last - first;
    for (let i = first; i < last; i++) {
      const ax = xy[2 * i]!;
      const bx = xy[2 * i + 2]!;
      if (
        ax < bx ? (cx < ax && dx < ax) || (cx > bx && dx > bx) : (cx < bx && dx < bx) || (cx > ax && dx > ax)
      )
        continue;
      const ay = xy[2 * i + 1]!;
      const by = xy[2 * i + 3]!;
      if (
        ay < by ? (cy < ay && dy < ay) || (cy > by && dy > by) : (cy < by && dy < by) || (cy > ay && dy > ay)
      )
        continue;
      if (j === i + 1) {
        if (edgeFoldsBack(ax, ay, bx, by, dx, dy)) return -1;
        continue;
      }
      if (i === opening && j === closing) {
        if (edgeFoldsBack(cx, cy, dx, dy, bx, by)) return -1;
        continue;
      }
      const sideC = orient2d(ax, ay, bx, by, cx, cy);
      const sideD = orient2d(ax, ay, bx, by, dx, dy);
      if ((sideC > 0 && sideD > 0) || (sideC < 0 && sideD < 0)) continue;
      const sideA = orient2d(cx, cy, dx, dy, ax, ay);
      const sideB = orient2d(cx, cy, dx, dy, bx, by);
      if ((sideA > 0 && sideB > 0) || (sideA < 0 && sideB < 0)) continue;
      // On one line, edges whose boxes meet share a point too.
      return -1;
    }
  }
  return steps;
}

/** True if the edge from b to c runs back over the edge from a to b. */
function edgeFoldsBack(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  if (orient2d(ax, ay, bx, by, cx, cy) !== 0) return false;
  return ax !== bx ? ax < bx === cx < bx : ay < by === cy < by;
}

/**
 * True if a position lies within a ring; exact.
 *
 * @param from first position of the ring in `xy`
 * @param to one past its last position, which equals the first
 * @param x longitude of a position that is not on the ring
 */
export function ringContains(xy: Float64Array, from: number, to: number, x: number, y: number): boolean {
  let inside = false;
  let xa = xy[2 * from]!;
  let ya = xy[2 * from + 1]!;
  for (let i = from + 1; i < to; i++) {
    const xb = xy[2 * i]!;
    const yb = xy[2 * i + 1]!;
    if (ya > y !== yb > y && orient2d(xa, ya, xb, yb, x, y) > 0 === yb > ya) inside = !inside;
    xa = xb;
    ya = yb;
  }
  return inside;
}
