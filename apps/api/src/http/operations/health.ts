import {
  type HealthResponse,
  healthResponseShape,
  type ReadyReason,
  type ReadyResponse,
  readyResponseShape,
} from "@groundrule/contract";
import { isOverdue } from "@groundrule/engine";
import { type EngineHost, NO_SOURCES } from "@groundrule/service";
import type { Context, Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { respondBody, respondJson } from "../exchange/respond.ts";
import { defineJsonContent, defineOperation, type Operation, TEXT } from "./record/operation.ts";
import type { DataTrouble, ServiceParts } from "./record/service-parts.ts";

/** Operations for machines; they take no query. */
const OPEN = { method: "GET", tag: "Operations", key: "none" } as const;

/** `GET /metrics` */
const metrics = defineOperation({
  ...OPEN,
  id: "metrics",
  path: "/metrics",
  summary: "Metrics in the text format of Prometheus",
  query: "none",
  answer: { content: { "text/plain": TEXT } },
  codes: [],
  handler: (service) => async (c) =>
    respondBody(c, await service.metrics(), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    }),
});

/** `GET /healthz`: the process answers, whatever the state of anything else. */
const health = defineOperation({
  ...OPEN,
  id: "health",
  path: "/healthz",
  summary: "Whether the process is running",
  query: "ignored",
  answer: { content: defineJsonContent("HealthResponse", healthResponseShape) },
  codes: [],
  handler: () => (c) => respondJson(c, { status: "ok" } satisfies HealthResponse),
});

/** `GET /readyz` */
const ready = defineOperation({
  ...OPEN,
  id: "ready",
  path: "/readyz",
  summary: "Whether the service is ready for requests, and how many sources cannot be queried",
  query: "ignored",
  answer: { content: defineJsonContent("ReadyResponse", readyResponseShape) },
  otherAnswers: {
    503: {
      description: "The service is stopping, or cannot reach its storage",
      content: defineJsonContent("ReadyResponse", readyResponseShape),
    },
  },
  codes: [],
  handler: createReadyHandler,
});

export const PROBES: readonly Operation[] = [metrics, health, ready];

/**
 * Reports whether requests should be sent here. Anybody may read it, so it has codes and counts: what is wrong with the store is
 * reported to the operator, once. A failed source does not make the service unready: the others answer, and verdicts that
 * need it say DEGRADED. Neither does a data folder that is lost, as the open editions go on answering, or one that is empty: its
 * first edition is served without a restart. A frozen ledger is one of many. Sources that are overdue change nothing.
 */
function createReadyHandler(service: ServiceParts): Handler<ApiEnv> {
  const { engine, store, now, draining, violations, tell, dataTrouble } = service;
  let reported: string | undefined;
  return async (c) => {
    const counts = {
      failed_sources: engine.failures().length,
      overdue_sources: countOverdueSources(engine, now),
    };
    if (draining()) return respondReadiness(c, { status: "stopping", reasons: ["STOPPING"], ...counts });
    const trouble = await store.trouble();
    if (trouble !== undefined && trouble !== reported) tell(`not ready: ${trouble}`);
    reported = trouble;
    if (trouble !== undefined) {
      return respondReadiness(c, { status: "unready", reasons: ["STORAGE_UNAVAILABLE"], ...counts });
    }
    const lost = dataTrouble();
    const isEmpty = engine.sources().length === 0;
    const reasons: ReadyReason[] = [];
    if (lost !== undefined) reasons.push(lost);
    if (isEmpty) reasons.push("SOURCES_MISSING");
    if (counts.failed_sources > 0) reasons.push("SOURCES_FAILED");
    if (violations().length > 0) reasons.push("LEDGER_FROZEN");
    const detail = isEmpty ? NO_SOURCES : lost === undefined ? undefined : LOST[lost];
    return respondReadiness(c, {
      status: reasons.length === 0 ? "ready" : "degraded",
      reasons,
      ...(detail !== undefined && { detail }),
      ...counts,
    });
  };
}

const LOST: Readonly<Record<DataTrouble, string>> = {
  DATA_FOLDER_MISSING:
    "The data folder, or the catalog in it, is not there: questions are answered from the editions that are open. Put it back, or mount its volume; no restart is needed.",
  DATA_FOLDER_UNREADABLE:
    "The catalog of the data folder cannot be read: questions are answered from the editions that are open. The log has the reason; groundrule sources recover makes a damaged catalog anew.",
};

function countOverdueSources(engine: EngineHost, now: () => Date): number {
  const instant = now().toISOString();
  return engine.sources().filter((source) => isOverdue(source, instant)).length;
}

function respondReadiness(c: Context<ApiEnv>, readiness: ReadyResponse): Response | Promise<Response> {
  return respondJson(
    c,
    readiness,
    readiness.status === "ready" || readiness.status === "degraded" ? 200 : 503,
  );
}
