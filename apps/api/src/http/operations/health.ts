import type { HealthResponse, ReadyReason, ReadyResponse } from "@groundrule/contract";
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
  /** Tells the operator. */
  readonly tell: (words: string) => void;
}

/**
 * `GET /readyz`: whether requests should be sent here. Anybody may ask, so it says codes and counts: what is wrong with
 * the store is told to the operator, once. A failed source does not make the service unready: the others answer, and
 * verdicts that need it say DEGRADED. Neither does a ledger that is frozen: the other organizations' are not. Sources
 * that are overdue change nothing.
 */
export function readyHandler({ engine, store, now, draining, violations, tell }: Readiness): Handler<ApiEnv> {
  let told: string | undefined;
  return async (c) => {
    const counts = { failed_sources: engine.failures().length, overdue_sources: countOverdue(engine, now) };
    if (draining()) return answer(c, { status: "stopping", reasons: ["STOPPING"], ...counts });
    const trouble = await store.trouble();
    if (trouble !== undefined && trouble !== told) tell(`not ready: ${trouble}`);
    told = trouble;
    if (trouble !== undefined) {
      return answer(c, { status: "unready", reasons: ["STORAGE_UNAVAILABLE"], ...counts });
    }
    const reasons: ReadyReason[] = [];
    if (counts.failed_sources > 0) reasons.push("SOURCES_FAILED");
    if (violations().length > 0) reasons.push("LEDGER_FROZEN");
    return answer(c, { status: reasons.length === 0 ? "ready" : "degraded", reasons, ...counts });
  };
}

function countOverdue(engine: EngineHost, now: () => Date): number {
  const instant = now().toISOString();
  return engine.sources().filter((source) => isOverdue(source, instant)).length;
}

function answer(c: Context<ApiEnv>, readiness: ReadyResponse): Response | Promise<Response> {
  return respondJson(
    c,
    readiness,
    readiness.status === "ready" || readiness.status === "degraded" ? 200 : 503,
  );
}
