import { orient2d } from "robust-predicates";

/** Rings so many and so long that sorting them would take minutes. */
export class TooManyRings extends Error {
  constructor(count: number) {
    super(`${count} rings within and above each other`);
  }
}

/** Most edges looked at for one feature, some seconds of work. */
const MOST_STEPS = 3e8;

/**
 * Sorts the rings of one shape into polygons by which ring lies in which, whatever their winding: a ring within an even
 * number of others is the outer ring of a polygon, and one within an odd number a hole of the next one out. The rings of
 * valid polygons come out as they went in; of rings that cross each other any sorting is as good as another.
 *
 * @param rings flat `[x, y, …]`, finite; the first position may be repeated at the end
 * @param mostSteps most edges looked at
 * @returns polygons in the order of their outer rings, holes in the order of the rings
 *
 * Fails: `TooManyRings`.
 */
export function groupRingsIntoPolygons(
  rings: readonly Float64Array[],
  mostSteps: number = MOST_STEPS,
): Float64Array[][] {
  if (rings.length === 1) return [[rings[0]!]];
  const areas = rings.map((ring) => Math.abs(computeDoubledArea(ring)));
  const parents = new Containers(rings, areas, mostSteps).find();
  const depths = new Int32Array(rings.length);
  // A container is larger than what it contains, so its depth is known first.
  const largestFirst = [...rings.keys()].sort((a, b) => areas[b]! - areas[a]!);
  for (const ring of largestFirst) {
    const parent = parents[ring]!;
    depths[ring] = parent === NONE ? 0 : depths[parent]! + 1;
  }
  const polygons = new Map<number, Float64Array[]>();
  for (const [i, ring] of rings.entries()) if (depths[i]! % 2 === 0) polygons.set(i, [ring]);
  for (const [i, ring] of rings.entries()) if (depths[i]! % 2 === 1) polygons.get(parents[i]!)!.push(ring);
  return [...polygons.values()];
}

const NONE = -1;

function computeDoubledArea(ring: Float64Array): number {
  const [x0, y0] = [ring[0]!, ring[1]!];
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  }
  return sum;
}

/**
 * Finds for each ring the smallest ring around it, by a sweep over x: the edges above a position show which rings are
 * around it.
 */
class Containers {
  readonly #rings: readonly Float64Array[];
  readonly #areas: readonly number[];
  readonly #mostSteps: number;
  #steps = 0;

  constructor(rings: readonly Float64Array[], areas: readonly number[], mostSteps: number) {
    this.#rings = rings;
    this.#areas = areas;
    this.#mostSteps = mostSteps;
  }

  find(): Int32Array {
    const rings = this.#rings;
    const { x1, y1, x2, y2, owner } = listEdgesWestToEast(rings);
    const parents = new Int32Array(rings.length).fill(NONE);
    const queries = [...rings.keys()].sort((a, b) => rings[a]![0]! - rings[b]![0]!);
    // Edges that begin west of the position and have not been seen to end there.
    const active = new Uint32Array(owner.length);
    let activeCount = 0;
    let next = 0;
    const isAround = new Uint8Array(rings.length);
    for (const query of queries) {
      const [x, y] = [rings[query]![0]!, rings[query]![1]!];
      while (next < owner.length && x1[next]! <= x) active[activeCount++] = next++;
      this.#count(activeCount);
      const met: number[] = [];
      const touched: number[] = [];
      for (let i = activeCount - 1; i >= 0; i--) {
        const edge = active[i]!;
        if (x2[edge]! < x) {
          active[i] = active[--activeCount]!;
          continue;
        }
        const other = owner[edge]!;
        if (other === query) continue;
        const side = computeSideOfEdge(x1[edge]!, y1[edge]!, x2[edge]!, y2[edge]!, x, y);
        if (side === ON) touched.push(other);
        else if (side === ABOVE) {
          isAround[other]! ^= 1;
          met.push(other);
        }
      }
      for (const other of touched) isAround[other] = 0;
      for (const other of new Set(touched)) {
        met.push(other);
        if (this.#liesIn(query, other)) isAround[other] = 1;
      }
      parents[query] = this.#smallest(
        query,
        met.filter((other) => isAround[other] === 1),
      );
      for (const other of met) isAround[other] = 0;
    }
    return parents;
  }

