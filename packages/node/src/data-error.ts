/** Every code a {@link DataError} can carry. Stable: programs match on it. */
export type DataErrorCode =
  | "CATALOG_CORRUPT"
  | "CATALOG_VERSION_UNSUPPORTED"
  | "DATA_FOLDER_LOCKED"
  | "DATA_FOLDER_MISSING"
  | "EDITION_AMBIGUOUS"
  | "EDITION_DAMAGED"
  | "EDITION_IN_USE"
  | "EDITION_MISSING"
  | "EDITION_UNEXPECTED"
  | "GROUP_INVALID"
  | "KIND_CHANGED"
  | "SOURCE_LIVE"
  | "SOURCE_MISSING"
  | "SOURCE_NAME_CLASH"
  | "WRITE_UNREADABLE";

/**
 * Thrown when a data folder cannot be read or changed. A damaged edition of one source does not throw: only that source
 * fails.
 */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly code: DataErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: DataErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
