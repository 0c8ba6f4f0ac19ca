import { randomUUID } from "node:crypto";
import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import { assembleStore } from "../driver/assemble-store.ts";
import { GroupCommit } from "../driver/group-commit.ts";
import { assertTrusted, guardedSystemClock } from "../driver/system-clock.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { knownSchema, migrate } from "../migrations/migrate.ts";
import { findStanding } from "../operations/accounts/standing.ts";
import { WRITES } from "../operations/all.ts";
import { hasReceipt, writeReceipt } from "../operations/charges/receipts.ts";
import { hasDecision } from "../operations/charges/settle.ts";
import { exportRows } from "../operations/copy-rows.ts";
import type { WriteCall } from "../port/calls.ts";
import type { OpenOptions } from "../port/open-options.ts";
import type { Store } from "../port/port.ts";
import { messageOf, StoreError } from "../port/store-error.ts";
import { firstRow, now, type Operation, run, sql } from "../sql/operation.ts";
import { writeStateFile } from "../sqlite/backup.ts";
import { ConnectionPool, type Session } from "./connection-pool.ts";
import { readTransaction, type TransactionPorts, type Write, writeTransaction } from "./transaction.ts";

export interface PostgresOptions extends OpenOptions {
  /** Most connections. Default 10. */
  readonly connections?: number;
  /** Default the database's clock, one for all replicas, guarded against jumps. */
  readonly clock?: DatabaseClock;
  /** Milliseconds after which a statement that brought no answer counts as a lost link. Default 10,000. */
  readonly answerMs?: number;
  /**
   * How long a commit that brought no answer is looked for, milliseconds. Default 6,000: longer than the
   * server keeps a transaction that its client forgot.
   */
  readonly resolveMs?: number;
}

export interface DatabaseClock {
  /** The time to believe where the database's clock says `databaseMs`. */
  read(databaseMs: number): number;
  /** Why the time is not to be trusted now, if so. */
  trouble?(): string | undefined;
  /** Why nothing may be charged by this time, if so. */
  distrust?(): string | undefined;
}

/**
 * Opens the state in a PostgreSQL database, its schema brought up to date unless it is only read. Any
 * number of processes may serve it.
 *
 * @param url `postgres://user:password@host:port/database`
 *
 * Fails: `STORAGE_UNAVAILABLE`, `SCHEMA_TOO_NEW`, `STORE_MISSING`, `CLOCK_UNTRUSTED` (a command).
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const pool = new ConnectionPool(url, options.connections ?? 10, options.answerMs ?? 10_000);
  const { role = "manage", absent = "refuse", trustClock = false } = options;
  let clock: DatabaseClock = options.clock ?? guardedSystemClock();
  const readClock = async (session: Session): Promise<number> => {
    return Math.floor(clock.read(await databaseTime(session)));
  };
  // A clock that was handed in may be set at any time; the database's goes on between two readings.
  const recentNow = options.clock === undefined ? keptFor(BELIEVED_MS, readClock) : readClock;
  const ports: TransactionPorts = { pool, now: readClock, recentNow, resolveMs: options.resolveMs ?? 6_000 };
  try {
    if (absent === "refuse") await readTransaction(ports, checkState);
    if (role !== "read") {
      await writeTransaction(
        ports,
        repeatable(function* () {
          // Replicas that start together migrate one after the other.
          yield* run(sql`SELECT pg_advisory_xact_lock(4721960213)`);
          yield* migrate("postgres", MIGRATIONS);
        }),
      );
    }
    if (options.clock === undefined && role !== "read" && !trustClock) {
      const { servedAtMs } = await readTransaction(ports, findStanding);
      const guarded = guardedSystemClock(servedAtMs);
      clock = guarded;
      await readTransaction(ports, readTime);
      if (role === "manage") assertTrusted(guarded);
    }
  } catch (error) {
    await pool.close();
    throw error;
  }
  const probe = role === "read" ? () => linkTrouble(ports) : prober(ports);
  const settling = new SettleGroups((batch) => settleInOne(ports, batch));
  return assembleStore({
    kind: "postgres",
    opensGatesInTurns: true,
    read: (operation, view) => readTransaction(ports, operation, view),
    write: (call) =>
      role === "read"
        ? refuseWrite()
        : writeTransaction(
            ports,
            withReceipt(() => operationOf(call)),
          ),
    settle: async (settlement, company) => {
      // Every look at the gate before it has read the clock.
      const refusal = clock.distrust?.();
      if (refusal !== undefined) throw new StoreError("STORAGE_UNAVAILABLE", refusal);
      return settling.add(settlement, company?.ofScope);
    },
    backup: (path) => writeStateFile(path, (take) => readTransaction(ports, () => exportRows(take))),
    trouble: async () => (await probe()) ?? clock.trouble?.(),
    close: () => pool.close(),
  });
}

/** Milliseconds that a reading of the database's time is carried on with this machine's steady clock. */
const BELIEVED_MS = 1_000;

