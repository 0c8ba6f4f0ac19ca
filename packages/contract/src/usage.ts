import * as z from "zod";
import { instantSchema } from "./members.ts";

/** Answer of `GET /v1/usage`: what the current period has used of the quota. */
export interface UsageResponse {
  readonly data: {
    readonly mode: "live" | "test";
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly period_started_at: string;
    readonly period_ends_at: string;
    readonly by_route: Readonly<Record<string, number>>;
  };
}

export const usageResponseSchema: z.ZodType<UsageResponse> = z.strictObject({
  data: z.strictObject({
    mode: z.enum(["live", "test"]),
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    period_started_at: instantSchema,
    period_ends_at: instantSchema,
    by_route: z.record(z.string(), z.int()),
  }),
});
