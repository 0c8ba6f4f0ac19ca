import { decodeCodePage, isCodePage } from "#host/code-pages";
import { countWholeCharacterBytes } from "../decode-utf8.ts";
import { createFormatError } from "../format-error.ts";

/** Turns bytes into text. */
export interface TextDecoding {
  /** Name of the table in errors. */
  readonly name: string;
  /**
   * The text of bytes; undefined where they are none in this encoding.
   *
   * @param isCut whether they fill their field, so that whoever wrote it may have cut a character in two
   */
  decode(bytes: Uint8Array, isCut: boolean): string | undefined;
}

const REPLACEMENT = "\ufffd";
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const UTF8: TextDecoding = {
  name: "utf-8",
  decode: (bytes, isCut) => {
    try {
      return utf8.decode(isCut ? bytes.subarray(0, countWholeCharacterBytes(bytes)) : bytes);
    } catch {
      return undefined;
    }
  },
};

/**
 * Where nothing is declared: ASCII is the same in all of them, and bytes beyond it that are UTF-8 are nothing else, for
 * text of another encoding hardly ever is. The rest is not guessed.
 */
export const UNDECLARED: TextDecoding = { name: "", decode: UTF8.decode };

/**
 * The encoding of a label as `.cpg` files and people write it: `UTF-8`, `1252`, `ANSI 1252`, `OEM 437`, `88591`,
 * `CP850`, `windows-1250`, `Big5`.
 *
 * Fails: `ENCODING_UNKNOWN`.
 */
export function resolveTextDecoding(label: string, entry?: string): TextDecoding {
  const name = findEncodingName(label);
  if (name === "utf-8") return UTF8;
  if (name !== undefined) return createCodePageDecoding(name);
  const found = `the encoding "${label.slice(0, 40)}"`;
  const expected = "one such as UTF-8, 1252 or ISO-8859-1 (--encoding says which)";
  throw createFormatError("ENCODING_UNKNOWN", found, expected, {
    place: entry === undefined ? undefined : { entry },
  });
}

function findEncodingName(label: string): string | undefined {
  const bare = label
    .trim()
    .toLowerCase()
    .replace(/^(?:ansi|oem|ldid\/)\s*/, "");
  if (/^(?:utf-?8|65001)$/.test(bare)) return "utf-8";
  const [, part] = /^(?:iso[-_ ]?)?8859[-_ ]?(\d{1,2})$/.exec(bare) ?? [];
  if (part !== undefined) return findCodePage(`iso-8859-${part}`);
  const [, page] = /^(?:cp|windows)?[-_ ]?(\d{3,4})$/.exec(bare) ?? [];
  if (page !== undefined) return findCodePage(`cp${page}`);
  // Forms of Unicode with bytes of zero do not occur in tables, and others are names for writing, not reading.
  return /utf|ucs|hex|base64|binary|internal/.test(bare) ? undefined : findCodePage(bare);
}

function findCodePage(name: string): string | undefined {
  return isCodePage(name) ? name : undefined;
}

function createCodePageDecoding(name: string): TextDecoding {
  return {
    name,
    decode: (bytes) => {
      const text = decodeCodePage(bytes, name);
      return text.includes(REPLACEMENT) ? undefined : text;
    },
  };
}

/**
 * The code page of a table's language driver byte, as dBase and FoxPro count them; "ANSI" (87) is Windows-1252, as
 * others read it. 0: not declared.
 */
export function findDriverCodePage(driver: number): string | undefined {
  return CODE_PAGES.find(([, drivers]) => drivers.includes(driver))?.[0];
}

const CODE_PAGES: readonly (readonly [page: string, drivers: readonly number[]])[] = [
  ["437", [1, 9, 11, 13, 15, 17, 21, 24, 25, 27]],
  ["850", [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55]],
  ["1252", [3, 87, 88, 89]],
  ["macroman", [4]],
  ["865", [8, 23, 102]],
  ["932", [19, 123]],
  ["863", [28, 108]],
  ["852", [31, 34, 35, 64, 100, 135]],
  ["860", [36]],
  ["866", [38, 101]],
  ["936", [77, 122]],
  ["949", [78, 121]],
  ["950", [79, 120]],
  ["874", [80, 124]],
  ["861", [103]],
  ["737", [106, 134]],
  ["857", [107, 136]],
  ["1250", [200]],
  ["1251", [201]],
  ["1254", [202]],
  ["1253", [203]],
  ["1257", [204]],
];
