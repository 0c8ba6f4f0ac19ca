import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { getErrorMessage, StoreError } from "../port/store-error.ts";
import { NOW, type Operation } from "../sql/operation.ts";
import type { ConnectionPool, Session } from "./connection-pool.ts";

export interface TransactionPorts {
  readonly pool: ConnectionPool;
  /** The time of a charge; read from the database once the ledger is locked. */
  readonly now: (session: Session) => Promise<number>;
  /** The time for reads, which charge nothing: a recent reading of the database's clock, extrapolated. */
  readonly recentNow: (session: Session) => Promise<number>;
  /** How long to look for a commit that got no response, milliseconds. */
  readonly resolveMs: number;
}

/** A write in one transaction. */
export interface Write<Result> {
  readonly operation: () => Operation<Result>;
  /** Returns true if the row exists that only this write leaves: the proof that it was committed. */
  readonly hasHappened: () => Operation<boolean>;
}

/**
 * Nothing was written, and another attempt may succeed: serialization failure, deadlock, lock not available, a server
 * that is still a standby, one without resources (53), one that is stopping or cancelled us (57), or with a failing
 * disk (58).
 */
const RETRIED = /^(?:40001|40P01|55P03|25006|53...|57...|58...)$/;
const TRIES = 4;

/**
 * Locks and statements are bounded, and a transaction abandoned by its client ends by itself. `synchronous_commit` is
 * set here because an acknowledged charge must not depend on a server's default. The lock, which no one else takes, is
 * held for as long as the transaction can still commit.
 */
