import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";
import type { RefusalPace } from "./refusal-pace.ts";

export interface BurstLimit {
  /** Sustained requests per second of a key. */
  readonly perSecond: number;
  /** Requests that a key can make at once. */
  readonly burst: number;
}

export const DEFAULT_BURST_LIMIT: BurstLimit = { perSecond: 50, burst: 100 };

/**
 * The second gate, by API key: the generic cell rate algorithm (ITU-T I.371). It keeps one number per key, the instant
 * at which its full burst is available again; a key unused for long enough is dropped.
 *
 * Each process counts for itself. The gate protects the service and bills nothing.
 *
 * Refuses: `RATE_LIMIT_EXCEEDED`.
 *
 * @param steadyMs steady clock, milliseconds; it is never set
 * @param now the wall clock, for the instant named in a refusal
 */
export function createBurstLimiter(
  { perSecond, burst }: BurstLimit,
  steadyMs: () => number,
  now: () => Date,
  pace: RefusalPace,
): MiddlewareHandler<ApiEnv> {
  const intervalMs = 1_000 / perSecond;
  const toleranceMs = (burst - 1) * intervalMs;
  const wholeAgainMs = new Map<string, number>();
  let forgottenMs = steadyMs();

  return async (c, next) => {
    const nowMs = steadyMs();
    if (nowMs - forgottenMs > FORGET_MS) {
      for (const [keyId, atMs] of wholeAgainMs) if (atMs <= nowMs) wholeAgainMs.delete(keyId);
      forgottenMs = nowMs;
    }
    const { keyId } = c.get("caller");
    const atMs = Math.max(wholeAgainMs.get(keyId) ?? nowMs, nowMs);
    const waitMs = atMs - toleranceMs - nowMs;
    if (waitMs > 0) {
      await pace.hold(keyId);
      throw new HttpRefusal(
        "RATE_LIMIT_EXCEEDED",
        `The API key exceeded its limit of ${burst} requests in a burst or ${perSecond} per second on average; wait and retry.`,
        {
          headers: {
            "Retry-After": String(Math.ceil(waitMs / 1_000)),
            "X-RateLimit-Limit": String(burst),
            "X-RateLimit-Remaining": "0",
            // When the full burst is available again; one request is accepted already after Retry-After.
            "X-RateLimit-Reset": String(Math.ceil((now().getTime() + atMs - steadyMs()) / 1_000)),
          },
          details: { per_second: perSecond, burst },
        },
      );
    }
    wholeAgainMs.set(keyId, atMs + intervalMs);
    await next();
  };
}

const FORGET_MS = 60_000;
