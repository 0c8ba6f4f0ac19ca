import type { HealthResponse, ReadyResponse } from "@groundrule/contract";
import { isOverdue } from "@groundrule/engine";
import type { EngineHost } from "@groundrule/service";
import type { Context, Handler } from "hono";
import type { Store, Violation } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { respondJson } from "../exchange/respond.ts";

/** `GET /healthz`: the process answers. Looks at nothing else. */
export const healthHandler: Handler<ApiEnv> = (c) =>
  respondJson(c, { status: "ok" } satisfies HealthResponse);

export interface Readiness {
  readonly engine: EngineHost;
  readonly store: Pick<Store, "trouble">;
  readonly now: () => Date;
  readonly draining: () => boolean;
  /** Invariants of charging that were found broken; their scopes are frozen. */
  readonly violations: () => readonly Violation[];
}

/**
 * `GET /readyz`: whether requests should be sent here. A failed source is named but does not make
 * the service unready: the others answer, and verdicts that need it say DEGRADED. Neither does a
 * ledger that is frozen: the other organizations' are not. Sources that are overdue are named and change nothing.
 */
export function readyHandler({ engine, store, now, draining, violations }: Readiness): Handler<ApiEnv> {
  return async (c) => {
    const failed_sources = engine.failures();
    const overdue_sources = overdueSources(engine, now);
    if (draining()) {
      return answer(c, {
        status: "stopping",
        reasons: ["the service is stopping"],
        failed_sources: [],
        overdue_sources,
      });
    }
    const trouble = await store.trouble();
    if (trouble !== undefined)
      return answer(c, { status: "unready", reasons: [trouble], failed_sources, overdue_sources });
    const reasons = [
      ...failed_sources.map(({ source_name, reason }) => `${source_name} cannot be queried: ${reason}`),
      ...new Set(
        violations().map(({ invariant }) => `a ledger is frozen because invariant ${invariant} is broken`),
      ),
    ];
    return answer(c, {
      status: reasons.length === 0 ? "ready" : "degraded",
      reasons,
      failed_sources,
      overdue_sources,
    });
  };
}

function overdueSources(engine: EngineHost, now: () => Date): string[] {
  const instant = now().toISOString();
  const overdue = engine.sources().filter((source) => isOverdue(source, instant));
  return overdue.map(({ source_name }) => source_name);
}

function answer(c: Context<ApiEnv>, readiness: ReadyResponse): Response | Promise<Response> {
  return respondJson(
    c,
    readiness,
    readiness.status === "ready" || readiness.status === "degraded" ? 200 : 503,
  );
}
