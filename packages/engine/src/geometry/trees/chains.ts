import { compareMiddle, compareShifted, orient2dMiddle, orient2dShifted } from "../earth/predicates.ts";
import { CELL_DEGREES, cellBoxesMeet, floorToCell, toCellBox, toDegreesBox } from "./cells.ts";
import {
  computeLeafSpan,
  FAN_OUT,
  LEAF_EDGES,
  LEVEL_SPANS,
  MAX_LEVELS,
  SINGLE_NODE_EDGES,
} from "./chain-tree.ts";

/** One ring (or line) with its chain tree, opened for walking; a cursor to be reused. */
export interface Chains {
  xy: Float64Array;
  /** First position of the ring. */
  first: number;
  edges: number;
  /** Envelopes of the nodes, in cells. */
  boxes: Int32Array;
  integrals: Float64Array;
  /** Index in `boxes` and `integrals` of the tree's first node; below, nodes count from there. */
  node: number;
  /** Edges of a leaf. */
  leaf: number;
  levels: number;
  /** First node of each level, leaves first; one entry more. */
  readonly levelStarts: Int32Array;
  /** Degrees to add to every longitude, a multiple of 360. */
  shift: number;
  /** Nodes and edges looked at so far; the caller resets it. */
  work: number;
}

export function createChains(): Chains {
  return {
    xy: new Float64Array(0),
    first: 0,
    edges: 0,
    boxes: new Int32Array(0),
    integrals: new Float64Array(0),
    node: 0,
    leaf: 0,
    levels: 0,
    levelStarts: new Int32Array(MAX_LEVELS + 1),
    shift: 0,
    work: 0,
  };
}

/** Points the cursor at the ring of positions `from` to `to` (exclusive), whose tree starts at `node`. */
export function openChains(
  chains: Chains,
  xy: Float64Array,
  from: number,
  to: number,
  boxes: Int32Array,
  integrals: Float64Array,
  node: number,
  shift: number,
): void {
  chains.xy = xy;
  chains.first = from;
  chains.edges = to - from - 1;
  chains.boxes = boxes;
  chains.integrals = integrals;
  chains.node = node;
  chains.shift = shift;
  chains.leaf = computeLeafSpan(chains.edges);
  const starts = chains.levelStarts;
  // ⌈edges / leaf⌉, below ⌈count / FAN_OUT⌉.
  let count = chains.edges <= SINGLE_NODE_EDGES ? 1 : (chains.edges + LEAF_EDGES - 1) >>> 4;
  let start = count;
  let level = 1;
  starts[0] = 0;
  starts[1] = start;
  while (count > 1) {
    count = (count + FAN_OUT - 1) >> 3;
    start += count;
    level++;
    starts[level] = start;
  }
  chains.levels = level;
}

/** Edges below a node of that level. */
export function getLevelSpan(chains: Chains, level: number): number {
  return level === 0 ? chains.leaf : LEVEL_SPANS[level]!;
}

/** 0 outside, 1 inside, 2 on the boundary. */
export type Side = 0 | 1 | 2;

/**
 * Side of the position (x, y) with respect to the ring, by the even-odd rule. Exact.
 * Visits only nodes at the position's height and not left of it: O(log n) where few edges are near.
 */
export function sideOfRing(chains: Chains, x: number, y: number): Side {
  const top = chains.levels - 1;
  const root = chains.levelStarts[top]!;
  return computeCrossingParity(
    chains,
    top,
    root,
    root + 1,
    x,
    y,
    floorToCell(x - chains.shift),
    floorToCell(y),
  );
}

/** Crossings of the ray from (x, y) to the east and consecutive nodes of a level, modulo 2; 2 where the position is on one. */
function computeCrossingParity(
  chains: Chains,
  level: number,
  from: number,
  to: number,
  x: number,
  y: number,
  cellX: number,
  cellY: number,
): Side {
  const { boxes, xy, first, edges, levelStarts } = chains;
  const span = getLevelSpan(chains, level);
  chains.work += to - from;
  let parity = 0;
  for (let node = from, box = 4 * (chains.node + from); node < to; node++, box += 4) {
    if (((cellY - boxes[box + 1]!) | (boxes[box + 3]! - cellY) | (boxes[box + 2]! - cellX)) < 0) continue;
    const index = node - levelStarts[level]!;
    const start = first + index * span;
    let found: Side;
    if (boxes[box]! > cellX) {
      const end = Math.min(start + span, first + edges);
      found = xy[2 * start + 1]! > y !== xy[2 * end + 1]! > y ? 1 : 0;
    } else if (level === 0) {
      found = edgeCrossingParity(chains, start, Math.min(start + span, first + edges), x, y);
    } else {
      const below = levelStarts[level - 1]! + index * FAN_OUT;
      const end = Math.min(below + FAN_OUT, levelStarts[level]!);
      found = computeCrossingParity(chains, level - 1, below, end, x, y, cellX, cellY);
    }
    if (found === 2) return 2;
    parity ^= found;
  }
  return parity as 0 | 1;
}

