import { LeastQueue } from "../../../base/least-queue.ts";
import type { WorkMeter } from "../../../base/work-meter.ts";
import { orient2d } from "../../earth/predicates.ts";
import { compareCrossingOrdinate, compareCrossingPoint, crossingLowerBound } from "../crossing-order.ts";
import type { Edges } from "./near-edges.ts";
import { FIRST_STARTS, IS_QUERY, listSweepEvents, SECOND_STARTS, type SweepEvents } from "./sweep-events.ts";
import { BLOCK_BITS, NONE, SweepStatus } from "./sweep-status.ts";

/** Receives the events of a sweep. */
export interface SweepVisitor {
  /** Edges i < j cross properly: in a point that is an end of neither, nor of any other edge. */
  crossing?(i: number, j: number): void;
  /**
   * Two or more edges share the position (x, y), an end of at least one of them. Those before
   * `oldCount` come from the west (or the south, on its meridian); the others start here. Not told where
   * an edge meets just the one that follows it, unless they run along each other.
   */
  meeting?(at: readonly number[], oldCount: number, x: number, y: number): void;
  /** Edges i < j run along each other. Reported where that begins: at the start of the later one. */
  along?(i: number, j: number): void;
  /** Two edges start where no other edge is, next above edge `below`, −1 for none. */
  opening?(i: number, j: number, below: number): void;
  /**
   * Where a position asked about lies: the edge next below it (south of it), −1 for none, and
   * whether edges go through the position itself. Edges that end on its meridian south of it are
   * not counted, those that start there are: it is looked at from just east of it.
   */
  located?(query: number, below: number, on: boolean): void;
  /** True to end the sweep early; called now and then after an event. */
  stop?(): boolean;
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
 * Most positions are those where an edge is followed by another and nothing else is. There no search is
 * needed but where both start: neighbours are examined when they become neighbours, on which side of one
 * the other ends, so that an end that lies on no neighbour is known to lie on no edge.
 *
 * Work: 16 steps a position and 5 a halving of a search; 16 more an end of an edge where others are; 300 a
 * crossing, and 1,500 more where integers decide its place; in meetings of many edges 10 an edge and
 * level of sorting.
 *
 * Memory: 73 bytes an edge, 8 an edge on the line, 24 a crossing foreseen.
 *
 * @param queries flat `[x, y, …]`, positions to locate
 * @returns false where the visitor stopped it
 */
export function sweepEdges(
  edges: Edges,
  meter: WorkMeter,
  visitor: SweepVisitor,
  queries: Float64Array = NO_QUERIES,
): boolean {
  return new EdgeSweep(edges, meter, visitor, queries).run();
}

class EdgeSweep {
  readonly #meter: WorkMeter;
  readonly #visitor: SweepVisitor;
  readonly #events: SweepEvents;
  /** From {@link SweepEvents}: the ends of edges, and the numbers under which they were passed in. */
  readonly #xy: Float64Array;
  readonly #edgeOf: Int32Array;
  /** The edges that the line meets. */
  readonly #status: SweepStatus;
  /** Edges whose eastern end was seen to lie on another, or that run along another. */
  readonly #touches: Uint8Array;
  /** Pairs of neighbours by the position from which on it is to be asked whether they have crossed. */
  readonly #foreseen = new LeastQueue();
  /** Number of edges from which it pays to drop those that have become stale. */
  #crowd = LEAST_CROWD;
  /** The edges of the position that is visited: those that come, then those that start. */
  readonly #at: number[] = [];
  /** Those of them that leave it, first those that start. */
  readonly #leaving: number[] = [];
  /** Results of a search: the slot next below the position, and the slot of an edge through it, −1 for none. */
  #searchedUnder = NONE;
  #searchedOn = NONE;

  constructor(edges: Edges, meter: WorkMeter, visitor: SweepVisitor, queries: Float64Array) {
    this.#meter = meter;
    this.#visitor = visitor;
    this.#events = listSweepEvents(edges, queries);
    this.#xy = this.#events.xy;
    this.#edgeOf = this.#events.edgeOf;
    this.#status = new SweepStatus(edges.count);
    this.#touches = new Uint8Array(edges.count);
  }

