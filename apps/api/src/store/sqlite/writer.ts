import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import { WRITES } from "../operations/all.ts";
import { type CallResult, plainError, type WriteCall } from "../port/calls.ts";
import { messageOf, StoreError } from "../port/store-error.ts";
import type { Operation } from "../sql/operation.ts";
import { type Connection, isDiskFailure, storageTrouble } from "./connection.ts";
import type { OpenFiles } from "./open-files.ts";

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
 * `COMMIT` returned, whatever the results say until then; and where the file no longer has its name
 * then, whether it happened to the file that will be opened next is unknown.
 *
 * @throws {StoreError} `OUTCOME_UNKNOWN` where the disk failed during the commit. Whether it took
 *   place shows when the file is next opened; the process must not go on with this one.
 */
export function writeGroup(
  connection: Connection,
  calls: readonly WriteCall[],
  nowMs: number,
  onStep: (step: WriterStep) => void = () => {},
  files?: OpenFiles,
): CallResult[] {
  const cut = files?.logLost();
  if (cut !== undefined) return allFailed(calls, new StoreError("OUTCOME_UNKNOWN", cut));
  onStep("begin");
  try {
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return allFailed(calls, error);
  }
  onStep("begun");
  const results: CallResult[] = [];
  for (const { call, places } of merged(calls)) {
    try {
      runInSavepoint(connection, call, places.length, nowMs, onStep).forEach((result, i) => {
        results[places[i]!] = result;
      });
    } catch (error) {
      // A full disk ends the whole transaction, and with it the savepoint.
      if (connection.isInTransaction) connection.exec("ROLLBACK");
      return allFailed(calls, error, places);
    }
  }
  onStep("commit");
  try {
    connection.exec("COMMIT");
  } catch (error) {
    if (isDiskFailure(error)) {
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
  if (files === undefined) return results;
  const lost = files.displaced();
  if (lost !== undefined) return allFailed(calls, new StoreError("OUTCOME_UNKNOWN", lost));
  shortenLog(connection, files);
  return results;
}

/** The log holds all that was acknowledged, whether or not it can be copied into the file now. */
function shortenLog(connection: Connection, files: OpenFiles): void {
  if (!connection.hasLongLog) return;
  try {
    connection.checkpoint();
  } catch (error) {
    if (storageTrouble(error) === undefined) throw error;
  }
  files.noteContents();
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
      for (const each of call.input) known.settlements.push(each);
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
): readonly CallResult[] {
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
    if (!connection.isInTransaction || storageTrouble(error) !== undefined) throw error;
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

/**
 * One error for all of a group that was rolled back.
 *
 * @param met where in the group it was met; of damage, only that is told to those that met it
 */
function allFailed(calls: readonly WriteCall[], error: unknown, met: readonly number[] = []): CallResult[] {
  const trouble = storageTrouble(error);
  const failed = plainError(trouble ?? error);
  if (trouble?.details.damaged !== "file") return calls.map(() => ({ failed }));
  const beside = plainError(new StoreError("STORAGE_UNAVAILABLE", trouble.message));
  return calls.map((_, place) => ({ failed: met.includes(place) ? failed : beside }));
}
