// Code that needs nothing of Node: parsers of a data folder's small files, and a bounded map.

export { parseCatalog } from "./catalog/catalog-file.ts";
export type { Catalog, CatalogGroup, Pin } from "./catalog/catalog-form.ts";
export { buildEffectiveGroups, listRemovedSources } from "./catalog/groups.ts";
export { DataError, type DataErrorCode } from "./data-error.ts";
export { type BuildNotes, type EditionOrigin, parseBuildNotes } from "./files/build-notes-file.ts";
export { RecentlyUsed } from "./recently-used.ts";
