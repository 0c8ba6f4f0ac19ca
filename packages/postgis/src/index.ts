export { type CheckedTable, checkPostgis } from "./check-postgis.ts";
export { openPostgis, type PostgisOptions } from "./open-postgis.ts";
export { PROVIDER_ERROR_CODES, ProviderError, type ProviderErrorCode } from "./provider-error.ts";
