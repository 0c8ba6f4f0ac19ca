import { createFormatError } from "../../format-error.ts";

let load: (() => Promise<ArrayBuffer>) | undefined;

/** Hands in how the program of SQLite is loaded; see `index.ts`. */
export function loadSqliteBy(loading: () => Promise<ArrayBuffer>): void {
  load = loading;
}

/** The program of SQLite. Fails: `FORMAT_UNSUPPORTED` if no loader for it was passed in. */
export async function loadSqliteBinary(): Promise<ArrayBuffer> {
  if (load !== undefined) return load();
  const found = "a GeoPackage, but no SQLite to read it";
  const expected = "a page that provides SQLite (loadSqliteBy)";
  throw createFormatError("FORMAT_UNSUPPORTED", found, expected);
}
