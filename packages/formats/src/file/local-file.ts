import { createFormatError, type FormatError } from "../format-error.ts";

/** A file, read from anywhere in it. */
export interface LocalFile {
  /** As people typed it, for errors. */
  readonly name: string;
  /** Where it lies on this machine; empty where it lies in memory. */
  readonly path: string;
  /** The files passed in with it: for a shapefile its `.dbf`, `.prj` and others. */
  readonly siblings?: readonly LocalFile[];
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset`: fewer than `length` only where the file ends before. Fails: `FILE_DAMAGED` where it was cut since it was opened. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The bytes from `from` (0) to the end, in chunks that are the caller's to keep. Fails: `FILE_DAMAGED` where it was changed since it was opened. */
  stream(from?: number): AsyncIterable<Uint8Array>;
  /** Removes the file where it is a scratch file. Calling it again does nothing. */
  close(): Promise<void>;
}

/** How much is read at once. */
export const CHUNK_BYTES: number = 256 * 1024;

/** The error of a file that unpacks to more than its limit. */
export function unpackedTooLargeError(limit: number): FormatError {
  const found = `more than ${limit} bytes`;
  const expected = `at most ${limit} bytes unpacked`;
  return createFormatError("UNPACKED_TOO_LARGE", found, expected, { limit });
}

/** The error of a file that another program wrote to. */
export function fileChangedError(name: string): FormatError {
  const found = `that ${name} was changed while it was read`;
  const expected = "a file that no program is writing to; read it again, or read a copy";
  return createFormatError("FILE_DAMAGED", found, expected);
}

/** The files in the folder of one, itself among them. */
export interface Siblings {
  readonly names: readonly string[];
  /** @param name one of the names */
  open(name: string): Promise<LocalFile>;
}
