import { createFormatError, FormatError } from "./format-error.ts";

/**
 * The encoding that a label of the Encoding Standard names: `latin1` is `windows-1252`.
 *
 * Fails: `ENCODING_UNKNOWN`.
 */
export function resolveEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const expected = "a label of the Encoding Standard, as utf-8, windows-1252 or shift_jis";
    throw createFormatError("ENCODING_UNKNOWN", `the encoding "${label}"`, expected);
  }
}

/** The encoding that a byte order mark names: of two bytes, for UTF-8 needs none. */
export function detectMarkedEncoding(first: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first[0] === 0xff && first[1] === 0xfe) return "utf-16le";
  if (first[0] === 0xfe && first[1] === 0xff) return "utf-16be";
  return undefined;
}

/**
 * Text of any encoding as UTF-8. UTF-8 itself is passed through: its readers check it.
 *
 * @param encoding as {@link resolveEncoding} gives it
 *
 * Fails, while it is read: `TEXT_NOT_UTF8` with the line of the bytes that the encoding does not have.
 */
export async function* convertToUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (encoding === "utf-8") return yield* bytes;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  let line = 1;
  const decode = (chunk: Uint8Array, stream: boolean): Uint8Array => {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream });
    } catch {
      const before = new TextDecoder(encoding).decode(chunk).split("\u{fffd}", 1)[0]!;
      throw undecodableTextError(line + countLineBreaks(before), encoding);
    }
    line += countLineBreaks(text);
    return encoder.encode(text);
  };
  for await (const chunk of bytes) {
    const text = decode(chunk, true);
    if (text.length > 0) yield text;
  }
  const rest = decode(new Uint8Array(0), false);
  if (rest.length > 0) yield rest;
}

function undecodableTextError(line: number, encoding: string): FormatError {
  const found = `bytes that are not valid ${encoding}`;
  const expected = `text in ${encoding}`;
  const message = `found ${found}, expected ${expected} (is the text in another encoding?)`;
  return new FormatError("TEXT_NOT_UTF8", message, { place: { line }, found, expected });
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
