// What needs nothing of Node: the small files of a data folder as bytes, and a bounded map.
export { type BuildNotes, type EditionOrigin, parseBuildNotes } from "./build-notes-file.ts";
export { parseCatalog } from "./catalog-file.ts";
export type { Catalog, CatalogGroup, Pin } from "./catalog-form.ts";
export { DataError, type DataErrorCode } from "./data-error.ts";
export { effectiveGroups, removedSources } from "./groups.ts";
export { RecentlyUsed } from "./recently-used.ts";
