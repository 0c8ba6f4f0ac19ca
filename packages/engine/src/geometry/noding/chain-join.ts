import { writeBoxUnion } from "../earth/bbox.ts";
import type { Edges } from "./sweep/near-edges.ts";

/**
 * Visits the pairs of edges i < j whose boxes share a point, each once and in no order, but for pairs that cannot
 * meet or only follow each other straight on: those of one chain.
 *
 * 1. Edges that follow each other, and all go east or all west, or all north or all south, make a chain of at most
 *    sixteen, which meets itself nowhere.
 * 2. Runs of chains are put in the order of a curve through the places they begin at, and eight neighbours into a
 *    node, eight nodes into one of the next level, and so on: a run that is long is a tree of its own along the way.
 * 3. The tree is joined with itself: nodes whose boxes are apart are passed over with all that is in them.
 *
 * The order costs a comparison a run rather than one an edge, and nodes lie beside each other in memory: for outlines
 * of real places this is a few times as quick as to search a tree for every chain.
 *
 * @param starts first edge of each run, none of which is empty; one entry more. Absent: a run ends where an edge does not follow the one before
 * @param visit false ends the search
 * @returns false where it gave up: boxes that nearly all meet, or `visit` said so
 */
export function forEachPairOfChains(
  edges: Edges,
  starts: ArrayLike<number> | undefined,
  visit: (i: number, j: number) => boolean,
): boolean {
  const { x0, y0, x1, y1 } = edges;
  const runs = starts ?? findRunStarts(edges);
  if (runs.length > RUNS) return false;
  const chains = buildMonotoneChains(edges, runs, inCurveOrder(edges, runs));
  const { count, firsts, ends } = chains;
  if (count === 0) return true;
  const { boxes, levelStarts } = buildBoxTree(edges, chains);
  let left = BOXES_WORTH + BOXES_WORTH_PER_CHAIN * count;
  return joinWithin(levelStarts.length - 2, 0);

  /** Pairs within a node: each child with itself and with those after it. */
  function joinWithin(level: number, node: number): boolean {
    if (level === 0) return true;
    const children = levelStarts[level]! - levelStarts[level - 1]!;
    const end = Math.min(FAN * node + FAN, children);
    for (let a = FAN * node; a < end; a++) {
      if (!joinWithin(level - 1, a)) return false;
      for (let b = a + 1; b < end; b++) {
        if (meet(level - 1, a, level - 1, b) && !join(level - 1, a, b)) return false;
      }
    }
    left -= FAN * FAN;
    return left > 0;
  }

  /** Pairs of an edge in node a and one in node b > a of the same level, whose boxes meet. */
  function join(level: number, a: number, b: number): boolean {
    if (level === 0) return compare(a, b);
    const children = levelStarts[level]! - levelStarts[level - 1]!;
    const endA = Math.min(FAN * a + FAN, children);
    const endB = Math.min(FAN * b + FAN, children);
    for (let p = FAN * a; p < endA; p++) {
      if (!meet(level - 1, p, level, b)) continue;
      for (let q = FAN * b; q < endB; q++) {
        if (meet(level - 1, p, level - 1, q) && !join(level - 1, p, q)) return false;
      }
      left -= FAN;
    }
    left -= FAN;
    return left > 0;
  }

  function meet(levelA: number, a: number, levelB: number, b: number): boolean {
    const p = 4 * (levelStarts[levelA]! + a);
    const q = 4 * (levelStarts[levelB]! + b);
    return (
      boxes[p]! <= boxes[q + 2]! &&
      boxes[p + 2]! >= boxes[q]! &&
      boxes[p + 1]! <= boxes[q + 3]! &&
      boxes[p + 3]! >= boxes[q + 1]!
    );
  }

  function compare(c: number, d: number): boolean {
    const west = boxes[4 * c]!;
    const south = boxes[4 * c + 1]!;
    const east = boxes[4 * c + 2]!;
    const north = boxes[4 * c + 3]!;
    left -= ends[d]! - firsts[d]!;
    for (let j = firsts[d]!; j < ends[d]!; j++) {
      const cx = x0[j]!;
      const dx = x1[j]!;
      if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
      const cy = y0[j]!;
      const dy = y1[j]!;
      if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
      for (let i = firsts[c]!; i < ends[c]!; i++) {
        const ax = x0[i]!;
        const bx = x1[i]!;
        if (
          ax < bx
            ? (cx < ax && dx < ax) || (cx > bx && dx > bx)
            : (cx < bx && dx < bx) || (cx > ax && dx > ax)
        )
          continue;
        const ay = y0[i]!;
        const by = y1[i]!;
        if (
          ay < by
            ? (cy < ay && dy < ay) || (cy > by && dy > by)
            : (cy < by && dy < by) || (cy > ay && dy > ay)
        )
          continue;
        if (!(i < j ? visit(i, j) : visit(j, i))) return false;
      }
      left -= ends[c]! - firsts[c]!;
    }
    return true;
  }
}

