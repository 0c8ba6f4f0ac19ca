import { ERRORS, type ErrorCode, type Problem, problemOf } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

const REQUEST_ID = "req_019ab3f2c8d47d1f9e3c5a6b7c8d9e0f";
const DECISION_ID = "dec_019ab3f2c8d47d1f9e3c5a6b7c8d9e0f";
const PERIOD_END = "2026-12-14T09:30:00Z";

/** What a problem of a code tells beyond its title. */
interface Told {
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Codes whose problems say more than that they happened. */
const TOLD: Partial<Readonly<Record<ErrorCode, Told>>> = {
  GEOMETRY_INVALID: {
    detail: "The ring crosses itself at [-59.6, -10.55].",
    errors: [
      {
        pointer: "/input/geometry/coordinates/0/2",
        code: "SELF_INTERSECTION",
        message: "the ring crosses itself at [-59.6, -10.55]",
      },
    ],
  },
  IDEMPOTENCY_KEY_EXHAUSTED: {
    detail: "The key was used too often; use a new one.",
    members: { reason: "replays", decision_id: DECISION_ID },
  },
  IDEMPOTENCY_REPLAY_EXPIRED: {
    detail: "The stored answer has expired; the key can be used for a fresh charge.",
    members: {
      decision_id: DECISION_ID,
      charged_at: "2026-11-20T09:30:00Z",
      key_reusable_at: "2026-11-21T09:30:00Z",
    },
  },
  QUOTA_EXCEEDED: {
    detail: "All 10,000 requests of the period are used.",
    members: {
      limit: 10_000,
      used: 10_000,
      requested: 1,
      remaining: 0,
      period_started_at: "2026-11-14T09:30:00Z",
      period_ends_at: PERIOD_END,
      retryable: false,
    },
  },
  SOURCE_UNKNOWN: {
    detail: 'There is no source "demo:park"; did you mean "demo:parks"?',
    errors: [
      {
        pointer: "/ruleset/sets/parks/sources/0",
        code: "SOURCE_UNKNOWN",
        message: 'there is no source "demo:park"; did you mean "demo:parks"?',
      },
    ],
  },
  SUBSCRIPTION_INACTIVE: {
    detail: "The subscription is suspended; nothing was executed.",
    members: { subscription: "suspended" },
  },
  VALIDATION_FAILED: {
    detail: "found the unknown member geometri, expected geometry.",
    errors: [
      {
        pointer: "/input/geometri",
        code: "UNKNOWN_MEMBER",
        message: "found the unknown member geometri, expected geometry",
      },
    ],
  },
};

/** How a problem of this code looks. */
export function problemExample(code: ErrorCode): Problem {
  const { detail, errors = [], members = {} }: Told = TOLD[code] ?? { detail: `${ERRORS[code].title}.` };
  return problemOf(code, detail, REQUEST_ID, errors, {}, members);
}
