import type { MultiPolygon, Polygon, Position } from "geojson";

/** A plot's shape that can be changed corner by corner. */
export type EditableGeometry = Polygon | MultiPolygon;

/** Above this many corners a pointer is no tool to change a plot. */
const MOST_EDITED_CORNERS = 500;

/** Whether a shape can be changed with a pointer, or why not. */
export function editability(
  geometry: { readonly type: string } | undefined,
): "yes" | "many-corners" | "no-area" {
  if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return "no-area";
  const corners = polygonsOf(geometry as EditableGeometry).flat().length;
  return corners > MOST_EDITED_CORNERS ? "many-corners" : "yes";
}

export function polygonsOf(geometry: EditableGeometry): readonly Position[][][] {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}
