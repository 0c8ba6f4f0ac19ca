import { DatabaseSync, type StatementSync } from "node:sqlite";
import { NOW, type Operation, type Statement } from "../operation.ts";
import { StoreError } from "../store-error.ts";

/** Waited for another process's transaction, such as the management command's. */
const BUSY_MS = 5_000;

/** Before it, a WAL file could be reset under a reader of a checkpoint (fixed in 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/**
 * One connection to a state file, and its prepared statements.
 *
 * Fails: `STORAGE_UNAVAILABLE` where the file cannot be opened or a pragma does not take.
 */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    try {
      this.#database = new DatabaseSync(path, { timeout: BUSY_MS, readOnly });
      this.#setUp(path, readOnly);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(
        "STORAGE_UNAVAILABLE",
        `${path} does not open: ${messageOf(error)}`,
        { path },
        error,
      );
    }
  }

  #setUp(path: string, readOnly: boolean): void {
    const version = this.#pragma("SELECT sqlite_version() AS value");
    if (isOlder(String(version))) {
      throw new Error(`SQLite is ${version}, expected ${OLDEST_SQLITE.join(".")} or newer`);
    }
    // What is promised to be durable is read back: a pragma that is not understood is ignored in silence.
    if (!readOnly && path !== ":memory:") this.#expect("PRAGMA journal_mode = WAL", "wal");
    if (!readOnly) {
      this.#database.exec("PRAGMA synchronous = FULL");
      this.#expect("PRAGMA synchronous", 2);
      // 32 MiB of log before it is copied into the file: under load that is a pause every few seconds.
      this.#database.exec("PRAGMA wal_autocheckpoint = 8192");
    }
    // Else REPLACE deletes the row in its way without a word to the triggers that keep rows for ever.
    this.#database.exec("PRAGMA recursive_triggers = ON");
    this.#expect("PRAGMA recursive_triggers", 1);
    this.#expect("PRAGMA foreign_keys", 1);
    this.#database.exec("PRAGMA cache_size = -65536");
  }

  #expect(statement: string, expected: string | number): void {
    const found = this.#pragma(statement);
    if (found !== expected) throw new Error(`${statement} gives ${found}, expected ${expected}`);
  }

  #pragma(statement: string): unknown {
    return Object.values(this.#database.prepare(statement).get() ?? {})[0];
  }

  /** Runs an operation to its end inside the transaction that is open, at one instant. */
  run<Result>(operation: Operation<Result>, nowMs: number): Result {
    let step = operation.next();
    while (step.done !== true) {
      const effect = step.value;
      step = operation.next(effect === NOW ? nowMs : this.all(effect));
    }
    return step.value;
  }

  /** Writes a copy of the state as it is now to a new file; others go on reading and writing. */
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

  exec(text: string): void {
    this.#database.exec(text);
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Every page is read; the answer of SQLite where it is not sound. */
  findDamage(): string | undefined {
    const found = this.#pragma("PRAGMA quick_check(1)");
    return found === "ok" ? undefined : String(found);
  }

  /** Closing twice is closing once: in memory, reader and writer are one connection. */
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
