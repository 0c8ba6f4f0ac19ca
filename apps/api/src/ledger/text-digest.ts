import crypto from "node:crypto";

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function computeTextDigest(text: string): string {
  return crypto.hash("sha256", text);
}
