import { randomUUID } from "node:crypto";
import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import { assembleStore } from "../driver/assemble-store.ts";
import { GroupCommit } from "../driver/group-commit.ts";
import { assertClockTrusted, createGuardedSystemClock } from "../driver/system-clock.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { migrateSchema, readKnownSchema } from "../migrations/migrate.ts";
import { findStoreState } from "../operations/accounts/store-state.ts";
import { WRITES } from "../operations/all.ts";
import { hasReceipt, writeReceipt } from "../operations/charges/receipts.ts";
import { hasDecision } from "../operations/charges/settle.ts";
import { exportAllRows } from "../operations/copy-rows.ts";
import type { WriteCall } from "../port/calls.ts";
import type { OpenOptions } from "../port/open-options.ts";
import type { Store } from "../port/port.ts";
import { getErrorMessage, StoreError } from "../port/store-error.ts";
import { type Operation, queryFirstRow, readNow, run, sql } from "../sql/operation.ts";
import { writeStateFile } from "../sqlite/backup.ts";
import { ConnectionPool, type Session } from "./connection-pool.ts";
import { runReadTransaction, runWriteTransaction, type TransactionPorts, type Write } from "./transaction.ts";

export interface PostgresOptions extends OpenOptions {
  /** Maximum connections. Default 10. */
  readonly connections?: number;
  /** Default: the database's clock, one for all replicas, guarded against jumps. */
  readonly clock?: DatabaseClock;
  /** Milliseconds after which a statement without a response counts as a lost connection. Default 10,000. */
  readonly answerMs?: number;
  /**
   * How long to look for a commit that got no response, milliseconds. Default 6,000: longer than the server keeps a
   * transaction abandoned by its client.
   */
  readonly resolveMs?: number;
}

export interface DatabaseClock {
  /** The time to use when the database's clock reads `databaseMs`. */
  read(databaseMs: number): number;
  /** The reason why the time is not trusted now, if it is not. */
  trouble?(): string | undefined;
  /** The reason why nothing may be charged by this clock, if so. */
  distrust?(): string | undefined;
}

/**
 * Opens the state in a PostgreSQL database and migrates its schema, unless it is only read. Any number of processes may
 * serve it.
 *
 * @param url `postgres://user:password@host:port/database`
 *
 * Fails: `STORAGE_UNAVAILABLE`, `SCHEMA_TOO_NEW`, `STORE_MISSING`, `CLOCK_UNTRUSTED` (a command).
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const pool = new ConnectionPool(url, options.connections ?? 10, options.answerMs ?? 10_000);
  const { role = "manage", absent = "refuse", trustClock = false } = options;
  let clock: DatabaseClock = options.clock ?? createGuardedSystemClock();
  const readClock = async (session: Session): Promise<number> => {
    return Math.floor(clock.read(await readDatabaseTime(session)));
  };
  // A clock passed in may be set at any time; the database's is extrapolated between two readings.
  const recentNow = options.clock === undefined ? cacheClockReading(BELIEVED_MS, readClock) : readClock;
  const ports: TransactionPorts = { pool, now: readClock, recentNow, resolveMs: options.resolveMs ?? 6_000 };
  try {
    if (absent === "refuse") await runReadTransaction(ports, assertSchemaUsable);
    if (role !== "read") {
      await runWriteTransaction(
        ports,
        createRepeatableWrite(function* () {
          // Replicas that start together migrate one after the other.
          yield* run(sql`SELECT pg_advisory_xact_lock(4721960213)`);
          yield* migrateSchema("postgres", MIGRATIONS);
        }),
      );
    }
    if (options.clock === undefined && role !== "read" && !trustClock) {
      const { servedAtMs } = await runReadTransaction(ports, findStoreState);
      const guarded = createGuardedSystemClock(servedAtMs);
      clock = guarded;
      await runReadTransaction(ports, readTimeOnly);
      if (role === "manage") assertClockTrusted(guarded);
    }
  } catch (error) {
    await pool.close();
    throw error;
  }
  const probe = role === "read" ? () => findLinkTrouble(ports) : createWriteProber(ports);
  const settling = new SettleGroups((batch) => settleInOne(ports, batch));
  return assembleStore({
    kind: "postgres",
    opensGatesInTurns: true,
    read: (operation, view) => runReadTransaction(ports, operation, view),
    write: (call) =>
      role === "read"
        ? throwReadOnly()
        : runWriteTransaction(
            ports,
            withReceipt(() => createWriteOperation(call)),
          ),
    settle: async (settlement, company) => {
      // Checked on every gate reading before the clock has been read.
      const refusal = clock.distrust?.();
      if (refusal !== undefined) throw new StoreError("STORAGE_UNAVAILABLE", refusal);
      return settling.add(settlement, company?.ofScope);
    },
    backup: (path) => writeStateFile(path, (take) => runReadTransaction(ports, () => exportAllRows(take))),
    trouble: async () => (await probe()) ?? clock.trouble?.(),
    close: () => pool.close(),
  });
}

/** How long a reading of the database's time is extrapolated with this machine's steady clock, milliseconds. */
const BELIEVED_MS = 1_000;

