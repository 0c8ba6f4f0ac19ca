import type { DatabaseSync, StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { getErrorMessage, StoreError } from "../port/store-error.ts";
import { NOW, type Operation, type Statement } from "../sql/operation.ts";

/** How long to wait for another process's transaction, such as the management command's. */
const BUSY_MS = 5_000;

/** Earlier versions could reset a WAL file under a reader during a checkpoint (fixed in 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Length of a log to be copied, in pages of 4 KiB: copying is a pause, under load every few seconds. */
const LONG_LOG = 8_192;

/** Primary result codes of SQLite that concern the file or the disk, not the statement. */
const ERROR = 1;
const READONLY = 8;
const BUSY = 5;
const NOMEM = 7;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
const NOTADB = 26;
const TROUBLE: ReadonlySet<number> = new Set([
  BUSY,
  NOMEM,
  READONLY,
  IOERR,
  CORRUPT,
  FULL,
  CANTOPEN,
  PROTOCOL,
  NOTADB,
]);

/**
 * Purpose of a connection. `still` reads a file that nobody writes to meanwhile, and leaves no files next to it; the
 * caller must make sure of that.
 */
export type Access = "write" | "read" | "still";

const QUERIES: Readonly<Record<Access, string>> = {
  // Opening never creates the file.
  write: "mode=rw",
  read: "mode=ro",
  still: "mode=ro&immutable=1",
};

/**
 * One connection to a state file, and its prepared statements. The file must exist; `:memory:` has none.
 *
 * Fails: `STORAGE_UNAVAILABLE` if the file cannot be opened or a pragma does not take effect.
 */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  /**
   * @param options.longestValue maximum bytes of a row; reading a longer one fails. For a file that somebody else may
   *   have made
   */
  constructor(
    path: string,
    access: Access = "write",
    { longestValue }: { readonly longestValue?: number } = {},
  ) {
    const readOnly = access !== "write";
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    try {
      this.#database = new DatabaseSync(buildDatabaseLocation(path, access), {
        timeout: BUSY_MS,
        readOnly,
        ...(longestValue !== undefined && { limits: { length: longestValue } }),
      });
      this.#setUp(path, readOnly);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const trouble = toStorageError(error);
      throw new StoreError(
        "STORAGE_UNAVAILABLE",
        `${path} cannot be opened: ${trouble?.message ?? getErrorMessage(error)}`,
        { ...trouble?.details, path },
        error,
      );
    }
  }

  #setUp(path: string, readOnly: boolean): void {
    const version = this.#pragma("SELECT sqlite_version() AS value");
    if (isOlder(String(version))) {
      throw new Error(`found SQLite ${version}, expected ${OLDEST_SQLITE.join(".")} or newer`);
    }
    // Durability settings are read back: SQLite silently ignores a pragma that it does not understand.
    if (!readOnly && path !== ":memory:") this.#expect("PRAGMA journal_mode = WAL", "wal");
    if (!readOnly) {
      this.#database.exec("PRAGMA synchronous = FULL");
      this.#expect("PRAGMA synchronous", 2);
      // The process that serves alone copies the log into the file itself, so that it notices other writers.
      this.#database.exec("PRAGMA wal_autocheckpoint = 0");
    }
    // Otherwise REPLACE would delete the conflicting row without firing the triggers that protect rows.
    this.#database.exec("PRAGMA recursive_triggers = ON");
    this.#expect("PRAGMA recursive_triggers", 1);
    this.#expect("PRAGMA foreign_keys", 1);
    // Expressions in a schema must not run functions that reach outside the file.
    this.#database.exec("PRAGMA trusted_schema = OFF");
    this.#expect("PRAGMA trusted_schema", 0);
    this.#database.exec("PRAGMA cache_size = -65536");
  }

  #expect(statement: string, expected: string | number): void {
    const found = this.#pragma(statement);
    if (found !== expected) throw new Error(`${statement} gives ${found}, expected ${expected}`);
  }

  #pragma(statement: string): unknown {
    return Object.values(this.#database.prepare(statement).get() ?? {})[0];
  }

  /** Runs an operation to its end inside the open transaction, at one instant. */
  run<Result>(operation: Operation<Result>, nowMs: number): Result {
    let step = operation.next();
    while (step.done !== true) {
      const effect = step.value;
      step = operation.next(effect === NOW ? nowMs : this.all(effect));
    }
    return step.value;
  }

  /** Writes a copy of the current state to a new file; others go on reading and writing. */
  copyTo(path: string): void {
    this.#database.prepare("VACUUM INTO ?").run(path);
  }

  all({ text, values }: Statement): unknown[] {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      // Texts vary with the number of values in them; a few hundred are in use at most.
      if (this.#prepared.size >= 1_000) this.#prepared.clear();
      this.#prepared.set(text, statement);
    }
    return statement.all(...values);
  }

  #get(text: string): unknown {
    return this.all({ text, values: [] })[0];
  }

  /** True if the log is so long that it should be copied into the file. */
  get hasLongLog(): boolean {
    const { log } = this.#get("PRAGMA wal_checkpoint(NOOP)") as { log: number };
    return log >= LONG_LOG;
  }

  /** Copies as much of the log as possible into the file. */
  checkpoint(): void {
    this.#get("PRAGMA wal_checkpoint(PASSIVE)");
  }

  exec(text: string): void {
    this.#database.exec(text);
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Reads every page; returns SQLite's message if one is damaged. */
  findDamage(): string | undefined {
    const found = this.#pragma("PRAGMA quick_check(1)");
    return found === "ok" ? undefined : String(found);
  }

  /** Finds contradictions between pages, indexes, constraints and references; reads everything, some of it twice. */
  findContradiction(): string | undefined {
    const found = this.#pragma("PRAGMA integrity_check(1)");
    if (found !== "ok") return String(found);
    const row = this.#get("PRAGMA foreign_key_check") as { table: string; parent: string } | undefined;
    return row && `a row of ${row.table} refers to none of ${row.parent}`;
  }

  /** The rows of a statement, one by one. */
  each(text: string): Iterator<unknown> {
    return this.#database.prepare(text).iterate();
  }

  /** May be called twice: in memory, reader and writer are one connection. */
  close(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, oldest] of OLDEST_SQLITE.entries()) {
    if (parts[i] !== oldest) return (parts[i] ?? 0) < oldest;
  }
  return false;
}

