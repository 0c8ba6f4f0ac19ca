export { besides, openLocalFile, spool } from "./open-files.ts";
export { openPath } from "./open-path.ts";

/**
 * Hands in how the program of SQLite is loaded, for GeoPackages in browsers: the bytes of `sql-wasm-browser.wasm` of
 * the package `sql.js`. Node brings SQLite itself, and loads nothing.
 */
export function loadSqliteBy(_loading: () => Promise<ArrayBuffer>): void {}
