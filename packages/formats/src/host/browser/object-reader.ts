import type { readFoundObject } from "../../json/read-found-object.ts";
import { createLazyLoader } from "../../needed.ts";

/** `readFoundObject`, with the notations of cells: most JSON is GeoJSON. */
export const objectReader: () => typeof readFoundObject = createLazyLoader(
  async () => (await import("../../json/read-found-object.ts")).readFoundObject,
);
