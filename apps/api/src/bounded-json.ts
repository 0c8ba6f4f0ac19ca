import { Refusal } from "./refusal.ts";

/**
 * The UTF-8 bytes of a value's JSON, given up as soon as they pass the limit: the parts written
 * are small (an element of a list), so memory stays near the limit whatever the answer holds.
 *
 * Fails: `RESULT_TOO_LARGE`.
 */
export function boundedJson(value: object, limitBytes: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const text of pieces(value, PIECE_LEVELS)) {
    const part = encoder.encode(text);
    length += part.byteLength;
    if (length > limitBytes) {
      throw new Refusal(
        "RESULT_TOO_LARGE",
        `The answer would be larger than ${limitBytes} bytes; ask of fewer sources, of one country or a smaller plot, or with geometry=none.`,
        { details: { limit_bytes: limitBytes } },
      );
    }
    parts.push(part);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

const encoder = new TextEncoder();

/** Levels that are written piece by piece: `data`, its lists, their elements. */
const PIECE_LEVELS = 3;

/** What `JSON.stringify` gives, in pieces. */
function* pieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || value === null || typeof value !== "object") {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* pieces(member, levels - 1);
    separator = ",";
  }
  yield separator === "," ? "" : separator;
  yield isList ? "]" : "}";
}
