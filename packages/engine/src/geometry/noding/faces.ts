import type { WorkMeter } from "../../base/work-meter.ts";
import { orient2d } from "../earth/predicates.ts";
import type { NodedEdges } from "./noding.ts";
import { createEdges } from "./sweep/near-edges.ts";
import { sweepEdges } from "./sweep/sweep-edges.ts";
import { findQuickWays } from "./uncounted-work.ts";

/** The face that reaches to infinity. Every other is named by the cycle that bounds it from outside. */
export const UNBOUNDED = -1;

/** The faces of a graph: what its edges part the plane into. */
export interface Faces extends Cycles {
  /** The face to the left of each cycle's half-edges. */
  readonly faceOf: Int32Array;
  /** For faces with components in them, the cycles that bound those from outside, west to east. */
  readonly outersIn: ReadonlyMap<number, readonly number[]>;
}

/** Cost: O(n log n) for n edges. Fails: `GEOMETRY_TOO_COMPLEX` as the meter says. */
export function findFaces(graph: NodedEdges, meter: WorkMeter): Faces {
  const cycles = traceCycles(graph);
  return { ...cycles, ...nestComponents(graph, cycles, meter) };
}

/**
 * Walks through all faces, from the unbounded one across edges and back again, so that what is known
 * of a place can be kept by what its edges change.
 *
 * @param cross half-edge crossed, from its face to that of its twin (`half ^ 1`)
 * @param visit each face once, when it is reached first
 */
export function walkFaces(faces: Faces, cross: (half: number) => void, visit: (face: number) => void): void {
  const { cycleOf, faceOf } = faces;
  const seen = new Uint8Array(faces.count);
  // Half-edges to cross if what is beyond was not seen; to go back across: the complement.
  const pending: number[] = [];
  enter(UNBOUNDED);
  for (let half = pending.pop(); half !== undefined; half = pending.pop()) {
    if (half < 0) {
      cross(~half ^ 1);
      continue;
    }
    const beyond = faceOf[cycleOf[half ^ 1]!]!;
    if (beyond === UNBOUNDED || seen[beyond] === 1) continue;
    seen[beyond] = 1;
    cross(half);
    pending.push(~half);
    enter(beyond);
  }

  function enter(face: number): void {
    visit(face);
    forEachHalfEdge(faces, face, (half) => {
      const beyond = faceOf[cycleOf[half ^ 1]!]!;
      if (beyond !== UNBOUNDED && seen[beyond] === 0) pending.push(half);
    });
  }
}

/** Visits the half-edges that have a face to their left. */
export function forEachHalfEdge(
  { first, next, outersIn }: Faces,
  face: number,
  visit: (half: number) => void,
): void {
  if (face !== UNBOUNDED) goRound(first[face]!);
  for (const outer of outersIn.get(face) ?? []) goRound(first[outer]!);

  function goRound(start: number): void {
    let half = start;
    do {
      visit(half);
      half = next[half]!;
    } while (half !== start);
  }
}

/**
 * The cycles that bound the faces of a graph. Half-edge 2e runs along edge e, 2e + 1 against it;
 * the face of a half-edge is the one to its left.
 */
interface Cycles {
  readonly count: number;
  /** The half-edge that follows each half-edge round its face. */
  readonly next: Int32Array;
  /** Cycle of each half-edge. */
  readonly cycleOf: Int32Array;
  /** A half-edge of each cycle. */
  readonly first: number[];
  /** Half-edges out of each position: `out[outStarts[id]]` to `out[outStarts[id + 1] - 1]`. */
  readonly out: Int32Array;
  readonly outStarts: Int32Array;
}

export function getHalfEdgeOrigin({ from, to }: NodedEdges, half: number): number {
  return (half & 1) === 0 ? from[half >> 1]! : to[half >> 1]!;
}

function traceCycles(graph: NodedEdges): Cycles {
  const { x, count } = graph;
  const outStarts = new Int32Array(x.length + 1);
  for (let half = 0; half < 2 * count; half++) outStarts[getHalfEdgeOrigin(graph, half) + 1]!++;
  for (let id = 0; id < x.length; id++) outStarts[id + 1]! += outStarts[id]!;
  const out = new Int32Array(2 * count);
  const filled = outStarts.slice();
  for (let half = 0; half < 2 * count; half++) out[filled[getHalfEdgeOrigin(graph, half)]!++] = half;

  const next = new Int32Array(2 * count);
  for (let id = 0; id < x.length; id++) {
    const start = outStarts[id]!;
    const end = outStarts[id + 1]!;
    if (end - start > 2) out.subarray(start, end).sort((a, b) => compareHalfEdgeAngles(graph, id, a, b));
    // Coming in along the twin of `out[k]`, the face to the left goes on along the next clockwise.
    for (let k = start; k < end; k++) next[out[k]! ^ 1] = out[k === start ? end - 1 : k - 1]!;
  }

  const cycleOf = new Int32Array(2 * count).fill(-1);
  const first: number[] = [];
  for (let half = 0; half < 2 * count; half++) {
    if (cycleOf[half] !== -1) continue;
    for (let h = half; cycleOf[h] === -1; h = next[h]!) cycleOf[h] = first.length;
    first.push(half);
  }
  return { count: first.length, next, cycleOf, first, out, outStarts };
}

