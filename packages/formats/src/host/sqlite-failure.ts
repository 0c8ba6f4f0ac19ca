/** A value from SQLite: a NULL, an INTEGER, a REAL, a TEXT, a BLOB. */
export type Cell = null | bigint | number | string | Uint8Array;

/** Refusal of SQLite: its message, and whether a value is longer than allowed. */
export class SqliteFailure extends Error {
  readonly isTooLong: boolean;

  constructor(message: string, isTooLong: boolean) {
    super(message);
    this.isTooLong = isTooLong;
  }
}
