import { array, number, type Shape } from "../shape/shape.ts";
import { MAX_ABSOLUTE_LATITUDE, MAX_ABSOLUTE_LONGITUDE } from "./format.ts";

/**
 * A box in which features lie that the build left out, and their number: degrees, longitudes within ±540 and at most
 * 360 apart.
 */
export type LeftOutBox = readonly [west: number, south: number, east: number, north: number, areas: number];

/** Most boxes of an edition: those of more features are joined. */
export const MAX_LEFT_OUT_BOXES = 1024;

/** The rules for the five numbers of a box. */
export const leftOutShape: Shape<readonly LeftOutBox[]> = array(
  array(number(), { min: 5, max: 5 }) as object as Shape<LeftOutBox>,
  { min: 1, max: MAX_LEFT_OUT_BOXES },
);

/** True if five numbers are a box and a number of features. */
export function isLeftOutBox([west, south, east, north, areas]: LeftOutBox): boolean {
  return (
    -MAX_ABSOLUTE_LONGITUDE <= west &&
    west < east &&
    east <= Math.min(west + 360, MAX_ABSOLUTE_LONGITUDE) &&
    -MAX_ABSOLUTE_LATITUDE <= south &&
    south < north &&
    north <= MAX_ABSOLUTE_LATITUDE &&
    Number.isSafeInteger(areas) &&
    areas > 0
  );
}
