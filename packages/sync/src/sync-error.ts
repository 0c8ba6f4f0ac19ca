/** Every code a {@link SyncError} can carry. Stable: programs match on it. */
export const SYNC_ERROR_CODES = [
  "EXTENT_MISSING",
  "FETCH_ADDRESS",
  "FETCH_CHANGED",
  "FETCH_CHECKSUM",
  "FETCH_INCOMPLETE",
  "FETCH_NOT_DATA",
  "FETCH_REDIRECTS",
  "FETCH_REFUSED",
  "FETCH_STALLED",
  "FETCH_TIMEOUT",
  "FETCH_TOO_LARGE",
  "FETCH_UNAVAILABLE",
  "FILE_MISSING",
  "MANIFEST_MISSING",
  "SOURCE_REPEATED",
  "SYNC_RUNNING",
] as const;

/** One of {@link SYNC_ERROR_CODES}. */
export type SyncErrorCode = (typeof SYNC_ERROR_CODES)[number];

/** How a download goes on after an error, where it does. */
export interface Repetition {
  /** Least time until then, as requested by the server. */
  readonly afterMs?: number;
  /** True if the partial download is of no use. */
  readonly fromScratch?: boolean;
}

/** Reason why a source could not be updated. Its current edition stays. */
export class SyncError extends Error {
  override readonly name = "SyncError";
  readonly code: SyncErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Present if the same request may succeed later; absent: it will not. */
  readonly repetition: Repetition | undefined;

  constructor(
    code: SyncErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    repetition?: Repetition,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.repetition = repetition;
  }
}
