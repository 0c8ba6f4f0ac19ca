import iconv from "iconv-lite";

/** True if an encoding is known, by a name such as `cp1252`, `iso-8859-2`, `macroman` or `big5`. */
export function isCodePage(name: string): boolean {
  return name !== "" && iconv.encodingExists(name);
}

/** Decodes a known encoding chunk by chunk, undefined after the last; U+FFFD stands for bytes that it does not have. */
export function createCodePageDecoder(name: string): { decode(bytes: Uint8Array | undefined): string } {
  const decoder = iconv.getDecoder(name);
  return {
    decode: (bytes) => (bytes === undefined ? decoder.end() : decoder.write(Buffer.from(bytes))) ?? "",
  };
}

/** The text of all bytes at once; U+FFFD as above. */
export function decodeCodePage(bytes: Uint8Array, name: string): string {
  return iconv.decode(bytes, name);
}
