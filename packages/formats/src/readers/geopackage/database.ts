import { Sqlite } from "#host/sqlite";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, FormatError, fileDamagedError, type Place } from "../../format-error.ts";
import { type Cell, SqliteFailure } from "../../host/sqlite-failure.ts";
import { checkSchemaTree } from "./schema-tree.ts";

export type { Cell };

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** As declared, in capitals: `TEXT(50)`. */
  readonly type: string;
  /** True if it alone is the table's primary key. */
  readonly isKey: boolean;
}

/** A database that is read and never written, and that may come from anyone. */
export class Database {
  readonly #sqlite: Sqlite;
  readonly #lengthLimit: number;

  private constructor(sqlite: Sqlite, lengthLimit: number) {
    this.#sqlite = sqlite;
    this.#lengthLimit = lengthLimit;
  }

  /**
   * @param lengthLimit most bytes of one value
   *
   * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` where changes lie in a file beside it.
   */
  static async open(file: LocalFile, lengthLimit: number): Promise<Database> {
    await refuseUnmergedChanges(file, "-wal");
    await refuseUnmergedChanges(file, "-journal");
    await checkSchemaTree(file);
    try {
      return new Database(await Sqlite.open(file, lengthLimit), lengthLimit);
    } catch (error) {
      throw asFormatError(error, lengthLimit);
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  /** Fails: `FILE_DAMAGED` where the file was written since it was opened: what was read may be of both. */
  async checkUnchanged(): Promise<void> {
    if (!(await this.#sqlite.isChanged())) return;
    const found = "a file that was changed while it was read";
    throw new FormatError("FILE_DAMAGED", `found ${found}; read it again, or read a copy`, {
      found,
      expected: "a file that no program is writing to",
    });
  }

  has(table: string): boolean {
    return this.#findKind(table) !== undefined;
  }

  /**
   * The columns of a table in its order.
   *
   * Fails: `FORMAT_UNSUPPORTED` for views and virtual tables and computed columns, which are programs that the file
   * brings; `FILE_DAMAGED` where there is no such table.
   */
  columns(table: string): Column[] {
    const kind = this.#findKind(table);
    if (kind?.type !== "table" || kind.wr !== 0) {
      const what =
        kind === undefined ? "nothing" : kind.type === "table" ? "a table without row ids" : `a ${kind.type}`;
      if (kind === undefined) this.#fail("FILE_DAMAGED", table, `no table "${table}"`, "the table");
      this.#fail(
        "FORMAT_UNSUPPORTED",
        table,
        what,
        "a table",
        `\`ogr2ogr out.gpkg in.gpkg "${table}"\` makes one`,
      );
    }
    const rows = this.#all(`PRAGMA table_xinfo(${quoteSqlIdentifier(table)})`);
    const keys = rows.filter((row) => row.pk !== 0).length;
    return rows.map((row) => {
      const name = String(row.name);
      if (row.hidden !== 0)
        this.#fail("FORMAT_UNSUPPORTED", table, `the computed column "${name}"`, "stored columns");
      return { name, type: String(row.type).toUpperCase(), isKey: keys === 1 && row.pk === 1 };
    });
  }

  /**
   * The rows of a table, the requested columns after the row's id. The ids rise, which is checked: the pages of a
   * hostile table may lie below themselves.
   */
  *rows(table: string, columns: readonly string[]): Generator<Cell[], void> {
    const id = selectRowIdName(this.columns(table));
    const rest = `FROM ${quoteSqlIdentifier(table)} NOT INDEXED ORDER BY ${id}`;
    const rows = this.#sqlite.rows([id, ...columns.map(quoteSqlIdentifier)], rest);
    let last: bigint | undefined;
    try {
      for (let row = 1; ; row++) {
        const next = this.#asking(() => rows.next(), { layer: table, row });
        if (next.done === true) return;
        const rowId = next.value[0] as bigint;
        if (last !== undefined && rowId <= last)
          this.#fail("FILE_DAMAGED", table, `row id ${rowId} after ${last}`, "row ids that rise");
        last = rowId;
        yield next.value;
      }
    } finally {
      rows.return();
    }
  }

  /** The bytes of a text as they are stored. */
  readBytes(table: string, column: string, rowId: bigint): Uint8Array | null {
    const id = selectRowIdName(this.columns(table));
    // A number of 64 bits, which is its own text.
    const rest = `FROM ${quoteSqlIdentifier(table)} WHERE ${id} = ${rowId}`;
    const [row] = this.#asking(() => [
      ...this.#sqlite.rows([`CAST(${quoteSqlIdentifier(column)} AS BLOB)`], rest),
    ]);
    return (row?.[0] as Uint8Array | null | undefined) ?? null;
  }

  get encoding(): string {
    return String(this.#all("PRAGMA encoding")[0]?.encoding);
  }

  #findKind(table: string): { readonly type: string; readonly wr: number } | undefined {
    const [row] = this.#all(`PRAGMA main.table_list(${quoteSqlIdentifier(table)})`);
    return row as { readonly type: string; readonly wr: number } | undefined;
  }

  #all(sql: string): Record<string, unknown>[] {
    return this.#asking(() => this.#sqlite.all(sql));
  }

  /** Errors of SQLite become errors of ours. */
  #asking<T>(ask: () => T, place: Place = {}): T {
    try {
      return ask();
    } catch (error) {
      throw asFormatError(error, this.#lengthLimit, place);
    }
  }

  #fail(
    code: "FILE_DAMAGED" | "FORMAT_UNSUPPORTED",
    layer: string,
    found: string,
    expected: string,
    mend?: string,
  ): never {
    throw createFormatError(code, found, expected, { place: { layer }, ...(mend !== undefined && { mend }) });
  }
}

function asFormatError(error: unknown, lengthLimit: number, place: Place = {}): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.isTooLong) {
    const found = `a value of more than ${lengthLimit} bytes`;
    const details = { place, found, expected: `at most ${lengthLimit} bytes`, limit: lengthLimit };
    return new FormatError("TEXT_TOO_LARGE", `found ${found}`, details);
  }
  return fileDamagedError(`what SQLite calls "${error.message}"`, "a whole GeoPackage", place);
}

/** A name of the row's id that no column has. */
function selectRowIdName(columns: readonly Column[]): string {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ["_rowid_", "rowid", "oid"].find((name) => !taken.has(name)) ?? "_rowid_";
}

function quoteSqlIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Changes that another program has not yet put into the file would not be read. */
async function refuseUnmergedChanges(file: LocalFile, ending: string): Promise<void> {
  const size = await Sqlite.siblingSize(file, ending);
  if (size === 0) return;
  const entry = `${file.name}${ending}`;
  const found = `changes beside the file, in ${entry}`;
  const mend = `close the program that has it open, or run \`sqlite3 ${file.name} "PRAGMA wal_checkpoint(TRUNCATE)"\``;
  throw new FormatError("FORMAT_UNSUPPORTED", `found ${found}, which would not be read; ${mend}`, {
    place: { entry },
    found,
    expected: "a file with all its changes in it",
  });
}
