import { type ErrorCode, PAGE_LANGUAGES } from "@groundrule/contract";
import type { Json } from "./json.ts";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

export type HeaderName =
  | "Accept-Encoding"
  | "Accept-Post"
  | "Content-Encoding"
  | "Content-Language"
  | "ETag"
  | "Idempotent-Replayed"
  | "Location"
  | "Retry-After"
  | "Vary"
  | "WWW-Authenticate"
  | "X-Decision-Id"
  | "X-Next-From"
  | "X-RateLimit-Limit"
  | "X-RateLimit-Remaining"
  | "X-RateLimit-Reset"
  | "X-Request-Id"
  | "X-Total-Count";

/** Headers of answers, as the description tells them. */
const HEADERS: Readonly<Record<HeaderName, Json>> = {
  "Accept-Encoding": { description: "Codings that a body may be sent in", schema: text },
  "Accept-Post": { description: "The media type that a body must have", schema: text },
  "Content-Encoding": {
    description: "`gzip` where the request's `Accept-Encoding` allows it and the answer is long",
    schema: { type: "string", const: "gzip" },
  },
  "Content-Language": {
    description: "The language of the page",
    schema: { type: "string", enum: PAGE_LANGUAGES },
  },
  ETag: { description: "Identifies the bytes of the answer, for `If-None-Match`", schema: text },
  "Idempotent-Replayed": {
    description:
      "Present if the answer is the stored answer to an earlier request with the same idempotency key",
    schema: { type: "boolean", const: true },
  },
  Location: { description: "The path of the new resource", schema: text },
  "Retry-After": { description: "Seconds to wait before the next attempt", schema: whole },
  Vary: { description: "The headers of the request that the answer depends on", schema: text },
  "WWW-Authenticate": { description: "Why the API key was not accepted (RFC 6750)", schema: text },
  "X-Decision-Id": {
    description: "The id of the charged decision, which `GET /v1/decisions/{id}` returns",
    schema: text,
  },
  "X-Next-From": {
    description: "`from` of the next page: the number of the first plot that is not in this one",
    schema: whole,
  },
  "X-RateLimit-Limit": {
    description:
      "The quota of the period; on `RATE_LIMIT_EXCEEDED`, the requests that a key may make in a burst",
    schema: whole,
  },
  "X-RateLimit-Remaining": { description: "The part of that limit that is left", schema: whole },
  "X-RateLimit-Reset": {
    description: "When the limit is fully available again, in seconds since 1970-01-01T00:00:00Z",
    schema: whole,
  },
  "X-Request-Id": {
    description: "The request id that the caller sent, or one that the service made",
    schema: text,
  },
  "X-Total-Count": { description: "Number of rows on all pages", schema: whole },
};

/** @param required whether each of them is always there */
export function buildResponseHeaders(names: readonly HeaderName[], required: boolean): Json {
  return Object.fromEntries(names.map((name) => [name, { ...HEADERS[name], required }]));
}

const QUOTA: readonly HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** Headers of any answer that may be packed. */
export const CODING_HEADERS: readonly HeaderName[] = ["Content-Encoding", "Vary"];

/** Headers of billable answers: the quota always, unless the answer is a plan. */
export const BILLABLE_HEADERS: readonly HeaderName[] = [...QUOTA, "Idempotent-Replayed", "X-Decision-Id"];

const CHALLENGE: readonly HeaderName[] = ["WWW-Authenticate"];
const RETRY: readonly HeaderName[] = ["Retry-After"];

/** Headers of a problem with this code, besides `X-Request-Id`. */
export const PROBLEM_HEADERS: Partial<Readonly<Record<ErrorCode, readonly HeaderName[]>>> = {
  API_KEY_EXPIRED: CHALLENGE,
  API_KEY_INVALID: CHALLENGE,
  API_KEY_REVOKED: CHALLENGE,
  AUTHENTICATION_REQUIRED: CHALLENGE,
  DATA_UNAVAILABLE: RETRY,
  EVALUATION_ABORTED: RETRY,
  HOLDING_LIMIT_REACHED: RETRY,
  IDEMPOTENCY_IN_PROGRESS: RETRY,
  IDEMPOTENCY_KEY_EXHAUSTED: RETRY,
  IDEMPOTENCY_REPLAY_EXPIRED: RETRY,
  JOB_LIMIT_REACHED: RETRY,
  OUTCOME_UNKNOWN: RETRY,
  OVERLOADED: RETRY,
  QUOTA_EXCEEDED: [...RETRY, ...QUOTA],
  RATE_LIMIT_EXCEEDED: [...RETRY, ...QUOTA],
  SCOPE_INSUFFICIENT: CHALLENGE,
  SNAPSHOT_CORRUPT: RETRY,
  STORAGE_UNAVAILABLE: RETRY,
  UNCHARGED_LIMIT_REACHED: RETRY,
};

/** Those that come with some answers of a code: a 415 has the one that tells what was wrong. */
export const OCCASIONAL_HEADERS: Partial<Readonly<Record<ErrorCode, readonly HeaderName[]>>> = {
  UNSUPPORTED_MEDIA_TYPE: ["Accept-Encoding", "Accept-Post"],
};
