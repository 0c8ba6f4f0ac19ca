import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { isApiKey, type KeyMode } from "../api-key.ts";
import type { ApiEnv } from "../env.ts";
import { Refusal } from "../refusal.ts";

/** Who asks: what a valid key says of its bearer. */
export interface Caller {
  readonly organization: string;
  readonly mode: KeyMode;
}

/** The keys the service knows. */
export interface KeyRing {
  /** @param key well-formed, its checksum right */
  find(key: string): Promise<KeyStanding>;
}

export type KeyStanding =
  | { readonly caller: Caller }
  | { readonly refused: "API_KEY_INVALID" | "API_KEY_EXPIRED" | "API_KEY_REVOKED" };

/** A ring of one key, for development. */
export function singleKeyRing(key: string, caller: Caller): KeyRing {
  const expected = digestOf(key);
  return {
    find: async (presented) =>
      timingSafeEqual(digestOf(presented), expected) ? { caller } : { refused: "API_KEY_INVALID" },
  };
}

/**
 * The first gate: `Authorization: Bearer <API key>` of a key that is well-formed, known, in force.
 *
 * Refuses: `AUTHENTICATION_REQUIRED`, `API_KEY_INVALID`, `API_KEY_EXPIRED`, `API_KEY_REVOKED`.
 */
export function authenticate(keys: KeyRing): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const header = c.req.header("Authorization");
    if (header === undefined || header === "") {
      throw new Refusal(
        "AUTHENTICATION_REQUIRED",
        "The header `Authorization: Bearer <API key>` is missing.",
        {
          headers: { "WWW-Authenticate": CHALLENGE },
        },
      );
    }
    const [, key = ""] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    const standing = isApiKey(key) ? await keys.find(key) : { refused: "API_KEY_INVALID" as const };
    if ("refused" in standing) {
      throw new Refusal(standing.refused, REASONS[standing.refused], {
        headers: { "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"` },
      });
    }
    c.set("caller", standing.caller);
    await next();
  };
}

const CHALLENGE = 'Bearer realm="groundrule"';

const REASONS = {
  API_KEY_INVALID:
    "The API key is not one of this service; expected gr_live_… or gr_test_… exactly as it was issued.",
  API_KEY_EXPIRED: "The API key has expired; use its successor or have a new one issued.",
  API_KEY_REVOKED: "The API key has been revoked; have a new one issued.",
};

function digestOf(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
