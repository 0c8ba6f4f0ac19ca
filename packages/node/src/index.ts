export type { Catalog, CatalogGroup, Pin } from "./catalog-form.ts";
export { type ConnectResult, connectLiveSource, disconnectLiveSource } from "./connect-live-source.ts";
export { DataError, type DataErrorCode } from "./data-error.ts";
export { diffEditions } from "./editions/diff-editions.ts";
export type {
  ChangedFeature,
  DiffFeature,
  DiffNotice,
  EditionDiff,
  FeatureEntry,
} from "./editions/edition-diff.ts";
export type { EditionExtent, Guard, GuardFinding } from "./editions/guards.ts";
export { type EditionEntry, listEditions } from "./editions/list-editions.ts";
export { type Prunable, type PruneOptions, pruneEditions } from "./editions/prune-editions.ts";
export { removeEdition, removeSource } from "./editions/remove-edition.ts";
export { type PinRelease, releasePin, useEdition } from "./editions/use-edition.ts";
export { type EditionState, verifyEditions } from "./editions/verify-editions.ts";
export { EnginePool } from "./engine-pool.ts";
export type { EngineSettings } from "./engine-settings.ts";
export type { ExpectedEdition } from "./expect-editions.ts";
export { ENGINE_OPTIONS } from "./host.ts";
export { type GroupChange, type InstallResult, installEdition, setGroup } from "./install-edition.ts";
export { listSources } from "./list-sources.ts";
export type { LiveLimits } from "./live-places.ts";
export type {
  LiveEntry,
  LiveProvider,
  OpenProvider,
  ProvidedCandidates,
  ProviderConfig,
  ProviderFault,
} from "./live-source.ts";
export { LiveSources, type LiveStatistics } from "./live-sources.ts";
export { loadKernel } from "./load-kernel.ts";
export {
  type DataView,
  type OpenData,
  type OpenDataOptions,
  openData,
  type WatchOptions,
} from "./open-data.ts";
export { readShared } from "./read-shared.ts";
export type { SourceChange } from "./source-changes.ts";
export { PoolError, type PoolErrorCode, type PoolLimits, type TaskTerms } from "./worker-pool.ts";
