import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { toReadError } from "../../files/input-file.ts";
import type { FileState } from "../aside-file.ts";

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Maximum bytes of a record: a longer one is no result, and would have to be kept in memory. */
const RECORD_BYTES = 256 * 1024 * 1024;

/** A record that is too long, or without an end. */
export class RecordFault extends Error {
  override readonly name = "RecordFault";
  /** Path of the file. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** How to split a file into records. */
export interface RecordOptions {
  /** True if a line break within double quotes is part of a record, as in CSV. */
  readonly quoted: boolean;
  /** Bytes read at once. */
  readonly chunkBytes: number;
}

/** Reads a file record by record, each including its line break. Memory is a chunk, or the longest record. */
export class RecordReader {
  readonly path: string;
  readonly #file: number;
  readonly #quoted: boolean;
  readonly #hash: Hash = createHash("sha256");
  #buffer: Buffer;
  #from = 0;
  #to = 0;
  #bytes = 0;

  /** Fails: `InputFileError` if the file cannot be read; so does every method that reads. */
  constructor(path: string, { quoted, chunkBytes }: RecordOptions) {
    this.path = path;
    this.#quoted = quoted;
    this.#buffer = Buffer.allocUnsafe(chunkBytes);
    try {
      this.#file = openSync(path, "r");
    } catch (error) {
      throw toReadError(error, path);
    }
  }

  /** Size and digest of the bytes read so far. */
  get state(): FileState {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  /**
   * Returns the next record, undefined after the last. Its bytes are valid until the next call.
   *
   * Fails: {@link RecordFault}.
   */
  next(): Uint8Array | undefined {
    const end = this.#find();
    if (end === undefined) return undefined;
    const record = this.#buffer.subarray(this.#from, end);
    this.#from = end;
    return record;
  }

  /** Returns the record that {@link next} will return. Fails: as it does. */
  peek(): Uint8Array | undefined {
    const end = this.#find();
    return end === undefined ? undefined : this.#buffer.subarray(this.#from, end);
  }

  close(): void {
    closeSync(this.#file);
  }

  /** End of the record at the front. */
  #find(): number | undefined {
    let length = 0; // bytes of it searched so far
    let isOpen = false;
    for (;;) {
      const start = this.#from + length;
      const newline = this.#buffer.subarray(start, this.#to).indexOf(NEWLINE);
      const end = newline === -1 ? this.#to : start + newline + 1;
      if (this.#quoted) isOpen = isOpen !== isOdd(this.#buffer, start, end);
      length = end - this.#from;
      if (newline !== -1 && !isOpen) return end;
      if (newline === -1 && !this.#fill()) {
        if (this.#from === this.#to) return undefined;
        throw new RecordFault(this.path, "its last record has no end");
      }
    }
  }

  /** Reads more, after moving unread bytes to the front; returns false at the end of the file. */
  #fill(): boolean {
    const length = this.#to - this.#from;
    if (length > RECORD_BYTES) {
      throw new RecordFault(
        this.path,
        `found more than ${RECORD_BYTES} bytes without an end, expected a record`,
      );
    }
    const into =
      length * 2 > this.#buffer.length ? Buffer.allocUnsafe(this.#buffer.length * 2) : this.#buffer;
    this.#buffer.copy(into, 0, this.#from, this.#to);
    this.#buffer = into;
    this.#from = 0;
    this.#to = length;
    const taken = this.#read(into, length);
    this.#hash.update(into.subarray(length, length + taken));
    this.#to += taken;
    this.#bytes += taken;
    return taken > 0;
  }

  #read(into: Buffer, at: number): number {
    try {
      return readSync(this.#file, into, at, into.length - at, null);
    } catch (error) {
      throw toReadError(error, this.path);
    }
  }
}

/** True if the number of double quotes between two positions is odd. */
function isOdd(bytes: Uint8Array, from: number, to: number): boolean {
  let odd = false;
  for (let at = from; at < to; at++) if (bytes[at] === QUOTE) odd = !odd;
  return odd;
}

const CHUNK_BYTES = 1024 * 1024;

/** The values of a file of JSON lines. Memory is one line. */
export function* readJsonLines<T>(path: string): Generator<T, void, undefined> {
  for (const line of readFileLines(path)) yield JSON.parse(line.toString()) as T;
}

/** Lines of a file, each valid until the next. */
export function* readFileLines(path: string): Generator<Buffer, void, undefined> {
  const reader = new RecordReader(path, { quoted: false, chunkBytes: CHUNK_BYTES });
  try {
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      yield Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    }
  } finally {
    reader.close();
  }
}
