import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { setImmediate } from "node:timers/promises";
import { toReadError } from "../files/input-file.ts";
import { toWriteError } from "./run-error.ts";

/** Size and digest of a file's content so far. */
export interface FileState {
  readonly bytes: number;
  /** Digest of these bytes, in hex. */
  readonly sha256: string;
}

const READ_BYTES = 1024 * 1024;

/** A file written under a temporary name, from the beginning or from where an earlier process stopped. */
export class AsideFile {
  readonly path: string;
  readonly #file: number;
  readonly #hash: Hash;
  #bytes: number;

  private constructor(path: string, file: number, hash: Hash, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#hash = hash;
    this.#bytes = bytes;
  }

  /** Creates an empty file, replacing any file of its name. Fails: `OUTPUT_UNWRITABLE`. */
  static create(path: string): AsideFile {
    try {
      return new AsideFile(path, openSync(path, "w+"), createHash("sha256"), 0);
    } catch (error) {
      throw toWriteError(error, path);
    }
  }

  /**
   * Opens a file truncated to this state; undefined if it does not begin with these bytes. Fails: `OUTPUT_UNWRITABLE`.
   */
  static async reopen(
    path: string,
    { bytes, sha256 }: FileState,
    signal: AbortSignal,
  ): Promise<AsideFile | undefined> {
    let file: number | undefined;
    try {
      file = openSync(path, "r+");
      const hash = await hashFilePrefix(file, bytes, signal);
      if (hash?.copy().digest("hex") !== sha256) return undefined;
      ftruncateSync(file, bytes);
      const reopened = new AsideFile(path, file, hash!, bytes);
      file = undefined;
      return reopened;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw toWriteError(error, path);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  get state(): FileState {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  /** Fails: `OUTPUT_UNWRITABLE`; the file's state is then unchanged. */
  append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.byteLength; ) {
        done += writeSync(this.#file, bytes, done, bytes.byteLength - done, this.#bytes + done);
      }
    } catch (error) {
      throw toWriteError(error, this.path);
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.byteLength;
  }

  /** Waits until the appended bytes would survive a power failure. Fails: `OUTPUT_UNWRITABLE`. */
  async sync(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      fsync(this.#file, (error) => (error === null ? resolve() : reject(toWriteError(error, this.path))));
    });
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Digest of a file's first bytes; undefined if it is shorter. */
async function hashFilePrefix(file: number, bytes: number, signal: AbortSignal): Promise<Hash | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let done = 0; done < bytes; ) {
    const taken = readSync(file, buffer, 0, Math.min(buffer.length, bytes - done), done);
    if (taken === 0) return undefined;
    hash.update(buffer.subarray(0, taken));
    done += taken;
    await setImmediate(undefined, { signal }); // a large file takes seconds, and the user may abort
  }
  return hash;
}

/** The state of a file; undefined if it does not exist. */
export async function readFileState(path: string, signal: AbortSignal): Promise<FileState | undefined> {
  try {
    return await readWholeFileState(path, "r", signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw toReadError(error, path);
  }
}

/** The state of a file, once it would survive a power failure. Fails: `OUTPUT_UNWRITABLE`. */
export async function readDurableState(path: string, signal: AbortSignal): Promise<FileState> {
  try {
    const state = await readWholeFileState(path, "r+", signal);
    if (state === undefined) throw new Error(`${path} became shorter while it was read`);
    return state;
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** The state of a whole file, which is synced first if it may be written; undefined if it becomes shorter. */
async function readWholeFileState(
  path: string,
  flags: "r" | "r+",
  signal: AbortSignal,
): Promise<FileState | undefined> {
  const file = openSync(path, flags);
  try {
    if (flags === "r+") fsyncSync(file);
    const bytes = fstatSync(file).size;
    const hash = await hashFilePrefix(file, bytes, signal);
    return hash && { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(file);
  }
}
