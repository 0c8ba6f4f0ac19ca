import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** Calls that change a folder. Each call is a step at which a process may die. */
const CHANGES = [
  "openSync",
  "writeSync",
  "writeFileSync",
  "fsyncSync",
  "fsync",
  "ftruncateSync",
  "renameSync",
  "rmSync",
] as const;

/** The error thrown at the step, and at every step after it: a dead process changes nothing any more. */
export class Crash extends Error {}

type Call = (...args: unknown[]) => unknown;

/** The contents of a disk after a power failure: only files and names that were synced. */
class DurableFolder {
  readonly #dir: string;
  readonly #contents = new Map<number, Buffer>();
  #names = new Map<string, number>();

  constructor(dir: string) {
    this.#dir = dir;
    for (const name of fs.readdirSync(dir))
      this.#contents.set(getFileInode(join(dir, name)), fs.readFileSync(join(dir, name)));
    this.#syncNames();
  }

  /** A file's content, or a folder's names, are durable from now on. */
  synced(file: number, path: string | undefined): void {
    if (path === undefined) this.#syncNames();
    else this.#contents.set(fs.fstatSync(file).ino, fs.readFileSync(path));
  }

  /** Gives the folder what a power failure leaves: of bytes that were not synced, as many zeros. */
  restore(): void {
    const sizes = new Map(
      fs.readdirSync(this.#dir).map((name) => {
        const { ino, size } = fs.statSync(join(this.#dir, name));
        return [ino, size];
      }),
    );
    fs.rmSync(this.#dir, { recursive: true });
    fs.mkdirSync(this.#dir);
    for (const [name, inode] of this.#names) {
      const known = this.#contents.get(inode) ?? Buffer.alloc(0);
      const lost = Math.max(0, (sizes.get(inode) ?? 0) - known.length);
      fs.writeFileSync(join(this.#dir, name), Buffer.concat([known, Buffer.alloc(lost)]));
    }
  }

  #syncNames(): void {
    this.#names = new Map(
      fs.readdirSync(this.#dir).map((name) => [name, getFileInode(join(this.#dir, name))]),
    );
  }
}

function getFileInode(path: string): number {
  return fs.statSync(path).ino;
}

/**
 * Lets this process change files `steps` times, and then dies as `die` does; a write dies halfway.
 *
 * @param dir the one folder that is written to, of whose files a power failure takes what was not synced
 * @returns gives files back, after a power failure if that is asked for
 */
export function failAfterSteps(
  steps: number,
  dir: string,
  die: () => never = () => {
    throw new Crash("dead");
  },
): { restore(after: "kill" | "power failure"): void } {
  let taken = 0;
  const paths = new Map<number, string>(); // files that were opened for writing
  const durable = new DurableFolder(dir);
  const originals = new Map<string, Call>(CHANGES.map((name) => [name, fs[name] as unknown as Call]));
  for (const [name, call] of originals) {
    const changed = (...args: unknown[]): unknown => {
      if (name === "openSync" && args[1] === "r") {
        const file = call(...args) as number;
        paths.delete(file);
        return file;
      }
      if (taken >= steps) {
        if (name === "writeSync" && taken === steps) writeHalfOfBytes(call, args);
        taken++;
        die();
      }
      taken++;
      const result = call(...args);
      if (name === "openSync") paths.set(result as number, args[0] as string);
      // As if the callback came only after the sync: the copy is taken of what was there when it was asked for.
      if (name === "fsyncSync" || name === "fsync") {
        durable.synced(args[0] as number, paths.get(args[0] as number));
      }
      return result;
    };
    Object.assign(fs, { [name]: changed });
  }
  syncBuiltinESMExports();
  return {
    restore(after) {
      for (const [name, original] of originals) Object.assign(fs, { [name]: original });
      syncBuiltinESMExports();
      if (after === "power failure") durable.restore();
    },
  };
}

function writeHalfOfBytes(write: Call, [file, bytes, offset, length, position]: readonly unknown[]): void {
  const from = (offset as number | undefined) ?? 0;
  const count = (length as number | undefined) ?? (bytes as Uint8Array).byteLength - from;
  write(file, bytes, from, count >> 1, position);
}
