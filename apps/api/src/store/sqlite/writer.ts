import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import { WRITES } from "../operations/all.ts";
import { type CallResult, toPlainError, type WriteCall } from "../port/calls.ts";
import { getErrorMessage, StoreError } from "../port/store-error.ts";
import type { Operation } from "../sql/operation.ts";
import { type Connection, isDiskFailure, toStorageError } from "./connection.ts";
import type { OpenFiles } from "./open-files.ts";

/** The next step of a writer, in a group and when a file is opened; kill tests end the process at each. */
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
 * Runs a group of writes in one transaction, so that one flush to disk serves them all.
 *
 * Each call has a savepoint: a failing call is undone alone. Nothing is committed before `COMMIT` returned, whatever
 * the results are until then; if the file no longer has its name by then, it is unknown whether the writes are in the
 * file that will be opened next.
 *
 * @throws {StoreError} `OUTCOME_UNKNOWN` if the disk failed during the commit. Opening the file again shows if it took
 *   place; the process must not go on with this connection.
 */
export function runWriteGroup(
  connection: Connection,
  calls: readonly WriteCall[],
  nowMs: number,
  onStep: (step: WriterStep) => void = () => {},
  files?: OpenFiles,
): CallResult[] {
  const cut = files?.logLost();
  if (cut !== undefined) return createFailedResults(calls, new StoreError("OUTCOME_UNKNOWN", cut));
  onStep("begin");
  try {
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return createFailedResults(calls, error);
  }
  onStep("begun");
  const results: CallResult[] = [];
  for (const { call, places } of mergeSettlementCalls(calls)) {
    try {
      runInSavepoint(connection, call, places.length, nowMs, onStep).forEach((result, i) => {
        results[places[i]!] = result;
      });
    } catch (error) {
      // A full disk ends the whole transaction, including the savepoint.
      if (connection.isInTransaction) connection.exec("ROLLBACK");
      return createFailedResults(calls, error, places);
    }
  }
  onStep("commit");
  try {
    connection.exec("COMMIT");
  } catch (error) {
    if (isDiskFailure(error)) {
      throw new StoreError(
        "OUTCOME_UNKNOWN",
        `the disk failed during a commit: ${getErrorMessage(error)}; the process must end, and recovery decides`,
        {},
        error,
      );
    }
    if (connection.isInTransaction) connection.exec("ROLLBACK");
    return createFailedResults(calls, error);
  }
  onStep("committed");
  if (files === undefined) return results;
  const lost = files.displaced();
  if (lost !== undefined) return createFailedResults(calls, new StoreError("OUTCOME_UNKNOWN", lost));
  checkpointLongLog(connection, files);
  return results;
}

/** The log contains everything acknowledged, even if it cannot be copied into the file now. */
function checkpointLongLog(connection: Connection, files: OpenFiles): void {
  if (!connection.hasLongLog) return;
  try {
    connection.checkpoint();
  } catch (error) {
    if (toStorageError(error) === undefined) throw error;
  }
  files.noteContents();
}

/** A call to run, and the positions in the group of the calls it combines. */
interface MergedCall {
  readonly call: WriteCall;
  readonly places: readonly number[];
}

/** Combines the settlements of one scope: its ledger is read and written once for all of them. */
function mergeSettlementCalls(calls: readonly WriteCall[]): readonly MergedCall[] {
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
      for (const each of call.input) known.settlements.push(each);
      known.places.push(place);
    }
  });
  return made;
}

/**
 * Returns the result of each combined call. A failing call is undone alone; settlements that fail together are tried
 * one by one, so that a bug in one does not affect the others.
 *
 * @throws an error of the file or the disk: it ends the whole group
 */
function runInSavepoint(
  connection: Connection,
  call: WriteCall,
  standsFor: number,
  nowMs: number,
  onStep: (step: WriterStep) => void,
): readonly CallResult[] {
  onStep(`run ${call.name}`);
  try {
    connection.exec("SAVEPOINT call");
    const value = connection.run(createWriteOperation(call), nowMs);
    connection.exec("RELEASE call");
    onStep("ran");
    return standsFor === 1
      ? [{ value }]
      : (value as readonly SettleOutcome[]).map((outcome) => ({ value: [outcome] }));
  } catch (error) {
    if (!connection.isInTransaction || toStorageError(error) !== undefined) throw error;
    connection.exec("ROLLBACK TO call; RELEASE call");
    if (standsFor === 1) return [{ failed: toPlainError(error) }];
    return (call.input as readonly Settlement[]).flatMap((settlement) =>
      runInSavepoint(connection, { name: "settleBatch", input: [settlement] }, 1, nowMs, onStep),
    );
  }
}

function createWriteOperation({ name, input }: WriteCall): Operation<unknown> {
  return (WRITES[name] as (input: WriteCall["input"]) => Operation<unknown>)(input);
}

/**
 * The same error for every call of a rolled-back group.
 *
 * @param met positions of the calls that met the error; damage is reported only to those
 */
function createFailedResults(
  calls: readonly WriteCall[],
  error: unknown,
  met: readonly number[] = [],
): CallResult[] {
  const trouble = toStorageError(error);
  const failed = toPlainError(trouble ?? error);
  if (trouble?.details.damaged !== "file") return calls.map(() => ({ failed }));
  const general = toPlainError(new StoreError("STORAGE_UNAVAILABLE", trouble.message));
  return calls.map((_, place) => ({ failed: met.includes(place) ? failed : general }));
}
