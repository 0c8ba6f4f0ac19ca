import { crossingPoint } from "./crossing-point.ts";
import { type Edges, forEachNearPair } from "./near-edges.ts";
import { PositionTable } from "./position-table.ts";
import { orient2d } from "./predicates.ts";
import type { WorkMeter } from "./work-meter.ts";

/** Edges that meet at their ends only, no two between the same positions. */
export interface NodedEdges {
  /** Positions by number. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly count: number;
  /** Numbers of the positions each edge joins. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Sets each edge bounds, set s being bit s; never none. */
  readonly bounds: Int32Array;
}

/**
 * Boundaries of the regions that sets of rings enclose by the even-odd rule, as edges that meet only
 * at their ends: every edge is split where it meets another, then those that occur in a set an even
 * number of times are dropped from it, for both their sides are alike.
 *
 * A vertex on another edge splits it exactly. A crossing is rounded to doubles, which moves edges
 * by a few units in the last place and may make them meet others anew, so this is repeated until
 * nothing meets. Edges that all but coincide over their length can go on for ever; then all
 * positions are put on a grid of 2⁻³⁹ degrees (0.2 µm), or as coarse as it takes.
 *
 * Work: see {@link forEachNearPair}, each round anew, and 128 steps more a crossing.
 *
 * @param sets at most 30
 * @param rounds how often to split before a grid is tried
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` as the meter says.
 */
export function nodeOddEdges(
  sets: readonly (readonly Float64Array[])[],
  meter: WorkMeter,
  rounds: number = ROUNDS,
): NodedEdges {
  for (const grid of [
    0,
    1 / 549755813888,
    1 / 68719476736,
    1 / 1073741824,
    1 / 16777216,
    1 / 262144,
    1 / 4096,
  ]) {
    const noded = nodeOn(grid, sets, meter, grid === 0 ? rounds : ROUNDS);
    if (noded !== undefined) return noded;
  }
  throw new Error("edges on a grid of 1/4096° did not settle");
}

const ROUNDS = 16;
const CROSSING_STEPS = 128;

/** Noded on a grid (0: doubles as they are), or undefined where edges still meet after all rounds. */
function nodeOn(
  grid: number,
  sets: readonly (readonly Float64Array[])[],
  meter: WorkMeter,
  rounds: number,
): NodedEdges | undefined {
  const table = new PositionTable();
  const snap = (value: number): number => (grid === 0 ? value : Math.round(value / grid) * grid);
  let edges: LabelledEdges = { from: [], to: [], bounds: [] };
  sets.forEach((rings, set) => {
    for (const ring of rings) {
      let last = table.idOf(snap(ring[0]!), snap(ring[1]!));
      for (let i = 2; i < ring.length; i += 2) {
        const id = table.idOf(snap(ring[i]!), snap(ring[i + 1]!));
        if (id === last) continue;
        add(edges, last, id, 1 << set);
        last = id;
      }
    }
  });
  for (let round = 0; round < rounds; round++) {
    edges = oddOnes(edges);
    const { from, to, bounds } = edges;
    const splits = findSplits(table, from, to, snap, meter);
    if (splits.size === 0) {
      const { x, y } = table;
      const count = from.length;
      return {
        x,
        y,
        count,
        from: Int32Array.from(from),
        to: Int32Array.from(to),
        bounds: Int32Array.from(bounds),
      };
    }
    edges = splitAt(splits, table, edges);
  }
  return undefined;
}

/** Edges by the numbers of the positions they join, with the sets they bound. */
interface LabelledEdges {
  readonly from: number[];
  readonly to: number[];
  readonly bounds: number[];
}

function add({ from, to, bounds }: LabelledEdges, a: number, b: number, sets: number): void {
  from.push(a);
  to.push(b);
  bounds.push(sets);
}