function cacheClockReading(milliseconds: number, read: TransactionPorts["now"]): TransactionPorts["now"] {
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

async function readDatabaseTime(session: Session): Promise<number> {
  // clock_timestamp(), not now(): the latter is the start of the transaction, before the lock was acquired.
  const [row] = await session.query(
    sql`SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS ms`,
  );
  return (row as { ms: number }).ms;
}

/** Fails: `STORE_MISSING` if the database has none of our tables, `SCHEMA_TOO_NEW`. */
function* assertSchemaUsable(): Operation<void> {
  const found = yield* queryFirstRow(sql`
    SELECT tablename FROM pg_tables
    WHERE tablename = 'schema_migration' AND schemaname = ANY (current_schemas(false))`);
  if (found === undefined) {
    throw new StoreError(
      "STORE_MISSING",
      "the database does not contain groundrule's state: name the right database with --store, restore a backup with groundrule restore, or create the state with groundrule org create or groundrule serve --init",
    );
  }
  yield* readKnownSchema(MIGRATIONS);
}

async function throwReadOnly(): Promise<never> {
  throw new Error("the store was opened for reading");
}

function* readTimeOnly(): Operation<void> {
  yield* readNow();
}

/** Maximum age of a write that proves that writes succeed. */
const FRESH_MS = 5_000;

/** Returns the reason why nothing can be written now, if any, by a real write every few seconds. */
function createWriteProber(ports: TransactionPorts): () => Promise<string | undefined> {
  let writtenMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - writtenMs < FRESH_MS) return findLinkTrouble(ports);
    try {
      await runWriteTransaction(
        ports,
        createRepeatableWrite(() => WRITES.noteServed({ ballast: 0 })),
      );
      writtenMs = performance.now();
      return undefined;
    } catch (error) {
      return getErrorMessage(error);
    }
  };
}

async function findLinkTrouble(ports: TransactionPorts): Promise<string | undefined> {
  try {
    await runReadTransaction(ports, function* () {
      yield* run(sql`SELECT 1`);
    });
    return undefined;
  } catch (error) {
    return getErrorMessage(error);
  }
}

function createWriteOperation({ name, input }: WriteCall): Operation<unknown> {
  return (WRITES[name] as (input: WriteCall["input"]) => Operation<unknown>)(input);
}

/** A write that may leave no row of its own, such as a change of a quota, writes a receipt. */
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

/** A write with the same result when repeated. */
function createRepeatableWrite<Result>(operation: () => Operation<Result>): Write<Result> {
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
  return runWriteTransaction(ports, {
    operation: () => WRITES.settleBatch(batch),
    // A batch that charged nothing leaves no row, and has the same result when repeated.
    hasHappened: () => hasDecision(batch.map(({ decisionId }) => decisionId)),
  });
}

/**
 * Settles in groups of one scope each. The ledger's lock is held until the commit is flushed, so a single scope is
 * limited to one commit per flush; a group puts many charges into it.
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

  /** A batch that fails on a bug is settled one by one, so that only the faulty settlement fails. */
  async #settleOrSplit(batch: readonly Settlement[]): Promise<readonly (SettleOutcome | Error)[]> {
    try {
      return await this.#settle(batch);
    } catch (error) {
      if (error instanceof StoreError || batch.length === 1) throw error;
      const outcomes: (SettleOutcome | Error)[] = [];
      for (const settlement of batch) {
        outcomes.push(await this.#settle([settlement]).then(getFirstOutcome, toError));
      }
      return outcomes;
    }
  }
}

function getFirstOutcome(outcomes: readonly SettleOutcome[]): SettleOutcome {
  return outcomes[0]!;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
