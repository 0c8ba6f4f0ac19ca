import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { DataError } from "../data-error.ts";

const RETRY_MS = 25;
const SQLITE_BUSY = 5;

/**
 * Runs `action` while no other writer, in this process or another, changes the data folder.
 *
 * The lock is SQLite's on an otherwise empty file: the operating system drops it when its owner dies, so no lock
 * outlives a crash, which a lock file of our own could not guarantee. Readers take no lock: the state they see is
 * replaced by a rename.
 *
 * Fails: `DATA_FOLDER_LOCKED` after waiting `patienceMs`.
 */
export async function withWriteLock<T>(dir: string, action: () => T, patienceMs = 60_000): Promise<T> {
  const path = join(dir, "catalog.lock");
  const lock = await acquireFileLock(path, patienceMs);
  if (lock === undefined) {
    throw new DataError(
      "DATA_FOLDER_LOCKED",
      `another process has been writing to ${dir} for ${patienceMs / 1000} s`,
      { dir, path },
    );
  }
  try {
    return action();
  } finally {
    lock.release();
  }
}

/** A lock that lasts until it is released, or its process ends. */
interface FileLock {
  /** Releases the lock. */
  release(): void;
}

/**
 * Locks a file, which is created if absent; undefined if another owner, in this process or another, kept the lock for
 * `patienceMs`.
 *
 * @param path in an existing folder
 *
 * Fails: with SQLite's error if the file cannot be created or is no lock.
 */
export async function acquireFileLock(path: string, patienceMs: number): Promise<FileLock | undefined> {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    const deadline = performance.now() + patienceMs;
    while (!tryLockDatabase(database)) {
      if (performance.now() >= deadline) {
        database.close();
        return undefined;
      }
      await sleep(RETRY_MS);
    }
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

function tryLockDatabase(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
