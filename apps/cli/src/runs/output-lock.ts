import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { acquireFileLock } from "@groundrule/node/internal";
import { RunError, toWriteError } from "./run-error.ts";

/** Locks on the files of a run, for this process alone. */
export interface OutputLock {
  /** Releases the locks. */
  release(): void;
}

/**
 * Takes all locks of a run. The operating system drops them when this process dies; the empty files that remain block
 * nobody.
 *
 * Fails: `OUTPUT_LOCKED` if another process has one, `OUTPUT_UNWRITABLE`.
 */
export async function lockOutputFiles(paths: readonly string[]): Promise<OutputLock> {
  const locks: OutputLock[] = [];
  const release = (): void => {
    for (const lock of locks.splice(0)) lock.release();
  };
  try {
    for (const path of paths) locks.push(await lockFile(path));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

async function lockFile(path: string): Promise<OutputLock> {
  for (;;) {
    const before = readFileIdentity(path) ?? createAndIdentifyFile(path);
    const lock = await acquireFileLock(path, 0).catch((error: unknown) => {
      throw toWriteError(asSystemError(error), path);
    });
    if (lock === undefined) {
      const output = path.slice(0, -".lock".length);
      throw new RunError(
        "OUTPUT_LOCKED",
        `another process is writing ${output}; wait for it, or name another file`,
      );
    }
    // Its last owner may have removed the file between our opening and locking it.
    const after = readFileIdentity(path);
    if (after !== undefined && before === after) {
      return { release: () => deleteAndRelease(path, lock) };
    }
    lock.release();
  }
}

/** The file is deleted while locked, so that a lock on a deleted file lasts no longer than {@link lockFile} retries. */
function deleteAndRelease(path: string, lock: OutputLock): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // On Windows an open file keeps its name; an empty file stays.
  }
  lock.release();
}

/**
 * The identity of a newly created file. An existing one is not opened: closing it would drop a lock of this process.
 */
function createAndIdentifyFile(path: string): string | undefined {
  try {
    closeSync(openSync(path, "wx"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw toWriteError(error, path);
  }
  return readFileIdentity(path);
}

function readFileIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

/** Recognizes SQLite's own message that a file cannot be created. */
function asSystemError(error: unknown): unknown {
  const { message, code } = error as Error & { readonly code?: string };
  return code === "ERR_SQLITE_ERROR" ? Object.assign(new Error(message), { syscall: "open", code }) : error;
}
