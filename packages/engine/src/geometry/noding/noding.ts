import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import { computeCrossingPoint } from "./crossing-point.ts";
import { IntList } from "./int-list.ts";
import { PositionTable } from "./position-table.ts";
import { createEdges } from "./sweep/near-edges.ts";
import { sweepEdges } from "./sweep/sweep-edges.ts";
import { findQuickWays } from "./uncounted-work.ts";

/** Edges that meet at their ends only, no two between the same positions. */
export interface NodedEdges {
  /** Positions by number. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: number;
  /** Numbers of the positions each edge joins. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /**
   * The label of each edge, which encodes what it bounds; never 0. For {@link nodeOddEdges}: sets, set s being bit s.
   */
  readonly bounds: Int32Array;
}

/**
 * Boundaries of the regions that sets of rings enclose by the even-odd rule, as edges that meet only
 * at their ends (see {@link nodeEdges}). Those that occur in a set an even number of times are dropped
 * from it, for both their sides are alike.
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
  const rings = sets.flat();
  const bounds = sets.flatMap((own, set) => own.map(() => 1 << set));
  const combine: Combine = (edges, alike) => alike.reduce((odd, e) => odd ^ edges.bounds[e]!, 0);
  return nodeEdges(rings, bounds, { combine, rounds, touchesFirst: false }, meter);
}

/** The edges of rings, meeting at their ends only, and how often each ring runs along each of them. */
export interface WoundEdges extends NodedEdges {
  /** For `bounds` b: entries `runs[starts[b]]` to `runs[starts[b + 1] - 1]`. */
  readonly starts: readonly number[];
  /** Rings by number, ascending within `bounds`; */
  readonly rings: readonly number[];
  /** how often each runs along the edge, less how often against it; never 0. */
  readonly turns: readonly number[];
}

/**
 * The edges of rings, meeting at their ends only (see {@link nodeEdges}), without what each ring runs
 * along as often as back.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` as the meter says.
 */
export function nodeWoundEdges(rings: readonly Float64Array[], meter: WorkMeter): WoundEdges {
  // `bounds` 0 is none, 1 to n each ring once along; more are added for edges that coincide.
  const starts = [0, ...rings.keys(), rings.length];
  const ringNumbers = [...rings.keys()];
  const turns = rings.map(() => 1);
  const combine: Combine = ({ from, bounds }, alike) => {
    const sums = new Map<number, number>();
    for (const e of alike) {
      const direction = from[e] === from[alike[0]!] ? 1 : -1;
      for (let k = starts[bounds[e]!]!; k < starts[bounds[e]! + 1]!; k++) {
        sums.set(ringNumbers[k]!, (sums.get(ringNumbers[k]!) ?? 0) + direction * turns[k]!);
      }
    }
    const kept = [...sums].filter(([, turn]) => turn !== 0).sort(([a], [b]) => a - b);
    if (kept.length === 0) return 0;
    meter.add(kept.length);
    for (const [ring, turn] of kept) {
      ringNumbers.push(ring);
      turns.push(turn);
    }
    return starts.push(ringNumbers.length) - 2;
  };
  const bounds = rings.map((_, ring) => ring + 1);
  const noded = nodeEdges(rings, bounds, { combine, rounds: 2 * ROUNDS, touchesFirst: true }, meter);
  return { ...noded, starts, rings: ringNumbers, turns };
}

/** Combines the labels of edges between the same two positions; 0: they bound nothing and are dropped. */
type Combine = (edges: LabelledEdges, alike: readonly number[]) => number;

interface Noding {
  readonly combine: Combine;
  /** How often to split before a grid is tried. */
  readonly rounds: number;
  /**
   * True if edges are split at the positions on them before any are split where they cross. Edges that run along each
   * other are then merged before a rounded crossing moves each of them by a different trifle, which would enclose a
   * sliver.
   */
  readonly touchesFirst: boolean;
}

/**
 * Edges of rings, each split where it meets another; those that coincide become one.
 *
 * A vertex on another edge splits it exactly. A crossing is rounded to doubles, which moves edges
 * by a few units in the last place and may make them meet others anew, so this is repeated until
 * nothing meets. Edges that all but coincide over their length can go on for ever; then all
 * positions are put on a grid of 2⁻³⁹ degrees (0.2 µm), or as coarse as it takes.
 *
 * Work: see {@link sweepEdges}, each round anew;
 * 128 steps more a crossing, 200 an edge. Cost: O((n + k) log n) a round for n edges and k crossings and touches.
 *
 * @param bounds of each ring's edges
 */