function buildDatabaseLocation(path: string, access: Access): string | URL {
  if (path === ":memory:") return path;
  const url = pathToFileURL(path);
  url.search = QUERIES[access];
  return url;
}

/** SQLite's primary result code; extended codes contain it in their low byte. */
function getResultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** True if the disk failed, so that nobody knows which data reached it. */
export function isDiskFailure(error: unknown): boolean {
  return getResultCode(error) === IOERR;
}

/**
 * Converts an error of the file or the disk to the store's error; undefined for anything else, such as a bug or a
 * refusal. `details.damaged` is `file` if pages of the file are not what SQLite wrote.
 */
export function toStorageError(error: unknown): StoreError | undefined {
  const code = getResultCode(error);
  if (code === ERROR && /^no such (table|column)/.test(getErrorMessage(error))) {
    // Every statement has been run on the migrated schema, so a missing table or column means a damaged file.
    return new StoreError(
      "STORAGE_UNAVAILABLE",
      `the schema of the state file is damaged: ${getErrorMessage(error)}; stop the service and restore a backup`,
      { damaged: "file" },
      error,
    );
  }
  if (code === undefined || !TROUBLE.has(code)) return undefined;
  if (code === CORRUPT || code === NOTADB) {
    return new StoreError(
      "STORAGE_UNAVAILABLE",
      `the state file is damaged: ${getErrorMessage(error)}; stop the service and restore a backup`,
      { damaged: "file" },
      error,
    );
  }
  return new StoreError(
    "STORAGE_UNAVAILABLE",
    `the state file cannot be used at the moment: ${getErrorMessage(error)}`,
    {},
    error,
  );
}
