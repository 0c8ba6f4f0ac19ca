import { randomFillSync } from "node:crypto";

/** Number of random bytes in an id. */
const BYTES = 10;
const pool = Buffer.alloc(BYTES * 256);
let at = pool.length;
let lastMs = 0;
let prefixOfMs = "";

/**
 * A new id: the prefix, the time in 12 hex digits and 80 random bits in 20. Ascending with time, so that indexes
 * grow at their end: a commit then writes few pages.
 */
export function mintAscendingId(prefix: string): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    prefixOfMs = nowMs.toString(16).padStart(12, "0");
  }
  if (at === pool.length) {
    randomFillSync(pool);
    at = 0;
  }
  const random = pool.toString("hex", at, at + BYTES);
  at += BYTES;
  return prefix + prefixOfMs + random;
}