/** Orders half-edges out of a position counter-clockwise from due east. Exact. */
function compareHalfEdgeAngles(graph: NodedEdges, id: number, a: number, b: number): number {
  const { x, y } = graph;
  const p = getHalfEdgeOrigin(graph, a ^ 1);
  const q = getHalfEdgeOrigin(graph, b ^ 1);
  const lowerP = y[p]! < y[id]! || (y[p] === y[id] && x[p]! < x[id]!);
  const lowerQ = y[q]! < y[id]! || (y[q] === y[id] && x[q]! < x[id]!);
  if (lowerP !== lowerQ) return lowerP ? 1 : -1;
  return -orient2d(x[id]!, y[id]!, x[p]!, y[p]!, x[q]!, y[q]!);
}

/** How the components of a graph lie in each other's faces. */
function nestComponents(
  graph: NodedEdges,
  cycles: Cycles,
  meter: WorkMeter,
): { faceOf: Int32Array; outersIn: Map<number, number[]> } {
  const { cycleOf } = cycles;
  const components = findComponentStarts(graph, cycles);
  const edgesWest = components.length > 1 ? findEdgesWestOnce(graph, components, meter) : Int32Array.of(-1);
  const faceOf = Int32Array.from({ length: cycles.count }, (_, cycle) => cycle);
  const outersIn = new Map<number, number[]>();
  for (const [c, west] of components.entries()) {
    const outer = cycleOf[findWestFacingHalfEdge(graph, cycles, west)]!;
    const half = edgesWest[c]!;
    // The edge to the west belongs to a component that reaches further west and was placed before.
    const around = half === -1 ? UNBOUNDED : faceOf[cycleOf[half]!]!;
    faceOf[outer] = around;
    const list = outersIn.get(around);
    if (list === undefined) outersIn.set(around, [outer]);
    else list.push(outer);
  }
  return { faceOf, outersIn };
}

/** The westernmost (of those, southernmost) position of each component, from west to east. */
function findComponentStarts(graph: NodedEdges, { out, outStarts }: Cycles): number[] {
  const { x, y } = graph;
  const seen = new Uint8Array(x.length);
  const components: number[] = [];
  const isFurtherWest = (p: number, q: number): boolean => x[p]! < x[q]! || (x[p] === x[q] && y[p]! < y[q]!);
  for (let id = 0; id < x.length; id++) {
    if (seen[id] === 1 || outStarts[id] === outStarts[id + 1]) continue;
    let west = id;
    seen[id] = 1;
    const pending = [id];
    for (let p = pending.pop(); p !== undefined; p = pending.pop()) {
      if (isFurtherWest(p, west)) west = p;
      for (let k = outStarts[p]!; k < outStarts[p + 1]!; k++) {
        const q = getHalfEdgeOrigin(graph, out[k]! ^ 1);
        if (seen[q] === 1) continue;
        seen[q] = 1;
        pending.push(q);
      }
    }
    components.push(west);
  }
  return components.sort((p, q) => (isFurtherWest(p, q) ? -1 : 1));
}

/** Among the half-edges out of a component's westernmost position, the one with nothing to its left. */
function findWestFacingHalfEdge(graph: NodedEdges, { out, outStarts }: Cycles, west: number): number {
  const { x, y } = graph;
  let leftmost = out[outStarts[west]!]!;
  for (let k = outStarts[west]! + 1; k < outStarts[west + 1]!; k++) {
    const p = getHalfEdgeOrigin(graph, leftmost ^ 1);
    const q = getHalfEdgeOrigin(graph, out[k]! ^ 1);
    if (orient2d(x[west]!, y[west]!, x[p]!, y[p]!, x[q]!, y[q]!) > 0) leftmost = out[k]!;
  }
  return leftmost;
}

/**
 * The half-edges whose left is what lies just west of positions; −1 where there is none.
 *
 * A sweep from south to north: with x and y exchanged, the edge next below a position is the one
 * next to the west, as seen from just north of it.
 */
function findEdgesWestOnce(graph: NodedEdges, positions: readonly number[], meter: WorkMeter): Int32Array {
  const { x, y, from, to, count } = graph;
  const found = findNextEdges();
  for (const [query, edge] of found.entries()) {
    // East of the edge is left of it going south.
    if (edge !== -1) found[query] = 2 * edge + (y[from[edge]!]! > y[to[edge]!]! ? 0 : 1);
  }
  return found;

  function findNextEdges(): Int32Array {
    // Work that counts is that of a sweep.
    const inOnePass = findQuickWays(meter)?.findEdgesWest(graph, positions);
    if (inOnePass !== undefined) return inOnePass;
    const edges = createEdges(count, y, x, from, to);
    const swept = new Int32Array(positions.length).fill(-1);
    const queries = Float64Array.from(positions.flatMap((id) => [y[id]!, x[id]!]));
    const located = (query: number, edge: number): void => {
      swept[query] = edge;
    };
    sweepEdges(edges, meter, { located }, queries);
    return swept;
  }
}
