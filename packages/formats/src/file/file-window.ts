import type { LocalFile } from "./local-file.ts";

const CHUNK_BYTES = 1 << 18;

/** Reads a file in small pieces, mostly one after the other: what lies ahead is read with it. */
export class FileWindow {
  readonly #file: LocalFile;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(file: LocalFile) {
    this.#file = file;
  }

  get size(): number {
    return this.#file.size;
  }

  /** The bytes there, fewer only at the end of the file; they last until the next call. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      this.#bytes = await this.#file.read(offset, Math.max(length, CHUNK_BYTES));
      this.#start = offset;
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }
}

/** The bytes as numbers of any type. */
export function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
