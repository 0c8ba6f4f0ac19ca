/// <reference path="./sql-js.d.ts" />
import type { Database, SqlJsStatic, Statement } from "sql.js";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError } from "../../format-error.ts";
import { type Cell, SqliteFailure } from "../sqlite-failure.ts";
import { loadSqliteBinary } from "./sqlite-binary.ts";

/** Most bytes of a database: it lies in the memory of SQLite as a whole. */
const MOST_BYTES = 2 ** 29;
/** Journal mode in the header; 1: changes need no separate file. */
const WRITE_VERSION = 18;
const READ_VERSION = 19;

/** A copy of a database in memory. Every method fails with a {@link SqliteFailure}. */
export class Sqlite {
  readonly #database: Database;
  readonly #lengthLimit: number;
  readonly #decoder: TextDecoder;

  private constructor(database: Database, lengthLimit: number) {
    this.#database = database;
    this.#lengthLimit = lengthLimit;
    callConvertingSqliteErrors(() =>
      database.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON"),
    );
    const [encoding] = this.all("PRAGMA encoding");
    this.#decoder = new TextDecoder(
      String(encoding?.encoding)
        .toLowerCase()
        .replace(/^utf-16$/, "utf-16le"),
      {
        ignoreBOM: true,
      },
    );
  }

  /** @param lengthLimit most bytes of one value */
  static async open(file: LocalFile, lengthLimit: number): Promise<Sqlite> {
    if (file.size > MOST_BYTES) {
      const found = `a GeoPackage of ${file.size} bytes`;
      const expected = `at most ${MOST_BYTES} in a browser`;
      const mend = "the command `groundrule` reads larger ones";
      throw createFormatError("FORMAT_UNSUPPORTED", found, expected, { limit: MOST_BYTES, mend });
    }
    const library = await loadSqlite();
    const bytes = await file.read(0, file.size);
    bytes[WRITE_VERSION] = 1;
    bytes[READ_VERSION] = 1;
    return new Sqlite(
      callConvertingSqliteErrors(() => new library.Database(bytes)),
      lengthLimit,
    );
  }

  /** Bytes of a file that was passed in with a database, by the ending after its name; 0 if there is none. */
  static async siblingSize(file: LocalFile, ending: string): Promise<number> {
    return file.siblings?.find(({ name }) => name === file.name + ending)?.size ?? 0;
  }

  /** The copy is nobody else's. */
  async isChanged(): Promise<boolean> {
    return false;
  }

  /** Every row, by column; integers as numbers. */
  all(sql: string): Record<string, unknown>[] {
    const statement = callConvertingSqliteErrors(() => this.#database.prepare(sql));
    const found: Record<string, unknown>[] = [];
    try {
      while (callConvertingSqliteErrors(() => statement.step())) found.push(statement.getAsObject());
    } finally {
      statement.free();
    }
    return found;
  }

  /** The rows of some columns, one after another; integers as bigints. */
  *rows(columns: readonly string[], rest: string): Generator<Cell[], void> {
    // Texts as their bytes: those that are no text must not become another one.
    const selected = columns.flatMap((column) => [
      `typeof(${column}) = 'text'`,
      `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
    ]);
    const statement = callConvertingSqliteErrors(() =>
      this.#database.prepare(`SELECT ${selected.join(", ")} ${rest}`),
    );
    try {
      while (callConvertingSqliteErrors(() => statement.step())) yield this.#row(statement, columns.length);
    } finally {
      statement.free();
    }
  }

  close(): void {
    this.#database.close();
  }

  #row(statement: Statement, count: number): Cell[] {
    const cells = callConvertingSqliteErrors(() => statement.get(null, { useBigInt: true })) as Cell[];
    return Array.from({ length: count }, (_, i) => {
      const cell = cells[2 * i + 1]!;
      if (cell instanceof Uint8Array && cell.length > this.#lengthLimit) {
        throw new SqliteFailure("string or blob too big", true);
      }
      return cells[2 * i] === 1n
        ? this.#decoder.decode((cell as Uint8Array | null) ?? new Uint8Array())
        : cell;
    });
  }
}

let library: Promise<SqlJsStatic> | undefined;

function loadSqlite(): Promise<SqlJsStatic> {
  library ??= initializeSqlite().catch((error) => {
    library = undefined;
    throw error;
  });
  return library;
}

async function initializeSqlite(): Promise<SqlJsStatic> {
  const [{ default: initialize }, wasmBinary] = await Promise.all([import("sql.js"), loadSqliteBinary()]);
  return initialize({ wasmBinary });
}

/** sql.js throws plain errors, which carry SQLite's words. */
function callConvertingSqliteErrors<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof SqliteFailure) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new SqliteFailure(message, message.includes("too big"));
  }
}