  run(): boolean {
    const { count, x: eventX, y: eventY } = this.#events;
    this.#meter.add(EVENT_STEPS * count);
    for (let e = 0; e < count; ) {
      const x = eventX[e]!;
      const y = eventY[e]!;
      let end = e + 1;
      while (end < count && eventX[end] === x && eventY[end] === y) end++;
      const crosses = this.#isForeseenBefore(x, y);
      if (crosses) this.#crossBefore(x, y);
      const isPlain = end === e + 1 && this.#passCorner(e, x, y);
      if (!isPlain) this.#visitPosition(x, y, e, end);
      if ((crosses || !isPlain) && this.#visitor.stop?.()) return false;
      e = end;
    }
    return true;
  }

  /**
   * The position of one event where two edges meet and nothing else is: most are. Two neighbours are
   * examined when they come to be, so whether anything else goes through the end of an edge is known.
   *
   * @returns false where more is to be seen to
   */
  #passCorner(event: number, x: number, y: number): boolean {
    const xy = this.#xy;
    const edgeOf = this.#edgeOf;
    const status = this.#status;
    const touches = this.#touches;
    const { kind, first: firstAt, second: secondAt } = this.#events;
    const p = firstAt[event]!;
    const q = secondAt[event]!;
    if (p === NONE || q === NONE) return false;
    const starts = kind[event]!;
    if (starts === FIRST_STARTS || starts === SECOND_STARTS) {
      const ended = starts === FIRST_STARTS ? q : p;
      if (touches[ended] === 1) return false;
      const started = starts === FIRST_STARTS ? p : q;
      const slot = status.slotOf(ended);
      status.forget(ended);
      status.put(slot, started);
      this.#foresee(status.edgeAt(status.below(slot)), started);
      this.#foresee(started, this.#edgeAbove(slot));
      return true;
    }
    if (starts !== 0) {
      this.#search(x, y);
      const turn = orient2d(x, y, xy[4 * p + 2]!, xy[4 * p + 3]!, xy[4 * q + 2]!, xy[4 * q + 3]!);
      if (this.#searchedOn !== NONE || turn === 0) return false;
      const lower = turn > 0 ? p : q;
      const upper = turn > 0 ? q : p;
      const underEdge = status.edgeAt(this.#searchedUnder);
      const overEdge = this.#edgeAbove(this.#searchedUnder);
      status.insertAbove(status.insertAbove(this.#searchedUnder, lower), upper);
      this.#foresee(underEdge, lower);
      this.#foresee(upper, overEdge);
      this.#visitor.opening?.(edgeOf[p]!, edgeOf[q]!, underEdge === NONE ? NONE : edgeOf[underEdge]!);
      return true;
    }
    if (touches[p] === 1 || touches[q] === 1) return false;
    const slotP = status.slotOf(p);
    const slotQ = status.slotOf(q);
    const pIsLower = status.above(slotP) === slotQ;
    if (!pIsLower && status.above(slotQ) !== slotP) return false;
    if (orient2d(xy[4 * p]!, xy[4 * p + 1]!, x, y, xy[4 * q]!, xy[4 * q + 1]!) === 0) return false;
    const underEdge = status.edgeAt(status.below(pIsLower ? slotP : slotQ));
    const overEdge = this.#edgeAbove(pIsLower ? slotQ : slotP);
    status.remove(slotP);
    status.remove(status.slotOf(q));
    this.#foresee(underEdge, overEdge);
    return true;
  }

  #visitPosition(x: number, y: number, first: number, last: number): void {
    const xy = this.#xy;
    const edgeOf = this.#edgeOf;
    const status = this.#status;
    const at = this.#at;
    const leaving = this.#leaving;
    const { kind, first: firstAt, second: secondAt } = this.#events;
    this.#meter.add(MEETING_STEPS * (last - first));
    at.length = 0;
    leaving.length = 0;
    let ended = NONE;
    for (let k = first; k < last; k++) {
      if ((kind[k]! & FIRST_STARTS) !== 0) leaving.push(firstAt[k]!);
      else if (firstAt[k] !== NONE) ended = firstAt[k]!;
      if ((kind[k]! & SECOND_STARTS) !== 0) leaving.push(secondAt[k]!);
      else if (secondAt[k] !== NONE) ended = secondAt[k]!;
    }
    const starting = leaving.length;

    // The edges through the position are neighbours, the lowest of them just above `under`.
    let bottom = NONE;
    let under = NONE;
    if (ended === NONE) {
      this.#search(x, y);
      bottom = this.#searchedOn;
      under = this.#searchedUnder;
    } else bottom = status.slotOf(ended);
    let over = status.above(under);
    if (bottom !== NONE) {
      over = status.above(bottom);
      while (over !== NONE && this.#sideOf(status.edgeAt(over), x, y) === 0) over = status.above(over);
      under = status.below(bottom);
      while (under !== NONE && this.#sideOf(status.edgeAt(under), x, y) === 0) {
        bottom = under;
        under = status.below(under);
      }
      for (let slot = bottom; slot !== over; slot = status.above(slot)) {
        const edge = status.edgeAt(slot);
        at.push(edge);
        if (xy[4 * edge + 2] !== x || xy[4 * edge + 3] !== y) leaving.push(edge);
      }
    }
    const oldCount = at.length;
    const underEdge = status.edgeAt(under);
    const overEdge = status.edgeAt(over);
    for (let k = 0; k < starting; k++) at.push(leaving[k]!);
    if (at.length > 1 && this.#visitor.meeting !== undefined) {
      this.#visitor.meeting(
        at.map((edge) => edgeOf[edge]!),
        oldCount,
        x,
        y,
      );
    }
    if (this.#visitor.stop?.()) return;
    for (let k = first; k < last; k++) {
      if (kind[k] !== IS_QUERY) continue;
      const below = underEdge === NONE ? NONE : edgeOf[underEdge]!;
      this.#visitor.located?.(this.#events.queryOf(k), below, at.length > 0);
    }
    if (leaving.length > 1) this.#sortLeaving(x, y);

    // The slots of the arriving edges are reused for the leaving ones, in their order.
    for (let k = leaving.length; k < oldCount; k++) status.remove(status.above(under));
    for (let k = 0; k < oldCount; k++) status.forget(at[k]!);
    let slot = under;
    for (let k = 0; k < leaving.length; k++) {
      if (k < oldCount) {
        slot = status.above(slot);
        status.put(slot, leaving[k]!);
      } else slot = status.insertAbove(slot, leaving[k]!);
    }
    if (leaving.length === 0) this.#foresee(underEdge, overEdge);
    else {
      this.#foresee(underEdge, leaving[0]!);
      this.#foresee(leaving.at(-1)!, overEdge);
    }
  }

  /** Finds the slots next below a position and, if any edge goes through it, of one of those. */
  #search(x: number, y: number): void {
    const { order: blocks, edges, sizes, blockCount } = this.#status;
    this.#searchedUnder = NONE;
    this.#searchedOn = NONE;
    let low = 0;
    let high = blockCount;
    let levels = 0;
    while (low < high) {
      levels++;
      const middle = (low + high) >> 1;
      const slot = blocks[middle]! << BLOCK_BITS;
      const side = this.#sideOf(edges[slot]!, x, y);
      if (side === 0) {
        this.#searchedOn = slot;
        break;
      }
      if (side > 0) low = middle + 1;
      else high = middle;
    }
    if (this.#searchedOn === NONE && low > 0) {
      const base = blocks[low - 1]! << BLOCK_BITS;
      // Above the first edge of the block, and below the first of the next.
      let from = base + 1;
      let to = base + sizes[blocks[low - 1]!]!;
      while (from < to) {
        levels++;
        const middle = (from + to) >> 1;
        const side = this.#sideOf(edges[middle]!, x, y);
        if (side === 0) {
          this.#searchedOn = middle;
          break;
        }
        if (side > 0) from = middle + 1;
        else to = middle;
      }
      this.#searchedUnder = from - 1;
    }
    this.#meter.add(LEVEL_STEPS * levels);
  }

  /** Puts edges that leave (x, y) in order from south to north, those along each other by number. */
  #sortLeaving(x: number, y: number): void {
    const xy = this.#xy;
    const leaving = this.#leaving;
    const compare = (i: number, j: number): number =>
      orient2d(x, y, xy[4 * j + 2]!, xy[4 * j + 3]!, xy[4 * i + 2]!, xy[4 * i + 3]!) || i - j;
    if (leaving.length > 2) this.#meter.add(SORT_STEPS * leaving.length * (32 - Math.clz32(leaving.length)));
    leaving.sort(compare);
    for (let from = 0; from < leaving.length; ) {
      const first = leaving[from]!;
      let to = from + 1;
      while (to < leaving.length && this.#areAlong(x, y, first, leaving[to]!)) to++;
      if (to > from + 1) this.#reportAlong(x, y, from, to);
      from = to;
    }
  }

  /** True if edges that leave (x, y) leave it in the same direction. */
  #areAlong(x: number, y: number, i: number, j: number): boolean {
    const xy = this.#xy;
    return orient2d(x, y, xy[4 * i + 2]!, xy[4 * i + 3]!, xy[4 * j + 2]!, xy[4 * j + 3]!) === 0;
  }

  /** Reports edges that leave (x, y) along each other; two that also arrived along each other were reported before. */
  #reportAlong(x: number, y: number, from: number, to: number): void {
    const xy = this.#xy;
    const edgeOf = this.#edgeOf;
    const leaving = this.#leaving;
    for (let q = from; q < to; q++) {
      const i = leaving[q]!;
      this.#touches[i] = 1;
      const starts = xy[4 * i] === x && xy[4 * i + 1] === y;
      for (let p = from; p < q && this.#visitor.along !== undefined; p++) {
        const j = leaving[p]!;
        if (!starts && (xy[4 * j] !== x || xy[4 * j + 1] !== y)) continue;
        this.#visitor.along(Math.min(edgeOf[i]!, edgeOf[j]!), Math.max(edgeOf[i]!, edgeOf[j]!));
      }
    }
  }

  #edgeAbove(slot: number): number {
    const status = this.#status;
    return status.edgeAt(status.above(slot));
  }

