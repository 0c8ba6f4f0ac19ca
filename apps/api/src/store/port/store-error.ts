export type StoreErrorCode =
  /** The store is unavailable now; nothing was written. */
  | "STORAGE_UNAVAILABLE"
  /** The connection was lost during a commit, and its outcome could not be found out. */
  | "OUTCOME_UNKNOWN"
  | "SCHEMA_TOO_NEW"
  | "STORE_IN_USE"
  /** There is no store to open, or its file is empty. */
  | "STORE_MISSING"
  /** The file has a second name, under which another process could serve it. */
  | "STORE_FILE_SHARED"
  /** The pepper that the store's keys are stored under is missing. */
  | "PEPPER_MISSING"
  /** The pepper differs from the one that the store's keys are stored under. */
  | "PEPPER_MISMATCH"
  /** The clock is far from the instant at which the store was last in service. */
  | "CLOCK_UNTRUSTED"
  | "STORE_NOT_EMPTY"
  | "BACKUP_INVALID"
  | "ORGANIZATION_EXISTS"
  | "ORGANIZATION_UNKNOWN"
  | "KEY_UNKNOWN"
  | "KEY_LIMIT_REACHED"
  | "VALUE_INVALID";

/** An operation that the store could not carry out. A violated constraint is a bug, and no StoreError. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: StoreErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
