import { isSameCrs } from "@groundrule/engine/internal";
import type { Geometry } from "geojson";
import { isOnEarth } from "../map/on-earth.ts";

/**
 * Converts a geometry to longitude and latitude for the map; undefined if it cannot be placed, which the answerer then
 * explains.
 *
 * @param crs of the geometry; undefined: longitude and latitude
 */
export async function toMapGeometry({
  geometry,
  crs,
}: {
  readonly geometry: unknown;
  readonly crs?: string | undefined;
}): Promise<Geometry | undefined> {
  if (crs === undefined || isSameCrs(crs, "EPSG:4326") || isSameCrs(crs, "OGC:CRS84")) {
    return isOnEarth(geometry) ? geometry : undefined;
  }
  // Few files are in another system: the table of systems is loaded with the first that is.
  const { crsTable } = await import("@groundrule/crs");
  const transform = crsTable.find(Number(/(?<!\d)\d{4,6}$/.exec(crs)?.[0]))?.transform;
  const drawn = transform && {
    ...(geometry as object | null),
    coordinates: transformCoordinates(transform, geometry),
  };
  return isOnEarth(drawn) ? drawn : undefined;
}

/**
 * The positions of a geometry in another reference system, converted one by one, so that faults are drawn as they were
 * sent.
 */
function transformCoordinates(transform: (position: [number, number]) => void, geometry: unknown): unknown {
  let last: number | undefined;
  const moved = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const [x, y] = value;
    if (typeof x !== "number" || typeof y !== "number") return value.map(moved);
    const position: [number, number] = [x, y];
    transform(position);
    // Across the antimeridian longitudes continue beyond ±180.
    if (last !== undefined) position[0] += 360 * Math.round((last - position[0]) / 360);
    last = position[0];
    return position;
  };
  return moved((geometry as { readonly coordinates?: unknown } | null)?.coordinates);
}
