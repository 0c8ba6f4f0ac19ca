import type { findWktCrs } from "../../crs/crs-of.ts";
import { createLazyLoader } from "../../needed.ts";

/** `findWktCrs`, with the names of all systems: most JSON names its system by a code. */
export const crsOfWktBy: () => typeof findWktCrs = createLazyLoader(
  async () => (await import("../../crs/crs-of.ts")).findWktCrs,
);
