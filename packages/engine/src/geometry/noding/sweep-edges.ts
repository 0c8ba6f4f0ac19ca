import { LeastQueue } from "../../base/least-queue.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import { compareCrossing, compareOrdinate, crossingLowerBound } from "./crossing-order.ts";
import type { Edges } from "./near-edges.ts";
import { NONE, SweepStatus } from "./sweep-status.ts";

/** What a sweep comes upon. */
export interface SweepVisitor {
  /** Edges i < j cross properly: in a point that is an end of neither, nor of any other edge. */
  crossing?(i: number, j: number): void;
  /**
   * Two or more edges share the position (x, y), an end of at least one of them. Those before
   * `oldCount` come from the west (or the south, on its meridian); the others start here.
   */
  meeting?(at: readonly number[], oldCount: number, x: number, y: number): void;
  /**
   * Where a position asked about lies: the edge next below it (south of it), −1 for none, and
   * whether edges go through the position itself. Edges that end on its meridian south of it are
   * not counted, those that start there are: it is looked at from just east of it.
   */
  located?(query: number, below: number, on: boolean): void;
}

/**
 * Finds where edges meet, in O((n + k) log n) for n edges and k crossings, whatever their shape.
 *
 * A line sweeps over the edges from west to east, on a meridian from south to north, and keeps those
 * it meets in order (Bentley, Ottmann: Algorithms for Reporting and Counting Geometric Intersections,
 * 1979). At each position that is an end of an edge, all edges through it are found side by side,
 * reported together, and put in the order in which they leave.
 *
 * Every decision is exact, and no crossing point is ever constructed. Crossings need no order among
 * themselves: before a position is looked at, neighbours that have crossed by then change places,
 * whichever come first, until none are left; so the only questions are on which side of an edge a
 * position lies, and whether two edges cross before it. More edges than two through one point where
 * none ends are reported as so many crossings of two.
 *
 * Repeated, overlapping, upright edges and edges of one position are all in order; the latter are
 * left out.
 *
 * Work: 60 steps an end of an edge and 20 a level searched of the tree; 300 a crossing, and 1,500
 * more where integers decide its place; in meetings of many edges 32 an edge and level of sorting.
 *
 * Memory: 52 bytes an edge, 24 an edge on the line, 24 a crossing foreseen.
 *
 * @param queries flat `[x, y, …]`, positions to locate
 */
