import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { Reader } from "./reader.ts";

/** Longer than the steps in which file systems note when a file was changed. */
const SETTLED_MS = 100;

/**
 * Reads a state file and leaves nothing beside it, where nobody has it open: then the file alone is the
 * state, and is read without locks. That nobody wrote to it meanwhile shows afterwards; where somebody did,
 * or has it open, it is read as SQLite shares a file, which takes an index and a log beside it.
 */
export async function readState<Result>(path: string, read: (reader: Reader) => Result): Promise<Result> {
  const before = await stillness(path);
  if (before === undefined) return using(path, "read", read);
  try {
    const result = using(path, "still", read);
    if ((await stillness(path)) === before) return result;
  } catch (error) {
    if ((await stillness(path)) === before) throw error;
  }
  return using(path, "read", read);
}

function using<Result>(path: string, access: "read" | "still", read: (reader: Reader) => Result): Result {
  const reader = new Reader(new Connection(path, access), { sharesTurns: false });
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

/** What stays the same as long as nobody writes to the file; undefined where somebody may have it open. */
async function stillness(path: string): Promise<string | undefined> {
  if (["-wal", "-journal"].some((suffix) => existsSync(`${path}${suffix}`))) return undefined;
  const changedMs = statSync(path).mtimeMs;
  // A later change within the same step would look like this one.
  if (Math.abs(Date.now() - changedMs) < SETTLED_MS) await sleep(SETTLED_MS);
  const { dev, ino, size, mtimeMs } = statSync(path);
  return [dev, ino, size, mtimeMs].join(" ");
}
