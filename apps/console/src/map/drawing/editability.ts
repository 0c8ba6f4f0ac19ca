import type { Geometry, MultiPolygon, Polygon, Position } from "geojson";
import type { PagePlot } from "../../state/plot.ts";

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

/** True if a plot could be read and has no geometry. */
export function isWithoutOutline({ input }: Pick<PagePlot, "input">): boolean {
  return input !== undefined && ((input as { readonly geometry?: unknown }).geometry ?? null) === null;
}
