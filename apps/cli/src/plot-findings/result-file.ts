import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { InputFileError } from "../files/input-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Where results go: standard output, or a file that was named. */
export interface ResultFile {
  /** Writes a line; waits while the reader is behind. */
  print(line: string): Promise<void>;
  /** To be called once, after the last line. */
  close(): Promise<void>;
}

/** Fails: {@link InputFileError} as it writes. */
export function openResultFile(path: string | undefined, terminal: Terminal): ResultFile {
  if (path === undefined) return { print: (line) => terminal.print(line), close: async () => {} };
  const stream = createWriteStream(path);
  // The first failure is told by whatever is awaited next.
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  const told = (): InputFileError => new InputFileError(`cannot write ${path}: ${failure?.message}`);
  return {
    async print(line) {
      if (failure !== undefined) throw told();
      if (!stream.write(`${line}\n`)) await drained(stream);
    },
    async close() {
      stream.end();
      await finished(stream).catch((error: Error) => {
        failure ??= error;
      });
      if (failure !== undefined) throw told();
    },
  };
}

function drained(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("error", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("error", done).on("close", done);
  });
}
