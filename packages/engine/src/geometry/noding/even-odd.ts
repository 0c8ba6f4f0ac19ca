import { WorkMeter } from "../../base/work-meter.ts";
import { type Faces, findFaces, getHalfEdgeOrigin, walkFaces } from "./faces.ts";
import { isCounterClockwise } from "./mend-rings.ts";
import { type NodedEdges, nodeOddEdges } from "./noding.ts";

/**
 * The places that every one of some sets of rings encloses by the even-odd rule, as valid polygons. With
 * one set it dissolves the edges its rings share; with two it intersects.
 *
 * All edges together are noded into a graph whose edges know which sets they bound; crossing one
 * changes sides in just those. A face within all sets has none such beside it, so it is a polygon.
 *
 * @param sets each of rings, flat `[lon, lat, …]`, closed, all finite; which is outer or hole does not matter
 * @param options.meter counts the work (see `nodeOddEdges`), default no limit
 * @returns rings of each polygon, outer first, closed; outer rings counter-clockwise, holes
 *   clockwise; `findFaults` finds nothing in them
 *
 * Positions and cost: as with `repairPolygons`. Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function intersectEvenOdd(
  sets: readonly (readonly Float64Array[])[],
  options: { readonly meter?: WorkMeter | undefined } = {},
): Float64Array[][] {
  const meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  return buildPolygonsWithin(nodeOddEdges(sets, meter), (1 << sets.length) - 1, meter);
}

/** The faces of a graph that lie within `all` of the sets its edges bound (bits), as polygons. */
export function buildPolygonsWithin(graph: NodedEdges, all: number, meter: WorkMeter): Float64Array[][] {
  if (graph.count === 0) return [];
  const faces = findFaces(graph, meter);
  const within = new Uint8Array(faces.count);
  let sets = 0;
  walkFaces(
    faces,
    (half) => {
      sets ^= graph.bounds[half >> 1]!;
    },
    (face) => {
      if (sets === all) within[face] = 1;
    },
  );

  const polygons: Float64Array[][] = [];
  const splitter = new RingSplitter(graph, faces);
  for (let face = 0; face < faces.count; face++) {
    if (within[face] === 0) continue;
    const found = splitter.splitCycle(face);
    for (const hole of faces.outersIn.get(face) ?? [])
      for (const each of splitter.splitCycle(hole)) found.push(each);
    // An inner face has one outer ring; what touches it from within was traced along with it.
    const outer = found.findIndex(isCounterClockwise);
    polygons.push([found[outer]!, ...found.filter((_, r) => r !== outer)]);
  }
  return polygons;
}

/** Cuts cycles at the positions they pass more than once. */
class RingSplitter {
  readonly #graph: NodedEdges;
  readonly #cycles: Faces;
  /** Where on the way each position was passed; −1: not. */
  readonly #passedAt: Int32Array;

  constructor(graph: NodedEdges, cycles: Faces) {
    this.#graph = graph;
    this.#cycles = cycles;
    this.#passedAt = new Int32Array(graph.x.length).fill(-1);
  }

  splitCycle(cycle: number): Float64Array[] {
    const start = this.#cycles.first[cycle]!;
    const rings: Float64Array[] = [];
    const way: number[] = [];
    let half = start;
    do {
      this.#pass(getHalfEdgeOrigin(this.#graph, half), way, rings);
      half = this.#cycles.next[half]!;
    } while (half !== start);
    this.#pass(getHalfEdgeOrigin(this.#graph, start), way, rings);
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
