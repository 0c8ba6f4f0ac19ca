import { toPositions } from "../earth/to-positions.ts";
import type { AreaLayer } from "./layer.ts";

/** GeoJSON MultiPolygon coordinates, right-hand winding, rings closed. */
export type MultiPolygonCoordinates = number[][][][];

/** A GeoJSON MultiPolygon; positions are `[lon, lat]` in degrees. */
export interface MultiPolygonGeometry {
  readonly type: "MultiPolygon";
  readonly coordinates: MultiPolygonCoordinates;
}

/** One whole area, see {@link areaCoordinates}. */
export function areaGeometry(layer: AreaLayer, area: number): MultiPolygonGeometry {
  return { type: "MultiPolygon", coordinates: areaCoordinates(layer, area) };
}

/** One area as GeoJSON MultiPolygon coordinates: its own positions, right-hand winding. */
export function areaCoordinates(layer: AreaLayer, area: number): MultiPolygonCoordinates {
  return areaPolygons(layer, area).map((rings) => rings.map(toPositions));
}

/** The rings of each polygon of an area, outer first: views of the layer's positions. */
export function areaPolygons(layer: AreaLayer, area: number): Float64Array[][] {
  const { xy, ringStarts, areaRings, ringRoles } = layer;
  const polygons: Float64Array[][] = [];
  for (let ring = areaRings[area]!; ring < areaRings[area + 1]!; ring++) {
    const positions = xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!);
    if (ringRoles[ring] === 0) polygons.push([positions]);
    else polygons.at(-1)!.push(positions);
  }
  return polygons;
}