function keptFor(milliseconds: number, read: TransactionPorts["now"]): TransactionPorts["now"] {
  let last: { readonly ms: number; readonly steadyMs: number } | undefined;
  return async (session) => {
    const elapsedMs = last === undefined ? milliseconds : performance.now() - last.steadyMs;
    if (last === undefined || elapsedMs >= milliseconds) {
      last = { ms: await read(session), steadyMs: performance.now() };
      return last.ms;
    }
    return Math.floor(last.ms + elapsedMs);
  };
}

async function databaseTime(session: Session): Promise<number> {
  // clock_timestamp(), not now(): the latter is when the transaction began, before the lock was had.
  const [row] = await session.query(
    sql`SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS ms`,
  );
  return (row as { ms: number }).ms;
}

/** Fails: `STORE_MISSING` where the database holds nothing of ours, `SCHEMA_TOO_NEW`. */
function* checkState(): Operation<void> {
  const found = yield* firstRow(sql`
    SELECT tablename FROM pg_tables
    WHERE tablename = 'schema_migration' AND schemaname = ANY (current_schemas(false))`);
  if (found === undefined) {
    throw new StoreError(
      "STORE_MISSING",
      "the database does not contain groundrule's state: name the right database with --store, restore a backup with groundrule restore, or create the state with groundrule org create or groundrule serve --init",
    );
  }
  yield* knownSchema(MIGRATIONS);
}

async function refuseWrite(): Promise<never> {
  throw new Error("the store was opened for reading");
}

function* readTime(): Operation<void> {
  yield* now();
}

/** How old a write may be to show that writes are made. */
const FRESH_MS = 5_000;

/** Says why nothing can be written now, if so, by a real write every few seconds. */
function prober(ports: TransactionPorts): () => Promise<string | undefined> {
  let writtenMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - writtenMs < FRESH_MS) return linkTrouble(ports);
    try {
      await writeTransaction(
        ports,
        repeatable(() => WRITES.noteServed({ ballast: 0 })),
      );
      writtenMs = performance.now();
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
}

async function linkTrouble(ports: TransactionPorts): Promise<string | undefined> {
  try {
    await readTransaction(ports, function* () {
      yield* run(sql`SELECT 1`);
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function operationOf({ name, input }: WriteCall): Operation<unknown> {
  return (WRITES[name] as (input: WriteCall["input"]) => Operation<unknown>)(input);
}

/** A write that may leave no row of its own, such as a change of a quota, leaves a receipt. */
function withReceipt<Result>(operation: () => Operation<Result>): Write<Result> {
  const id = randomUUID();
  return {
    operation: function* () {
      const result = yield* operation();
      yield* writeReceipt(id);
      return result;
    },
    hasHappened: () => hasReceipt(id),
  };
}

/** A write that comes to the same when it is made again. */
function repeatable<Result>(operation: () => Operation<Result>): Write<Result> {
  return {
    operation,
    // biome-ignore lint/correctness/useYield: an operation that asks nothing
    hasHappened: function* () {
      return false;
    },
  };
}

async function settleInOne(
  ports: TransactionPorts,
  batch: readonly Settlement[],
): Promise<readonly SettleOutcome[]> {
  return writeTransaction(ports, {
    operation: () => WRITES.settleBatch(batch),
    // A batch that charged nothing leaves none, and comes to the same when it is made again.
    hasHappened: () => hasDecision(batch.map(({ decisionId }) => decisionId)),
  });
}

/**
 * Settlements in groups of one scope each. The ledger's lock is held until the commit is flushed, so
 * one scope alone is limited to a commit a flush; a group makes that many charges of it.
 */
class SettleGroups {
  readonly #groups = new Map<string, GroupCommit<Settlement, SettleOutcome>>();
  readonly #settle: (batch: readonly Settlement[]) => Promise<readonly SettleOutcome[]>;

  constructor(settle: (batch: readonly Settlement[]) => Promise<readonly SettleOutcome[]>) {
    this.#settle = settle;
  }

  async add(settlement: Settlement, company: (() => number) | undefined): Promise<SettleOutcome> {
    const name = `${settlement.scope.mode} ${settlement.scope.organization}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = new GroupCommit(async (batch) => {
        const outcomes = await this.#settleOrSplit(batch);
        return outcomes.map((outcome) => ({ resolve, reject }) => {
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        });
      });
      this.#groups.set(name, group);
    }
    try {
      return await group.add(settlement, company);
    } finally {
      if (group.isIdle) this.#groups.delete(name);
    }
  }

  /** A batch that breaks on a bug is settled one by one, so that it takes nobody else with it. */
  async #settleOrSplit(batch: readonly Settlement[]): Promise<readonly (SettleOutcome | Error)[]> {
    try {
      return await this.#settle(batch);
    } catch (error) {
      if (error instanceof StoreError || batch.length === 1) throw error;
      const outcomes: (SettleOutcome | Error)[] = [];
      for (const settlement of batch) {
        outcomes.push(await this.#settle([settlement]).then(first, asError));
      }
      return outcomes;
    }
  }
}

function first(outcomes: readonly SettleOutcome[]): SettleOutcome {
  return outcomes[0]!;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
