import { IDEMPOTENCY_KEY_PATTERN } from "@groundrule/contract";
import { Refusal } from "@groundrule/service";
import type { Context } from "hono";
import type { ApiEnv } from "../exchange/env.ts";

/**
 * The request's `Idempotency-Key`, null if none was sent. Several headers form one value with commas, which is
 * malformed.
 *
 * Refuses: `IDEMPOTENCY_KEY_INVALID`.
 */
export function readIdempotencyKey(c: Context<ApiEnv>): string | null {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return null;
  if (IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  const message = `found an Idempotency-Key of ${key.length} characters, expected 8 to 128 characters out of A-Z a-z 0-9 _ : . -`;
  throw new Refusal("IDEMPOTENCY_KEY_INVALID", `${message[0]!.toUpperCase()}${message.slice(1)}.`);
}
