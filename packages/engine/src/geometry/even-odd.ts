import { isCounterClockwise } from "./mend-rings.ts";
import type { Edges } from "./near-edges.ts";
import { type NodedEdges, nodeOddEdges } from "./noding.ts";
import { orient2d } from "./predicates.ts";
import { sweepEdges } from "./sweep-edges.ts";
import { WorkMeter } from "./work-meter.ts";

/**
 * The places that every one of some sets of rings encloses by the even-odd rule, as valid polygons. With
 * one set it makes its rings valid (`repairEvenOdd` says what of which fault); with two it intersects.
 *
 * All edges together are noded into a graph whose edges know which sets they bound; crossing one
 * changes sides in just those. A face within all sets has none such beside it, so it is a polygon.
 *
 * @param sets each of rings, flat `[lon, lat, …]`, closed, all finite; which is outer or hole does not matter
 * @param options.meter counts the work (see `nodeOddEdges`), default no limit
 * @returns rings of each polygon, outer first, closed; outer rings counter-clockwise, holes
 *   clockwise; `findFaults` finds nothing in them
 *
 * Positions and cost: as with `repairEvenOdd`. Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function intersectEvenOdd(
  sets: readonly (readonly Float64Array[])[],
  options: { readonly meter?: WorkMeter | undefined } = {},
): Float64Array[][] {
  const meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  const graph = nodeOddEdges(sets, meter);
  if (graph.count === 0) return [];
  const all = (1 << sets.length) - 1;
  const cycles = traceCycles(graph);
  const { setsAt, holesOf } = nestCycles(graph, cycles, all, meter);

  const polygons: Float64Array[][] = [];
  const splitter = new RingSplitter(graph, cycles);
  for (let cycle = 0; cycle < cycles.count; cycle++) {
    if (setsAt[cycle] !== all) continue;
    const found = splitter.simpleRingsOf(cycle);
    for (const hole of holesOf.get(cycle) ?? []) found.push(...splitter.simpleRingsOf(hole));
    // An inner face has one outer ring; what touches it from within was traced along with it.
    const outer = found.findIndex(isCounterClockwise);
    polygons.push([found[outer]!, ...found.filter((_, r) => r !== outer)]);
  }
  return polygons;
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

function originOf({ from, to }: NodedEdges, half: number): number {
  return (half & 1) === 0 ? from[half >> 1]! : to[half >> 1]!;
}

function traceCycles(graph: NodedEdges): Cycles {
  const { x, count } = graph;
  const outStarts = new Int32Array(x.length + 1);
  for (let half = 0; half < 2 * count; half++) outStarts[originOf(graph, half) + 1]!++;
  for (let id = 0; id < x.length; id++) outStarts[id + 1]! += outStarts[id]!;
  const out = new Int32Array(2 * count);
  const filled = outStarts.slice();
  for (let half = 0; half < 2 * count; half++) out[filled[originOf(graph, half)]!++] = half;

  const next = new Int32Array(2 * count);
  for (let id = 0; id < x.length; id++) {
    const start = outStarts[id]!;
    const end = outStarts[id + 1]!;
    if (end - start > 2) out.subarray(start, end).sort((a, b) => compareAround(graph, id, a, b));
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
function compareAround(graph: NodedEdges, id: number, a: number, b: number): number {
  const { x, y } = graph;
  const p = originOf(graph, a ^ 1);
  const q = originOf(graph, b ^ 1);
  const lowerP = y[p]! < y[id]! || (y[p] === y[id] && x[p]! < x[id]!);
  const lowerQ = y[q]! < y[id]! || (y[q] === y[id] && x[q]! < x[id]!);
  if (lowerP !== lowerQ) return lowerP ? 1 : -1;
  return -orient2d(x[id]!, y[id]!, x[p]!, y[p]!, x[q]!, y[q]!);
}

/**
 * Which sets lie to the left of each cycle (bits), and for each cycle within `all` of them that is the
 * outer boundary of a face, the cycles of what lies in that face; cycles seen from outside are −1.
 *
 * Crossing an edge changes sides in the sets it bounds. So a component is settled by the face it
 * lies in: that of the nearest edge due west of its westernmost position. That edge's component
 * reaches further west and was settled before.
 */
