import * as z from "zod";

/** Answer of `GET /healthz`. */
export interface HealthResponse {
  readonly status: "ok";
}

/** Answer of `GET /readyz`. */
export interface ReadyResponse {
  /** `ready` and `degraded` are sent as 200, the others as 503. */
  readonly status: "ready" | "degraded" | "unready" | "stopping";
  readonly reasons: readonly string[];
  readonly failed_sources: readonly { readonly source_name: string; readonly reason: string }[];
  /** Names of the sources that are older than their `refresh_interval_days`; for information, the status does not depend on them. */
  readonly overdue_sources: readonly string[];
}

export const healthResponseSchema: z.ZodType<HealthResponse> = z.strictObject({ status: z.literal("ok") });

export const readyResponseSchema: z.ZodType<ReadyResponse> = z.strictObject({
  status: z
    .enum(["ready", "degraded", "unready", "stopping"])
    .describe("`ready` and `degraded` have status 200, the others 503"),
  reasons: z.array(z.string()),
  failed_sources: z.array(z.strictObject({ source_name: z.string(), reason: z.string() })),
  overdue_sources: z
    .array(z.string())
    .describe(
      "Sources that are older than their `refresh_interval_days`; the status does not depend on them",
    ),
});
