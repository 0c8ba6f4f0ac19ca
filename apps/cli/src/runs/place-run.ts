import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolderToDisk } from "@groundrule/node/internal";
import { type Journal, removeJournal, writeJournal } from "./journal.ts";
import { type RunDescription, writeRunDescription } from "./run-description.ts";
import { toWriteError } from "./run-error.ts";
import type { RunPaths } from "./run-paths.ts";

/**
 * Renames the files of a run to their final names. A process that dies at any step leaves a journal, from which {@link
 * goOnPlacing} does the rest; a description is never next to an output that is not its own.
 *
 * @param journal of the run, all of whose files are durable
 *
 * Fails: `OUTPUT_UNWRITABLE`.
 */
export function placeRunFiles(paths: RunPaths, journal: Journal, description: RunDescription): void {
  writeJournal(paths.journal, { ...journal, isComplete: true, description });
  goOnPlacing(paths, description);
}

/** Completes an interrupted {@link placeRunFiles}. Fails: as it does. */
export function goOnPlacing(paths: RunPaths, description: RunDescription): void {
  removeFileIfPresent(paths.description);
  syncFolderToDisk(dirname(paths.description));
  if (paths.errors !== undefined) renameIntoPlace(paths.errorsPart!, paths.errors);
  renameIntoPlace(paths.part, paths.output);
  writeRunDescription(paths.description, description);
  removeFileIfPresent(paths.rows);
  removeJournal(paths.journal);
}

function renameIntoPlace(part: string, path: string): void {
  try {
    if (existsSync(part)) renameSync(part, path);
    syncFolderToDisk(dirname(path));
  } catch (error) {
    throw toWriteError(error, path);
  }
}

function removeFileIfPresent(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw toWriteError(error, path);
  }
}
