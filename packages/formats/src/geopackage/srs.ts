import { crsOfWkt } from "../crs/crs-of.ts";
import type { Database } from "./database.ts";

/**
 * The CRS of an id in `gpkg_spatial_ref_sys`: `EPSG:n`, by the code or else by the definition, or its name; undefined
 * for 0 and −1, which mean "undefined".
 */
export function crsOfSrsId(database: Database, srsId: number): string | undefined {
  if (srsId === 0 || srsId === -1) return undefined;
  const columns = ["srs_id", "organization", "organization_coordsys_id", "srs_name", "definition"];
  for (const row of database.rows("gpkg_spatial_ref_sys", columns)) {
    if (Number(row[1]) !== srsId) continue;
    const organization = String(row[2]).trim().toUpperCase();
    const code = Number(row[3]);
    if (organization === "EPSG" && code > 0) return `EPSG:${code}`;
    const definition = String(row[5]);
    return crsOfWkt(definition) ?? (String(row[4]) || `srs_id ${srsId}`);
  }
  return `srs_id ${srsId}`;
}
