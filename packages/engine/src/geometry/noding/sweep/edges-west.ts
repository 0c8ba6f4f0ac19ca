import { orient2d } from "../../earth/predicates.ts";
import type { PlaneGraph } from "../uncounted-work.ts";

/**
 * For each position, the edge next to the west of it, seen from just north of it. One pass over the edges: each looks
 * only at the positions whose parallel it reaches.
 *
 * Of two edges that reach one parallel west of a position, the one whose southern end lies further north has that
 * end on the side where it passes the other, for edges meet at their ends only. Every decision is exact.
 *
 * Cost: O((n + m) log m) for n edges and m positions where edges are short beside the distances of the positions,
 * as in outlines of real places.
 *
 * @param positions numbers of positions of the graph
 * @returns edges by position, −1 for none; undefined where many edges reach the parallels of many positions
 */
export function findEdgesWestInOnePass(
  { x, y, from, to, count }: PlaneGraph,
  positions: readonly number[],
): Int32Array | undefined {
  const order = Int32Array.from(positions, (_, query) => query).sort(
    (p, q) => y[positions[p]!]! - y[positions[q]!]!,
  );
  const sought = order.length;
  const xs = new Float64Array(sought);
  const ys = new Float64Array(sought);
  for (let k = 0; k < sought; k++) {
    xs[k] = x[positions[order[k]!]!]!;
    ys[k] = y[positions[order[k]!]!]!;
  }
  const nearest = new Int32Array(sought).fill(-1);
  let left = LOOKS * (count + sought);
  for (let e = 0; e < count; e++) {
    const isUpward = y[from[e]!]! < y[to[e]!]!;
    const low = isUpward ? from[e]! : to[e]!;
    const high = isUpward ? to[e]! : from[e]!;
    const top = y[high]!;
    const first = findFirstAtLeast(ys, y[low]!);
    let k = first;
    for (; k < sought && ys[k]! < top; k++) {
      const px = xs[k]!;
      if (x[low]! >= px && x[high]! >= px) continue;
      if (orient2d(x[low]!, y[low]!, x[high]!, top, px, ys[k]!) >= 0) continue;
      if (nearest[k] === -1 || isFurtherEast(e, nearest[k]!)) nearest[k] = e;
    }
    left -= k - first;
    if (left < 0) return undefined;
  }
  const found = new Int32Array(sought);
  for (let k = 0; k < sought; k++) found[order[k]!] = nearest[k]!;
  return found;

  /** True if edge e passes east of edge f on a parallel that both reach. */
  function isFurtherEast(e: number, f: number): boolean {
    const isUpwardE = y[from[e]!]! < y[to[e]!]!;
    const isUpwardF = y[from[f]!]! < y[to[f]!]!;
    const lowE = isUpwardE ? from[e]! : to[e]!;
    const lowF = isUpwardF ? from[f]! : to[f]!;
    const highE = isUpwardE ? to[e]! : from[e]!;
    const highF = isUpwardF ? to[f]! : from[f]!;
    if (y[lowE]! < y[lowF]!) {
      return orient2d(x[lowE]!, y[lowE]!, x[highE]!, y[highE]!, x[lowF]!, y[lowF]!) > 0;
    }
    const side = orient2d(x[lowF]!, y[lowF]!, x[highF]!, y[highF]!, x[lowE]!, y[lowE]!);
    if (side !== 0) return side < 0;
    return orient2d(x[lowF]!, y[lowF]!, x[highF]!, y[highF]!, x[highE]!, y[highE]!) < 0;
  }
}

/** Looks an edge or position that a pass is worth; real layers take one or two. */
const LOOKS = 16;

/** Index of the first of ascending numbers that is not below a value. */
function findFirstAtLeast(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
