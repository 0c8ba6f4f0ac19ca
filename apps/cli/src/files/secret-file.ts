import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { assertPrivate, StoreError } from "@groundrule/api/state";
import { unreadable } from "./input-file.ts";

/** Larger than any secret. */
const BYTE_LIMIT = 16_384;

/**
 * Reads the single line of a file with a secret, without the line's end.
 *
 * @param what the secret, for messages; they never contain it
 * Fails: `VALUE_INVALID` if others may read the file, or it contains anything but a line of text; `InputFileError` if
 * it cannot be read.
 */
export function readSecretFile(path: string, what: string): string {
  const bytes = readPrivately(path, what);
  const refuse = (found: string) =>
    new StoreError("VALUE_INVALID", `found ${found} in ${path}, expected one line, ${what}`);
  if (bytes.length > BYTE_LIMIT) throw refuse(`more than ${BYTE_LIMIT} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("bytes that are not UTF-8");
  }
  const lines = text.trimEnd().split(/\r\n|\r|\n/u);
  if (lines.length > 1) throw refuse(`${lines.length} lines`);
  if (lines[0] === "") throw refuse("nothing");
  if (/\p{Cc}/u.test(lines[0]!)) throw refuse("a control character");
  return lines[0]!;
}

function readPrivately(path: string, what: string): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    assertPrivate(path, fstatSync(file), what);
    const bytes = new Uint8Array(BYTE_LIMIT + 1);
    let length = 0;
    // A pipe returns what it has, and a device may never end.
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw unreadable(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
