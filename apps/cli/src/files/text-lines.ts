import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Terminal } from "../terminal/terminal.ts";
import { InputFileError, readInputBytes } from "./input-file.ts";

/**
 * The lines of a text file, or of standard input, without spaces at their ends; empty lines are left out, as is a byte
 * order mark.
 *
 * Fails: `InputFileError` for a file that cannot be read, or is not UTF-8; `UsageError` if a person at a terminal named none.
 */
export async function* readTextLines(path: string | undefined, terminal: Terminal): AsyncGenerator<string> {
  const input = Readable.from(readInputBytes(path, terminal), { objectMode: false });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.includes("\ufffd")) {
      throw new InputFileError(
        `${path ?? "standard input"}: line ${number}: found a byte that is not valid UTF-8, expected text in UTF-8`,
      );
    }
    const text = line.replace(/^\ufeff/, "").trim();
    if (text !== "") yield text;
  }
}
