import type { Fault } from "@groundrule/engine";
import {
  choice,
  type Described,
  describedAs,
  type Optional,
  optional,
  type Shape,
  text,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { countShape, faultShape, instantShape } from "./answer-members.ts";
import { toSchema } from "./described-shape.ts";
import { ERRORS, type ErrorCode } from "./error-codes.ts";

/** Media type of problems (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Body of every answer that is not a success: RFC 9457, with a stable `code`. */
export interface Problem {
  /** The entry of the code in the page of errors, relative to the service; see {@link toProblemType}. */
  readonly type: string;
  readonly title: string;
  /** HTTP status, as in the status line. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The fault of this occurrence, in one sentence. */
  readonly detail: string;
  /** The request id, also in the header `X-Request-Id`. */
  readonly instance: string;
  /** Each fault with its place; empty if the problem has no place. */
  readonly errors: readonly Fault[];
  /** Facts behind `detail` as data: the found value, the allowed values. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Members that a code adds, e.g. `limit`, `used` and the period's ends on `QUOTA_EXCEEDED`. */
  readonly [member: string]: unknown;
}

/** The path of the page that explains the codes. */
export const ERRORS_PATH = "/docs/errors";

/**
 * The `type` of a problem: a URL reference (RFC 9457) to the explanation of its code, e.g. `/docs/errors#not_found`.
 */
export function toProblemType(code: ErrorCode): string {
  return `${ERRORS_PATH}#${code.toLowerCase()}`;
}

/**
 * The body of a problem; status and title are those of its code.
 *
 * @param detail describes this occurrence, in one sentence for people
 * @param instance the request id
 * @param errors each fault with its place
 * @param details the facts behind `detail`, as data
 * @param members that the code adds to the body
 */
export function buildProblem(
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
    type: toProblemType(code),
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
  title: z.string().describe("Its title, for people"),
  status: z.int().describe("The HTTP status, as in the status line"),
  code: z.enum(codes).describe("Stable; match on it, never on title or detail"),
  detail: z.string().describe("What went wrong this time, in one sentence"),
  instance: z.string().describe("The request id, also in the header X-Request-Id"),
  errors: z.array(toSchema(faultShape)).describe("Each fault with its place"),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The facts behind the detail, such as what was found and what is allowed"),
};

const decisionId = optional(text(), "The decision that was charged under the key");

/** Members that some codes add, by code. */
export const PROBLEM_MEMBERS = {
  /** The key was used too often. */
  IDEMPOTENCY_KEY_EXHAUSTED: {
    reason: describedAs(choice("replays", "attempts"), "The limit that was reached"),
    decision_id: decisionId,
  },
  /** The stored answer has expired. */
  IDEMPOTENCY_REPLAY_EXPIRED: {
    decision_id: decisionId,
    charged_at: optional(instantShape, "When the request with the key was charged"),
    key_reusable_at: describedAs(
      instantShape,
      "From when a request with the key is executed and charged again",
    ),
  },
  /** The request may or may not have been charged. */
  OUTCOME_UNKNOWN: { decision_id: optional(text(), "The decision, if the request was charged") },
  /** The quota of the period is used up. */
  QUOTA_EXCEEDED: {
    limit: describedAs(countShape, "Billable requests allowed in the period"),
    used: describedAs(countShape, "Billable requests charged in the period"),
    requested: describedAs(countShape, "Billable requests that this request counts as"),
    remaining: describedAs(countShape, "Billable requests left in the period"),
    period_started_at: describedAs(instantShape, "When the billing period began, ISO 8601 UTC"),
    period_ends_at: describedAs(instantShape, "When the period ends and the full quota is available again"),
    retryable: describedAs(choice(false), "A retry before the period ends does not succeed"),
  },
  /** The subscription is not active, so requests are neither charged nor answered. */
  SUBSCRIPTION_INACTIVE: {
    subscription: describedAs(choice("suspended", "expired"), "What became of the subscription"),
  },
};

/** The members that some codes add to a problem. */
export type ProblemMembers = {
  readonly [Code in keyof typeof PROBLEM_MEMBERS]: Described<(typeof PROBLEM_MEMBERS)[Code]>;
};

const added: Readonly<Record<string, Optional<unknown> | Shape<unknown>>> = Object.assign(
  {},
  ...Object.values(PROBLEM_MEMBERS),
);

/** A problem with any code. */
export const problemSchema: z.ZodType<Problem> = z.strictObject({
  ...Object.fromEntries(
    Object.entries(added).map(([name, member]) => [
      name,
      toSchema("optional" in member ? member.optional : member).optional(),
    ]),
  ),
  ...problemShape,
}) as unknown as z.ZodType<Problem>;

/** The members of every problem; it may have those of its code as well. */
export const problemBaseSchema: z.ZodObject = z.looseObject(problemShape);
