import type { SentBody } from "../task/body-task.ts";

/**
 * The bytes of a body, without a copy if they are shared, and without the byte order mark that programs of Windows write
 * before JSON (RFC 8259 §8.1 lets a reader ignore it). Only in Node.
 */
export function toBytes(body: SentBody): Buffer {
  const bytes =
    typeof body === "string"
      ? Buffer.from(body, "latin1")
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The bytes of a text with one character per byte. */
export function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Decodes text the fastest way in Node: ASCII is read as Latin-1. */
export function decodeInNode({ buffer, byteOffset, byteLength }: Uint8Array, isAscii: boolean): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(isAscii ? "latin1" : "utf8");
}
