import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { InputFileError, toReadError } from "./input-file.ts";

/** A file that appears completely or not at all: it is written under a temporary name, then renamed. */
export class SafeFile {
  readonly #path: string;
  readonly #written: string;
  readonly #file: number;
  #buffered: Uint8Array[] = [];
  #size = 0;

  /** Fails: {@link InputFileError} if it cannot be written, or exists already and may not be replaced. */
  constructor(path: string, options: { readonly force: boolean }) {
    refuseExistingFile(path, options.force);
    this.#path = path;
    this.#written = `${path}.${process.pid}.part`;
    try {
      this.#file = openSync(this.#written, "wx");
    } catch (error) {
      throw toWriteError(error, path);
    }
  }

  write(part: string | Uint8Array): void {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    this.#buffered.push(bytes);
    this.#size += bytes.length;
    if (this.#size > BUFFER_BYTES) this.#flush();
  }

  /** Renames the file to its final name. */
  finish(): void {
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.#written, this.#path);
  }

  /** Deletes the temporary file. */
  abandon(): void {
    closeSync(this.#file);
    rmSync(this.#written, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#buffered);
    this.#buffered = [];
    this.#size = 0;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch (error) {
      throw toWriteError(error, this.#path);
    }
  }
}

const BUFFER_BYTES = 256 * 1024;

/** Fails: {@link InputFileError} if a file exists that may not be replaced. */
export function refuseExistingFile(path: string, force: boolean): void {
  if (!force && existsSync(path)) {
    throw new InputFileError(`${path} already exists: name another file, or pass --force to replace it`);
  }
}

/** Converts an error that prevented writing a file. */
export function toWriteError(error: unknown, path: string): unknown {
  if (error instanceof InputFileError) return error;
  const readError = toReadError(error, path);
  return readError instanceof InputFileError
    ? new InputFileError(readError.message.replace("read", "write"))
    : readError;
}