function buildBeginScript(lock: bigint): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 2000; SET LOCAL statement_timeout = 5000;
  SET LOCAL idle_in_transaction_session_timeout = 5000; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${lock})`;
}

/**
 * Without a time limit: a COMMIT that waits for a synchronous standby and is cancelled is durable on this server only,
 * but is reported as if it were on both.
 */
const COMMIT = "SET LOCAL statement_timeout = 0; COMMIT";

/**
 * Runs a write in one transaction.
 *
 * READ COMMITTED, so that rows read after taking the ledger's lock are those that its last holder committed. If the
 * connection is lost before COMMIT was sent, nothing was written and the write is repeated. If it is lost during
 * COMMIT, the write's row is looked for.
 *
 * Fails: `STORAGE_UNAVAILABLE` (nothing was written), `OUTCOME_UNKNOWN`, and as the operation does.
 */
export async function runWriteTransaction<Result>(
  ports: TransactionPorts,
  write: Write<Result>,
): Promise<Result> {
  let last: unknown;
  for (let tried = 0; tried < TRIES; tried++) {
    // Random delays, so that two transactions that collided do not collide again.
    if (tried > 0) await sleep(2 ** tried * 5 * (1 + Math.random()));
    // One lock per attempt: the remains of the previous attempt may hold theirs for a while.
    const lock = randomBytes(8).readBigInt64BE();
    const attempt = await tryTransactionOnce(ports, lock, write.operation);
    if (attempt.kind === "done") return attempt.result;
    if (attempt.kind === "doubtful" && (await resolveCommitOutcome(ports, lock, write)))
      return attempt.result;
    last = attempt.error;
  }
  throw new StoreError(
    "STORAGE_UNAVAILABLE",
    `the database refused the write: ${getErrorMessage(last)}`,
    {},
    last,
  );
}

type Attempt<Result> =
  | { readonly kind: "done"; readonly result: Result }
  /** COMMIT was sent, and no response arrived. */
  | { readonly kind: "doubtful"; readonly result: Result; readonly error: unknown }
  /** Nothing was written. */
  | { readonly kind: "again"; readonly error: unknown };

/** The session is released before anything else: resolving a commit needs another session, and there are few. */
async function tryTransactionOnce<Result>(
  ports: TransactionPorts,
  lock: bigint,
  operation: () => Operation<Result>,
): Promise<Attempt<Result>> {
  let session: Session;
  try {
    session = await ports.pool.session();
  } catch (error) {
    return { kind: "again", error };
  }
  let isSound = false;
  try {
    await session.script(buildBeginScript(lock));
    const result = await runOperationInSession(ports.now, session, operation());
    try {
      await session.script(COMMIT);
      isSound = true;
      return { kind: "done", result };
    } catch (error) {
      return { kind: "doubtful", result, error };
    }
  } catch (error) {
    isSound = await rollBackTransaction(session);
    if (!isSound || RETRIED.test(getSqlState(error) ?? "")) return { kind: "again", error };
    throw error;
  } finally {
    session.release(isSound);
  }
}

/** Steps an operation with a session, inside its open transaction. */
async function runOperationInSession<Result>(
  now: TransactionPorts["now"],
  session: Session,
  operation: Operation<Result>,
): Promise<Result> {
  let step = operation.next();
  while (step.done !== true) {
    const effect = step.value;
    step = operation.next(effect === NOW ? await now(session) : await session.query(effect));
  }
  return step.value;
}

/** Resolves to true if the session can be used again. */
async function rollBackTransaction(session: Session): Promise<boolean> {
  if (!session.isAlive()) return false;
  try {
    await session.script("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

/**
 * Resolves to true if a transaction whose COMMIT got no response took place.
 *
 * The transaction is not looked up by its number: after a crash the server reuses numbers that never reached its log,
 * and would report on another transaction.
 *
 * @throws {StoreError} `OUTCOME_UNKNOWN` if this could not be found out in time
 */
async function resolveCommitOutcome(
  ports: TransactionPorts,
  lock: bigint,
  write: Pick<Write<unknown>, "hasHappened">,
): Promise<boolean> {
  const deadline = performance.now() + ports.resolveMs;
  for (let wait = 2; performance.now() < deadline; wait = Math.min(2 * wait, 200)) {
    const fate = await findCommitOutcome(ports, lock, write);
    if (fate !== undefined) return fate;
    await sleep(wait);
  }
  throw new StoreError(
    "OUTCOME_UNKNOWN",
    "the connection to the database was lost during a commit, and its outcome is not known",
  );
}

/**
 * Undefined if the transaction may still commit, or the database cannot be reached.
 *
 * PostgreSQL releases a transaction's locks once its rows are visible, or never will be; after a crash no lock is held.
 * So a session that gets the lock sees, from the next statement on, how the transaction ended. A standby does not have
 * the locks of its primary, and may lag behind it.
 */
async function findCommitOutcome(
  ports: TransactionPorts,
  lock: bigint,
  { hasHappened }: Pick<Write<unknown>, "hasHappened">,
): Promise<boolean | undefined> {
  let session: Session | undefined;
  let isSound = false;
  try {
    session = await ports.pool.session();
    const [row] = (await session.script(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
      SELECT NOT pg_is_in_recovery() AND pg_try_advisory_xact_lock(${lock}) AS "isOver"`,
    )) as readonly { isOver: boolean }[];
    const fate = row!.isOver ? await runOperationInSession(ports.now, session, hasHappened()) : undefined;
    await session.script("COMMIT");
    isSound = true;
    return fate;
  } catch {
    if (session !== undefined) isSound = await rollBackTransaction(session);
    return undefined;
  } finally {
    session?.release(isSound);
  }
}

/**
 * Runs a read; repeats it once if the connection is lost.
 *
 * @param view `snapshot` if several statements must see one state; `latest` saves the round trips
 *    of a transaction, and of the time, for a single statement
 */
export async function runReadTransaction<Result>(
  ports: TransactionPorts,
  operation: () => Operation<Result>,
  view: "snapshot" | "latest" = "snapshot",
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    let session: Session | undefined;
    let isSound = false;
    try {
      session = await ports.pool.session();
      if (view === "snapshot") await session.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const result = await runOperationInSession(
        view === "latest" ? ports.recentNow : ports.now,
        session,
        operation(),
      );
      if (view === "snapshot") await session.script("COMMIT");
      isSound = true;
      return result;
    } catch (error) {
      if (session !== undefined) isSound = await rollBackTransaction(session);
      if (isSound || error instanceof StoreError) throw error;
      if (tried > 0) {
        throw new StoreError(
          "STORAGE_UNAVAILABLE",
          `the database cannot be read: ${getErrorMessage(error)}`,
          {},
          error,
        );
      }
    } finally {
      session?.release(isSound);
    }
  }
}

function getSqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}
