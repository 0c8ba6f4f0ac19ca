import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import type { RequestEvent } from "./metrics.ts";

/** Tells of every request once its answer is made: who asked what route, and what became of it. */
export function createRequestObserver(
  steadyMs: () => number,
  onRequest: (event: RequestEvent) => void,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedMs = steadyMs();
    await next();
    const caller = c.get("caller");
    onRequest({
      requestId: c.get("requestId"),
      method: c.req.method,
      route: c.get("route"),
      status: c.res.status,
      durationMs: steadyMs() - startedMs,
      outcome: c.get("outcome"),
      code: c.get("code"),
      note: c.get("note"),
      organization: caller?.organization,
      mode: caller?.mode,
      keyId: caller?.keyId,
    });
  };
}
