import type { Geometry } from "geojson";

/** Places geometries of a reference system on the map, in their order; undefined of what cannot be placed. */
export type Place = (
  geometries: readonly object[],
  crs: string,
) => Promise<readonly (Geometry | undefined)[]>;

let placer: Place = async (geometries) => geometries.map(() => undefined);

/** Places by what knows reference systems, which the page itself does not. */
export const place: Place = (geometries, crs) => placer(geometries, crs);

/** Hands in what {@link place} places by. */
export function placeBy(by: Place): void {
  placer = by;
}