export function sweepEdges(
  edges: Edges,
  meter: WorkMeter,
  visitor: SweepVisitor,
  queries: Float64Array = NO_QUERIES,
): void {
  const xy = westFirst(edges, queries);
  const events = sortedEvents(edges, xy);
  const firstQuery = 2 * edges.count;
  const status = new SweepStatus(edges.count);
  const { nodeOf } = status;
  /** Pairs of neighbours by the position from which on it is to be asked whether they have crossed. */
  const foreseen = new LeastQueue();
  /** So many are a crowd: it is worth while to drop what has gone stale. */
  let crowd = LEAST_CROWD;
  meter.add(END_STEPS * events.length);

  const at: number[] = [];
  const leaving: number[] = [];
  for (let e = 0; e < events.length; ) {
    const x = xy[2 * events[e]!]!;
    const y = xy[2 * events[e]! + 1]!;
    let end = e + 1;
    while (end < events.length && xy[2 * events[end]!] === x && xy[2 * events[end]! + 1] === y) end++;
    visitPosition(x, y, e, end);
    e = end;
  }

  function visitPosition(x: number, y: number, first: number, last: number): void {
    if (isForeseenBefore(x, y)) crossBefore(x, y);
    at.length = 0;
    leaving.length = 0;
    let ended = NONE;
    for (let k = first; k < last; k++) {
      const event = events[k]!;
      if (event >= firstQuery) continue;
      if ((event & 1) === 0) leaving.push(event >> 1);
      else ended = event >> 1;
    }
    const starting = leaving.length;

    // The edges through the position are neighbours, the lowest of them just above `under`.
    let under = NONE;
    let bottom = ended === NONE ? status.root : nodeOf[ended]!;
    while (ended === NONE && bottom !== NONE) {
      meter.add(LEVEL_STEPS);
      const side = sideOf(status.edge[bottom]!, x, y);
      if (side === 0) break;
      if (side > 0) {
        under = bottom;
        bottom = status.right[bottom]!;
      } else bottom = status.left[bottom]!;
    }
    if (bottom !== NONE) {
      let over = status.above[bottom]!;
      while (over !== NONE && sideOf(status.edge[over]!, x, y) === 0) over = status.above[over]!;
      under = status.below[bottom]!;
      while (under !== NONE && sideOf(status.edge[under]!, x, y) === 0) {
        bottom = under;
        under = status.below[under]!;
      }
      for (let node = bottom; node !== over; node = status.above[node]!) {
        const edge = status.edge[node]!;
        at.push(edge);
        if (xy[4 * edge + 2] !== x || xy[4 * edge + 3] !== y) leaving.push(edge);
      }
    }
    const oldCount = at.length;
    for (let k = 0; k < starting; k++) at.push(leaving[k]!);
    if (at.length > 1) visitor.meeting?.(at, oldCount, x, y);
    // Queries come last of what lies in one position.
    for (let k = last - 1; k >= first && events[k]! >= firstQuery; k--) {
      const below = under === NONE ? NONE : status.edge[under]!;
      visitor.located?.(events[k]! - firstQuery, below, at.length > 0);
    }
    if (leaving.length > 1) sortLeaving(x, y);

    // The nodes of the edges that come are given to those that leave, in their order.
    for (let k = leaving.length; k < oldCount; k++) status.remove(aboveOf(under));
    let node = under;
    for (let k = 0; k < leaving.length; k++) {
      if (k < oldCount) {
        node = aboveOf(node);
        status.put(node, leaving[k]!);
      } else node = status.insertAbove(node, leaving[k]!);
    }
    if (leaving.length > 0) foresee(under, aboveOf(under));
    foresee(node, aboveOf(node));
  }

  /** Puts edges that leave (x, y) in order from south to north, those along each other by number. */
  function sortLeaving(x: number, y: number): void {
    const compare = (i: number, j: number): number =>
      orient2d(x, y, xy[4 * j + 2]!, xy[4 * j + 3]!, xy[4 * i + 2]!, xy[4 * i + 3]!) || i - j;
    if (leaving.length === 2) {
      if (compare(leaving[0]!, leaving[1]!) > 0) leaving.reverse();
      return;
    }
    meter.add(SORT_STEPS * leaving.length * (32 - Math.clz32(leaving.length)));
    leaving.sort(compare);
  }

  function aboveOf(node: number): number {
    return node === NONE ? status.lowest : status.above[node]!;
  }

  /** On which side of an edge a position lies: positive above (north of) it, seen from the west. */
  function sideOf(edge: number, x: number, y: number): number {
    return orient2d(xy[4 * edge]!, xy[4 * edge + 1]!, xy[4 * edge + 2]!, xy[4 * edge + 3]!, x, y);
  }

  /** Notes where an edge and the one above it will cross, if they do: one of them ends on the far side. */
  function foresee(lowerNode: number, upperNode: number): void {
    if (lowerNode === NONE || upperNode === NONE) return;
    const lower = status.edge[lowerNode]!;
    const upper = status.edge[upperNode]!;
    const lowerX = xy[4 * lower + 2]!;
    const lowerY = xy[4 * lower + 3]!;
    const upperX = xy[4 * upper + 2]!;
    const upperY = xy[4 * upper + 3]!;
    const cross =
      lowerX < upperX || (lowerX === upperX && lowerY < upperY)
        ? sideOf(upper, lowerX, lowerY) > 0
        : sideOf(lower, upperX, upperY) < 0;
    if (!cross) return;
    meter.add(CROSSING_STEPS);
    if (foreseen.length > Math.max(crowd, 4 * status.size)) {
      foreseen.keep(areNeighbours);
      crowd = Math.max(LEAST_CROWD, 2 * foreseen.length);
    }
    foreseen.push(crossingLowerBound(xy, lower, upper, 0, meter), Number.NEGATIVE_INFINITY, lower, upper);
  }

  function areNeighbours(lower: number, upper: number): boolean {
    const node = nodeOf[lower]!;
    if (status.edge[node] !== lower) return false;
    const over = status.above[node]!;
    return over !== NONE && status.edge[over] === upper;
  }

  /** Whether the first position foreseen is not after this one. */
  function isForeseenBefore(x: number, y: number): boolean {
    if (foreseen.length === 0) return false;
    return foreseen.key < x || (foreseen.key === x && foreseen.tie <= y);
  }

  /** Lets neighbours that have crossed before the position change places. */
  function crossBefore(x: number, y: number): void {
    const later: { x: number; y: number; lower: number; upper: number }[] = [];
    while (isForeseenBefore(x, y)) {
      const { item: lower, other: upper } = foreseen;
      foreseen.pop();
      if (!areNeighbours(lower, upper)) continue;
      const order = compareCrossing(xy, lower, upper, x, y, meter);
      // What crosses in the position itself is found there.
      if (order === 0) continue;
      if (order > 0) {
        // Not yet: asked again further east, or on this meridian from the crossing's height on.
        const here = compareOrdinate(xy, lower, upper, 0, x, meter) === 0;
        later.push({
          x,
          y: here ? crossingLowerBound(xy, lower, upper, 1, meter) : Number.POSITIVE_INFINITY,
          lower,
          upper,
        });
        continue;
      }
      const node = nodeOf[lower]!;
      status.swapWithAbove(node);
      visitor.crossing?.(Math.min(lower, upper), Math.max(lower, upper));
      foresee(status.below[node]!, node);
      const over = status.above[node]!;
      foresee(over, status.above[over]!);
    }
    for (const one of later) foreseen.push(one.x, one.y, one.lower, one.upper);
  }
}