/** The same of the ring's edges from position `start` to position `end`; all of them: the side of (x, y). Asks for no tree. */
export function edgeCrossingParity(chains: Chains, start: number, end: number, x: number, y: number): Side {
  chains.work += end - start;
  const { xy, shift } = chains;
  const local = x - shift;
  let parity = 0;
  let xa = xy[2 * start]!;
  let ya = xy[2 * start + 1]!;
  for (let i = start + 1; i <= end; i++) {
    const xb = xy[2 * i]!;
    const yb = xy[2 * i + 1]!;
    const crosses = ya > y !== yb > y;
    if ((local <= xa || local <= xb) && (crosses || ya === y || yb === y)) {
      if (crosses && local < xa && local < xb) {
        parity ^= 1;
      } else {
        const side = orient2dShifted(xa, ya, xb, yb, shift, x, y);
        if (side === 0) {
          const a = compareShifted(xa, shift, x);
          const b = compareShifted(xb, shift, x);
          if ((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) return 2;
        }
        if (crosses && side > 0 === yb > ya) parity ^= 1;
      }
    }
    xa = xb;
    ya = yb;
  }
  return parity as 0 | 1;
}

/** {@link sideOfRing} of the middle of p and q, exact also where that is no double. The ring is unshifted. */
export function sideOfMiddle(chains: Chains, px: number, py: number, qx: number, qy: number): Side {
  const top = chains.levels - 1;
  return middleCrossingParity(chains, top, chains.levelStarts[top]!, px, py, qx, qy);
}

function middleCrossingParity(
  chains: Chains,
  level: number,
  node: number,
  px: number,
  py: number,
  qx: number,
  qy: number,
): Side {
  chains.work += 4;
  const { boxes, xy, first, edges } = chains;
  const box = 4 * (chains.node + node);
  if (compareMiddle(boxes[box + 1]! * CELL_DEGREES, py, qy) > 0) return 0;
  if (compareMiddle(boxes[box + 3]! * CELL_DEGREES, py, qy) < 0) return 0;
  if (compareMiddle(boxes[box + 2]! * CELL_DEGREES, px, qx) < 0) return 0;
  const index = node - chains.levelStarts[level]!;
  const span = getLevelSpan(chains, level);
  const start = first + index * span;
  const end = Math.min(start + span, first + edges);
  const above = (i: number): boolean => compareMiddle(xy[2 * i + 1]!, py, qy) > 0;
  if (compareMiddle(boxes[box]! * CELL_DEGREES, px, qx) > 0) return above(start) !== above(end) ? 1 : 0;
  let parity = 0;
  if (level > 0) {
    const below = chains.levelStarts[level - 1]!;
    const last = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
    for (let child = below + index * FAN_OUT; child < last; child++) {
      const found = middleCrossingParity(chains, level - 1, child, px, py, qx, qy);
      if (found === 2) return 2;
      parity ^= found;
    }
    return parity as 0 | 1;
  }
  chains.work += 4 * (end - start);
  for (let i = start; i < end; i++) {
    const [xa, ya, xb, yb] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
    const a = compareMiddle(ya, py, qy);
    const b = compareMiddle(yb, py, qy);
    if (a > 0 === b > 0 && a !== 0 && b !== 0) continue;
    const side = orient2dMiddle(xa, ya, xb, yb, px, py, qx, qy);
    if (side === 0) {
      const left = compareMiddle(xa, px, qx);
      const right = compareMiddle(xb, px, qx);
      if ((left <= 0 && right >= 0) || (left >= 0 && right <= 0)) return 2;
    }
    if (a > 0 !== b > 0 && side > 0 === b > 0) parity ^= 1;
  }
  return parity as 0 | 1;
}

/** Work of visiting a pair of edges, in that of looking at one. */
const VISIT_WORK = 8;

/**
 * Calls `visit` with the positions of every two edges, one of each ring, whose closed envelopes meet,
 * until it returns true. Both rings are unshifted.
 */
export function forEachNearEdgePair(
  one: Chains,
  other: Chains,
  visit: (i: number, j: number) => boolean,
): boolean {
  const oneTop = one.levels - 1;
  const otherTop = other.levels - 1;
  return visitNearPairs(
    one,
    oneTop,
    one.levelStarts[oneTop]!,
    other,
    otherTop,
    other.levelStarts[otherTop]!,
    visit,
  );
}

function visitNearPairs(
  one: Chains,
  oneLevel: number,
  oneNode: number,
  other: Chains,
  otherLevel: number,
  otherNode: number,
  visit: (i: number, j: number) => boolean,
): boolean {
  one.work++;
  const a = 4 * (one.node + oneNode);
  const b = 4 * (other.node + otherNode);
  const p = one.boxes;
  const q = other.boxes;
  if (!cellBoxesMeet(p, a, q, b)) return false;
  if (oneLevel > 0 && (otherLevel === 0 || p[a + 2]! - p[a]! > q[b + 2]! - q[b]!)) {
    const below = one.levelStarts[oneLevel - 1]!;
    const index = oneNode - one.levelStarts[oneLevel]!;
    const end = Math.min(below + (index + 1) * FAN_OUT, one.levelStarts[oneLevel]!);
    for (let child = below + index * FAN_OUT; child < end; child++) {
      if (visitNearPairs(one, oneLevel - 1, child, other, otherLevel, otherNode, visit)) return true;
    }
    return false;
  }
  if (otherLevel > 0) {
    const below = other.levelStarts[otherLevel - 1]!;
    const index = otherNode - other.levelStarts[otherLevel]!;
    const end = Math.min(below + (index + 1) * FAN_OUT, other.levelStarts[otherLevel]!);
    for (let child = below + index * FAN_OUT; child < end; child++) {
      if (visitNearPairs(one, oneLevel, oneNode, other, otherLevel - 1, child, visit)) return true;
    }
    return false;
  }
  const [west, south, east, north] = toDegreesBox(q, b);
  const last = Math.min(one.first + (oneNode + 1) * one.leaf, one.first + one.edges);
  const otherFirst = other.first + otherNode * other.leaf;
  const otherLast = Math.min(otherFirst + other.leaf, other.first + other.edges);
  for (let i = one.first + oneNode * one.leaf; i < last; i++) {
    const x0 = one.xy[2 * i]!;
    const y0 = one.xy[2 * i + 1]!;
    const x1 = one.xy[2 * i + 2]!;
    const y1 = one.xy[2 * i + 3]!;
    const [w, e] = x0 < x1 ? [x0, x1] : [x1, x0];
    const [s, n] = y0 < y1 ? [y0, y1] : [y1, y0];
    if (e < west || w > east || n < south || s > north) continue;
    one.work += otherLast - otherFirst;
    for (let j = otherFirst; j < otherLast; j++) {
      const u0 = other.xy[2 * j]!;
      const v0 = other.xy[2 * j + 1]!;
      const u1 = other.xy[2 * j + 2]!;
      const v1 = other.xy[2 * j + 3]!;
      if ((u0 > e && u1 > e) || (u0 < w && u1 < w) || (v0 > n && v1 > n) || (v0 < s && v1 < s)) continue;
      one.work += VISIT_WORK;
      if (visit(i, j)) return true;
    }
  }
  return false;
}

/** Calls `visit` with the position of every edge whose closed envelope meets the box. The ring is unshifted. */
export function forEachEdgeInBox(
  chains: Chains,
  west: number,
  south: number,
  east: number,
  north: number,
  visit: (i: number) => void,
): void {
  const { boxes, xy } = chains;
  const cells = toCellBox(west, south, east, north);
  const walk = (level: number, node: number): void => {
    const box = 4 * (chains.node + node);
    if (!cellBoxesMeet(boxes, box, cells, 0)) return;
    const index = node - chains.levelStarts[level]!;
    if (level > 0) {
      const below = chains.levelStarts[level - 1]!;
      const last = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
      for (let child = below + index * FAN_OUT; child < last; child++) walk(level - 1, child);
      return;
    }
    const start = chains.first + index * chains.leaf;
    const end = Math.min(start + chains.leaf, chains.first + chains.edges);
    for (let i = start; i < end; i++) {
      const [x0, y0, x1, y1] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
      if ((x0 > east && x1 > east) || (x0 < west && x1 < west)) continue;
      if ((y0 > north && y1 > north) || (y0 < south && y1 < south)) continue;
      visit(i);
    }
  };
  walk(chains.levels - 1, chains.levelStarts[chains.levels - 1]!);
}
