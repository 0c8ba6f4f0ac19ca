// For our own packages, which move with this one: what stands here changes in any release (ARCHITECTURE.md).

export { editionPath, editionsFolder, readCatalog, readCatalogOrEmpty } from "./catalog/catalog.ts";
export { formatCatalog } from "./catalog/catalog-file.ts";
export { effectiveGroups, removedSources } from "./catalog/groups.ts";
export { changeInWords } from "./catalog/source-changes.ts";
export { holdLock } from "./catalog/write-lock.ts";
export { diffFeatures } from "./editions/diff-editions.ts";
export { type ArchiveQuestion, EditionArchive, readVerified } from "./editions/edition-archive.ts";
export { expectEditions } from "./editions/expect-editions.ts";
export { GUARDS } from "./editions/guards.ts";
export { assertInstallable, joinGroups } from "./editions/install-edition.ts";
export { resolveEdition } from "./editions/list-editions.ts";
export { type PinnedEdition, pinEditions } from "./editions/pin-editions.ts";
export { findPrunable } from "./editions/prune-editions.ts";
export { type EditionOrigin, notesPath, readBuildNotes } from "./files/build-notes.ts";
export { syncFolder, writeDurably } from "./files/durable-file.ts";
export { openSpillFile } from "./files/spill-file.ts";
export { coveragePolygons } from "./kept-coverage.ts";
export { DEFAULT_LIVE_LIMITS } from "./live/live-places.ts";
export { DEFAULT_POOL_SIZE, isConnection, providerShape } from "./live/live-source.ts";
export { passwordOf } from "./live/live-sources.ts";
export { RecentlyUsed } from "./recently-used.ts";
export { sharedBorders } from "./shared-borders.ts";
export { openSettings, type PlainSettings, plainSettings } from "./threads/engine-settings.ts";
export { FairQueue } from "./threads/fair-queue.ts";
export { LaneWork, type WorkLimits } from "./threads/lane-work.ts";
export { serveTasks } from "./threads/serve-tasks.ts";
export { WorkerPool } from "./threads/worker-pool.ts";