/**
 * Visits every pair of edges i < j that share a point, each once: what {@link sweepEdges} finds, taken
 * in pairs.
 *
 * Work: that of the sweep, and sixteen steps more a pair visited.
 */
export function sweepPairs(edges: Edges, meter: WorkMeter, visit: (i: number, j: number) => void): void {
  const { x0, y0, x1, y1 } = edges;
  sweepEdges(edges, meter, {
    crossing(i, j) {
      meter.add(PAIR_STEPS);
      visit(i, j);
    },
    meeting(at, oldCount, x, y) {
      meter.add((PAIR_STEPS * at.length * (at.length - 1)) / 2);
      for (let q = 1; q < at.length; q++) {
        for (let p = 0; p < q; p++) {
          if (q < oldCount && comeTogether(at[p]!, at[q]!, x, y)) continue;
          visit(Math.min(at[p]!, at[q]!), Math.max(at[p]!, at[q]!));
        }
      }
    },
  });

  /** Whether edges come to (x, y) along each other: then they have met before. */
  function comeTogether(i: number, j: number, x: number, y: number): boolean {
    const [ix, iy] = westEnd(i);
    const [jx, jy] = westEnd(j);
    return orient2d(ix, iy, x, y, jx, jy) === 0;
  }

  function westEnd(e: number): [number, number] {
    const forward = x0[e]! < x1[e]! || (x0[e] === x1[e] && y0[e]! < y1[e]!);
    return forward ? [x0[e]!, y0[e]!] : [x1[e]!, y1[e]!];
  }
}

const PAIR_STEPS = 16;
const NO_QUERIES = new Float64Array(0);
const END_STEPS = 60;
const LEVEL_STEPS = 20;
const SORT_STEPS = 32;
const CROSSING_STEPS = 300;
const LEAST_CROWD = 1024;

/** Four numbers an edge, its western end (southern, if upright) and the other; then the queries. */
function westFirst({ count, x0, y0, x1, y1 }: Edges, queries: Float64Array): Float64Array {
  const xy = new Float64Array(4 * count + queries.length);
  xy.set(queries, 4 * count);
  for (let e = 0; e < count; e++) {
    const forward = x0[e]! < x1[e]! || (x0[e] === x1[e] && y0[e]! <= y1[e]!);
    xy[4 * e] = forward ? x0[e]! : x1[e]!;
    xy[4 * e + 1] = forward ? y0[e]! : y1[e]!;
    xy[4 * e + 2] = forward ? x1[e]! : x0[e]!;
    xy[4 * e + 3] = forward ? y1[e]! : y0[e]!;
  }
  return xy;
}

/**
 * What the line comes upon from west to east, on a meridian from south to north, by number of its
 * position in `xy`: `2e` starts edge e, `2e + 1` ends it, what comes beyond is a query.
 */
function sortedEvents({ count }: Edges, xy: Float64Array): Int32Array {
  let events = new Int32Array(xy.length / 2);
  let length = 0;
  for (let e = 0; e < count; e++) {
    if (xy[4 * e] === xy[4 * e + 2] && xy[4 * e + 1] === xy[4 * e + 3]) continue;
    events[length++] = 2 * e;
    events[length++] = 2 * e + 1;
  }
  for (let event = 2 * count; event < xy.length / 2; event++) events[length++] = event;
  events = events.subarray(0, length);
  let merged = new Int32Array(length);
  for (let run = 1; run < length; run *= 2) {
    for (let start = 0; start < length; start += 2 * run) {
      mergeRuns(start, Math.min(start + run, length), Math.min(start + 2 * run, length));
    }
    [events, merged] = [merged, events];
  }
  return events;

  function mergeRuns(start: number, middle: number, end: number): void {
    let i = start;
    let j = middle;
    for (let k = start; k < end; k++) {
      const fromFirst = i < middle && (j === end || !isBefore(events[j]!, events[i]!));
      merged[k] = fromFirst ? events[i++]! : events[j++]!;
    }
  }

  function isBefore(p: number, q: number): boolean {
    const px = xy[2 * p]!;
    const qx = xy[2 * q]!;
    return px < qx || (px === qx && xy[2 * p + 1]! < xy[2 * q + 1]!);
  }
}
