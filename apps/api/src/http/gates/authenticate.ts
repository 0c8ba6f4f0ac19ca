import type { MiddlewareHandler } from "hono";
import { containsApiKey, isApiKey } from "../../keys/api-key.ts";
import type { KeyScope } from "../../keys/key-scopes.ts";
import type { Caller } from "../exchange/caller.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";

/** The keys of the service. */
export interface KeyRing {
  /** @param key well-formed, its checksum right */
  find(key: string): Promise<KeyStatus>;
}

export type KeyStatus =
  | { readonly caller: Caller }
  | { readonly refused: "API_KEY_INVALID" | "API_KEY_EXPIRED" | "API_KEY_REVOKED" }
  /** The key was not looked up: so many unknown keys were tried that this may be another. */
  | { readonly refused: "OVERLOADED" };

/**
 * The first gate: `Authorization: Bearer <API key>` with a key that is well-formed, known and in force.
 *
 * Refuses: `AUTHENTICATION_REQUIRED`, `API_KEY_INVALID`, `API_KEY_EXPIRED`, `API_KEY_REVOKED`; `OVERLOADED` if keys are
 * tried faster than they can be looked up.
 */
export function authenticate(keys: KeyRing): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const header = c.req.header("Authorization");
    if (header === undefined || header === "") {
      throw new HttpRefusal(
        "AUTHENTICATION_REQUIRED",
        "The header `Authorization: Bearer <API key>` is missing.",
        {
          headers: { "WWW-Authenticate": CHALLENGE },
        },
      );
    }
    const [, key = ""] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    const status = isApiKey(key) ? await keys.find(key) : { refused: "API_KEY_INVALID" as const };
    if ("refused" in status) {
      if (status.refused === "OVERLOADED") {
        throw new HttpRefusal("OVERLOADED", REASONS.OVERLOADED, { headers: { "Retry-After": "1" } });
      }
      const malformed =
        status.refused === "API_KEY_INVALID" ? describeMalformedHeader(header, key) : undefined;
      throw new HttpRefusal(status.refused, malformed ?? REASONS[status.refused], {
        headers: { "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"` },
      });
    }
    c.set("caller", status.caller);
    await next();
  };
}

/** Admits only keys with a scope. Refuses: `SCOPE_INSUFFICIENT`. */
export function requireScope(scope: KeyScope): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { scopes } = c.get("caller");
    if (!scopes.includes(scope)) {
      throw new HttpRefusal("SCOPE_INSUFFICIENT", `The API key does not have the scope ${scope}.`, {
        details: { required: scope, scopes },
        headers: { "WWW-Authenticate": `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
      });
    }
    await next();
  };
}

const CHALLENGE = 'Bearer realm="groundrule"';

/** Says what is wrong with the form of the header, without a word of it; undefined where the key itself is wrong. */
function describeMalformedHeader(header: string, key: string): string | undefined {
  const send = "send the header `Authorization: Bearer <API key>`";
  if (/^["'<]?gr_(?:live|test)_/i.test(header)) return `"Bearer " is missing before the API key: ${send}.`;
  if (/^basic\b/i.test(header)) return `Found the scheme Basic, expected Bearer: ${send}.`;
  if (!/^bearer\b/i.test(header)) return `Found another scheme, expected Bearer: ${send}.`;
  if (/^bearer *$/i.test(header)) return `Found no API key after "Bearer " (is a variable empty?): ${send}.`;
  if (/^gr_(?:live|test)_/i.test(key)) return undefined;
  if (!containsApiKey(header)) return undefined;
  return 'Found more than the API key after "Bearer ", expected the key alone, without quotes or brackets.';
}

const REASONS = {
  API_KEY_INVALID:
    "This service did not issue the API key; expected gr_live_… or gr_test_…, exactly as it was issued.",
  API_KEY_EXPIRED: "The API key has expired; use its replacement, or ask your operator for a new key.",
  API_KEY_REVOKED: "The API key has been revoked; ask your operator for a new key.",
  OVERLOADED:
    "The service is receiving so many unknown API keys that it did not look up this one; wait and retry. Keys that were used recently are not affected.",
};
