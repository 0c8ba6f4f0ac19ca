import { getErrorMessage, StoreError } from "../port/store-error.ts";
import { makePrivateFile } from "./state-file.ts";

const SQLITE_BUSY = 5;

/**
 * Keeps a second serving process off a state file: the state in memory (running requests, counts, time) belongs to one
 * process only. Commands that manage the state take no such lock.
 *
 * The lock is SQLite's, on an empty file next to the state file: the operating system drops it when its holder dies, so
 * it never outlives a crash.
 *
 * Fails: `STORE_IN_USE`; `STORAGE_UNAVAILABLE` if the lock file cannot be locked.
 *
 * @param path the file's real and only name: the lock is named after it
 * @returns a function that releases the lock
 */
export function takeServingLock(path: string): () => void {
  const lock = `${path}.serving`;
  makePrivateFile(lock);
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(lock, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw new StoreError(
        "STORAGE_UNAVAILABLE",
        `the lock ${lock} cannot be taken: ${getErrorMessage(error)}; the user that serves must be able to write to its folder, and the file must be empty`,
        { path: lock },
        error,
      );
    }
    throw new StoreError(
      "STORE_IN_USE",
      `another process is serving ${path}; only one process can serve a SQLite file, while several can share a PostgreSQL database`,
      { path },
    );
  }
  return () => database.close();
}
