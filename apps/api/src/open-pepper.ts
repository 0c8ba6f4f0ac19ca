import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Pepper } from "./api-key-digest.ts";
import { StoreError } from "./store/store-error.ts";

const PEPPER_BYTES = 32;

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
    throw new StoreError(
      "VALUE_INVALID",
      `${path} does not hold 64 hexadecimal digits; restore it, for keys are stored under it`,
      { path },
    );
  }
  return { version: 1, secret: Buffer.from(text, "hex") };
}
