import type { SentBody } from "../task/body-task.ts";

/** The bytes of a body, without a copy if they are shared. Only in Node. */
export function toBytes(body: SentBody): Buffer {
  return typeof body === "string"
    ? Buffer.from(body, "latin1")
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The bytes of a text with one character per byte. */
export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Decodes text the fastest way in Node: ASCII is read as Latin-1. */
export function decodeInNode({ buffer, byteOffset, byteLength }: Uint8Array, isAscii: boolean): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString(isAscii ? "latin1" : "utf8");
}
