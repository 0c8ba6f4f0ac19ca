export type { CheckLive } from "./connect-source.ts";
export { type DownloadHost, download, FETCH_DEFAULTS, type Known } from "./download.ts";
export {
  type Built,
  type Download,
  DownloadFolder,
  type PartialDownload,
  type Validator,
} from "./download-folder.ts";
export type { OutcomeKind, OutcomeReason, SyncOutcome } from "./outcome.ts";
export { chooseSources, readSourceFiles, type SourceFile } from "./source-files.ts";
export { SYNC_ERROR_CODES, SyncError, type SyncErrorCode } from "./sync-error.ts";
export { type SyncOptions, type SyncProgress, syncSources } from "./sync-sources.ts";
export { type WatchOptions, watchSources } from "./watch.ts";
