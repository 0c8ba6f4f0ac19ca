export { listSiblings, openLocalFile, spoolStreamToFile } from "./open-files.ts";
export { openPath } from "./open-path.ts";

/**
 * Sets the loader of the program of SQLite, for GeoPackages in browsers: the bytes of `sql-wasm-browser.wasm` of the
 * package `sql.js`. Node contains SQLite, and loads nothing.
 */
export function loadSqliteBy(_loading: () => Promise<ArrayBuffer>): void {}