function nodeEdges(
  rings: readonly Float64Array[],
  bounds: readonly number[],
  how: Noding,
  meter: WorkMeter,
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
    const noded = nodeEdgesOnGrid(grid, rings, bounds, how, meter);
    if (noded !== undefined) return noded;
  }
  throw new Error("edges on a grid of 1/4096° did not settle");
}

const ROUNDS = 16;
const CROSSING_STEPS = 128;
/** Steps for each edge in a round, and for the work on the edge afterwards. */
const EDGE_STEPS = 200;

/** Noded on a grid (0: doubles as they are), or undefined where edges still meet after all rounds. */
function nodeEdgesOnGrid(
  grid: number,
  rings: readonly Float64Array[],
  bounds: readonly number[],
  { combine, rounds, touchesFirst }: Noding,
  meter: WorkMeter,
): NodedEdges | undefined {
  const table = new PositionTable();
  const snap = (value: number): number => (grid === 0 ? value : Math.round(value / grid) * grid);
  let edges = readRingEdges(rings, bounds, table, snap);
  for (let round = 0; round < (grid === 0 ? rounds : 2 * ROUNDS); round++) {
    meter.add(EDGE_STEPS * edges.from.length);
    edges = joinEqualEdges(edges, combine);
    const splits = findEdgeSplits(table, edges, snap, touchesFirst, meter);
    if (splits.edges.length === 0) {
      return { x: table.x, y: table.y, count: edges.from.length, ...edges };
    }
    edges = splitLabelledEdges(splits, table, edges);
  }
  return undefined;
}

/** Edges by the numbers of the positions they join, with what they bound. */
interface LabelledEdges {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly bounds: Int32Array;
}

function readRingEdges(
  rings: readonly Float64Array[],
  ringBounds: readonly number[],
  table: PositionTable,
  snap: (value: number) => number,
): LabelledEdges {
  let capacity = 0;
  for (const ring of rings) capacity += ring.length / 2;
  const from = new Int32Array(capacity);
  const to = new Int32Array(capacity);
  const bounds = new Int32Array(capacity);
  let count = 0;
  rings.forEach((ring, r) => {
    let last = table.idOf(snap(ring[0]!), snap(ring[1]!));
    for (let i = 2; i < ring.length; i += 2) {
      const id = table.idOf(snap(ring[i]!), snap(ring[i + 1]!));
      if (id === last) continue;
      from[count] = last;
      to[count] = id;
      bounds[count++] = ringBounds[r]!;
      last = id;
    }
  });
  return { from: from.subarray(0, count), to: to.subarray(0, count), bounds: bounds.subarray(0, count) };
}

/** Edges between the same positions, whatever their direction, as the first of them; in their order. */
function joinEqualEdges(edges: LabelledEdges, combine: Combine): LabelledEdges {
  const { from, to, bounds } = edges;
  const mask = (2 << (32 - Math.clz32(from.length))) - 1;
  /** By the hash of its ends, the first edge between them. */
  const slots = new Int32Array(mask + 1).fill(-1);
  /** By the first of those that are alike, all of them. */
  const groups = new Map<number, number[]>();
  const joined = bounds.slice();
  for (let e = 0; e < from.length; e++) {
    const low = Math.min(from[e]!, to[e]!);
    const high = Math.max(from[e]!, to[e]!);
    let slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    let alike = slots[slot]!;
    while (alike !== -1 && !joins(alike, low, high)) {
      slot = (slot + 1) & mask;
      alike = slots[slot]!;
    }
    if (alike === -1) {
      slots[slot] = e;
      continue;
    }
    joined[e] = 0;
    const group = groups.get(alike);
    if (group === undefined) groups.set(alike, [alike, e]);
    else group.push(e);
  }
  if (groups.size === 0) return edges;
  for (const [first, group] of groups) joined[first] = combine(edges, group);
  const isKept = (_: number, e: number): boolean => joined[e] !== 0;
  return { from: from.filter(isKept), to: to.filter(isKept), bounds: joined.filter((b) => b !== 0) };

  function joins(e: number, low: number, high: number): boolean {
    return (from[e] === low && to[e] === high) || (from[e] === high && to[e] === low);
  }
}

/** Where others meet edges between their ends: numbers of edges, and of the positions where. */
interface Splits {
  readonly edges: Int32Array;
  readonly positions: Int32Array;
}

