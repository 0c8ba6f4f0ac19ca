import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkShape } from "@groundrule/engine/internal";
import { syncFolderToDisk, writeReadableFile } from "@groundrule/node/internal";
import type { FileState } from "./aside-file.ts";
import type { RunIdentity, RunPosition } from "./run.ts";
import { checkRunDescription, type RunDescription, runIdentityShape } from "./run-description.ts";
import { toWriteError } from "./run-error.ts";

/** Progress of a run, for the process that continues after a kill. */
export interface Journal {
  readonly identity: RunIdentity;
  /** Name of the file of error lines, relative to the output's folder; null if they are among the results. */
  readonly errors: string | null;
  readonly position: RunPosition;
  /** State of the results' temporary file. */
  readonly results: FileState;
  /** State of the error lines' temporary file. */
  readonly refused: FileState | null;
  /** True if every plot is in it. */
  readonly isComplete: boolean;
  /** Set while the files are being renamed to their final names: the run's description. */
  readonly description?: RunDescription;
}

const VERSION = 1;

/**
 * Replaces the journal atomically. The files that it describes must be durable before.
 *
 * Fails: `OUTPUT_UNWRITABLE`; `WRITE_UNREADABLE` for a journal that a process could not continue from.
 */
export function writeJournal(path: string, journal: Journal): void {
  try {
    writeReadableFile(path, `${JSON.stringify({ journal: VERSION, ...journal })}\n`, findJournalFault);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** Fails: `OUTPUT_UNWRITABLE`. */
export function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
    rmSync(`${path}.tmp`, { force: true });
    syncFolderToDisk(dirname(path));
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** The journal of an unfinished run; undefined if there is none, and `torn` if it cannot be parsed. */
export function readJournal(path: string): Journal | "torn" | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw toWriteError(error, path);
  }
  try {
    return parseJournal(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return "torn";
    throw error;
  }
}

function findJournalFault(bytes: Uint8Array): string | undefined {
  const read = parseJournal(JSON.parse(new TextDecoder().decode(bytes)));
  return read === "torn" ? "it is no journal of a run" : undefined;
}

function parseJournal(value: unknown): Journal | "torn" {
  const { journal, ...members } = (value ?? {}) as Partial<Journal> & { readonly journal?: number };
  const identity = checkShape(runIdentityShape, members.identity);
  const { position, results, description } = members;
  if (journal !== VERSION || identity.faults !== undefined) return "torn";
  if (position === undefined || results === undefined) return "torn";
  if (description !== undefined && checkRunDescription(description).fault !== undefined) return "torn";
  return members as Journal;
}
