export type StoreErrorCode =
  /** The store cannot take part now; nothing was written. */
  | "STORAGE_UNAVAILABLE"
  /** The link was lost during a commit and no answer about it could be had. */
  | "OUTCOME_UNKNOWN"
  | "SCHEMA_TOO_NEW"
  | "STORE_IN_USE"
  /** There is no store where one was to be opened, or its file is empty. */
  | "STORE_MISSING"
  /** The file has a second name, under which another process could serve it. */
  | "STORE_FILE_SHARED"
  /** The keys of the store are stored under a pepper that is not there. */
  | "PEPPER_MISSING"
  /** The pepper is not the one that the keys of the store are stored under. */
  | "PEPPER_MISMATCH"
  /** The clock is far from the instant at which the store was last served. */
  | "CLOCK_UNTRUSTED"
  | "STORE_NOT_EMPTY"
  | "BACKUP_INVALID"
  | "ORGANIZATION_EXISTS"
  | "ORGANIZATION_UNKNOWN"
  | "KEY_UNKNOWN"
  | "KEY_LIMIT_REACHED"
  | "VALUE_INVALID";

/** Why the store did not do as asked. A constraint that breaks is a bug, and no StoreError. */
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
