import { setTimeout as sleep } from "node:timers/promises";
import { NOW, type Operation } from "../operation.ts";
import { StoreError } from "../store-error.ts";
import type { ConnectionPool, Session } from "./connection-pool.ts";

export interface TransactionPorts {
  readonly pool: ConnectionPool;
  /** The time of a charge; read from the database once the ledger is locked. */
  readonly now: (session: Session) => Promise<number>;
  /** The time of a look at the state, which charges nothing: the database's, as it was read lately and went on. */
  readonly recentNow: (session: Session) => Promise<number>;
}

/** Serialization failure, deadlock, lock not available: nothing was written, and another try may do. */
const RETRIED: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);
const TRIES = 4;
const RESOLVE_MS = 5_000;

/**
 * Locks and statements are bounded, and a transaction that its client forgot ends by itself.
 * `synchronous_commit` is said here because an acknowledged charge must not hang on a server's
 * default. The transaction's number is what a lost commit is asked for by.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 2000; SET LOCAL statement_timeout = 5000;
  SET LOCAL idle_in_transaction_session_timeout = 5000; SET LOCAL synchronous_commit = on;
  SELECT pg_current_xact_id()::text AS xid`;

/**
 * Runs a write in one transaction.
 *
 * READ COMMITTED, so that what is read after the ledger's lock is what the last holder committed.
 * A link lost before COMMIT was sent means nothing was written: the write is made again. A link lost
 * during COMMIT is resolved by asking the server about the transaction.
 *
 * @param hasHappened looks for what the write leaves behind, where the server has forgotten the
 *   transaction or another server took over
 */
export async function writeTransaction<Result>(
  ports: TransactionPorts,
  operation: () => Operation<Result>,
  hasHappened?: () => Operation<boolean>,
): Promise<Result> {
  let last: unknown;
  for (let tried = 0; tried < TRIES; tried++) {
    // Apart at random, so that two that collided do not collide again.
    if (tried > 0) await sleep(2 ** tried * 5 * (1 + Math.random()));
    const attempt = await tryOnce(ports, operation, hasHappened);
    if (attempt.kind === "done") return attempt.result;
    last = attempt.error;
  }
  throw new StoreError(
    "STORAGE_UNAVAILABLE",
    `the database did not take the write: ${messageOf(last)}`,
    {},
    last,
  );
}

type Attempt<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "again"; readonly error: unknown };

async function tryOnce<Result>(
  ports: TransactionPorts,
  operation: () => Operation<Result>,
  hasHappened: (() => Operation<boolean>) | undefined,
): Promise<Attempt<Result>> {
  let session: Session;
  try {
    session = await ports.pool.session();
  } catch (error) {
    return { kind: "again", error };
  }
  let isSound = false;
  try {
    const [begun] = (await session.script(BEGIN)) as readonly { xid: string }[];
    const result = await drive(ports.now, session, operation());
    try {
      await session.script("COMMIT");
      isSound = true;
      return { kind: "done", result };
    } catch (error) {
      const committed = await resolveCommit(ports, begun!.xid, hasHappened);
      return committed ? { kind: "done", result } : { kind: "again", error };
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === "OUTCOME_UNKNOWN") throw error;
    isSound = await rollBack(session);
    if (!isSound || RETRIED.has(stateOf(error) ?? "")) return { kind: "again", error };
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
 * @throws {StoreError} `OUTCOME_UNKNOWN` where nobody could say within five seconds
 */
async function resolveCommit(
  ports: TransactionPorts,
  xid: string,
  hasHappened: (() => Operation<boolean>) | undefined,
): Promise<boolean> {
  const deadline = performance.now() + RESOLVE_MS;
  for (let wait = 2; performance.now() < deadline; wait = Math.min(2 * wait, 200)) {
    const status = await statusOf(ports, xid, hasHappened);
    if (status !== undefined) return status;
    await sleep(wait);
  }
  throw new StoreError(
    "OUTCOME_UNKNOWN",
    "the link to the database was lost during a commit, and its outcome is not known",
    {
      xid,
    },
  );
}

/** Undefined where it is still in progress, or the database cannot be asked. */
async function statusOf(
  ports: TransactionPorts,
  xid: string,
  hasHappened: (() => Operation<boolean>) | undefined,
): Promise<boolean | undefined> {
  try {
    return await readTransaction(ports, function* () {
      const [row] = (yield {
        text: "SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)) AS status",
        values: [xid],
      }) as readonly { status: string | null }[];
      if (row?.status === "committed") return true;
      if (row?.status === "aborted") return false;
      if (row?.status === "in progress") return undefined;
      return hasHappened === undefined ? undefined : yield* hasHappened();
    });
  } catch (error) {
    // 22023: a number from the future of this server, so from another's past: a replica took over.
    if (stateOf(error) !== "22023" || hasHappened === undefined) return undefined;
    return readTransaction(ports, hasHappened).catch(() => undefined);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