  /** On which side of an edge a position lies: positive above (north of) it, seen from the west. */
  #sideOf(edge: number, x: number, y: number): number {
    const xy = this.#xy;
    return orient2d(xy[4 * edge]!, xy[4 * edge + 1]!, xy[4 * edge + 2]!, xy[4 * edge + 3]!, x, y);
  }

  /** Notes where an edge and the one above it will cross or touch, if they do: one of them ends beyond the other, or on it. */
  #foresee(lower: number, upper: number): void {
    if (lower === NONE || upper === NONE) return;
    const xy = this.#xy;
    const touches = this.#touches;
    const foreseen = this.#foreseen;
    const lowerX = xy[4 * lower + 2]!;
    const lowerY = xy[4 * lower + 3]!;
    const upperX = xy[4 * upper + 2]!;
    const upperY = xy[4 * upper + 3]!;
    if (lowerX < upperX || (lowerX === upperX && lowerY < upperY)) {
      const side = this.#sideOf(upper, lowerX, lowerY);
      if (side < 0) return;
      if (side === 0) {
        touches[lower] = 1;
        return;
      }
    } else {
      // Edges that end together come to that position as neighbours.
      if (lowerX === upperX && lowerY === upperY) return;
      const side = this.#sideOf(lower, upperX, upperY);
      if (side > 0) return;
      if (side === 0) {
        touches[upper] = 1;
        return;
      }
    }
    this.#meter.add(CROSSING_STEPS);
    if (foreseen.length > Math.max(this.#crowd, 4 * this.#status.size)) {
      foreseen.keep((lower, upper) => this.#areNeighbours(lower, upper));
      this.#crowd = Math.max(LEAST_CROWD, 2 * foreseen.length);
    }
    foreseen.push(
      crossingLowerBound(xy, lower, upper, 0, this.#meter),
      Number.NEGATIVE_INFINITY,
      lower,
      upper,
    );
  }

  #areNeighbours(lower: number, upper: number): boolean {
    const slot = this.#status.slotOf(lower);
    return slot !== NONE && this.#edgeAbove(slot) === upper;
  }

  /** True if the first position foreseen does not come after this one. */
  #isForeseenBefore(x: number, y: number): boolean {
    const foreseen = this.#foreseen;
    if (foreseen.length === 0) return false;
    return foreseen.key < x || (foreseen.key === x && foreseen.tie <= y);
  }

