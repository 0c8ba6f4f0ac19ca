import { Refusal } from "../task/refusal.ts";
import type { AnswererHost } from "./answerer-host.ts";

/**
 * A value's JSON, refused as soon as its UTF-8 bytes exceed the limit. It is written in small parts (elements of a
 * list), so memory stays near the limit, however large the answer.
 *
 * @param isSmall true if the value is known to be small: then it is written at once
 *
 * Fails: `RESULT_TOO_LARGE`.
 */
export function boundedJson(
  value: object,
  limitBytes: number,
  { byteLength }: Pick<AnswererHost, "byteLength">,
  isSmall = false,
): string {
  let text = "";
  let length = 0;
  for (const piece of isSmall ? [JSON.stringify(value)] : pieces(value, PIECE_LEVELS)) {
    length += byteLength(piece);
    if (length > limitBytes) {
      throw new Refusal(
        "RESULT_TOO_LARGE",
        `The answer would be larger than ${limitBytes} bytes; limit the request to fewer sources, one country or a smaller plot, or use geometry=none.`,
        { details: { limit_bytes: limitBytes } },
      );
    }
    text += piece;
  }
  return text;
}

/** Levels that are written piece by piece: `data`, its lists, their elements. */
const PIECE_LEVELS = 3;

/** The output of `JSON.stringify`, in pieces. */
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
