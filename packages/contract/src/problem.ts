import type { Fault } from "@groundrule/engine";
import * as z from "zod";
import { ERRORS, type ErrorCode } from "./error-codes.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Body of every answer that is not a success: RFC 9457, with a stable `code`. */
export interface Problem {
  /** `urn:groundrule:error:<code>`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  /** The request id, also in the header `X-Request-Id`. */
  readonly instance: string;
  /** Each fault with its place; empty where the problem has no place. */
  readonly errors: readonly Fault[];
  /** Facts behind `detail` as data: what was found, what was allowed. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** What a code adds beside them, e.g. `limit`, `used` and the period's ends on `QUOTA_EXCEEDED`. */
  readonly [member: string]: unknown;
}

/** @param members what the code adds to the body */
export function problemOf(
  code: ErrorCode,
  detail: string,
  instance: string,
  errors: readonly Fault[] = [],
  details: Readonly<Record<string, unknown>> = {},
  members: Readonly<Record<string, unknown>> = {},
): Problem {
  const { status, title } = ERRORS[code];
  return {
    ...members,
    type: `urn:groundrule:error:${code}`,
    title,
    status,
    code,
    detail,
    instance,
    errors,
    ...(Object.keys(details).length > 0 ? { details } : {}),
  };
}

export const faultSchema: z.ZodType<Fault> = z
  .looseObject({
    pointer: z
      .string()
      .describe(
        "JSON pointer (RFC 6901) into the body; `?name` for a query parameter, `` for the whole body",
      ),
    code: z.string(),
    message: z.string(),
  })
  .meta({
    title: "Fault",
    description: "Faults of a geometry also say polygon, ring and position by number, and the coordinate",
  });

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Members that some codes add. */
const codeMembers = {
  limit: z.int().describe("QUOTA_EXCEEDED: billable requests allowed in the period"),
  used: z.int().describe("QUOTA_EXCEEDED: billable requests charged in the period"),
  requested: z.int().describe("QUOTA_EXCEEDED: what this request would have taken"),
  remaining: z.int().describe("QUOTA_EXCEEDED: what is left"),
  period_started_at: z.string().describe("QUOTA_EXCEEDED"),
  period_ends_at: z.string().describe("QUOTA_EXCEEDED: when the quota is whole again"),
  retryable: z.boolean().describe("QUOTA_EXCEEDED: false, for waiting a little does not help"),
  subscription: z.string().describe("SUBSCRIPTION_INACTIVE: suspended or expired"),
  reason: z.string().describe("IDEMPOTENCY_KEY_EXHAUSTED: replays or attempts"),
  decision_id: z.string().describe("The decision the key was charged for"),
  charged_at: z.string().describe("IDEMPOTENCY_REPLAY_EXPIRED: when the key was charged"),
  key_reusable_at: z.string().describe("IDEMPOTENCY_REPLAY_EXPIRED: when the key can be charged anew"),
};

export const problemSchema: z.ZodType<Problem> = z.strictObject({
  ...z.object(codeMembers).partial().shape,
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(codes),
  detail: z.string(),
  instance: z.string(),
  errors: z.array(faultSchema),
  details: z.record(z.string(), z.unknown()).optional(),
});
