/** Units of the grid in a degree: coordinates of six decimals times this are integers. */
export const UNITS = 1_000_000;

/** Rings of each polygon, outer first; flat `[x, y, …]`, closed. */
export type Polygons = readonly (readonly Float64Array[])[];

/**
 * Coordinates on the grid as integers, exactly: arithmetic on them has no rounding that could break a ring.
 *
 * @param polygons degrees of at most six decimals, within ±540
 */
export function toUnits(polygons: Polygons): Float64Array[][] {
  return polygons.map((rings) => rings.map((ring) => ring.map((degrees) => Math.round(degrees * UNITS) + 0)));
}

/** The degrees of integers on the grid: the doubles nearest to decimals of six places, never −0. */
export function toDegrees(polygons: Polygons): Float64Array[][] {
  return polygons.map((rings) => rings.map((ring) => ring.map((units) => units / UNITS + 0)));
}
