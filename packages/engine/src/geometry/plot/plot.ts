import type { Bbox } from "../earth/bbox.ts";

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

/** A plot of polygons as GeoJSON, its coordinates as the plot has them. */
export type PlotGeometry =
  | { readonly type: "Polygon"; readonly coordinates: number[][][] }
  | { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] };

/** The GeoJSON geometry of a plot of polygons. */
export function plotGeometry({ xy, ringStarts, polygonStarts }: Plot): PlotGeometry {
  const polygons = Array.from({ length: polygonStarts.length - 1 }, (_, polygon) =>
    Array.from({ length: polygonStarts[polygon + 1]! - polygonStarts[polygon]! }, (_, i) => {
      const ring = polygonStarts[polygon]! + i;
      return Array.from({ length: ringStarts[ring + 1]! - ringStarts[ring]! }, (_, k) => {
        const at = 2 * (ringStarts[ring]! + k);
        return [xy[at]!, xy[at + 1]!];
      });
    }),
  );
  return polygons.length === 1
    ? { type: "Polygon", coordinates: polygons[0]! }
    : { type: "MultiPolygon", coordinates: polygons };
}
