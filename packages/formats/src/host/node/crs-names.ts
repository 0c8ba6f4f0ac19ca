import { findWktCrs } from "../../crs/crs-of.ts";

/** {@link findWktCrs}, with the names of all systems. */
export const crsOfWktBy: () => typeof findWktCrs = () => findWktCrs;
