import type { Fault } from "@groundrule/engine";
import * as z from "zod";
import { faultShape, instantShape } from "./answer-members.ts";
import { schemaOf } from "./described-shape.ts";
import { ERRORS, type ErrorCode } from "./error-codes.ts";

/** Media type of problems (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Body of every answer that is not a success: RFC 9457, with a stable `code`. */
export interface Problem {
  /** The entry of the code in the page of errors, relative to the service; see {@link problemTypeOf}. */
  readonly type: string;
  readonly title: string;
  /** HTTP status, as in the status line. */
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

/** The path of the page that explains the codes. */
export const ERRORS_PATH = "/docs/errors";

/** The `type` of a problem: a URL reference (RFC 9457) to what explains the code, e.g. `/docs/errors#not_found`. */
export function problemTypeOf(code: ErrorCode): string {
  return `${ERRORS_PATH}#${code.toLowerCase()}`;
}

/**
 * The body of a problem; status and title are those of its code.
 *
 * @param detail what went wrong this time, in one sentence for people
 * @param instance the request id
 * @param errors each fault with its place
 * @param details the facts behind `detail`, as data
 * @param members what the code adds to the body
 */
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
    type: problemTypeOf(code),
    title,
    status,
    code,
    detail,
    instance,
    errors,
    ...(Object.keys(details).length > 0 && { details }),
  };
}

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

const problemShape = {
  type: z.string().describe("The URL, relative to the service, of the page that explains the code"),
  title: z.string(),
  status: z.int(),
  code: z.enum(codes).describe("Stable; match on it, never on title or detail"),
  detail: z.string(),
  instance: z.string().describe("The request id, also in the header X-Request-Id"),
  errors: z.array(schemaOf(faultShape)).describe("Each fault with its place"),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The facts behind the detail, such as what was found and what is allowed"),
};

const instantSchema = schemaOf(instantShape);
const decisionId = z.string().describe("The decision that was charged under the key");

/** Members that some codes add, by code. */
export const PROBLEM_MEMBERS: Partial<Readonly<Record<ErrorCode, z.ZodRawShape>>> = {
  IDEMPOTENCY_KEY_EXHAUSTED: {
    reason: z.enum(["replays", "attempts"]).describe("The limit that was reached"),
    decision_id: decisionId.exactOptional(),
  },
  IDEMPOTENCY_REPLAY_EXPIRED: {
    decision_id: decisionId.exactOptional(),
    charged_at: instantSchema.exactOptional().describe("When the request with the key was charged"),
    key_reusable_at: instantSchema.describe("From when a request with the key is executed and charged again"),
  },
  OUTCOME_UNKNOWN: {
    decision_id: z.string().exactOptional().describe("The decision, if the request was charged"),
  },
  QUOTA_EXCEEDED: {
    limit: z.int().describe("Billable requests allowed in the period"),
    used: z.int().describe("Billable requests charged in the period"),
    requested: z.int().describe("Billable requests that this request counts as"),
    remaining: z.int().describe("Billable requests left in the period"),
    period_started_at: instantSchema,
    period_ends_at: instantSchema.describe("When the period ends and the full quota is available again"),
    retryable: z.literal(false).describe("A retry before the period ends does not succeed"),
  },
  SUBSCRIPTION_INACTIVE: {
    subscription: z.enum(["suspended", "expired"]),
  },
};

/** A problem whatever its code. */
export const problemSchema: z.ZodType<Problem> = z.strictObject({
  ...z.object(Object.assign({}, ...Object.values(PROBLEM_MEMBERS)) as z.ZodRawShape).partial().shape,
  ...problemShape,
}) as unknown as z.ZodType<Problem>;

/** What every problem has; a code's own members may stand beside it. */
export const problemBaseSchema: z.ZodObject = z.looseObject(problemShape);