/** The edges that occur an odd number of times in some set, whatever their direction, each once, in their order. */
function oddOnes(edges: LabelledEdges): LabelledEdges {
  const { from, to, bounds } = edges;
  const seen = new Map<number, number>();
  const odd = [...bounds];
  let repeats = 0;
  for (let e = 0; e < from.length; e++) {
    const key = Math.min(from[e]!, to[e]!) * 67108864 + Math.max(from[e]!, to[e]!);
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, e);
      continue;
    }
    repeats++;
    odd[other]! ^= odd[e]!;
    odd[e] = 0;
    if (odd[other] === 0) seen.delete(key);
  }
  if (repeats === 0) return edges;
  const isKept = (_: number, e: number): boolean => odd[e] !== 0;
  return { from: from.filter(isKept), to: to.filter(isKept), bounds: odd.filter((sets) => sets !== 0) };
}

/** For each edge that others meet between its ends, the numbers of the positions where. */
function findSplits(
  table: PositionTable,
  from: readonly number[],
  to: readonly number[],
  snap: (value: number) => number,
  meter: WorkMeter,
): Map<number, number[]> {
  const { x, y } = table;
  const edges: Edges = {
    count: from.length,
    x0: Float64Array.from(from, (id) => x[id]!),
    y0: Float64Array.from(from, (id) => y[id]!),
    x1: Float64Array.from(to, (id) => x[id]!),
    y1: Float64Array.from(to, (id) => y[id]!),
  };
  const splits = new Map<number, number[]>();
  forEachNearPair(edges, meter, visit);
  return splits;

  function visit(i: number, j: number): void {
    const a = from[i]!;
    const b = to[i]!;
    const c = from[j]!;
    const d = to[j]!;
    const atC = sideOfEdge(a, b, c);
    const atD = sideOfEdge(a, b, d);
    if ((atC > 0 && atD > 0) || (atC < 0 && atD < 0)) return;
    const atA = sideOfEdge(c, d, a);
    const atB = sideOfEdge(c, d, b);
    if ((atA > 0 && atB > 0) || (atA < 0 && atB < 0)) return;
    if (atA !== 0 && atB !== 0 && atC !== 0 && atD !== 0) {
      meter.add(CROSSING_STEPS);
      const [px, py] = crossingPoint(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!, x[d]!, y[d]!);
      const p = table.idOf(snap(px), snap(py));
      split(i, p);
      split(j, p);
      return;
    }
    if (atC === 0 && isBetween(a, b, c)) split(i, c);
    if (atD === 0 && isBetween(a, b, d)) split(i, d);
    if (atA === 0 && isBetween(c, d, a)) split(j, a);
    if (atB === 0 && isBetween(c, d, b)) split(j, b);
  }

  function sideOfEdge(a: number, b: number, c: number): number {
    if (a === c || b === c) return 0;
    return orient2d(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!);
  }

  /** Whether c, on the line ab, lies on the edge. */
  function isBetween(a: number, b: number, c: number): boolean {
    return (
      Math.min(x[a]!, x[b]!) <= x[c]! &&
      x[c]! <= Math.max(x[a]!, x[b]!) &&
      Math.min(y[a]!, y[b]!) <= y[c]! &&
      y[c]! <= Math.max(y[a]!, y[b]!)
    );
  }

  function split(edge: number, at: number): void {
    if (at === from[edge] || at === to[edge]) return;
    const list = splits.get(edge);
    if (list === undefined) splits.set(edge, [at]);
    else list.push(at);
  }
}

function splitAt(
  splits: ReadonlyMap<number, number[]>,
  { x, y }: PositionTable,
  { from, to, bounds }: LabelledEdges,
): LabelledEdges {
  const parts: LabelledEdges = { from: [], to: [], bounds: [] };
  for (let e = 0; e < from.length; e++) {
    let last = from[e]!;
    const end = to[e]!;
    const list = splits.get(e);
    if (list !== undefined) {
      const eastward = x[end]! > x[last]! ? 1 : -1;
      const northward = y[end]! > y[last]! ? 1 : -1;
      const flat = Math.abs(x[end]! - x[last]!) >= Math.abs(y[end]! - y[last]!);
      list.sort((p, q) => {
        const byX = (x[p]! - x[q]!) * eastward;
        const byY = (y[p]! - y[q]!) * northward;
        return flat ? byX || byY : byY || byX;
      });
      for (const id of list) {
        if (id === last) continue;
        add(parts, last, id, bounds[e]!);
        last = id;
      }
    }
    add(parts, last, end, bounds[e]!);
  }
  return parts;
}
