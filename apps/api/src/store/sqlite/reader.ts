import { rmSync } from "node:fs";
import type { Operation } from "../sql/operation.ts";
import type { Connection } from "./connection.ts";
import { makePrivateFile } from "./state-file.ts";

/**
 * Reads a state file. Reads in the same turn of the event loop see one state and share the cost of opening a
 * transaction, which is as much as a read's.
 *
 * @param connection may also write, as for a database in memory; then no transaction stays open
 */
export class Reader {
  readonly #connection: Connection;
  readonly #sharesTurns: boolean;
  /** Ends this turn's read transaction. */
  #turn: NodeJS.Immediate | undefined;

  constructor(connection: Connection, { sharesTurns }: { readonly sharesTurns: boolean }) {
    this.#connection = connection;
    this.#sharesTurns = sharesTurns;
  }

  /** Runs a single-statement operation on the state at this turn's first read, or a later one. */
  latest<Result>(operation: Operation<Result>, nowMs: number): Result {
    if (this.#sharesTurns && this.#turn === undefined) {
      this.#connection.exec("BEGIN");
      this.#turn = setImmediate(() => this.refresh());
    }
    return this.#connection.run(operation, nowMs);
  }

  /** Runs an operation whose statements all see one state. */
  snapshot<Result>(operation: Operation<Result>, nowMs: number): Result {
    this.refresh();
    this.#connection.exec("BEGIN");
    try {
      return this.#connection.run(operation, nowMs);
    } finally {
      this.#end();
    }
  }

  /** Later reads see the state as committed now. */
  refresh(): void {
    if (this.#turn === undefined) return;
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#end();
  }

  #end(): void {
    try {
      // A read that failed on the disk has already ended it.
      if (this.#connection.isInTransaction) this.#connection.exec("ROLLBACK");
    } catch {
      // The next read reports the problem; a caller waiting for a write does not receive it.
    }
  }

  /**
   * Writes a copy of the current state to a new file, which only its owner may read; others go on reading and writing.
   */
  copyTo(path: string): void {
    this.refresh();
    rmSync(path, { force: true });
    makePrivateFile(path);
    this.#connection.copyTo(path);
  }

  /** Reads every page; returns SQLite's message if one is damaged. */
  findDamage(): string | undefined {
    return this.#connection.findDamage();
  }

  close(): void {
    this.refresh();
    this.#connection.close();
  }
}
