import type { crsOfWkt } from "../../crs/crs-of.ts";
import { loadedByNeed } from "../../needed.ts";

/** `crsOfWkt`, with the names of all systems: most JSON names its system by a code. */
export const crsOfWktBy: () => typeof crsOfWkt = loadedByNeed(
  async () => (await import("../../crs/crs-of.ts")).crsOfWkt,
);
