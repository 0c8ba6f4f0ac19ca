import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { Reader } from "./reader.ts";

/** Longer than the resolution of modification times in file systems. */
const SETTLED_MS = 100;

/**
 * Reads a state file and leaves no files next to it, if nobody has it open: then the file alone is the state, and is
 * read without locks. A check afterwards shows that nobody wrote to it meanwhile; if somebody did, or has it open, it
 * is read in SQLite's shared mode, which creates an index and a log.
 */
export async function readStateFile<Result>(path: string, read: (reader: Reader) => Result): Promise<Result> {
  const before = await readChangeMarker(path);
  if (before === undefined) return withReader(path, "read", read);
  try {
    const result = withReader(path, "still", read);
    if ((await readChangeMarker(path)) === before) return result;
  } catch (error) {
    if ((await readChangeMarker(path)) === before) throw error;
  }
  return withReader(path, "read", read);
}

function withReader<Result>(
  path: string,
  access: "read" | "still",
  read: (reader: Reader) => Result,
): Result {
  const reader = new Reader(new Connection(path, access), { sharesTurns: false });
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

/** A value that stays the same while nobody writes to the file; undefined if somebody may have it open. */
async function readChangeMarker(path: string): Promise<string | undefined> {
  if (["-wal", "-journal"].some((suffix) => existsSync(`${path}${suffix}`))) return undefined;
  const changedMs = statSync(path).mtimeMs;
  // A later change within the same step of the clock would go unnoticed.
  if (Math.abs(Date.now() - changedMs) < SETTLED_MS) await sleep(SETTLED_MS);
  const { dev, ino, size, mtimeMs } = statSync(path);
  return [dev, ino, size, mtimeMs].join(" ");
}
