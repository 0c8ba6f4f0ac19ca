import type { WorkMeter } from "../../../base/work-meter.ts";

/** Directed edges, edge e running from (x0, y0) to (x1, y1) at index e. */
export interface Edges {
  readonly count: number;
  readonly x0: Float64Array;
  readonly y0: Float64Array;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
}

/** Edges that join positions by their numbers: `(x[from[e]], y[from[e]])` to `(x[to[e]], y[to[e]])`. */
export function createEdges(
  count: number,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
): Edges {
  const make = (): Float64Array => new Float64Array(count);
  const edges = { count, x0: make(), y0: make(), x1: make(), y1: make() };
  for (let e = 0; e < count; e++) {
    edges.x0[e] = x[from[e]!]!;
    edges.y0[e] = y[from[e]!]!;
    edges.x1[e] = x[to[e]!]!;
    edges.y1[e] = y[to[e]!]!;
  }
  return edges;
}

/**
 * Visits every pair of edges i < j whose boxes share a point, once, as long as that is cheap: for up to
 * {@link COMPARED} edges it mostly is, and for more where pairs that are enough come soon.
 *
 * Edges that follow each other are bundled into chains of at most eight, and chains compared by their
 * boxes. Long edges side by side and aslant have boxes that all meet.
 *
 * Pairs come in order of the chain of i. `stop` is asked after each chain: what was visited by then
 * holds every pair of the edges so far with any later edge.
 *
 * Work: one step a pair of edges, of an edge and a chain, or of two chains, whose boxes are compared;
 * sixteen more a pair visited.
 *
 * @returns false where it gave up: after 128 steps an edge and 40,000, or at most 140 an edge more
 */
export function forEachNearPair(
  edges: Edges,
  meter: WorkMeter,
  visit: (i: number, j: number) => void,
  stop: () => boolean = () => false,
): boolean {
  const worth = NEAR_STEPS + NEAR_STEPS_PER_EDGE * edges.count;
  let steps = 0;
  const chains = buildChains(edges);
  const { starts, minX, minY, maxX, maxY } = chains;
  const near = new Int32Array(LONGEST_CHAIN);

  for (let c = 0; c < chains.count; c++) {
    visitWithin(starts[c]!, starts[c + 1]!);
    for (let d = c + 1; d < chains.count; d++) {
      if (minX[d]! <= maxX[c]! && maxX[d]! >= minX[c]! && minY[d]! <= maxY[c]! && maxY[d]! >= minY[c]!) {
        visitBetween(c, d);
      }
    }
    spend(chains.count - c - 1);
    if (stop()) return true;
    if (steps > worth && c + 1 < chains.count) return false;
  }
  return true;

  function visitWithin(start: number, end: number): void {
    spend(((end - start) * (end - start - 1)) / 2);
    for (let i = start; i < end; i++) {
      for (let j = i + 1; j < end; j++) if (boxesMeet(edges, i, j)) visitCounted(i, j);
    }
  }

  function visitBetween(c: number, d: number): void {
    let nearCount = 0;
    for (let j = starts[d]!; j < starts[d + 1]!; j++) {
      if (edgeMeetsBox(edges, j, minX[c]!, minY[c]!, maxX[c]!, maxY[c]!)) near[nearCount++] = j;
    }
    spend(starts[d + 1]! - starts[d]! + (starts[c + 1]! - starts[c]!) * nearCount);
    if (nearCount === 0) return;
    for (let i = starts[c]!; i < starts[c + 1]!; i++) {
      for (let k = 0; k < nearCount; k++) if (boxesMeet(edges, i, near[k]!)) visitCounted(i, near[k]!);
    }
  }

  function visitCounted(i: number, j: number): void {
    spend(16);
    visit(i, j);
  }

  function spend(count: number): void {
    steps += count;
    meter.add(count);
  }
}

/** Up to so many edges comparing boxes is quicker than a sweep, if not all of them meet. */
export const COMPARED = 1024;
/** Steps worth spending on comparing boxes. For up to 64 edges, comparing all pairs is cheaper. */
const NEAR_STEPS = 40_000;
const NEAR_STEPS_PER_EDGE = 128;
const LONGEST_CHAIN = 8;
interface Chains {
  readonly count: number;
  /** First edge of each chain; one entry more. */
  readonly starts: Int32Array;
  readonly minX: Float64Array;
  readonly minY: Float64Array;
  readonly maxX: Float64Array;
  readonly maxY: Float64Array;
}

function buildChains({ count: edgeCount, x0, y0, x1, y1 }: Edges): Chains {
  const starts = new Int32Array(edgeCount + 1);
  let count = 0;
  for (let e = 0; e < edgeCount; e++) {
    const follows = e > 0 && x0[e] === x1[e - 1] && y0[e] === y1[e - 1];
    if (!follows || e - starts[count - 1]! === LONGEST_CHAIN) starts[count++] = e;
  }
  starts[count] = edgeCount;

  const minX = new Float64Array(count);
  const minY = new Float64Array(count);
  const maxX = new Float64Array(count);
  const maxY = new Float64Array(count);
  for (let c = 0; c < count; c++) {
    const first = starts[c]!;
    let west = x0[first]!;
    let east = west;
    let south = y0[first]!;
    let north = south;
    for (let e = first; e < starts[c + 1]!; e++) {
      const x = x1[e]!;
      const y = y1[e]!;
      // A chain's first edge starts where no edge of the chain ends, all others where one does.
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    minX[c] = west;
    minY[c] = south;
    maxX[c] = east;
    maxY[c] = north;
  }
  return { count, starts, minX, minY, maxX, maxY };
}

function boxesMeet({ x0, y0, x1, y1 }: Edges, i: number, j: number): boolean {
  const ax = x0[i]!;
  const bx = x1[i]!;
  const cx = x0[j]!;
  const dx = x1[j]!;
  if (ax < bx ? (cx < ax && dx < ax) || (cx > bx && dx > bx) : (cx < bx && dx < bx) || (cx > ax && dx > ax)) {
    return false;
  }
  const ay = y0[i]!;
  const by = y1[i]!;
  const cy = y0[j]!;
  const dy = y1[j]!;
  return !(ay < by
    ? (cy < ay && dy < ay) || (cy > by && dy > by)
    : (cy < by && dy < by) || (cy > ay && dy > ay));
}

function edgeMeetsBox(
  { x0, y0, x1, y1 }: Edges,
  e: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  const ax = x0[e]!;
  const bx = x1[e]!;
  if ((ax < west && bx < west) || (ax > east && bx > east)) return false;
  const ay = y0[e]!;
  const by = y1[e]!;
  return !((ay < south && by < south) || (ay > north && by > north));
}
