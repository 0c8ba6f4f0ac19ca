import { orient2d } from "../earth/predicates.ts";
import type { Edges } from "../noding/sweep/near-edges.ts";
import type { GeometryFault, GeometryFaultCode } from "./geometry-fault.ts";

/** The rings with repeated positions left out, as edges one after another. */
export interface Rings extends Edges {
  readonly ringCount: number;
  /** First edge of each ring; one entry more. */
  readonly starts: Int32Array;
  readonly polygonOf: Int32Array;
  /** Index of the ring within its polygon. */
  readonly indexOf: Int32Array;
  readonly ringOf: Int32Array;
  /** Position in the ring, as passed in, at which an edge starts. */
  readonly positionOf: Int32Array;
  /** True if the interior is to the left of the edges. */
  readonly interiorLeft: readonly boolean[];
}

/** Reads rings as edges; a ring too short for a region is left out, and reported. */
export function readRings(polygons: readonly (readonly Float64Array[])[], faults: GeometryFault[]): Rings {
  let capacity = 0;
  let ringCapacity = 0;
  for (const polygon of polygons) {
    for (const ring of polygon) {
      capacity += ring.length / 2;
      ringCapacity++;
    }
  }
  const x0 = new Float64Array(capacity);
  const y0 = new Float64Array(capacity);
  const x1 = new Float64Array(capacity);
  const y1 = new Float64Array(capacity);
  const ringOf = new Int32Array(capacity);
  const positionOf = new Int32Array(capacity);
  const starts = new Int32Array(ringCapacity + 1);
  const polygonOf = new Int32Array(ringCapacity);
  const indexOf = new Int32Array(ringCapacity);
  const interiorLeft: boolean[] = [];
  let count = 0;
  let ringCount = 0;

  polygons.forEach((polygon, p) => {
    polygon.forEach((ring, r) => {
      const first = count;
      for (let i = 0; i + 3 < ring.length; i += 2) {
        if (ring[i] === ring[i + 2] && ring[i + 1] === ring[i + 3]) continue;
        x0[count] = ring[i]!;
        y0[count] = ring[i + 1]!;
        x1[count] = ring[i + 2]!;
        y1[count] = ring[i + 3]!;
        ringOf[count] = ringCount;
        positionOf[count] = i / 2;
        count++;
      }
      if (count - first < 3) {
        count = first;
        faults.push({
          code: "RING_TOO_SHORT",
          message: "the ring has fewer than three distinct positions, so it encloses no area",
          polygon: p,
          ring: r,
          position: 0,
          coordinate: [ring[0] ?? Number.NaN, ring[1] ?? Number.NaN],
        });
        return;
      }
      polygonOf[ringCount] = p;
      indexOf[ringCount] = r;
      interiorLeft.push(windsCounterClockwise(x0, y0, first, count));
      starts[++ringCount] = count;
    });
  });
  return {
    count,
    x0,
    y0,
    x1,
    y1,
    ringCount,
    starts,
    polygonOf,
    indexOf,
    ringOf,
    positionOf,
    interiorLeft,
  };
}

/** True if a simple ring winds counter-clockwise, found by the turn at its westernmost position. */
function windsCounterClockwise(x: Float64Array, y: Float64Array, start: number, end: number): boolean {
  let west = start;
  for (let i = start + 1; i < end; i++) {
    if (x[i]! < x[west]! || (x[i] === x[west] && y[i]! < y[west]!)) west = i;
  }
  const before = west === start ? end - 1 : west - 1;
  const after = west === end - 1 ? start : west + 1;
  return orient2d(x[before]!, y[before]!, x[west]!, y[west]!, x[after]!, y[after]!) > 0;
}

/** A fault at an edge, in the terms of the input. */
export function createGeometryFault(
  rings: Rings,
  code: GeometryFaultCode,
  message: string,
  edge: number,
  x: number,
  y: number,
): GeometryFault {
  const ring = rings.ringOf[edge]!;
  return {
    code,
    message,
    polygon: rings.polygonOf[ring]!,
    ring: rings.indexOf[ring]!,
    position: rings.positionOf[edge]!,
    coordinate: [x, y],
  };
}
