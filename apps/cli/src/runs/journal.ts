import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkShape } from "@groundrule/engine/internal";
import { syncFolder, writeReadable } from "@groundrule/node/internal";
import type { FileState } from "./aside-file.ts";
import type { RunIdentity, RunPosition } from "./run.ts";
import { checkDescription, type RunDescription, runIdentityShape } from "./run-description.ts";
import { unwritable } from "./run-error.ts";

/** How far a run came: what a process that is killed leaves to the next. */
export interface Journal {
  readonly identity: RunIdentity;
  /** Name of the file of error lines, as seen from the output's folder; null where they stand among the results. */
  readonly errors: string | null;
  readonly position: RunPosition;
  /** What is written aside of the results. */
  readonly results: FileState;
  /** What is written aside of the error lines. */
  readonly refused: FileState | null;
  /** Whether every plot is in it. */
  readonly isComplete: boolean;
  /** Set when the files are being put in their places: what is said of them. */
  readonly description?: RunDescription;
}

const VERSION = 1;

/**
 * Replaces the journal at once. What it speaks of is durable before.
 *
 * Fails: `OUTPUT_UNWRITABLE`; `WRITE_UNREADABLE` for one that a process could not go on with.
 */
export function writeJournal(path: string, journal: Journal): void {
  try {
    writeReadable(path, `${JSON.stringify({ journal: VERSION, ...journal })}\n`, faultInJournal);
  } catch (error) {
    throw unwritable(error, path);
  }
}

/** Fails: `OUTPUT_UNWRITABLE`. */
export function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
    rmSync(`${path}.tmp`, { force: true });
    syncFolder(dirname(path));
  } catch (error) {
    throw unwritable(error, path);
  }
}

/** The journal of an unfinished run; undefined where there is none, and `torn` where it cannot be made out. */
export function readJournal(path: string): Journal | "torn" | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unwritable(error, path);
  }
  try {
    return journalOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return "torn";
    throw error;
  }
}

function faultInJournal(bytes: Uint8Array): string | undefined {
  const read = journalOf(JSON.parse(new TextDecoder().decode(bytes)));
  return read === "torn" ? "it is no journal of a run" : undefined;
}

function journalOf(value: unknown): Journal | "torn" {
  const { journal, ...members } = (value ?? {}) as Partial<Journal> & { readonly journal?: number };
  const identity = checkShape(runIdentityShape, members.identity);
  const { position, results, description } = members;
  if (journal !== VERSION || identity.faults !== undefined) return "torn";
  if (position === undefined || results === undefined) return "torn";
  if (description !== undefined && checkDescription(description).fault !== undefined) return "torn";
  return members as Journal;
}
