import { dirname, join } from "node:path";
import { readFileState } from "./aside-file.ts";
import { readJournal } from "./journal.ts";
import { lockOutputFiles, type OutputLock } from "./output-lock.ts";
import { goOnPlacing } from "./place-run.ts";
import type { RunIdentity, RunOptions, RunOutput } from "./run.ts";
import { readRunDescription, selectRunIdentity } from "./run-description.ts";
import { RunError } from "./run-error.ts";
import { formatDifferences, listRunDifferences } from "./run-identity-differences.ts";
import { getRelativeName, type RunPaths, resolveRunPaths } from "./run-paths.ts";
import { RunWriter } from "./run-writer.ts";

/** The instant of an earlier run of this output, which a resumed run reuses; undefined if there is none. */
export function readRunInstant(output: string): string | undefined {
  const { journal, description } = resolveRunPaths(output, undefined);
  const unfinished = readJournal(journal);
  if (unfinished !== undefined) return unfinished === "torn" ? undefined : unfinished.identity.now;
  return readRunDescription(description)?.description?.now;
}

/**
 * Opens the output of a run: anew, or where an earlier run stopped.
 *
 * Everything is written to temporary files, with a journal that records only durable state. After a kill or a power
 * failure at any moment the output is the previous one or the whole new one, and `resume` continues without a line lost
 * or doubled.
 *
 * Fails: `OUTPUT_INVALID`, `OUTPUT_LOCKED`, `OUTPUT_UNWRITABLE`; `RUN_DIFFERS` if the earlier run was a different one;
 * `RUN_UNFINISHED` if one is unfinished and `resume` is not set.
 */
export async function openRunOutput(options: RunOptions): Promise<RunOutput> {
  const paths = resolveRunPaths(options.output, options.errors, options.inputs);
  const lock = await lockOutputFiles(paths.locks);
  try {
    return (await openRunWriter(paths, lock, options)) ?? createFinishedOutput(lock, paths);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Undefined if the output is finished. */
async function openRunWriter(
  paths: RunPaths,
  lock: OutputLock,
  options: RunOptions,
): Promise<RunWriter | undefined> {
  if (!options.resume) {
    assertOutputReplaceable(paths);
    return RunWriter.begin(paths, lock, options);
  }
  const journal = readJournal(paths.journal);
  if (journal === "torn") {
    options.note(`${paths.journal} cannot be read: starting again at the first plot`);
    return RunWriter.begin(paths, lock, options);
  }
  if (journal === undefined) {
    return (await isFinished(paths, options)) ? undefined : RunWriter.begin(paths, lock, options);
  }
  assertSameRun(journal.identity, journal.errors, paths.journal, paths, options);
  if (journal.description !== undefined) {
    goOnPlacing(paths, journal.description);
    return undefined;
  }
  const writer = await RunWriter.goOn(paths, lock, options, journal);
  if (writer === undefined) {
    options.note(`${paths.part} does not match its journal: starting again at the first plot`);
    return RunWriter.begin(paths, lock, options);
  }
  if (!journal.isComplete) return writer;
  await writer.finish();
  return undefined;
}

/**
 * Makes sure that a new run of an output loses no earlier one: completes an interrupted placement first.
 *
 * Fails: `RUN_UNFINISHED`, `OUTPUT_UNWRITABLE`.
 */
export function assertOutputReplaceable(paths: RunPaths): void {
  const journal = readJournal(paths.journal);
  if (journal === undefined || journal === "torn" || journal.position.plots === 0) return;
  if (journal.description !== undefined) {
    const errors = journal.errors === null ? undefined : join(dirname(paths.output), journal.errors);
    goOnPlacing({ ...paths, errors, errorsPart: errors && `${errors}.part` }, journal.description);
    return;
  }
  const { plots } = journal.position;
  throw new RunError(
    "RUN_UNFINISHED",
    `an earlier run of ${paths.output} stopped after ${plots} plots: continue with --resume, or remove ${paths.journal} to start again`,
  );
}

/**
 * True if an earlier run wrote the whole output. Fails: `RUN_DIFFERS` if it was a different run, or the file was
 * changed since.
 */
async function isFinished(paths: RunPaths, options: RunOptions): Promise<boolean> {
  const read = readRunDescription(paths.description);
  if (read === undefined) return false;
  if (read.fault !== undefined) {
    throw new RunError("RUN_DIFFERS", `${paths.description} is damaged (${read.fault}); ${ANEW}`);
  }
  const { description } = read;
  const errors = description.errors_output?.file ?? null;
  assertSameRun(selectRunIdentity(description), errors, paths.description, paths, options);
  for (const [path, file] of [
    [paths.output, description.output],
    [paths.errors, description.errors_output],
  ] as const) {
    if (path === undefined || file === undefined) continue;
    const state = await readFileState(path, options.signal);
    if (state === undefined) return false;
    if (state.sha256 !== file.sha256) {
      throw new RunError("RUN_DIFFERS", `${path} has changed since its run ended; ${ANEW}`);
    }
  }
  return true;
}

const ANEW = "leave out --resume to start again";

function assertSameRun(
  identity: RunIdentity,
  errors: string | null,
  place: string,
  paths: RunPaths,
  options: RunOptions,
): void {
  const different = listRunDifferences(options.identity, identity);
  const errorsNow = paths.errors === undefined ? null : getRelativeName(paths.output, paths.errors);
  if (errors !== errorsNow) {
    different.push({ member: "--errors", found: errorsNow ?? "none", expected: errors ?? "none" });
  }
  if (different.length === 0) return;
  throw new RunError(
    "RUN_DIFFERS",
    `${place} belongs to another run: ${formatDifferences(different)}; repeat that run, or remove the file to start anew`,
  );
}

function createFinishedOutput(lock: OutputLock, paths: RunPaths): RunOutput {
  const counts = readRunDescription(paths.description)?.description?.counts ?? {};
  const refuse = async (): Promise<never> => {
    throw new Error("the output is finished");
  };
  let release: (() => void) | undefined = lock.release;
  return {
    isDone: true,
    counts,
    write: refuse,
    finish: refuse,
    async close() {
      release?.();
      release = undefined;
    },
  };
}
