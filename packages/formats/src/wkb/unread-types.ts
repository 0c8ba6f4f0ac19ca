import { createFormatError, type FormatError } from "../format-error.ts";

/** Types of geometries that are not read, by their code, which FlatGeobuf shares. */
const NAMES: Readonly<Record<number, string>> = {
  8: "CircularString",
  9: "CompoundCurve",
  10: "CurvePolygon",
  11: "MultiCurve",
  12: "MultiSurface",
  13: "Curve",
  14: "Surface",
  15: "PolyhedralSurface",
  16: "TIN",
  17: "Triangle",
};

/** True if the code is that of a curve, or of a surface other than polygons. */
export function isUnread(type: number): boolean {
  return NAMES[type] !== undefined;
}

/** The refusal of such a geometry, with the mend. */
export function unsupportedGeometryError(type: number): FormatError {
  const mend = "`ogr2ogr -nlt CONVERT_TO_LINEAR` makes them of curves";
  return createFormatError("FORMAT_UNSUPPORTED", `a ${NAMES[type]}`, "points, lines or polygons", { mend });
}
