import { type Bbox, computeBbox } from "../earth/bbox.ts";
import { toPositions } from "../earth/to-positions.ts";

/** A harmless correction of the input, or a doubtful place in it; listed in `meta.warnings`. */
export interface Warning {
  /** JSON pointer into the request. */
  readonly pointer: string;
  /** Stable UPPER_SNAKE name, e.g. `REPEATED_POSITION`. */
  readonly code: string;
  readonly message: string;
}

/**
 * A checked input geometry in the form kernels work on.
 *
 * Edges are straight in longitude and latitude (RFC 7946 §3.1.1). Positions are lossless: what was
 * sent, or what the CRS transform gave rounded to 1e-9°. Consecutive equal positions are dropped.
 * Outer rings wind counter-clockwise (north up), holes clockwise. Longitudes may run past ±180
 * where a ring crosses the antimeridian; a geometry split there (RFC 7946 §3.1.9) keeps its parts.
 */
export interface Plot {
  readonly dimension: "polygon" | "line" | "point";
  /**
   * Flat `[lon, lat, lon, lat, …]` in degrees. Polygons: rings one after another, each closed (its
   * last position equals its first). Lines: one after another. Points: one position a part.
   */
  readonly xy: Float64Array;
  /** Where each ring (line, point) starts, counted in positions; one entry more than there are. */
  readonly ringStarts: Uint32Array;
  /** First ring of each polygon (line, point); one entry more. A polygon's outer ring comes first. */
  readonly polygonStarts: Uint32Array;
  readonly bbox: Bbox;
}

/** Builds the plot of parts that are checked and mended. */
export function createPlot(dimension: Plot["dimension"], parts: readonly (readonly Float64Array[])[]): Plot {
  const rings = parts.flat();
  const ringStarts = new Uint32Array(rings.length + 1);
  rings.forEach((ring, r) => {
    ringStarts[r + 1] = ringStarts[r]! + ring.length / 2;
  });
  const polygonStarts = new Uint32Array(parts.length + 1);
  parts.forEach((part, p) => {
    polygonStarts[p + 1] = polygonStarts[p]! + part.length;
  });
  const xy = new Float64Array(ringStarts.at(-1)! * 2);
  rings.forEach((ring, r) => {
    xy.set(ring, ringStarts[r]! * 2);
  });
  return { dimension, xy, ringStarts, polygonStarts, bbox: makeZerosPositive(...computeBbox(xy)) };
}

/** A plot of polygons as GeoJSON, its coordinates as the plot has them. */
export type PlotGeometry =
  | { readonly type: "Polygon"; readonly coordinates: number[][][] }
  | { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] };

/** The GeoJSON geometry of a plot of polygons. */
export function plotGeometry({ xy, ringStarts, polygonStarts }: Plot): PlotGeometry {
  const polygons = Array.from({ length: polygonStarts.length - 1 }, (_, polygon) =>
    Array.from({ length: polygonStarts[polygon + 1]! - polygonStarts[polygon]! }, (_, i) => {
      const ring = polygonStarts[polygon]! + i;
      return toPositions(xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!));
    }),
  );
  return polygonGeometry(polygons);
}

/** Polygons as one GeoJSON geometry. */
export function polygonGeometry(polygons: number[][][][]): PlotGeometry {
  return polygons.length === 1
    ? { type: "Polygon", coordinates: polygons[0]! }
    : { type: "MultiPolygon", coordinates: polygons };
}

/** A box whose zeros are all positive, whichever of equal ones came first. */
export function makeZerosPositive(west: number, south: number, east: number, north: number): Bbox {
  return [west + 0, south + 0, east + 0, north + 0];
}
