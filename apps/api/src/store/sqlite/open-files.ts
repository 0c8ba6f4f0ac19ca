import { type Stats, statSync } from "node:fs";

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
  readonly #opened: readonly string[];

  /** @param path of a state file that is open to be served, its log and index too */
  constructor(path: string) {
    this.#path = path;
    this.#opened = SUFFIXES.map((suffix) => identityOf(find(`${path}${suffix}`)));
  }

  /** Which files they are; the same for whoever has the same ones open. */
  get identity(): string {
    return this.#opened.join(" ");
  }

  /** Why what is written to them is lost, if so. */
  displaced(): string | undefined {
    for (const [i, suffix] of SUFFIXES.entries()) {
      const name = `${this.#path}${suffix}`;
      const how = this.#howDisplaced(name, this.#opened[i]!);
      if (how !== undefined) {
        return `${name} ${how} while it was served; nothing is charged or read any more: put the right file in its place and start the service again`;
      }
    }
    return undefined;
  }

  #howDisplaced(name: string, opened: string): string | undefined {
    let found: Stats | undefined;
    try {
      found = find(name);
    } catch (error) {
      return `cannot be looked at (${error instanceof Error ? error.message : String(error)})`;
    }
    if (found === undefined) return "was removed or renamed";
    if (identityOf(found) !== opened) return "was replaced by another file";
    // The file had its first page before it was opened; the log may be empty.
    return name === this.#path && found.size === 0 ? "was emptied" : undefined;
  }
}

function find(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function identityOf(found: Stats | undefined): string {
  return found === undefined ? "none" : `${found.dev}:${found.ino}`;
}