const LONGEST_CHAIN = 16;
const FAN = 8;
/** Boxes compared that a join is worth; real layers take 20 to 60 a chain. */
const BOXES_WORTH = 10_000;
const BOXES_WORTH_PER_CHAIN = 400;

function findRunStarts({ count, x0, y0, x1, y1 }: Edges): readonly number[] {
  const starts: number[] = [];
  for (let e = 0; e < count; e++) {
    if (e === 0 || x0[e] !== x1[e - 1] || y0[e] !== y1[e - 1]) starts.push(e);
  }
  starts.push(count);
  return starts;
}

/** Numbers of runs in the order of a Z-curve through their first positions. */
function inCurveOrder({ x0, y0 }: Edges, starts: ArrayLike<number>): Float64Array {
  const runs = starts.length - 1;
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let run = 0; run < runs; run++) {
    west = Math.min(west, x0[starts[run]!]!);
    south = Math.min(south, y0[starts[run]!]!);
    east = Math.max(east, x0[starts[run]!]!);
    north = Math.max(north, y0[starts[run]!]!);
  }
  const across = east > west ? 65535 / (east - west) : 0;
  const up = north > south ? 65535 / (north - south) : 0;
  // Place on the curve and number in one: 2³² places, 2²¹ runs.
  const keys = new Float64Array(runs);
  for (let run = 0; run < runs; run++) {
    const first = starts[run]!;
    const place = spreadBits((x0[first]! - west) * across) + 2 * spreadBits((y0[first]! - south) * up);
    keys[run] = place * RUNS + run;
  }
  keys.sort();
  for (let k = 0; k < runs; k++) keys[k]! %= RUNS;
  return keys;
}

/** More runs than that are not joined. */
const RUNS = 2097152;

/** The sixteen bits of a number, each with a zero before it. */
function spreadBits(value: number): number {
  let bits = Math.floor(value) & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

interface MonotoneChains {
  readonly count: number;
  /** First edge of each chain, and one past its last. */
  readonly firsts: Int32Array;
  readonly ends: Int32Array;
}

function buildMonotoneChains(
  { count: edgeCount, x0, y0, x1, y1 }: Edges,
  starts: ArrayLike<number>,
  order: Float64Array,
): MonotoneChains {
  const firsts = new Int32Array(edgeCount);
  const ends = new Int32Array(edgeCount);
  let count = 0;
  for (let k = 0; k < order.length; k++) {
    const run = order[k]!;
    let ways = 0;
    for (let e = starts[run]!; e < starts[run + 1]!; e++) {
      const way =
        (x1[e]! > x0[e]! ? EAST : x1[e]! < x0[e]! ? WEST : 0) |
        (y1[e]! > y0[e]! ? NORTH : y1[e]! < y0[e]! ? SOUTH : 0);
      ways &= way;
      const follows = ways !== 0 && x0[e] === x1[e - 1] && y0[e] === y1[e - 1];
      if (!follows || e - firsts[count - 1]! === LONGEST_CHAIN) {
        firsts[count++] = e;
        ways = way;
      }
      ends[count - 1] = e + 1;
    }
  }
  return { count, firsts, ends };
}

const EAST = 1;
const WEST = 2;
const NORTH = 4;
const SOUTH = 8;

interface BoxTree {
  /** West, south, east and north of each node, by level, chains first. */
  readonly boxes: Float64Array;
  /** First node of each level; one entry more. */
  readonly levelStarts: readonly number[];
}

function buildBoxTree({ x0, y0, x1, y1 }: Edges, { count, firsts, ends }: MonotoneChains): BoxTree {
  const levelStarts = [0, count];
  for (let size = count; size > 1; ) {
    size = Math.ceil(size / FAN);
    levelStarts.push(levelStarts.at(-1)! + size);
  }
  const boxes = new Float64Array(4 * levelStarts.at(-1)!);
  for (let c = 0; c < count; c++) {
    let west = x0[firsts[c]!]!;
    let south = y0[firsts[c]!]!;
    let east = west;
    let north = south;
    for (let e = firsts[c]!; e < ends[c]!; e++) {
      const x = x1[e]!;
      const y = y1[e]!;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    boxes[4 * c] = west;
    boxes[4 * c + 1] = south;
    boxes[4 * c + 2] = east;
    boxes[4 * c + 3] = north;
  }
  for (let level = 1; level + 1 < levelStarts.length; level++) {
    const below = levelStarts[level - 1]!;
    for (let node = levelStarts[level]!; node < levelStarts[level + 1]!; node++) {
      const first = below + FAN * (node - levelStarts[level]!);
      const end = Math.min(first + FAN, levelStarts[level]!);
      writeBoxUnion(boxes, first, end, boxes, node);
    }
  }
  return { boxes, levelStarts };
}
