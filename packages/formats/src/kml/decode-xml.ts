import { createCodePageDecoder } from "#host/code-pages";
import { toLatin1 } from "../bytes.ts";
import { createFormatError, type FormatError } from "../format-error.ts";
import { resolveTextDecoding } from "../shapefile/encodings.ts";

/** Turns the bytes of a document into text, chunk by chunk. */
export interface XmlDecoder {
  /**
   * @param bytes the next chunk; undefined: there is no more
   *
   * Fails: `TEXT_NOT_UTF8`, `ENCODING_UNKNOWN`.
   */
  decode(bytes: Uint8Array | undefined, line: number): string;
}

/**
 * The decoder for a document: by the option, else by its byte order mark, else by its declaration, else UTF-8.
 *
 * @param first at least as many bytes as a declaration has, unless the document is shorter
 *
 * Fails: `ENCODING_UNKNOWN`.
 */
export function createXmlDecoder(first: Uint8Array, encoding: string | undefined): XmlDecoder {
  const [a, b] = first;
  if (encoding === undefined && a === 0xff && b === 0xfe) return createUnicodeDecoder("utf-16le");
  if (encoding === undefined && a === 0xfe && b === 0xff) return createUnicodeDecoder("utf-16be");
  const label = encoding ?? findDeclaredEncoding(first) ?? "utf-8";
  const { name } = resolveTextDecoding(label);
  return name === "utf-8" ? createUnicodeDecoder(name) : createCodePageXmlDecoder(name);
}

/** A declaration is in ASCII, or the mark has decided. */
function findDeclaredEncoding(first: Uint8Array): string | undefined {
  const text = toLatin1(first.subarray(0, 200));
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
}

function createUnicodeDecoder(name: string): XmlDecoder {
  // The mark at the start is left out.
  const decoder = new TextDecoder(name, { fatal: true });
  return {
    decode: (bytes, line) => {
      try {
        return decoder.decode(bytes, { stream: bytes !== undefined });
      } catch {
        throw undecodableTextError(name === "utf-8" ? "TEXT_NOT_UTF8" : "ENCODING_UNKNOWN", name, line);
      }
    },
  };
}

function createCodePageXmlDecoder(name: string): XmlDecoder {
  const decoder = createCodePageDecoder(name);
  return {
    decode: (bytes, line) => {
      const text = decoder.decode(bytes);
      if (text.includes("\ufffd")) throw undecodableTextError("ENCODING_UNKNOWN", name, line);
      return text;
    },
  };
}

function undecodableTextError(
  code: "TEXT_NOT_UTF8" | "ENCODING_UNKNOWN",
  name: string,
  line: number,
): FormatError {
  const found = `bytes that are not text in ${name}, at line ${line} or soon after`;
  const expected = `${name}, or the encoding by its name (--encoding)`;
  return createFormatError(code, found, expected, { place: { line } });
}
