import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../port/store-error.ts";

/**
 * A state file's own name, those of the files that SQLite keeps beside it while it is open, and of the lock,
 * which another process could take if its name led to another file.
 */
const SUFFIXES = ["", "-wal", "-shm", ".serving"] as const;

/**
 * The files of a store as they were opened, to be compared with what their names lead to now. A file that
 * was unlinked, renamed or replaced goes on taking writes from whoever has it open, and nobody who opens
 * its name will ever see them.
 */
export class OpenFiles {
  readonly #path: string;
  readonly #name: string;
  readonly #opened: readonly string[];
  /** Of the state file, where only whoever has this object writes to it. */
  #contents: string | undefined;
  /** Of the log, as it was seen last: SQLite writes it anew from its beginning, and never shortens it. */
  #logSize = 0;

  /**
   * @param path of a state file that is open to be served, its log and index too
   * @param name by which it was asked for, and will be again: through links, perhaps
   */
  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = resolve(name);
    this.#opened = SUFFIXES.map((suffix) => identityOf(find(`${path}${suffix}`)));
  }

  /** Which files they are; the same for whoever has the same ones open. */
  get identity(): string {
    return this.#opened.join(" ");
  }

  /**
   * Notes that the state file is now as it was left by who calls this, and that nobody else may write to it: to
   * its log they may. To be called anew after each write of its own.
   */
  noteContents(): void {
    this.#contents = contentsOf(find(this.#path));
  }

  /** Why what is written to them is lost, if so. */
  displaced(): string | undefined {
    for (const [i, suffix] of SUFFIXES.entries()) {
      const name = suffix === "" ? this.#name : `${this.#path}${suffix}`;
      const how = this.#howDisplaced(name, this.#opened[i]!);
      if (how !== undefined) return lost(name, how);
    }
    return undefined;
  }

  /** The same of the log alone, before it grows again by what is committed. */
  logLost(): string | undefined {
    const log = `${this.#path}-wal`;
    const found = find(log);
    return found !== undefined && found.size < this.#logSize ? lost(log, "was cut short") : undefined;
  }

  #howDisplaced(name: string, opened: string): string | undefined {
    let found: Stats | undefined;
    try {
      found = find(name);
    } catch (error) {
      return `could not be examined (${messageOf(error)})`;
    }
    if (found === undefined) return "was removed or renamed";
    if (identityOf(found) !== opened) return "was replaced by another file";
    // The file had its first page before it was opened; the log may be empty.
    if (name === `${this.#path}-wal`) {
      if (found.size < this.#logSize) return "was cut short";
      this.#logSize = found.size;
    }
    if (name !== this.#name) return undefined;
    if (found.size === 0) return "was emptied";
    const isWrittenOver = this.#contents !== undefined && contentsOf(found) !== this.#contents;
    return isWrittenOver ? "was overwritten" : undefined;
  }
}

function lost(name: string, how: string): string {
  return `${name} ${how} while the service was using it; the service now charges and reads nothing: put the right file back and restart the service`;
}

function find(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function identityOf(found: Stats | undefined): string {
  return found === undefined ? "none" : `${found.dev}:${found.ino}`;
}

/** Other than before once somebody wrote to the file, in steps of the file system's clock. */
function contentsOf(found: Stats | undefined): string {
  return found === undefined ? "none" : `${found.size}:${found.mtimeMs}`;
}
