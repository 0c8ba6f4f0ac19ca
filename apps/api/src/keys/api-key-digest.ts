import { createHmac } from "node:crypto";

/** The secret that API keys are hashed with, kept outside the store: a stolen store verifies no key. */
export interface Pepper {
  readonly version: number;
  readonly secret: Uint8Array;
}

/** How a key is stored and looked up: HMAC-SHA-256, since 190 random bits need no slow hash. */
export function apiKeyDigest(key: string, pepper: Pepper): string {
  return createHmac("sha256", pepper.secret).update(key).digest("hex");
}
