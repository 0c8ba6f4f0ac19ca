import { WorkMeter } from "../../../base/work-meter.ts";
import { buildPolygonsWithin } from "../../noding/even-odd.ts";
import { type Faces, findFaces, forEachHalfEdge, UNBOUNDED, walkFaces } from "../../noding/faces.ts";
import { type NodedEdges, nodeWoundEdges, type WoundEdges } from "../../noding/noding.ts";

/**
 * The region that polygons mean, as valid polygons, so that no fault takes land away: what each ring
 * winds round, outer rings less their holes, all polygons together. This is what GEOS and JTS call
 * making valid by structure (`ST_MakeValid(geometry, 'method=structure')`). What each defect becomes:
 *
 * - a ring that crosses itself: both lobes of a bow-tie; what it goes round twice stays inside;
 * - a ring that touches itself: polygons or holes that touch in that point; spikes vanish;
 * - a hole apart from its outer ring: land of its own, as with municipalities whose islands were
 *   written as holes; one that meets it, in a point even, is taken off and is nothing beyond;
 * - holes that overlap, or lie in each other: taken off together;
 * - polygons that overlap, nest or repeat: one region. A hole of one is land where another covers it;
 * - an outer ring that encloses nothing: nothing, with its holes.
 *
 * @param polygons rings of each, outer first; flat `[lon, lat, …]`, closed, all finite
 * @param options.meter counts the work (see `nodeWoundEdges`), default no limit
 * @returns rings of each polygon, outer first, closed; outer rings counter-clockwise, holes
 *   clockwise; `findFaults` finds nothing in them. Empty where nothing is enclosed.
 *
 * Positions of the input that remain on the boundary are kept to the bit; those added are where
 * edges cross, off by a few units in the last place (see `nodeWoundEdges` for the exception).
 * Longitudes are plain numbers: `prepareArea` turns parts side by side before.
 * Cost: O((n + k) log n) for n positions and k crossings, a few times over.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
 */
export function repairPolygons(
  polygons: readonly (readonly Float64Array[])[],
  options: { readonly meter?: WorkMeter | undefined } = {},
): Float64Array[][] {
  const meter = options.meter ?? new WorkMeter(Number.POSITIVE_INFINITY);
  const graph = nodeWoundEdges(polygons.flat(), meter);
  if (graph.count === 0) return [];
  return buildPolygonsWithin(collectBoundaryEdges(graph, buildRingStructure(polygons), meter), 1, meter);
}

/** Which part of the geometry each ring belongs to, and as what. */
interface Structure {
  readonly partOf: Int32Array;
  readonly isHole: Uint8Array;
  partCount: number;
}

function buildRingStructure(polygons: readonly (readonly Float64Array[])[]): Structure {
  const partOf = Int32Array.from(polygons.flatMap((rings, part) => rings.map(() => part)));
  const isHole = Uint8Array.from(polygons.flatMap((rings) => rings.map((_, r) => (r === 0 ? 0 : 1))));
  return { partOf, isHole, partCount: polygons.length };
}

/** The edges that have the region on one side only. */
function collectBoundaryEdges(graph: WoundEdges, structure: Structure, meter: WorkMeter): NodedEdges {
  const faces = findFaces(graph, meter);
  const { cycleOf, faceOf } = faces;
  if (structure.isHole.includes(1)) promoteHolesApart(graph, faces, structure);
  const inside = new Uint8Array(faces.count);
  const place = new Place(graph, structure);
  walkFaces(
    faces,
    (half) => place.cross(half),
    (face) => {
      if (place.covering > 0) inside[face] = 1;
    },
  );
  const isInside = (half: number): number => {
    const face = faceOf[cycleOf[half]!]!;
    return face === UNBOUNDED ? 0 : inside[face]!;
  };
  const isBoundary = (_: number, e: number): boolean => isInside(2 * e) !== isInside(2 * e + 1);
  const from = graph.from.filter(isBoundary);
  const to = graph.to.filter(isBoundary);
  return {
    x: graph.x,
    y: graph.y,
    count: from.length,
    from,
    to,
    bounds: new Int32Array(from.length).fill(1),
  };
}

/** State at a place on a walk through faces: how each ring winds round it, and which parts cover it. */
class Place {
  /** Parts whose outer ring winds round the place and whose holes do not. */
  covering = 0;
  /** Rings that began or ceased to wind round the place when an edge was crossed last. */
  readonly changed: number[] = [];
  readonly #graph: WoundEdges;
  readonly #structure: Structure;
  readonly #winding: Int32Array;
  readonly #inShell: Uint8Array;
  readonly #holes: Int32Array;

  constructor(graph: WoundEdges, structure: Structure) {
    this.#graph = graph;
    this.#structure = structure;
    this.#winding = new Int32Array(structure.partOf.length);
    this.#inShell = new Uint8Array(structure.partCount);
    this.#holes = new Int32Array(structure.partCount);
  }

