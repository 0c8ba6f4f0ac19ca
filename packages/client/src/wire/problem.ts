import type { ErrorCode, Fault } from "./answers.ts";

/** What some codes add to a problem. */
export interface ProblemMembers {
  /** The key was used too often. */
  readonly IDEMPOTENCY_KEY_EXHAUSTED: {
    /** Which limit was reached. */
    readonly reason: "replays" | "attempts";
    /** The decision that was charged under the key. */
    readonly decision_id?: string;
  };
  /** The stored answer has expired. */
  readonly IDEMPOTENCY_REPLAY_EXPIRED: {
    /** The decision that was charged under the key. */
    readonly decision_id?: string;
    /** When the request with the key was charged, ISO 8601 UTC. */
    readonly charged_at?: string;
    /** From when a request with the key is executed and charged again. */
    readonly key_reusable_at: string;
  };
  /** It is not known whether the request was charged. */
  readonly OUTCOME_UNKNOWN: {
    /** The decision, if the request was charged. */
    readonly decision_id?: string;
  };
  /** The quota of the period is used up. */
  readonly QUOTA_EXCEEDED: {
    /** Billable requests allowed in the period. */
    readonly limit: number;
    /** Billable requests charged in the period. */
    readonly used: number;
    /** Billable requests that this request counts as. */
    readonly requested: number;
    /** Billable requests left in the period. */
    readonly remaining: number;
    readonly period_started_at: string;
    /** When the full quota is available again. */
    readonly period_ends_at: string;
    readonly retryable: false;
  };
  /** The organization is not charged, so not answered either. */
  readonly SUBSCRIPTION_INACTIVE: {
    /** What became of it. */
    readonly subscription: "suspended" | "expired";
  };
}

/** Body of every answer that is not a success (RFC 9457), with what its code adds. */
export type Problem<Code extends ErrorCode = ErrorCode> = {
  /** The entry of the code in the service's page of errors, relative to the service. */
  readonly type: string;
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  readonly code: Code;
  readonly detail: string;
  /** The request id. */
  readonly instance: string;
  /** Each fault with its place; empty where the problem has no place. */
  readonly errors: readonly Fault[];
  /** Facts behind `detail` as data: what was found, what was allowed. */
  readonly details?: Readonly<Record<string, unknown>>;
} & (Code extends keyof ProblemMembers ? ProblemMembers[Code] : unknown);
