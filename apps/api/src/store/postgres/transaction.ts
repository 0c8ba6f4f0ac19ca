import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, StoreError } from "../port/store-error.ts";
import { NOW, type Operation } from "../sql/operation.ts";
import type { ConnectionPool, Session } from "./connection-pool.ts";

export interface TransactionPorts {
  readonly pool: ConnectionPool;
  /** The time of a charge; read from the database once the ledger is locked. */
  readonly now: (session: Session) => Promise<number>;
  /** The time of a look at the state, which charges nothing: the database's, as it was read lately and went on. */
  readonly recentNow: (session: Session) => Promise<number>;
  /** How long to ask what became of a commit that brought no answer, milliseconds. */
  readonly resolveMs: number;
}

/** Something to be written in one transaction. */
export interface Write<Result> {
  readonly operation: () => Operation<Result>;
  /** Whether there is a row that this write leaves, and no other: the proof that it was committed. */
  readonly hasHappened: () => Operation<boolean>;
}

/**
 * Nothing was written, and another try may do: serialization failure, deadlock, lock not available, a
 * server that is still a standby, one without room (53), that is stopping or cancelled us (57), whose disk
 * fails (58).
 */
const RETRIED = /^(?:40001|40P01|55P03|25006|53...|57...|58...)$/;
const TRIES = 4;

/**
 * Locks and statements are bounded, and a transaction that its client forgot ends by itself.
 * `synchronous_commit` is said here because an acknowledged charge must not hang on a server's
 * default. The lock, which nobody else takes, is held for as long as the transaction can still commit.
 */
function beginText(lock: bigint): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 2000; SET LOCAL statement_timeout = 5000;
  SET LOCAL idle_in_transaction_session_timeout = 5000; SET LOCAL synchronous_commit = on;
  SELECT pg_advisory_xact_lock(${lock})`;
}

/**
 * Without a bound: a COMMIT that waits for a synchronous standby and is cancelled stands on this server
 * alone, and is reported as if it stood on both.
 */
const COMMIT = "SET LOCAL statement_timeout = 0; COMMIT";

/**
 * Runs a write in one transaction.
 *
 * READ COMMITTED, so that what is read after the ledger's lock is what the last holder committed.
 * A link lost before COMMIT was sent means nothing was written: the write is made again. A link lost
 * during COMMIT is resolved by looking for the write's row.
 *
 * Fails: `STORAGE_UNAVAILABLE` (nothing was written), `OUTCOME_UNKNOWN`, and as the operation does.
 */
export async function writeTransaction<Result>(
  ports: TransactionPorts,
  write: Write<Result>,
): Promise<Result> {
  let last: unknown;
  for (let tried = 0; tried < TRIES; tried++) {
    // Apart at random, so that two that collided do not collide again.
    if (tried > 0) await sleep(2 ** tried * 5 * (1 + Math.random()));
    // One an attempt: what is left of the last may hold its own for a while.
    const lock = randomBytes(8).readBigInt64BE();
    const attempt = await tryOnce(ports, lock, write.operation);
    if (attempt.kind === "done") return attempt.result;
    if (attempt.kind === "doubtful" && (await resolveCommit(ports, lock, write))) return attempt.result;
    last = attempt.error;
  }
  throw new StoreError("STORAGE_UNAVAILABLE", `the database refused the write: ${messageOf(last)}`, {}, last);
}

type Attempt<Result> =
  | { readonly kind: "done"; readonly result: Result }
  /** COMMIT was sent, and not heard of. */
  | { readonly kind: "doubtful"; readonly result: Result; readonly error: unknown }
  /** Nothing was written. */
  | { readonly kind: "again"; readonly error: unknown };

/** The session is given back before anything else: to find out more takes another, and there are not many. */
async function tryOnce<Result>(
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
    await session.script(beginText(lock));
    const result = await drive(ports.now, session, operation());
    try {
      await session.script(COMMIT);
      isSound = true;
      return { kind: "done", result };
    } catch (error) {
      return { kind: "doubtful", result, error };
    }
  } catch (error) {
    isSound = await rollBack(session);
    if (!isSound || RETRIED.test(stateOf(error) ?? "")) return { kind: "again", error };
    throw error;
  } finally {
    session.release(isSound);
  }
}

/** Steps an operation with a session, inside the transaction that is open. */
async function drive<Result>(
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

/** Whether the session can be used again. */
async function rollBack(session: Session): Promise<boolean> {
  if (!session.isAlive()) return false;
  try {
    await session.script("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a transaction whose COMMIT brought no answer took place.
 *
 * The server is not asked for the transaction by its number: after a crash it hands out again those
 * numbers that never reached its log, and would tell of a stranger.
 *
 * @throws {StoreError} `OUTCOME_UNKNOWN` where nobody could say in time
 */
async function resolveCommit(
  ports: TransactionPorts,
  lock: bigint,
  write: Pick<Write<unknown>, "hasHappened">,
): Promise<boolean> {
  const deadline = performance.now() + ports.resolveMs;
  for (let wait = 2; performance.now() < deadline; wait = Math.min(2 * wait, 200)) {
    const fate = await fateOf(ports, lock, write);
    if (fate !== undefined) return fate;
    await sleep(wait);
  }
  throw new StoreError(
    "OUTCOME_UNKNOWN",
    "the connection to the database was lost during a commit, and its outcome is not known",
  );
}

/**
 * Undefined where the transaction may still commit, or the database cannot be asked.
 *
 * PostgreSQL releases a transaction's locks once its rows can be seen, or never will be; after a crash
 * nobody holds any. So whoever gets the lock sees, from the next statement on, how it ended. A standby
 * does not know the locks of its primary, and may be behind it.
 */
async function fateOf(
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
    const fate = row!.isOver ? await drive(ports.now, session, hasHappened()) : undefined;
    await session.script("COMMIT");
    isSound = true;
    return fate;
  } catch {
    if (session !== undefined) isSound = await rollBack(session);
    return undefined;
  } finally {
    session?.release(isSound);
  }
}

/**
 * Runs a read, again where it lost its link, once.
 *
 * @param view `snapshot` where several statements must see one state; `latest` saves the round trips
 *   of a transaction, and of the time, around one that stands alone
 */
export async function readTransaction<Result>(
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
      const result = await drive(view === "latest" ? ports.recentNow : ports.now, session, operation());
      if (view === "snapshot") await session.script("COMMIT");
      isSound = true;
      return result;
    } catch (error) {
      if (session !== undefined) isSound = await rollBack(session);
      if (isSound || error instanceof StoreError) throw error;
      if (tried > 0) {
        throw new StoreError(
          "STORAGE_UNAVAILABLE",
          `the database cannot be read: ${messageOf(error)}`,
          {},
          error,
        );
      }
    } finally {
      session?.release(isSound);
    }
  }
}

function stateOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}
