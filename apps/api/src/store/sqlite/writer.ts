import type { Settlement, SettleOutcome } from "../../charging/arbitrate.ts";
import type { Operation } from "../operation.ts";
import { WRITES } from "../operations/all.ts";
import { StoreError } from "../store-error.ts";
import { plainError, type WriteCall, type WriteResult } from "../write-call.ts";
import { type Connection, messageOf } from "./connection.ts";

/** SQLite's primary result codes that say something about the disk, not about the statement. */
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const STORAGE_TROUBLE: ReadonlySet<number> = new Set([SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL]);

/** What a writer does next, in a group and when a file is opened; kill tests end the process at each. */
export type WriterStep =
  | "migrate"
  | "migrated"
  | "begin"
  | "begun"
  | `run ${WriteCall["name"]}`
  | "ran"
  | "commit"
  | "committed";

/**
 * Makes a group of writes in one transaction, so that one flush to disk serves them all.
 *
 * Each call has a savepoint: one that fails is undone alone. Nothing has happened before
 * `COMMIT` returned, whatever the results say until then.
 *
 * @throws {StoreError} `OUTCOME_UNKNOWN` where the disk failed during the commit. Whether it took
 *   place shows when the file is next opened; the process must not go on with this one.
 */
export function writeGroup(
  connection: Connection,
  calls: readonly WriteCall[],
  nowMs: number,
  onStep: (step: WriterStep) => void = () => {},
): WriteResult[] {
  onStep("begin");
  try {
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return allFailed(calls, error);
  }
  onStep("begun");
  const results: WriteResult[] = [];
  for (const { call, places } of merged(calls)) {
    try {
      runInSavepoint(connection, call, places.length, nowMs, onStep).forEach((result, i) => {
        results[places[i]!] = result;
      });
    } catch (error) {
      // A full disk ends the whole transaction, and with it the savepoint.
      if (connection.isInTransaction) connection.exec("ROLLBACK");
      return allFailed(calls, error);
    }
  }
  onStep("commit");
  try {
    connection.exec("COMMIT");
  } catch (error) {
    if (resultCodeOf(error) === SQLITE_IOERR) {
      throw new StoreError(
        "OUTCOME_UNKNOWN",
        `the disk failed during a commit: ${messageOf(error)}; the process must end, and recovery decides`,
        {},
        error,
      );
    }
    if (connection.isInTransaction) connection.exec("ROLLBACK");
    return allFailed(calls, error);
  }
  onStep("committed");
  return results;
}

/** A call as it is made, and where in the group the calls that it stands for were. */
interface MergedCall {
  readonly call: WriteCall;
  readonly places: readonly number[];
}

/** Settlements of one scope become one: its ledger is read and written once for all of them. */
function merged(calls: readonly WriteCall[]): readonly MergedCall[] {
  const made: MergedCall[] = [];
  const ofScopes = new Map<string, { settlements: Settlement[]; places: number[] }>();
  calls.forEach((call, place) => {
    if (call.name !== "settleBatch" || call.input.length !== 1) {
      made.push({ call, places: [place] });
      return;
    }
    const { organization, mode } = call.input[0]!.scope;
    const scope = `${mode} ${organization}`;
    const known = ofScopes.get(scope);
    if (known === undefined) {
      const batch = { settlements: [...call.input], places: [place] };
      ofScopes.set(scope, batch);
      made.push({ call: { name: "settleBatch", input: batch.settlements }, places: batch.places });
    } else {
      known.settlements.push(...call.input);
      known.places.push(place);
    }
  });
  return made;
}

/**
 * What a call gives for each of the calls that it stands for. One that fails is undone alone; settlements that
 * fail together are tried one by one, so that a bug in one takes nobody else with it.
 *
 * @throws what is wrong with the file or the disk: it ends the whole group
 */
function runInSavepoint(
  connection: Connection,
  call: WriteCall,
  standsFor: number,
  nowMs: number,
  onStep: (step: WriterStep) => void,
): readonly WriteResult[] {
  onStep(`run ${call.name}`);
  try {
    connection.exec("SAVEPOINT call");
    const value = connection.run(operationOf(call), nowMs);
    connection.exec("RELEASE call");
    onStep("ran");
    return standsFor === 1
      ? [{ value }]
      : (value as readonly SettleOutcome[]).map((outcome) => ({ value: [outcome] }));
  } catch (error) {
    if (!connection.isInTransaction || isTrouble(error)) throw error;
    connection.exec("ROLLBACK TO call; RELEASE call");
    if (standsFor === 1) return [{ failed: plainError(error) }];
    return (call.input as readonly Settlement[]).flatMap((settlement) =>
      runInSavepoint(connection, { name: "settleBatch", input: [settlement] }, 1, nowMs, onStep),
    );
  }
}

function operationOf({ name, input }: WriteCall): Operation<unknown> {
  return (WRITES[name] as (input: WriteCall["input"]) => Operation<unknown>)(input);
}

/** One error for all of a group that was rolled back. */
function allFailed(calls: readonly WriteCall[], error: unknown): WriteResult[] {
  const failed = plainError(
    isTrouble(error)
      ? new StoreError("STORAGE_UNAVAILABLE", `the state file cannot be written now: ${messageOf(error)}`)
      : error,
  );
  return calls.map(() => ({ failed }));
}

function isTrouble(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code !== undefined && STORAGE_TROUBLE.has(code);
}

/** Extended codes keep the primary one in their low byte. */
function resultCodeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
