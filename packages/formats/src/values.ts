import { FormatError, type Place } from "./format-error.ts";

/** A whole number as a property holds it: its text where a double cannot hold it. */
export function toWholeNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** True if a text is a decimal number, with an exponent or not; in time proportional to its length. */
export function isDecimal(text: string): boolean {
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
}

/** Digits without the zeros at their end. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** A number as a property holds it: JSON has neither NaN, which stands for "none", nor the infinities. */
export function toRealNumber(value: number): number | string | null {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? null : String(value);
}

/** JSON within a property, as it parses; numbers that a double cannot hold, and what does not parse, are text. */
export function parseJsonValue(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch {
    return text;
  }
}

/** JSON as it parses, with each number that parsing would change kept as its text. */
export function parseKeepingNumbers(text: string): unknown {
  const revive: Reviver = (_name, value, { source }) => (isInexact(value) ? source : value);
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown);
}

/** ES2026's reviver receives the text of a primitive. */
type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** True if `JSON.parse` may have lost part of a number. */
export function isInexact(value: unknown): boolean {
  if (typeof value !== "number") return false;
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A text in a format that stores UTF-8; if it is not UTF-8, in the encoding of the options.
 *
 * @param encoding what the caller said (`--encoding`)
 *
 * Fails: `TEXT_NOT_UTF8` where nothing was said; `ENCODING_UNKNOWN`.
 */
export function decodeTextOrUtf8(
  bytes: Uint8Array,
  encoding: string | undefined,
  where: { readonly column: string; readonly place: Place },
): string {
  try {
    return utf8.decode(bytes);
  } catch {
    if (encoding !== undefined) return createTextDecoder(encoding).decode(bytes);
    const found = `bytes that are not UTF-8 in column "${where.column}"`;
    throw new FormatError("TEXT_NOT_UTF8", `found ${found}, expected UTF-8, or the encoding (--encoding)`, {
      place: where.place,
      found,
      expected: "UTF-8",
    });
  }
}

function createTextDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    const expected = "a label of the Encoding Standard, such as windows-1252";
    throw new FormatError("ENCODING_UNKNOWN", `found the encoding "${encoding}", expected ${expected}`, {
      found: encoding,
      expected,
    });
  }
}
