import * as z from "zod";
import { instantSchema } from "./members.ts";

/** Answer of `GET /v1/me`: who asks, as the service knows the key, and what the key may ask. */
export interface MeResponse {
  readonly data: {
    /** Whose the key is. */
    readonly organization: {
      /** `org_` and what tells it from all others. */
      readonly id: string;
      readonly name: string;
    };
    readonly mode: "live" | "test";
    /** The key that asks, but for its secret. */
    readonly key: {
      /** As `groundrule key list` shows it. */
      readonly id: string;
      readonly name: string;
      /** What it may do. */
      readonly scopes: readonly string[];
      readonly created_at: string;
      /** Null never expires. */
      readonly expires_at: string | null;
      /** To the minute or so; null as long as no use is noted. */
      readonly last_used_at: string | null;
    };
    /** Whether the organization is charged: only while it is active. */
    readonly subscription: "active" | "suspended" | "expired";
    /** Units of the mode's current period. */
    readonly quota: {
      readonly limit: number;
      readonly used: number;
      readonly remaining: number;
      readonly period_started_at: string;
      readonly period_ends_at: string;
    };
    /** What a request of the key is held to. */
    readonly limits: {
      /** Requests that the key may make for ever, per process of the service. */
      readonly requests_per_second: number;
      /** Requests that it may make at once. */
      readonly burst: number;
      /** Bytes of a request body, once unpacked. */
      readonly body_bytes: number;
      /** Positions of a geometry. */
      readonly positions: number;
      /** Areas of an answer. */
      readonly result_areas: number;
      /** Bytes of an answer. */
      readonly result_bytes: number;
      readonly distance_m: number;
    };
    /** Patterns of the sources that are available to the organization; `*` stands for any characters. */
    readonly sources: readonly string[];
  };
}

export const meResponseSchema: z.ZodType<MeResponse> = z.strictObject({
  data: z.strictObject({
    organization: z.strictObject({ id: z.string(), name: z.string() }),
    mode: z.enum(["live", "test"]),
    key: z.strictObject({
      id: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      created_at: instantSchema,
      expires_at: instantSchema.nullable(),
      last_used_at: instantSchema.nullable().describe("Time of the last use, precise to about a minute"),
    }),
    subscription: z.enum(["active", "suspended", "expired"]),
    quota: z.strictObject({
      limit: z.int(),
      used: z.int(),
      remaining: z.int(),
      period_started_at: instantSchema,
      period_ends_at: instantSchema,
    }),
    limits: z.strictObject({
      requests_per_second: z
        .number()
        .describe("Requests per second that the key may make on average, per process of the service"),
      burst: z.int().describe("Requests that the key may make in a burst"),
      body_bytes: z.int().describe("Greatest size of a request body, after decompression"),
      positions: z.int().describe("Greatest number of positions in a geometry"),
      result_areas: z.int(),
      result_bytes: z.int(),
      distance_m: z.number(),
    }),
    sources: z
      .array(z.string())
      .describe("Patterns of the sources that the organization may use; `*` stands for any characters"),
  }),
});