function findEdgeSplits(
  table: PositionTable,
  { from, to }: LabelledEdges,
  snap: (value: number) => number,
  touchesFirst: boolean,
  meter: WorkMeter,
): Splits {
  const { x, y } = table;
  const edges = createEdges(from.length, x, y, from, to);
  const splitEdges = new IntList();
  const splitPositions = new IntList();
  /** Pairs of edges that cross. */
  const firsts = new IntList();
  const seconds = new IntList();

  if (!visitPairs()) {
    for (const list of [splitEdges, splitPositions, firsts, seconds]) list.clear();
    sweepEdges(edges, meter, { crossing, meeting });
  }
  if (!touchesFirst || splitEdges.values.length === 0) addCrossings();
  return { edges: splitEdges.values, positions: splitPositions.values };

  /** The ways of work that is not counted; false where there are none, or boxes nearly all meet. */
  function visitPairs(): boolean | undefined {
    return findQuickWays(meter)?.forEachPair(edges, undefined, (i, j) => {
      visitPair(i, j);
      return true;
    });
  }

  function visitPair(i: number, j: number): void {
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
      crossing(i, j);
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

  /** True if c, on the line ab, lies on the edge. */
  function isBetween(a: number, b: number, c: number): boolean {
    return (
      Math.min(x[a]!, x[b]!) <= x[c]! &&
      x[c]! <= Math.max(x[a]!, x[b]!) &&
      Math.min(y[a]!, y[b]!) <= y[c]! &&
      y[c]! <= Math.max(y[a]!, y[b]!)
    );
  }

  function meeting(at: readonly number[], oldCount: number, px: number, py: number): void {
    const id = table.idOf(px, py);
    for (let k = 0; k < oldCount; k++) split(at[k]!, id);
  }

  function crossing(i: number, j: number): void {
    meter.add(CROSSING_STEPS);
    firsts.push(i);
    seconds.push(j);
  }

  /** Numbers the positions of crossings in order of edges, whichever way they were found. */
  function addCrossings(): void {
    const j = seconds.values;
    const pairs = Float64Array.from(firsts.values, (i, k) => i * PAIR_BASE + j[k]!).sort();
    for (const pair of pairs) {
      const first = Math.floor(pair / PAIR_BASE);
      const second = pair % PAIR_BASE;
      const [a, b, c, d] = [from[first]!, to[first]!, from[second]!, to[second]!];
      const [px, py] = computeCrossingPoint(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!, x[d]!, y[d]!);
      const p = table.idOf(snap(px), snap(py));
      split(first, p);
      split(second, p);
    }
  }

  function split(edge: number, at: number): void {
    if (at === from[edge] || at === to[edge]) return;
    splitEdges.push(edge);
    splitPositions.push(at);
  }
}

/** Makes one number of two numbers of edges; more edges would not fit in memory. */
const PAIR_BASE = 67108864;

function splitLabelledEdges(
  splits: Splits,
  { x, y }: PositionTable,
  { from, to, bounds }: LabelledEdges,
): LabelledEdges {
  // Splits by edge: those of edge e from starts[e] to starts[e + 1] - 1.
  const starts = new Int32Array(from.length + 1);
  for (const e of splits.edges) starts[e + 1]!++;
  for (let e = 0; e < from.length; e++) starts[e + 1]! += starts[e]!;
  const filled = starts.slice();
  const byEdge = new Int32Array(splits.edges.length);
  splits.edges.forEach((e, k) => {
    byEdge[filled[e]!++] = splits.positions[k]!;
  });

  const newFrom = new Int32Array(from.length + byEdge.length);
  const newTo = new Int32Array(from.length + byEdge.length);
  const newBounds = new Int32Array(from.length + byEdge.length);
  let count = 0;
  for (let e = 0; e < from.length; e++) {
    let last = from[e]!;
    const end = to[e]!;
    if (starts[e] !== starts[e + 1]) {
      const eastward = x[end]! > x[last]! ? 1 : -1;
      const northward = y[end]! > y[last]! ? 1 : -1;
      const flat = Math.abs(x[end]! - x[last]!) >= Math.abs(y[end]! - y[last]!);
      const positions = byEdge.subarray(starts[e]!, starts[e + 1]!).sort((p, q) => {
        const byX = (x[p]! - x[q]!) * eastward;
        const byY = (y[p]! - y[q]!) * northward;
        return flat ? byX || byY : byY || byX;
      });
      for (const id of positions) {
        if (id === last) continue;
        newFrom[count] = last;
        newTo[count] = id;
        newBounds[count++] = bounds[e]!;
        last = id;
      }
    }
    newFrom[count] = last;
    newTo[count] = end;
    newBounds[count++] = bounds[e]!;
  }
  return {
    from: newFrom.subarray(0, count),
    to: newTo.subarray(0, count),
    bounds: newBounds.subarray(0, count),
  };
}
