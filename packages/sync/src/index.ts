export type { CheckLive } from "./connect-source.ts";
export { FETCH_DEFAULTS } from "./download.ts";
export type { OutcomeKind, OutcomeReason, SyncOutcome } from "./outcome.ts";
export { chooseSources, readSourceFiles, type SourceFile } from "./source-files.ts";
export { SYNC_ERROR_CODES, SyncError, type SyncErrorCode } from "./sync-error.ts";
export { type SyncOptions, type SyncProgress, syncSources } from "./sync-sources.ts";
export { type WatchOptions, watchSources } from "./watch.ts";
