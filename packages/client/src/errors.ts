import type { ErrorCode, Job } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";
import type { Problem } from "./wire/problem.ts";

/** Facts about the failed call. */
export interface CallFacts {
  /** How often the request was sent. */
  readonly attempts: number;
  /** The idempotency key of the request; under the same key it can be sent again without a second charge. */
  readonly idempotencyKey: string | undefined;
}

/**
 * A refusal by the service: its problem (RFC 9457), typed by its code.
 *
 *     if (error instanceof ApiError && error.is("QUOTA_EXCEEDED")) console.log(error.problem.period_ends_at);
 */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ApiError";
  /** Stable; match on it. A newer service may send codes that are unknown to this release. */
  readonly code: Code;
  /** HTTP status. */
  readonly status: number;
  /** Describes this occurrence, in one sentence for people. */
  readonly detail: string;
  /** Each fault with its place; empty if the problem has no place. */
  readonly errors: readonly Fault[];
  readonly requestId: string;
  /** From the header `Retry-After`; absent if the service did not send it. */
  readonly retryAfterSeconds: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;
  /** The idempotency key of the request; absent if the call has none. */
  readonly idempotencyKey: string | undefined;
  /** The whole body, with the members that its code adds. */
  readonly problem: Problem<Code>;

  /**
   * @param problem body of the answer
   * @param status HTTP status of the answer
   * @param retryAfterSeconds the answer's `Retry-After`
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

  /** True if the error has this code; then `problem` has the members that the code adds. */
  is<Expected extends ErrorCode>(code: Expected): this is ApiError<Expected> {
    return (this.code as ErrorCode) === code;
  }
}

/**
 * The reason for a missing answer. `connection`: the service was not reached, or the connection broke; `timeout`: no
 * whole answer within the time; `cut`: the body ended too early; `not_the_service`: something else answered, such as a
 * proxy or the page of a captive portal; `redirect`: the answer points to another address, to which the key is not
 * sent; `too_large`: the body exceeds the client's limit.
 */
export type NetworkFailure = "connection" | "timeout" | "cut" | "not_the_service" | "redirect" | "too_large";

/**
 * The service's answer did not arrive. The request may or may not have been executed: send it again under {@link
 * NetworkError.idempotencyKey}, and it is charged once.
 */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  /** The kind of failure. */
  readonly reason: NetworkFailure;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** From the header `Retry-After`, if there was an answer with it. */
  readonly retryAfterSeconds: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;
  /** The idempotency key of the request; absent if the call has none. */
  readonly idempotencyKey: string | undefined;

  /**
   * @param message describes the failure, without secrets
   * @param facts known members of an answer
   * @param cause the error of the host's `fetch`
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

/** A job that waits until a person acts: see `paused_reason`. The results so far have been yielded. */
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