function nestCycles(
  graph: NodedEdges,
  cycles: Cycles,
  all: number,
  meter: WorkMeter,
): { setsAt: Int32Array; holesOf: Map<number, number[]> } {
  const { cycleOf, first, next } = cycles;
  const components = findComponents(graph, cycles);
  const edgesWest = components.length > 1 ? findEdgesWestOf(graph, components, meter) : Int32Array.of(-1);
  const setsAt = new Int32Array(cycles.count);
  const settled = new Uint8Array(cycles.count);
  const holesOf = new Map<number, number[]>();
  /** For cycles that bound a component from outside, the cycle around the face they lie in; −1: none. */
  const surrounding = new Map<number, number>();

  for (const [c, west] of components.entries()) {
    const outer = cycleOf[halfEdgeFacingWest(graph, cycles, west)]!;
    const half = edgesWest[c]!;
    let around = half === -1 ? -1 : cycleOf[half]!;
    if (surrounding.has(around)) around = surrounding.get(around)!;
    surrounding.set(outer, around);
    const inside = around === -1 ? 0 : setsAt[around]!;
    if (inside === all) {
      const list = holesOf.get(around);
      if (list === undefined) holesOf.set(around, [outer]);
      else list.push(outer);
    }
    settle(outer, inside);
  }
  for (const outer of surrounding.keys()) setsAt[outer] = -1;
  return { setsAt, holesOf };

  function settle(outer: number, inside: number): void {
    setsAt[outer] = inside;
    settled[outer] = 1;
    const pending = [outer];
    for (let cycle = pending.pop(); cycle !== undefined; cycle = pending.pop()) {
      let half = first[cycle]!;
      do {
        const beyond = cycleOf[half ^ 1]!;
        if (settled[beyond] === 0) {
          settled[beyond] = 1;
          setsAt[beyond] = setsAt[cycle]! ^ graph.bounds[half >> 1]!;
          pending.push(beyond);
        }
        half = next[half]!;
      } while (half !== first[cycle]);
    }
  }
}

/** The westernmost (of those, southernmost) position of each component, from west to east. */
function findComponents(graph: NodedEdges, { out, outStarts }: Cycles): number[] {
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
        const q = originOf(graph, out[k]! ^ 1);
        if (seen[q] === 1) continue;
        seen[q] = 1;
        pending.push(q);
      }
    }
    components.push(west);
  }
  return components.sort((p, q) => (isFurtherWest(p, q) ? -1 : 1));
}

/** Of the half-edges out of a component's westernmost position, the one with nothing to its left. */
function halfEdgeFacingWest(graph: NodedEdges, { out, outStarts }: Cycles, west: number): number {
  const { x, y } = graph;
  let leftmost = out[outStarts[west]!]!;
  for (let k = outStarts[west]! + 1; k < outStarts[west + 1]!; k++) {
    const p = originOf(graph, leftmost ^ 1);
    const q = originOf(graph, out[k]! ^ 1);
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
function findEdgesWestOf(graph: NodedEdges, positions: readonly number[], meter: WorkMeter): Int32Array {
  const { x, y, from, to, count } = graph;
  const edges: Edges = {
    count,
    x0: Float64Array.from(from, (id) => y[id]!),
    y0: Float64Array.from(from, (id) => x[id]!),
    x1: Float64Array.from(to, (id) => y[id]!),
    y1: Float64Array.from(to, (id) => x[id]!),
  };
  const found = new Int32Array(positions.length).fill(-1);
  sweepEdges(
    edges,
    meter,
    {
      located(query, edge) {
        // East of the edge is left of it going south.
        if (edge !== -1) found[query] = 2 * edge + (y[from[edge]!]! > y[to[edge]!]! ? 0 : 1);
      },
    },
    Float64Array.from(positions.flatMap((id) => [y[id]!, x[id]!])),
  );
  return found;
}

/** Cuts cycles at the positions they pass more than once. */
class RingSplitter {
  readonly #graph: NodedEdges;
  readonly #cycles: Cycles;
  /** Where on the way each position was passed; −1: not. */
  readonly #passedAt: Int32Array;

  constructor(graph: NodedEdges, cycles: Cycles) {
    this.#graph = graph;
    this.#cycles = cycles;
    this.#passedAt = new Int32Array(graph.x.length).fill(-1);
  }

  simpleRingsOf(cycle: number): Float64Array[] {
    const start = this.#cycles.first[cycle]!;
    const rings: Float64Array[] = [];
    const way: number[] = [];
    let half = start;
    do {
      this.#pass(originOf(this.#graph, half), way, rings);
      half = this.#cycles.next[half]!;
    } while (half !== start);
    this.#pass(originOf(this.#graph, start), way, rings);
    for (const id of way) this.#passedAt[id] = -1;
    return rings;
  }

  #pass(id: number, way: number[], rings: Float64Array[]): void {
    const at = this.#passedAt[id]!;
    if (at === -1) {
      this.#passedAt[id] = way.length;
      way.push(id);
      return;
    }
    const { x, y } = this.#graph;
    const loop = [id, ...way.splice(at + 1)];
    // A ring starts where the input comes upon it first.
    let start = 0;
    for (let k = 1; k < loop.length; k++) if (loop[k]! < loop[start]!) start = k;
    const ring = new Float64Array((loop.length + 1) * 2);
    for (let k = 0; k <= loop.length; k++) {
      const p = loop[(start + k) % loop.length]!;
      ring[2 * k] = x[p]!;
      ring[2 * k + 1] = y[p]!;
    }
    for (let k = 1; k < loop.length; k++) this.#passedAt[loop[k]!] = -1;
    rings.push(ring);
  }
}
