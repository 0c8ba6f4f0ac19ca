import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { RangeReader } from "@groundrule/engine";

/** A file in the form that can be sent to a thread. */
export interface FilePlace {
  readonly path: string;
  readonly length: number;
}

/** Closes descriptors of files that are no longer used. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

/** A file whose ranges are read on demand, through one descriptor. It must not change. */
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
