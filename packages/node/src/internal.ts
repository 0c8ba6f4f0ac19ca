// For our own packages, which are released together: anything here may change in any release (ARCHITECTURE.md).

export { formatEditionPath, readCatalog, readCatalogOrEmpty } from "./catalog/catalog.ts";
export { formatCatalog } from "./catalog/catalog-file.ts";
export { GROUP_CUTOFFS } from "./catalog/cutoffs.ts";
export { buildEffectiveGroups, listRemovedSources } from "./catalog/groups.ts";
export { DEFAULT_POOL_SIZE, isConnection, providerShape } from "./catalog/live-source.ts";
export { changeInWords } from "./catalog/source-changes.ts";
export { acquireFileLock } from "./catalog/write-lock.ts";
export { diffFeatures } from "./editions/contents/diff-editions.ts";
export {
  type ArchiveQuestion,
  EditionArchive,
  readVerifiedEdition,
} from "./editions/contents/edition-archive.ts";
export { assertExpectedEditions } from "./editions/expect-editions.ts";
export { getCurrentMeta, listStoredEditions } from "./editions/find-edition.ts";
export { GUARDS } from "./editions/guards.ts";
export { assertSourceInstallable, joinManifestGroups } from "./editions/install-edition.ts";
export { findWaitingEdition, resolveEdition } from "./editions/list-editions.ts";
export { type PinnedEdition, pinEditions } from "./editions/pin-editions.ts";
export { findPrunableItems } from "./editions/prune-editions.ts";
export { type RecoveredSource, type Recovery, recoverCatalog } from "./editions/recover-catalog.ts";
export { type EditionOrigin, notesPath, readBuildNotes } from "./files/build-notes.ts";
export { syncFolderToDisk, writeFileDurably, writeReadableFile } from "./files/durable-file.ts";
export { readEditionFile } from "./files/read-edition.ts";
export { openSpillFile } from "./files/spill-file.ts";
export { readCoveragePolygons } from "./kept-coverage.ts";
export { DEFAULT_LIVE_LIMITS } from "./live/live-places.ts";
export { parseAddressPassword } from "./live/live-sources.ts";
export { RecentlyUsed } from "./recently-used.ts";
export { openEngineFromSettings, type PlainSettings, toPlainSettings } from "./threads/engine-settings.ts";
export { FairQueue } from "./threads/fair-queue.ts";
export { getSharedBorders } from "./threads/host.ts";
export { LaneWork, type WorkLimits } from "./threads/lane-work.ts";
export { serveTasks } from "./threads/serve-tasks.ts";
export { WorkerPool } from "./threads/worker-pool.ts";
