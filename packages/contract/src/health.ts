import * as z from "zod";

/** Answer of `GET /healthz`. */
export interface HealthResponse {
  readonly status: "ok";
}

/** Answer of `GET /readyz`. */
export interface ReadyResponse {
  /** `ready` and `degraded` are sent as 200, the others as 503. */
  readonly status: "ready" | "degraded" | "unready" | "stopping";
  readonly reasons: readonly ReadyReason[];
  /** How many sources cannot be asked now. */
  readonly failed_sources: number;
  /** How many sources are older than their `refresh_interval_days`; for information, the status does not depend on them. */
  readonly overdue_sources: number;
}

/** Why a service is not ready, or degraded. Who asks has no key: the words are in the log. */
export type ReadyReason = (typeof READY_REASONS)[number];

const READY_REASONS = ["STOPPING", "STORAGE_UNAVAILABLE", "SOURCES_FAILED", "LEDGER_FROZEN"] as const;

export const healthResponseSchema: z.ZodType<HealthResponse> = z.strictObject({ status: z.literal("ok") });

export const readyResponseSchema: z.ZodType<ReadyResponse> = z.strictObject({
  status: z
    .enum(["ready", "degraded", "unready", "stopping"])
    .describe("`ready` and `degraded` have status 200, the others 503"),
  reasons: z.array(z.enum(READY_REASONS)),
  failed_sources: z
    .int()
    .min(0)
    .describe("Number of sources that cannot be queried now; the log has their names and the reasons"),
  overdue_sources: z
    .int()
    .min(0)
    .describe(
      "Number of sources that are older than their `refresh_interval_days`; the status does not depend on them",
    ),
});
