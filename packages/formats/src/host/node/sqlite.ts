import { realpath, stat } from "node:fs/promises";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { LocalFile } from "../../file/local-file.ts";
import { type Cell, SqliteFailure } from "../sqlite-failure.ts";

/** A database that is queried and never written. Every method fails with a {@link SqliteFailure}. */
export class Sqlite {
  readonly #database: DatabaseSync;
  readonly #file: LocalFile;
  readonly #changed: number;

  private constructor(file: LocalFile, lengthLimit: number, changed: number) {
    this.#file = file;
    this.#changed = changed;
    const url = pathToFileURL(file.path);
    // Without a lock or a file next to it: the reader may have no right to write.
    url.searchParams.set("immutable", "1");
    const options: DatabaseSyncOptions = {
      readOnly: true,
      allowExtension: false,
      limits: { length: lengthLimit, attach: 0, triggerDepth: 0 },
    };
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = callConvertingSqliteErrors(() => new DatabaseSync(url.href, options));
    callConvertingSqliteErrors(() =>
      this.#database.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY"),
    );
  }

  /** @param lengthLimit most bytes of one value */
  static async open(file: LocalFile, lengthLimit: number): Promise<Sqlite> {
    return new Sqlite(file, lengthLimit, (await stat(file.path)).mtimeMs);
  }

  /** Bytes of a file next to a database, by the ending after its name; 0 if there is none. */
  static async siblingSize(file: LocalFile, ending: string): Promise<number> {
    return stat((await realpath(file.path)) + ending).then(
      ({ size }) => size,
      () => 0,
    );
  }

  /** True if the file was written since it was opened. */
  async isChanged(): Promise<boolean> {
    return (await stat(this.#file.path)).mtimeMs !== this.#changed;
  }

  /** Every row, by column; integers as numbers. */
  all(sql: string): Record<string, unknown>[] {
    return callConvertingSqliteErrors(() => this.#database.prepare(sql).all());
  }

  /** The rows of some columns, one after another; integers as bigints. */
  *rows(columns: readonly string[], rest: string): Generator<Cell[], void> {
    const statement = callConvertingSqliteErrors(() =>
      this.#database.prepare(`SELECT ${columns.join(", ")} ${rest}`),
    );
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const rows = callConvertingSqliteErrors(() => statement.iterate()) as unknown as Iterator<Cell[]>;
    try {
      for (;;) {
        const next = callConvertingSqliteErrors(() => rows.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const SQLITE_TOOBIG = 18;

function callConvertingSqliteErrors<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
    if (code !== "ERR_SQLITE_ERROR") throw error;
    throw new SqliteFailure(message, errcode === SQLITE_TOOBIG);
  }
}
