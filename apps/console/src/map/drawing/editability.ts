import type { Geometry, MultiPolygon, Polygon, Position } from "geojson";

/** A shape that can be changed corner by corner. */
export type EditableGeometry = Polygon | MultiPolygon;

/** Maximum corners for changing a plot with a pointer. */
const MOST_EDITED_CORNERS = 500;

/** True if a shape can be changed with a pointer. */
export function isEditable(geometry: Geometry | undefined): geometry is EditableGeometry {
  if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return false;
  return listPolygonRings(geometry).flat().length <= MOST_EDITED_CORNERS;
}

export function listPolygonRings(geometry: EditableGeometry): readonly Position[][][] {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}