  isIn(ring: number): boolean {
    return this.#winding[ring] !== 0;
  }

  cross(half: number): void {
    this.changed.length = 0;
    this.#forEachRing(half, (ring, here, beyond) => {
      this.#winding[ring] = beyond;
      if ((here === 0) !== (beyond === 0)) this.#turn(ring, beyond !== 0);
    });
  }

  /** Rings that wind round one side of an edge only, the place being to its left. */
  forEachBoundary(half: number, visit: (ring: number) => void): void {
    this.#forEachRing(half, (ring, here, beyond) => {
      if ((here === 0) !== (beyond === 0)) visit(ring);
    });
  }

  /** Rings along an edge, and how often they wind round its left, where the place is, and its right. */
  #forEachRing(half: number, visit: (ring: number, here: number, beyond: number) => void): void {
    const { bounds, starts, rings, turns } = this.#graph;
    const label = bounds[half >> 1]!;
    // A ring winds once more round what is to the left of its edges.
    const sign = (half & 1) === 0 ? -1 : 1;
    for (let k = starts[label]!; k < starts[label + 1]!; k++) {
      const here = this.#winding[rings[k]!]!;
      visit(rings[k]!, here, here + sign * turns[k]!);
    }
  }

  #turn(ring: number, isIn: boolean): void {
    const part = this.#structure.partOf[ring]!;
    const covered = this.#covers(part);
    if (this.#structure.isHole[ring] === 0) this.#inShell[part] = isIn ? 1 : 0;
    else this.#holes[part]! += isIn ? 1 : -1;
    this.covering += Number(this.#covers(part)) - Number(covered);
    this.changed.push(ring);
  }

  #covers(part: number): boolean {
    return this.#inShell[part] === 1 && this.#holes[part] === 0;
  }
}

/** Makes parts of their own of holes that share no point with what their outer ring winds round. */
function promoteHolesApart(graph: WoundEdges, faces: Faces, structure: Structure): void {
  const { partOf, isHole } = structure;
  const apart = findHolesOutside(graph, faces, structure);
  if (apart.size === 0) return;

  // Regions without a common place can still touch.
  const concerned = new Set(Array.from(apart, (hole) => partOf[hole]!));
  /** Positions on the boundary of what each ring winds round. */
  const corners = new Map<number, Set<number>>();
  const place = new Place(graph, structure);
  const { from, to } = graph;
  walkFaces(
    faces,
    (half) => place.cross(half),
    (face) =>
      forEachHalfEdge(faces, face, (half) =>
        place.forEachBoundary(half, (ring) => {
          if (isHole[ring] === 1 ? !apart.has(ring) : !concerned.has(partOf[ring]!)) return;
          let own = corners.get(ring);
          if (own === undefined) {
            own = new Set();
            corners.set(ring, own);
          }
          own.add(from[half >> 1]!).add(to[half >> 1]!);
        }),
      ),
  );
  const shells = indexOuterRings(structure);
  for (const hole of apart) {
    const shell = corners.get(shells[partOf[hole]!]!)!;
    const touches = [...(corners.get(hole) ?? [])].some((corner) => shell.has(corner));
    if (touches) continue;
    isHole[hole] = 0;
    partOf[hole] = structure.partCount++;
  }
}

/** Holes with no place in common with what their outer ring winds round, if that is anything. */
function findHolesOutside(graph: WoundEdges, faces: Faces, structure: Structure): Set<number> {
  const { partOf, isHole, partCount } = structure;
  const shells = indexOuterRings(structure);
  const hasRegion = new Uint8Array(partCount);
  const outside = new Set<number>();
  isHole.forEach((hole, ring) => {
    if (hole === 1) outside.add(ring);
  });
  /** By part, the holes that the place is in, of those still thought outside. */
  const around = Array.from({ length: partCount }, () => new Set<number>());
  const place = new Place(graph, structure);
  walkFaces(
    faces,
    (half) => {
      place.cross(half);
      for (const ring of place.changed) {
        const holes = around[partOf[ring]!]!;
        if (!place.isIn(ring)) holes.delete(ring);
        else if (outside.has(ring)) holes.add(ring);
      }
      for (const ring of place.changed) {
        const part = partOf[ring]!;
        if (!place.isIn(shells[part]!)) continue;
        hasRegion[part] = 1;
        for (const hole of around[part]!) outside.delete(hole);
        around[part]!.clear();
      }
    },
    () => {},
  );
  return new Set([...outside].filter((hole) => hasRegion[partOf[hole]!] === 1));
}

/** The outer ring of each part. */
function indexOuterRings({ partOf, isHole, partCount }: Structure): Int32Array {
  const shells = new Int32Array(partCount);
  partOf.forEach((part, ring) => {
    if (isHole[ring] === 0) shells[part] = ring;
  });
  return shells;
}
