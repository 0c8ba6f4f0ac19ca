export type { Catalog, CatalogGroup, Pin } from "./catalog/catalog-form.ts";
export type {
  CellsChanged,
  ChangedFeature,
  DiffFeature,
  DiffNotice,
  EditionDiff,
  FeatureEntry,
} from "./catalog/edition-diff.ts";
export { listSources } from "./catalog/list-sources.ts";
export type {
  LiveEntry,
  LiveProvider,
  OpenProvider,
  ProvidedCandidates,
  ProviderConfig,
  ProviderFault,
} from "./catalog/live-source.ts";
export type { SourceChange } from "./catalog/source-changes.ts";
export { DataError, type DataErrorCode } from "./data-error.ts";
export {
  type ConnectResult,
  connectLiveSource,
  disconnectLiveSource,
} from "./editions/connect-live-source.ts";
export { diffEditions } from "./editions/contents/diff-editions.ts";
export type { ExpectedEdition } from "./editions/expect-editions.ts";
export type { EditionExtent, Guard, GuardFinding } from "./editions/guards.ts";
export {
  type GroupChange,
  type InstallResult,
  installEdition,
  setGroup,
} from "./editions/install-edition.ts";
export { type EditionEntry, listEditions } from "./editions/list-editions.ts";
export { type Prunable, type PruneOptions, pruneEditions } from "./editions/prune-editions.ts";
export { removeEdition, removeSource } from "./editions/remove-edition.ts";
export { type PinRelease, releasePin, useEdition } from "./editions/use-edition.ts";
export { type EditionState, verifyEditions } from "./editions/verify-editions.ts";
export { EnginePool, type EnginePoolOptions } from "./engine-pool.ts";
export { readShared } from "./files/read-edition.ts";
export type { LiveLimits } from "./live/live-places.ts";
export { LiveSources, type LiveStatistics } from "./live/live-sources.ts";
export {
  type DataView,
  type OpenData,
  type OpenDataOptions,
  openData,
  type WatchOptions,
} from "./open-data.ts";
export type { EngineSettings } from "./threads/engine-settings.ts";
export { ENGINE_OPTIONS, loadKernel } from "./threads/host.ts";
export { PoolError, type PoolErrorCode, type PoolLimits, type TaskTerms } from "./threads/worker-pool.ts";
