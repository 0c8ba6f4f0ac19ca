/** What SQLite hands over: a NULL, an INTEGER, a REAL, a TEXT, a BLOB. */
export type Cell = null | bigint | number | string | Uint8Array;

/** What SQLite refuses: its words, and whether a value is longer than was allowed. */
export class SqliteFailure extends Error {
  readonly isTooLong: boolean;

  constructor(message: string, isTooLong: boolean) {
    super(message);
    this.isTooLong = isTooLong;
  }
}
