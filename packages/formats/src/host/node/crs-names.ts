import { crsOfWkt } from "../../crs/crs-of.ts";

/** {@link crsOfWkt}, with the names of all systems. */
export const crsOfWktBy: () => typeof crsOfWkt = () => crsOfWkt;
