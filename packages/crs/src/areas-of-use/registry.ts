import areas from "./areas.json" with { type: "json" };

/**
 * Where each system of the EPSG registry is in use, those that are not in the table too: `west south east north:`, whole
 * degrees, and the codes of that area, `24877 32717-32718`. Written by `tools/write/write-crs-systems.ts`.
 */
export const AREAS_OF_USE: readonly string[] = areas;
