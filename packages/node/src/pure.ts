// What needs nothing of Node: the small files of a data folder as bytes, and a bounded map.
export { type BuildNotes, type EditionOrigin, parseBuildNotes } from "./build-notes-file.ts";
export {
  type Catalog,
  type CatalogGroup,
  effectiveGroups,
  type Pin,
  parseCatalog,
} from "./catalog-file.ts";
export { DataError, type DataErrorCode } from "./data-error.ts";
export { RecentlyUsed } from "./recently-used.ts";
