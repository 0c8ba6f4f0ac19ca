import { FAN_OUT, leafSpan, MAX_LEVELS } from "./chain-tree.ts";
import { compareShifted, orient2dShifted } from "./predicates.ts";

/** One ring (or line) with its chain tree, opened for walking; a cursor to be reused. */
export interface Chains {
  xy: Float64Array;
  /** First position of the ring. */
  first: number;
  edges: number;
  boxes: Float32Array;
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
}

export function createChains(): Chains {
  return {
    xy: new Float64Array(0),
    first: 0,
    edges: 0,
    boxes: new Float32Array(0),
    integrals: new Float64Array(0),
    node: 0,
    leaf: 0,
    levels: 0,
    levelStarts: new Int32Array(MAX_LEVELS + 1),
    shift: 0,
  };
}

/** Points the cursor at the ring of positions `from` to `to` (exclusive), whose tree starts at `node`. */
export function openChains(
  chains: Chains,
  xy: Float64Array,
  from: number,
  to: number,
  boxes: Float32Array,
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
  chains.leaf = leafSpan(chains.edges);
  const starts = chains.levelStarts;
  let count = Math.ceil(chains.edges / chains.leaf);
  let start = count;
  let level = 1;
  starts[0] = 0;
  starts[1] = start;
  while (count > 1) {
    count = Math.ceil(count / FAN_OUT);
    start += count;
    level++;
    starts[level] = start;
  }
  chains.levels = level;
}

/** Edges below a node of that level. */
export function spanOfLevel(chains: Chains, level: number): number {
  let span = chains.leaf;
  for (let i = 0; i < level; i++) span *= FAN_OUT;
  return span;
}

/** 0 outside, 1 inside, 2 on the boundary. */
export type Side = 0 | 1 | 2;

/**
 * Side of the position (x, y) with respect to the ring, by the even-odd rule. Exact.
 * Visits only nodes at the position's height and not left of it: O(log n) where few edges are near.
 */
export function sideOfRing(chains: Chains, x: number, y: number): Side {
  const top = chains.levels - 1;
  return crossings(chains, top, chains.levelStarts[top]!, x, y);
}

/** Crossings of the ray from (x, y) to the east, modulo 2; 2 where the position is on the chain. */
function crossings(chains: Chains, level: number, node: number, x: number, y: number): Side {
  const { boxes, xy, first, edges } = chains;
  const box = 4 * (chains.node + node);
  // Rounding is monotone: what compares strictly after it compared strictly before.
  const local = x - chains.shift;
  if (boxes[box + 1]! > y || boxes[box + 3]! < y || boxes[box + 2]! < local) return 0;
  const index = node - chains.levelStarts[level]!;
  if (boxes[box]! > local) {
    const span = spanOfLevel(chains, level);
    const start = first + index * span;
    const end = Math.min(start + span, first + edges);
    return xy[2 * start + 1]! > y !== xy[2 * end + 1]! > y ? 1 : 0;
  }
  if (level === 0) {
    const start = first + index * chains.leaf;
    return crossingsOfEdges(chains, start, Math.min(start + chains.leaf, first + edges), x, y);
  }
  const below = chains.levelStarts[level - 1]!;
  const end = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
  let parity = 0;
  for (let child = below + index * FAN_OUT; child < end; child++) {
    const found = crossings(chains, level - 1, child, x, y);
    if (found === 2) return 2;
    parity ^= found;
  }
  return parity as 0 | 1;
}

function crossingsOfEdges(chains: Chains, start: number, end: number, x: number, y: number): Side {
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
