import { orient2d } from "../earth/predicates.ts";

/*
 * Certificates that rings bound regions. Each is exact where it says yes; no means only that it cannot tell
 * cheaply: whoever asks then looks for faults with `findFaults`.
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
export function windingAbout(xy: Float64Array, from: number, to: number, x: number, y: number): -1 | 0 | 1 {
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
 * Whether rings share no point with each other, and none with themselves but where one edge follows another.
 *
 * 1. Edges that follow each other, and all go east or all west, or all north or all south, make a chain,
 *    which meets itself nowhere. Eight chains make a block.
 * 2. Blocks whose boxes meet are searched for chains, and those for edges, whose boxes do.
 * 3. Such edges are compared by exact predicates. Those that follow each other may not fold back.
 *
 * @param ringStarts first position of each ring in `xy`; one entry more. Each ring ends where it starts
 * @returns the boxes and edges compared; −1 where it is not known
 */
export function stepsToKeepApart(xy: Float64Array, ringStarts: Uint32Array): number {
  const chains = chainsOf(xy, ringStarts);
  if (chains === undefined) return -1;
  const { count, boxes, blockBoxes } = chains;
  const blocks = Math.ceil(count / BLOCK);
  const worth = STEPS + STEPS_PER_EDGE * (xy.length >> 1);
  let steps = 0;
  for (let b = 0; b < blocks; b++) {
    const end = Math.min((b + 1) * BLOCK, count);
    for (let other = b; other < blocks; other++) {
      steps++;
      if (other !== b && apart(blockBoxes, b, blockBoxes, other)) continue;
      const otherEnd = Math.min((other + 1) * BLOCK, count);
      for (let d = other === b ? b * BLOCK + 1 : other * BLOCK; d < otherEnd; d++) {
        steps++;
        if (other !== b && apart(blockBoxes, b, boxes, d)) continue;
        const last = other === b ? d : end;
        for (let c = b * BLOCK; c < last; c++) {
          steps++;
          if (apart(boxes, c, boxes, d)) continue;
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

interface MonotoneChains {
  readonly count: number;
  /** First and last position of each chain, and its ring. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  readonly rings: Int32Array;
  /** West, south, east and north of each chain, and of each block. */
  readonly boxes: Float64Array;
  readonly blockBoxes: Float64Array;
}

const [EAST, WEST, NORTH, SOUTH] = [1, 2, 4, 8];

/** Nothing where a position repeats the one before. */
function chainsOf(xy: Float64Array, ringStarts: Uint32Array): MonotoneChains | undefined {
  const capacity = xy.length >> 1;
  const firsts = new Int32Array(capacity);
  const lasts = new Int32Array(capacity);
  const rings = new Int32Array(capacity);
  let count = 0;
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const from = ringStarts[ring]!;
    const to = ringStarts[ring + 1]!;
    let ways = 0;
    let x0 = xy[2 * from]!;
    let y0 = xy[2 * from + 1]!;
    for (let i = from + 1; i < to; i++) {
      const x1 = xy[2 * i]!;
      const y1 = xy[2 * i + 1]!;
      const way = (x1 > x0 ? EAST : x1 < x0 ? WEST : 0) | (y1 > y0 ? NORTH : y1 < y0 ? SOUTH : 0);
      if (way === 0) return undefined;
      ways &= way;
      if (ways === 0 || i - firsts[count - 1]! > LONGEST_CHAIN) {
        firsts[count] = i - 1;
        rings[count] = ring;
        count++;
        ways = way;
      }
      lasts[count - 1] = i;
      x0 = x1;
      y0 = y1;
    }
  }
  const boxes = new Float64Array(4 * count);
  const blockBoxes = new Float64Array(4 * Math.ceil(count / BLOCK));
  for (let c = 0; c < count; c++) {
    writeBox(boxes, c, xy, firsts[c]!, lasts[c]!);
    const block = 4 * Math.floor(c / BLOCK);
    const isFirst = c % BLOCK === 0;
    for (let side = 0; side < 4; side++) {
      const found = boxes[4 * c + side]!;
      const known = blockBoxes[block + side]!;
      if (isFirst || (side < 2 ? found < known : found > known)) blockBoxes[block + side] = found;
    }
  }
  return { count, firsts, lasts, rings, boxes, blockBoxes };
}

function writeBox(boxes: Float64Array, at: number, xy: Float64Array, first: number, last: number): void {
  let west = xy[2 * first]!;
  let south = xy[2 * first + 1]!;
  let east = west;
  let north = south;
  for (let i = first + 1; i <= last; i++) {
    const x = xy[2 * i]!;
    const y = xy[2 * i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  boxes[4 * at] = west;
  boxes[4 * at + 1] = south;
  boxes[4 * at + 2] = east;
  boxes[4 * at + 3] = north;
}

function apart(p: Float64Array, a: number, q: Float64Array, b: number): boolean {
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
  { firsts, lasts, rings, boxes }: MonotoneChains,
  c: number,
  d: number,
): number {
  const first = firsts[c]!;
  const last = lasts[c]!;
  const west = boxes[4 * c]!;
  const south = boxes[4 * c + 1]!;
  const east = boxes[4 * c + 2]!;
  const north = boxes[4 * c + 3]!;
  const ring = rings[c]!;
  // The first and the last edge of a ring follow each other too.
  const opening = ring === rings[d] ? ringStarts[ring]! : -1;
  const closing = ringStarts[ring + 1]! - 2;
  let steps = 0;
  for (let j = firsts[d]!; j < lasts[d]!; j++) {
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
        if (foldsBack(ax, ay, bx, by, dx, dy)) return -1;
        continue;
      }
      if (i === opening && j === closing) {
        if (foldsBack(cx, cy, dx, dy, bx, by)) return -1;
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

/** Whether the edge from b to c runs back over the edge from a to b. */
function foldsBack(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  if (orient2d(ax, ay, bx, by, cx, cy) !== 0) return false;
  return ax !== bx ? ax < bx === cx < bx : ay < by === cy < by;
}

/**
 * Whether a position lies within a ring; exact.
 *
 * @param from first position of the ring in `xy`
 * @param to one past its last position, which equals the first
 * @param x longitude of a position that is not on the ring
 */
export function ringHolds(xy: Float64Array, from: number, to: number, x: number, y: number): boolean {
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
