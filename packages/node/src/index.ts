export { type BuildNotes, type EditionOrigin, notesPath, readBuildNotes } from "./build-notes.ts";
export * from "./catalog.ts";
export * from "./connect-live-source.ts";
export * from "./data-error.ts";
export { syncFolder, writeDurably } from "./durable-file.ts";
export {
  type ArchivedSource,
  type ArchiveQuestion,
  EditionArchive,
  readVerified,
} from "./edition-archive.ts";
export { diffEditions, diffFeatures } from "./editions/diff-editions.ts";
export type * from "./editions/edition-diff.ts";
export {
  type EditionExtent,
  GUARDS,
  type Guard,
  type GuardFinding,
  guardFindings,
} from "./editions/guards.ts";
export { type EditionEntry, listEditions, resolveEdition } from "./editions/list-editions.ts";
export { findPrunable, type Prunable, type PruneOptions, pruneEditions } from "./editions/prune-editions.ts";
export { removeEdition, removeSource } from "./editions/remove-edition.ts";
export { type PinRelease, releasePin, useEdition } from "./editions/use-edition.ts";
export { type EditionState, verifyEditions } from "./editions/verify-editions.ts";
export * from "./engine-pool.ts";
export * from "./engine-settings.ts";
export * from "./expect-editions.ts";
export * from "./fair-queue.ts";
export * from "./host.ts";
export {
  assertInstallable,
  type GroupChange,
  type InstallResult,
  installEdition,
  joinGroups,
  setGroup,
} from "./install-edition.ts";
export { coveragePolygons } from "./kept-coverage.ts";
export * from "./lane-work.ts";
export * from "./list-sources.ts";
export * from "./live-places.ts";
export * from "./live-source.ts";
export * from "./live-sources.ts";
export * from "./load-kernel.ts";
export * from "./open-data.ts";
export * from "./pin-editions.ts";
export * from "./read-shared.ts";
export * from "./recently-used.ts";
export * from "./serve-tasks.ts";
export * from "./shared-borders.ts";
export { changeInWords, type SourceChange } from "./source-changes.ts";
export * from "./spill-file.ts";
export { PoolError, type PoolErrorCode, type PoolLimits, type TaskTerms, WorkerPool } from "./worker-pool.ts";
export { holdLock } from "./write-lock.ts";
