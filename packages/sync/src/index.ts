export type { CheckLive } from "./connect-source.ts";
export type { GranulesPlanned } from "./download/acquire-files.ts";
export { FETCH_DEFAULTS } from "./download/download.ts";
export { chooseSources, readSourceFiles, type SourceFile } from "./download/source-files.ts";
export type { OutcomeKind, OutcomeReason, SyncOutcome } from "./outcome.ts";
export { SYNC_ERROR_CODES, SyncError, type SyncErrorCode } from "./sync-error.ts";
export { type SyncOptions, type SyncProgress, syncSources } from "./sync-sources.ts";
export { type WatchOptions, watchSources } from "./watch.ts";
