import iconv from "iconv-lite";

/** The text of bytes in an encoding that is neither UTF-8 nor UTF-16, chunk by chunk. */
export interface CodePageDecoder {
  /** @param bytes the next chunk; undefined: there is no more */
  decode(bytes: Uint8Array | undefined): string;
}

/** Whether an encoding is known, by a name such as `cp1252`, `iso-8859-2`, `macroman` or `big5`. */
export function isCodePage(name: string): boolean {
  return name !== "" && iconv.encodingExists(name);
}

/** A decoder of an encoding that is known; U+FFFD stands for bytes that it does not have. */
export function codePageDecoder(name: string): CodePageDecoder {
  const decoder = iconv.getDecoder(name);
  return {
    decode: (bytes) => (bytes === undefined ? decoder.end() : decoder.write(Buffer.from(bytes))) ?? "",
  };
}

/** The text of all bytes at once; U+FFFD as above. */
export function decodeCodePage(bytes: Uint8Array, name: string): string {
  return iconv.decode(bytes, name);
}
