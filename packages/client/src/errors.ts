import type { ErrorCode, Job } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";
import type { Problem } from "./wire/problem.ts";

/** What an error tells of the call that failed. */
export interface CallFacts {
  /** Times that the request was sent. */
  readonly attempts: number;
  /** The key that it was sent under; under the same key it can be sent again without being charged twice. */
  readonly idempotencyKey: string | undefined;
}

/**
 * The service refused: its problem (RFC 9457), typed by its code.
 *
 *     if (error instanceof ApiError && error.is("QUOTA_EXCEEDED")) console.log(error.problem.period_ends_at);
 */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ApiError";
  /** Stable; match on it. A newer service may send codes that this release does not know. */
  readonly code: Code;
  /** HTTP status. */
  readonly status: number;
  /** What went wrong this time, in one sentence for people. */
  readonly detail: string;
  /** Each fault with its place; empty where the problem has no place. */
  readonly errors: readonly Fault[];
  readonly requestId: string;
  /** From the header `Retry-After`; absent where the service did not say. */
  readonly retryAfterSeconds: number | undefined;
  /** Times that the request was sent. */
  readonly attempts: number;
  /** The key that it was sent under; absent where the call has none. */
  readonly idempotencyKey: string | undefined;
  /** The whole body, with the members that its code adds. */
  readonly problem: Problem<Code>;

  /**
   * @param problem body of the answer
   * @param status HTTP status of the answer
   * @param retryAfterSeconds what the answer says about when to come again
   */
  constructor(
    problem: Problem<Code>,
    status: number,
    retryAfterSeconds: number | undefined,
    call: CallFacts,
  ) {
    super(`${problem.detail} (${problem.code}, request ${problem.instance})`);
    this.code = problem.code;
    this.status = status;
    this.detail = problem.detail;
    this.errors = problem.errors;
    this.requestId = problem.instance;
    this.retryAfterSeconds = retryAfterSeconds;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
    this.problem = problem;
  }

  /** Whether it is of this code; if so, `problem` has the members that the code adds. */
  is<Asked extends ErrorCode>(code: Asked): this is ApiError<Asked> {
    return (this.code as ErrorCode) === code;
  }
}

/**
 * Why there is no answer of the service. `connection`: it was not reached, or the connection broke; `timeout`: no
 * whole answer within the time; `cut`: the body ended in the middle; `not_the_service`: something else answered, as a
 * proxy or the page of a captive portal; `redirect`: the answer points elsewhere, where the key is not sent;
 * `too_large`: the body exceeds what the client takes.
 */
export type NetworkFailure = "connection" | "timeout" | "cut" | "not_the_service" | "redirect" | "too_large";

/**
 * The service's answer did not arrive. Whether the request was executed is not known: send it again under
 * {@link NetworkError.idempotencyKey}, and it is charged once.
 */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  /** What happened. */
  readonly reason: NetworkFailure;
  /** HTTP status, where something answered. */
  readonly status: number | undefined;
  /** From the header `Retry-After`, where something answered that had it. */
  readonly retryAfterSeconds: number | undefined;
  /** Times that the request was sent. */
  readonly attempts: number;
  /** The key that it was sent under; absent where the call has none. */
  readonly idempotencyKey: string | undefined;

  /**
   * @param message what happened, without anything secret
   * @param facts what is known of an answer
   * @param cause what the host's `fetch` threw
   */
  constructor(
    reason: NetworkFailure,
    message: string,
    call: CallFacts,
    facts: Partial<Pick<ApiError, "status" | "retryAfterSeconds">> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = facts.status;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
  }
}

/** A job does not go on unless a person does something: see `paused_reason`. Results so far have been given. */
export class JobPausedError extends Error {
  override readonly name = "JobPausedError";
  readonly job: Job;

  constructor(job: Job) {
    super(
      `job ${job.id} is paused (${job.paused_reason ?? "unknown"}) with ${job.answered} of ${job.plots} plots answered`,
    );
    this.job = job;
  }
}
