import type { Handler } from "hono";
import type { EngineHost } from "../engine-host.ts";
import type { ApiEnv } from "../env.ts";

/** `GET /healthz`: the process answers. Looks at nothing else. */
export const healthHandler: Handler<ApiEnv> = (c) => c.json({ status: "ok" });

/**
 * `GET /readyz`: whether requests should be sent here. A failed source is named but does not make
 * the service unready: the others answer, and verdicts that need it say DEGRADED.
 */
export function readyHandler(engine: EngineHost, draining: () => boolean): Handler<ApiEnv> {
  return (c) => {
    if (draining()) return c.json({ status: "stopping", failed_sources: [] }, 503);
    const failed_sources = engine.failures();
    return c.json({ status: failed_sources.length === 0 ? "ready" : "degraded", failed_sources });
  };
}
