import { sortPositions } from "../position-order.ts";
import type { Edges } from "./near-edges.ts";

/**
 * The events of a sweep line in order: from west to east, and on a meridian from south to north. Edges are renumbered
 * as they start, so that those that the line meets are near each other in memory: a sweep over many edges mostly waits
 * for memory.
 */
export interface SweepEvents {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Up to two edges that start or end at each event; −1 for none. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Kind of each event: {@link FIRST_STARTS} and {@link SECOND_STARTS}, as far as true, or a query. */
  readonly kind: Uint8Array;
  /** Which query an event is. */
  readonly queryOf: (event: number) => number;
  /** Four numbers an edge: its western end (southern, if upright), then the other. */
  readonly xy: Float64Array;
  /** Number under which each edge was passed in. */
  readonly edgeOf: Int32Array;
}

export const FIRST_STARTS = 1;
export const SECOND_STARTS = 2;
export const IS_QUERY = 4;

/**
 * The ends of edges in the order a sweep comes upon them. Where an edge starts at the end of the one
 * before it, both are one event, as are the two ends of a ring; edges of no length are left out.
 *
 * @param queries flat `[x, y, …]`, positions to come upon too
 */
export function listSweepEvents(edges: Edges, queries: Float64Array): SweepEvents {
  const { x, y, before, after, firstQuery } = collectSweepEvents(edges, queries);
  const order = sortPositions(x, y);
  const count = order.length;
  const sortedX = new Float64Array(count);
  const sortedY = new Float64Array(count);
  const first = new Int32Array(count);
  const second = new Int32Array(count);
  const kind = new Uint8Array(count);
  const xy = new Float64Array(4 * edges.count);
  const numberOf = new Int32Array(edges.count).fill(-1);
  const edgeOf = new Int32Array(edges.count);
  let started = 0;
  for (let k = 0; k < count; k++) {
    const event = order[k]!;
    sortedX[k] = x[event]!;
    sortedY[k] = y[event]!;
    if (event >= firstQuery) kind[k] = IS_QUERY;
    first[k] = comeUpon(before[event]!, k, FIRST_STARTS);
    second[k] = comeUpon(after[event]!, k, SECOND_STARTS);
  }
  const queryOf = (event: number): number => order[event]! - firstQuery;
  return { count, x: sortedX, y: sortedY, first, second, kind, queryOf, xy, edgeOf };

  /** An edge's number, the next where it starts; notes the end that is come upon. */
  function comeUpon(edge: number, event: number, starts: number): number {
    if (edge === -1) return -1;
    let number = numberOf[edge]!;
    let end = 2;
    if (number === -1) {
      number = started++;
      numberOf[edge] = number;
      edgeOf[number] = edge;
      kind[event]! |= starts;
      end = 0;
    }
    xy[4 * number + end] = sortedX[event]!;
    xy[4 * number + end + 1] = sortedY[event]!;
    return number;
  }
}

/** The events in the order of edges, the queries last. */
function collectSweepEvents(edges: Edges, queries: Float64Array) {
  const { count, x0, y0, x1, y1 } = edges;
  const capacity = computeEventCapacity(edges) + queries.length / 2;
  const x = new Float64Array(capacity);
  const y = new Float64Array(capacity);
  /** Edge that runs to each event's position, and edge that runs on from there. */
  const before = new Int32Array(capacity).fill(-1);
  const after = new Int32Array(capacity).fill(-1);
  /** The event where the current run of edges began, and the one where it is now. */
  let first = -1;
  let last = -1;
  let length = 0;
  for (let e = 0; e < count; e++) {
    const ax = x0[e]!;
    const ay = y0[e]!;
    const bx = x1[e]!;
    const by = y1[e]!;
    if (ax === bx && ay === by) continue;
    if (last === -1 || x[last] !== ax || y[last] !== ay || after[last] !== -1) {
      first = last = length++;
      x[first] = ax;
      y[first] = ay;
    }
    after[last] = e;
    last = x[first] === bx && y[first] === by && before[first] === -1 ? first : length++;
    x[last] = bx;
    y[last] = by;
    before[last] = e;
  }
  const firstQuery = length;
  for (let k = 0; k < queries.length; k += 2) {
    x[length] = queries[k]!;
    y[length++] = queries[k + 1]!;
  }
  return { x: x.subarray(0, length), y: y.subarray(0, length), before, after, firstQuery };
}

/** At least as many as there will be: one an edge, one more a run of edges that follow each other. */
function computeEventCapacity({ count, x0, y0, x1, y1 }: Edges): number {
  let runs = 1;
  for (let e = 1; e < count; e++) if (x0[e] !== x1[e - 1] || y0[e] !== y1[e - 1]) runs++;
  return count + runs;
}
