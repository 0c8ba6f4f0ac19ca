import { readFileSync } from "node:fs";
import { formatEditionPath } from "../catalog/catalog.ts";
import { type BuildNotes, findNotesFault, parseBuildNotes } from "./build-notes-file.ts";
import { writeReadableFile } from "./durable-file.ts";

export type { BuildNotes, EditionOrigin } from "./build-notes-file.ts";

/**
 * The path of a snapshot file's notes.
 *
 * @param snapshotPath path of the file, which ends with `.snapshot`
 */
export function notesPath(snapshotPath: string): string {
  return snapshotPath.replace(/\.snapshot$/, ".build.json");
}

/** Callers must have the data folder's write lock. Fails: `WRITE_UNREADABLE`. */
export function writeBuildNotes(dir: string, sourceName: string, edition: string, notes: BuildNotes): void {
  writeReadableFile(
    notesPath(formatEditionPath(dir, sourceName, edition)),
    `${JSON.stringify(notes)}\n`,
    findNotesFault,
  );
}

/**
 * Reads the notes of a snapshot; undefined if there are none.
 *
 * @param snapshotPath path of the snapshot file
 */
export function readBuildNotes(snapshotPath: string): BuildNotes | undefined {
  try {
    return parseBuildNotes(readFileSync(notesPath(snapshotPath)));
  } catch {
    return undefined;
  }
}