  /** Lets neighbours that have crossed before the position change places. */
  #crossBefore(x: number, y: number): void {
    const xy = this.#xy;
    const edgeOf = this.#edgeOf;
    const status = this.#status;
    const foreseen = this.#foreseen;
    const later: { x: number; y: number; lower: number; upper: number }[] = [];
    while (this.#isForeseenBefore(x, y)) {
      const { item: lower, other: upper } = foreseen;
      foreseen.pop();
      if (!this.#areNeighbours(lower, upper)) continue;
      const order = compareCrossingPoint(xy, lower, upper, x, y, this.#meter);
      // Edges that cross in the position itself are found there.
      if (order === 0) continue;
      if (order > 0) {
        // Not yet: compared again further east, or on this meridian from the crossing's height on.
        const here = compareCrossingOrdinate(xy, lower, upper, 0, x, this.#meter) === 0;
        later.push({
          x,
          y: here ? crossingLowerBound(xy, lower, upper, 1, this.#meter) : Number.POSITIVE_INFINITY,
          lower,
          upper,
        });
        continue;
      }
      const slot = status.slotOf(lower);
      status.swapWithAbove(slot);
      const [i, j] = [edgeOf[lower]!, edgeOf[upper]!];
      this.#visitor.crossing?.(Math.min(i, j), Math.max(i, j));
      this.#foresee(status.edgeAt(status.below(slot)), upper);
      this.#foresee(lower, this.#edgeAbove(status.above(slot)));
    }
    for (const one of later) foreseen.push(one.x, one.y, one.lower, one.upper);
  }
}

const NO_QUERIES = new Float64Array(0);
const EVENT_STEPS = 16;
const LEVEL_STEPS = 5;
const MEETING_STEPS = 16;
const SORT_STEPS = 10;
const CROSSING_STEPS = 300;
const LEAST_CROWD = 1024;
