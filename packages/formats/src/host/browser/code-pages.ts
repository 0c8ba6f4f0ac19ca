import { CODE_PAGES } from "./code-page-tables.ts";

/** Names, in the Encoding Standard that browsers follow, of code pages with several bytes per character. */
const LABELS: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  cp936: "gbk",
  cp949: "euc-kr",
  cp950: "big5",
};
const WIDE: ReadonlySet<string> = new Set(["big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"]);

/** True if an encoding is known, by a name such as `cp1252`, `iso-8859-2`, `macroman` or `big5`. */
export function isCodePage(name: string): boolean {
  return CODE_PAGES.has(name) || WIDE.has(LABELS[name] ?? name);
}

/** Decodes a known encoding chunk by chunk, undefined after the last; U+FFFD stands for bytes that it does not have. */
export function createCodePageDecoder(name: string): { decode(bytes: Uint8Array | undefined): string } {
  const upper = CODE_PAGES.get(name);
  if (upper !== undefined)
    return { decode: (bytes) => (bytes === undefined ? "" : decodeSingleBytes(bytes, upper)) };
  const decoder = new TextDecoder(LABELS[name] ?? name);
  return { decode: (bytes) => decoder.decode(bytes, { stream: bytes !== undefined }) };
}

/** The text of all bytes at once; U+FFFD as above. */
export function decodeCodePage(bytes: Uint8Array, name: string): string {
  const decoder = createCodePageDecoder(name);
  return decoder.decode(bytes) + decoder.decode(undefined);
}

function decodeSingleBytes(bytes: Uint8Array, upper: string): string {
  let text = "";
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80];
  return text;
}
