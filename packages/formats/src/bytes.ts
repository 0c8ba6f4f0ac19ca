/** Chunks as one piece. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Two digits a byte, in lowercase. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Most arguments of one call. */
const AT_ONCE = 8192;

/** A character a byte, of the same number. */
export function toLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    // biome-ignore lint/plugin: so many at once
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  }
  return text;
}

/** Base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes));
}