  #smallest(query: number, around: readonly number[]): number {
    let smallest = NONE;
    for (const other of around) {
      const isLarger = this.#areas[other]! > this.#areas[query]!;
      if (isLarger && (smallest === NONE || this.#areas[other]! < this.#areas[smallest]!)) smallest = other;
    }
    return smallest;
  }

  /**
   * True if a ring that touches another lies in it, decided by its first position, or middle of an edge, off the
   * other.
   */
  #liesIn(inner: number, outer: number): boolean {
    const ring = this.#rings[inner]!;
    for (let i = 0; i < ring.length; i += 2) {
      const side = this.#locate(outer, ring[i]!, ring[i + 1]!);
      if (side !== ON) return side === ABOVE;
    }
    for (let i = 0; i + 3 < ring.length; i += 2) {
      if (this.#hasEdge(outer, ring.subarray(i, i + 4))) continue;
      const side = this.#locate(outer, (ring[i]! + ring[i + 2]!) / 2, (ring[i + 1]! + ring[i + 3]!) / 2);
      if (side !== ON) return side === ABOVE;
    }
    return false;
  }

  /** ABOVE: inside; ELSEWHERE: outside. */
  #locate(ring: number, x: number, y: number): number {
    const positions = this.#rings[ring]!;
    this.#count(positions.length);
    let isInside = false;
    for (let from = 0; from < positions.length; from += 2) {
      const to = from + 2 < positions.length ? from + 2 : 0;
      const isEastward = positions[from]! <= positions[to]!;
      const [west, east] = isEastward ? [from, to] : [to, from];
      const side = computeSideOfEdge(
        positions[west]!,
        positions[west + 1]!,
        positions[east]!,
        positions[east + 1]!,
        x,
        y,
      );
      if (side === ON) return ON;
      if (side === ABOVE) isInside = !isInside;
    }
    return isInside ? ABOVE : ELSEWHERE;
  }

  /** True if two positions lie on one edge of a ring, so that everything between them lies on it too. */
  #hasEdge(ring: number, [x1, y1, x2, y2]: Float64Array): boolean {
    const positions = this.#rings[ring]!;
    this.#count(positions.length);
    for (let from = 0; from < positions.length; from += 2) {
      const to = from + 2 < positions.length ? from + 2 : 0;
      const edge = [positions[from]!, positions[from + 1]!, positions[to]!, positions[to + 1]!] as const;
      if (isOn(edge, x1!, y1!) && isOn(edge, x2!, y2!)) return true;
    }
    return false;
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#mostSteps) throw new TooManyRings(this.#rings.length);
  }
}

/** Edges in the order of their western ends, which come first. */
interface Edges {
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  readonly x2: Float64Array;
  readonly y2: Float64Array;
  /** Whose ring's. */
  readonly owner: Int32Array;
}

function listEdgesWestToEast(rings: readonly Float64Array[]): Edges {
  const count = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const [x1, y1, x2, y2] = Array.from({ length: 4 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const owner = new Int32Array(count);
  let edge = 0;
  for (const [i, ring] of rings.entries()) {
    for (let from = 0; from < ring.length; from += 2, edge++) {
      const to = from + 2 < ring.length ? from + 2 : 0;
      const isEastward = ring[from]! <= ring[to]!;
      const [west, east] = isEastward ? [from, to] : [to, from];
      x1[edge] = ring[west]!;
      y1[edge] = ring[west + 1]!;
      x2[edge] = ring[east]!;
      y2[edge] = ring[east + 1]!;
      owner[edge] = i;
    }
  }
  const order = Uint32Array.from(owner.keys()).sort((a, b) => x1[a]! - x1[b]!);
  const sorted = (values: Float64Array): Float64Array => Float64Array.from(order, (i) => values[i]!);
  return {
    x1: sorted(x1),
    y1: sorted(y1),
    x2: sorted(x2),
    y2: sorted(y2),
    owner: Int32Array.from(order, (i) => owner[i]!),
  };
}

/** Where an edge from the west to the east lies, seen from a position. */
function computeSideOfEdge(x1: number, y1: number, x2: number, y2: number, x: number, y: number): number {
  if (x1 > x || x2 < x || (y1 < y && y2 < y)) return ELSEWHERE;
  if (x1 === x2) return y1 <= y || y2 <= y ? ON : ELSEWHERE;
  if (y1 > y && y2 > y) return x2 > x ? ABOVE : ELSEWHERE;
  // robust-predicates counts clockwise as positive: the position then lies below the edge.
  const side = orient2d(x1, y1, x2, y2, x, y);
  if (side === 0) return ON;
  return side > 0 && x2 > x ? ABOVE : ELSEWHERE;
}

type Edge = readonly [x1: number, y1: number, x2: number, y2: number];

function isOn([x1, y1, x2, y2]: Edge, x: number, y: number): boolean {
  if (x < Math.min(x1, x2) || x > Math.max(x1, x2) || y < Math.min(y1, y2) || y > Math.max(y1, y2)) {
    return false;
  }
  return orient2d(x1, y1, x2, y2, x, y) === 0;
}

const ELSEWHERE = 0;
const ON = 1;
const ABOVE = 2;
