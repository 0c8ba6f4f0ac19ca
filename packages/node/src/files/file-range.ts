import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RangeReader } from "@groundrule/engine";

/** A file as it can be sent to a thread. */
export interface FilePlace {
  readonly path: string;
  readonly length: number;
}

/** Descriptors of files that nobody reads any more. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

/** A file that is read where it is asked for, by one descriptor. It must not change. */
export class FileRange implements RangeReader, FilePlace {
  readonly path: string;
  readonly length: number;
  readonly #file: number;

  /** Fails: with the error of the system. */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "r");
    forgotten.register(this, this.#file);
    this.length = fstatSync(this.#file).size;
  }

  read(offset: number, into: Uint8Array): void {
    for (let done = 0; done < into.length; ) {
      const taken = readSync(this.#file, into, done, into.length - done, offset + done);
      if (taken === 0) throw new Error(`the file ends at byte ${offset + done}`);
      done += taken;
    }
  }
}
