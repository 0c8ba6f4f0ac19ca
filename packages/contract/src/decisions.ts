import { parseInstant } from "@groundrule/engine";
import * as z from "zod";
import { REFERENCE_ID_MAX_LENGTH } from "./limits.ts";
import { instantSchema } from "./members.ts";
import { type PageQuery, type Pagination, pageShape, paginationSchema } from "./pagination.ts";

/** Query of `GET /v1/decisions`. */
export interface DecisionsQuery extends PageQuery {
  /** Inclusive, milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Exclusive, milliseconds since 1970. */
  readonly to?: number | undefined;
  readonly reference_id?: string | undefined;
  readonly request_id?: string | undefined;
}

/** A charge, and what it was for. */
export interface DecisionSummary {
  readonly decision_id: string;
  readonly created_at: string;
  readonly route: string;
  readonly units: number;
  readonly request_id: string;
  readonly reference_id: string | null;
  readonly idempotency_key: string | null;
  readonly media_type: string;
  /** SHA-256 of the request's canonical JSON and of the answer as it was sent. */
  readonly request_digest: string;
  readonly response_digest: string;
  /** What the answer depends on: ruleset, editions, input, semantics. */
  readonly digests: Readonly<Record<string, unknown>>;
}

/** Answer of `GET /v1/decisions`, newest first. */
export interface DecisionsResponse {
  readonly data: { readonly items: readonly DecisionSummary[]; readonly pagination: Pagination };
}

/** Answer of `GET /v1/decisions/{id}`. */
export interface DecisionResponse {
  readonly data: DecisionSummary & {
    /** What `groundrule replay` and `report` take; null once erased, the digests stay. */
    readonly record: {
      readonly request: unknown;
      readonly response: unknown;
      /** The groups that a ruleset names, with their members of that day. */
      readonly groups?: Readonly<Record<string, readonly string[]>>;
    } | null;
  };
}

const instantParameter = z
  .string()
  .transform((text) => {
    const parsed = parseInstant(text);
    return parsed === undefined ? Number.NaN : parsed;
  })
  .refine((ms) => !Number.isNaN(ms), "expected an instant such as 2026-11-20T10:00:00Z")
  .meta({ format: "date-time", pattern: "Z$" });

export const decisionsQuerySchema: z.ZodType<DecisionsQuery, unknown> = z.strictObject({
  ...pageShape,
  from: instantParameter.optional().describe("Earliest instant, inclusive"),
  to: instantParameter.optional().describe("Latest instant, exclusive"),
  reference_id: z.string().max(REFERENCE_ID_MAX_LENGTH).optional(),
  request_id: z.string().max(128).optional(),
});

const summaryShape = {
  decision_id: z.string(),
  created_at: instantSchema,
  route: z.string(),
  units: z.int(),
  request_id: z.string(),
  reference_id: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  media_type: z.string(),
  request_digest: z.string(),
  response_digest: z.string(),
  digests: z.record(z.string(), z.unknown()),
};

export const decisionSummarySchema: z.ZodType<DecisionSummary> = z.strictObject(summaryShape);

export const decisionsResponseSchema: z.ZodType<DecisionsResponse> = z.strictObject({
  data: z.strictObject({ items: z.array(decisionSummarySchema), pagination: paginationSchema }),
});

export const decisionResponseSchema: z.ZodType<DecisionResponse> = z.strictObject({
  data: z.strictObject({
    ...summaryShape,
    record: z
      .strictObject({
        request: z.unknown(),
        response: z.unknown(),
        groups: z.record(z.string(), z.array(z.string())).exactOptional(),
      })
      .nullable(),
  }),
});
