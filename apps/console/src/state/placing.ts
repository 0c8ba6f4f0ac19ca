import type { Geometry } from "geojson";

/** Places geometries of a reference system on the map, in order; undefined for those that cannot be placed. */
export type Place = (
  geometries: readonly object[],
  crs: string,
) => Promise<readonly (Geometry | undefined)[]>;

let placer: Place = async (geometries) => geometries.map(() => undefined);

/** Places geometries by the registered function, which has the reference systems that the page itself lacks. */
export const place: Place = (geometries, crs) => placer(geometries, crs);

/** Registers the function that {@link place} uses. */
export function registerPlacer(by: Place): void {
  placer = by;
}
