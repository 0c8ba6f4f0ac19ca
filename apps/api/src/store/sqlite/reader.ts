import { rmSync } from "node:fs";
import type { Operation } from "../sql/operation.ts";
import type { Connection } from "./connection.ts";
import { makePrivateFile } from "./state-file.ts";

/**
 * Reads a state file. Looks in the same turn of the event loop see one state and pay once for opening
 * it, which costs as much as a look does.
 *
 * @param connection may be one that writes too, as for a database in memory; it then is never held open
 */
export class Reader {
  readonly #connection: Connection;
  readonly #sharesTurns: boolean;
  /** Ends the state that this turn looks at. */
  #turn: NodeJS.Immediate | undefined;

  constructor(connection: Connection, { sharesTurns }: { readonly sharesTurns: boolean }) {
    this.#connection = connection;
    this.#sharesTurns = sharesTurns;
  }

  /** Runs a single statement's operation on what was committed when this turn first looked, or later. */
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

  /** From here on, what is committed now is seen. */
  refresh(): void {
    if (this.#turn === undefined) return;
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#end();
  }

  #end(): void {
    try {
      // A read that failed on the disk has ended it already.
      if (this.#connection.isInTransaction) this.#connection.exec("ROLLBACK");
    } catch {
      // The next look says what is wrong; whoever waits for a write is not told of it.
    }
  }

  /**
   * Writes a copy of the state as it is now to a file of its own, which only its owner reads; others go on
   * reading and writing.
   */
  copyTo(path: string): void {
    this.refresh();
    rmSync(path, { force: true });
    makePrivateFile(path);
    this.#connection.copyTo(path);
  }

  /** Every page is read; the answer of SQLite where it is not sound. */
  findDamage(): string | undefined {
    return this.#connection.findDamage();
  }

  close(): void {
    this.refresh();
    this.#connection.close();
  }
}
