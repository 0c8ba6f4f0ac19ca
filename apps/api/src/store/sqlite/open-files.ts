import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { getErrorMessage } from "../port/store-error.ts";

/**
 * Suffixes of a state file, of the files that SQLite adds to it while it is open, and of the lock, which another
 * process could take if its name led to another file.
 */
const SUFFIXES = ["", "-wal", "-shm", ".serving"] as const;

/**
 * The files of a store as they were opened, for comparison with what their names lead to now. A file that was unlinked,
 * renamed or replaced still takes writes from a process that has it open, and nobody who opens its name will ever see
 * them.
 */
export class OpenFiles {
  readonly #path: string;
  readonly #name: string;
  readonly #opened: readonly string[];
  /** State of the state file, to which only this object's owner writes. */
  #contents: string | undefined;
  /** Last size of the log: SQLite rewrites it from its beginning, and never shortens it. */
  #logSize = 0;

  /**
   * @param path of a state file opened for serving, with its log and index
   * @param name the name it was requested by and will be again, perhaps through links
   */
  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = resolve(name);
    this.#opened = SUFFIXES.map((suffix) => formatFileIdentity(findFileStats(`${path}${suffix}`)));
  }

  /** Identifies the files; equal for every process that has the same ones open. */
  get identity(): string {
    return this.#opened.join(" ");
  }

  /**
   * Records the state file as it is now; from here on, only the caller may write to it (others may write to its log).
   * Call it again after each write.
   */
  noteContents(): void {
    this.#contents = formatContentsState(findFileStats(this.#path));
  }

  /** The reason why writes to the files are lost, if any. */
  displaced(): string | undefined {
    for (const [i, suffix] of SUFFIXES.entries()) {
      const name = suffix === "" ? this.#name : `${this.#path}${suffix}`;
      const how = this.#howDisplaced(name, this.#opened[i]!);
      if (how !== undefined) return describeLostFile(name, how);
    }
    return undefined;
  }

  /** The same check for the log alone, before a commit makes it grow. */
  logLost(): string | undefined {
    const log = `${this.#path}-wal`;
    const found = findFileStats(log);
    return found !== undefined && found.size < this.#logSize
      ? describeLostFile(log, "was cut short")
      : undefined;
  }

  #howDisplaced(name: string, opened: string): string | undefined {
    let found: Stats | undefined;
    try {
      found = findFileStats(name);
    } catch (error) {
      return `could not be examined (${getErrorMessage(error)})`;
    }
    if (found === undefined) return "was removed or renamed";
    if (formatFileIdentity(found) !== opened) return "was replaced by another file";
    // The state file had its first page before it was opened; the log may be empty.
    if (name === `${this.#path}-wal`) {
      if (found.size < this.#logSize) return "was cut short";
      this.#logSize = found.size;
    }
    if (name !== this.#name) return undefined;
    if (found.size === 0) return "was emptied";
    const isWrittenOver = this.#contents !== undefined && formatContentsState(found) !== this.#contents;
    return isWrittenOver ? "was overwritten" : undefined;
  }
}

function describeLostFile(name: string, how: string): string {
  return `${name} ${how} while the service was using it; the service now charges and reads nothing: put the right file back and restart the service`;
}

function findFileStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function formatFileIdentity(found: Stats | undefined): string {
  return found === undefined ? "none" : `${found.dev}:${found.ino}`;
}

/** Changes when somebody writes to the file, within the resolution of the file system's clock. */
function formatContentsState(found: Stats | undefined): string {
  return found === undefined ? "none" : `${found.size}:${found.mtimeMs}`;
}
