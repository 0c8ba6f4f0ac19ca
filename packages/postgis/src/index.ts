export { type CheckedTable, checkPostgis } from "./check-postgis.ts";
export { openPostgis, type PostgisOptions } from "./open-postgis.ts";
export { ProviderError } from "./provider-error.ts";
