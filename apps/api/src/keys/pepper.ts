import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The secret that API keys are stored under. Without it, what the store holds of them neither lets
 * anybody in nor can be compared with keys that leaked elsewhere; so it lies beside the store, not in it.
 */
export interface Pepper {
  readonly version: number;
  /** HMAC-SHA-256 of a key, hexadecimal. */
  digestOf(key: string): string;
}

const PEPPER_BYTES = 32;

export function pepperOf(secret: Uint8Array): Pepper {
  return { version: 1, digestOf: (key) => createHmac("sha256", secret).update(key).digest("hex") };
}

/**
 * The pepper in a file of 64 hexadecimal digits that its owner alone reads, made where there is none.
 *
 * Fails: where the file holds anything else, and as the file system does.
 */
export function openPepper(path: string): Pepper {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(PEPPER_BYTES).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new Error(`${path} does not hold 64 hexadecimal digits; restore it: keys are stored under it`);
  }
  return pepperOf(Buffer.from(text, "hex"));
}
