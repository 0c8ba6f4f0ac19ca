import { FormatError, type TextPlace } from "./format-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text of bytes that begin at `place`.
 *
 * Fails: `TEXT_NOT_UTF8` with the place of the first byte that begins no character.
 */
export function decodeUtf8(bytes: Uint8Array, place: TextPlace): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const fault = findFaultOffset(bytes);
    const found = `the byte 0x${bytes[fault]!.toString(16).toUpperCase()}`;
    throw new FormatError(
      "TEXT_NOT_UTF8",
      `found ${found}, which is not valid UTF-8 here, expected UTF-8 (is the source in Latin-1 or Windows-1252? Then read it with --encoding windows-1252)`,
      { place: advanceTextPlace(place, bytes.subarray(0, fault)), found, expected: "UTF-8" },
    );
  }
}

/** The place so many bytes further on. */
export function advanceTextPlace(place: TextPlace, bytes: Uint8Array): TextPlace {
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines++;
  return { ...place, line: place.line + lines, byte: (place.byte ?? 0) + bytes.length };
}

/** Number of bytes before a character that the end cuts through; all of them where it cuts none. */
export function countWholeCharacterBytes(bytes: Uint8Array): number {
  let first = bytes.length;
  while (first > 0 && bytes.length - first < 3 && (bytes[first - 1]! & 0xc0) === 0x80) first--;
  const lead = bytes[first - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return bytes.length - (first - 1) < length ? first - 1 : bytes.length;
}

function findFaultOffset(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (mayBecomeUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // The good bytes may end within a character that the next byte breaks: blame its first byte.
  return countWholeCharacterBytes(bytes.subarray(0, good));
}

function mayBecomeUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
