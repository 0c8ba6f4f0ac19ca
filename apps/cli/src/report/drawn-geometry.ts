import { crsTable } from "@groundrule/crs";
import { plotOutline } from "@groundrule/report";

/** A geometry as the map draws it; undefined for one that it cannot place. */
export function drawnGeometry(geometry: unknown, crs: string | undefined | null): unknown {
  if (crs === undefined || crs === null || geometry === undefined || geometry === null) return geometry;
  const coordinates = plotOutline(geometry as object, { crs, crsTable });
  return coordinates === undefined ? undefined : { type: "MultiPolygon", coordinates };
}
