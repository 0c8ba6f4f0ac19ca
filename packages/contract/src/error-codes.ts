import type { EngineErrorCode } from "@groundrule/engine";

/** A new engine code does not compile until it has a row here. */
const MEANINGS = {
  MALFORMED_JSON: { status: 400, title: "The body is not acceptable JSON" },
  MALFORMED_REQUEST: { status: 400, title: "The message is not valid HTTP" },
  API_KEY_EXPIRED: { status: 401, title: "The API key has expired" },
  API_KEY_INVALID: { status: 401, title: "The API key is not valid" },
  API_KEY_REVOKED: { status: 401, title: "The API key has been revoked" },
  AUTHENTICATION_REQUIRED: { status: 401, title: "An API key is required" },
  SUBSCRIPTION_INACTIVE: { status: 402, title: "The subscription is not active" },
  FORBIDDEN: { status: 403, title: "Not allowed" },
  SCOPE_INSUFFICIENT: { status: 403, title: "The API key lacks the required scope" },
  JOB_NOT_FOUND: { status: 404, title: "The job does not exist" },
  NOT_FOUND: { status: 404, title: "Not found" },
  RULESET_NOT_FOUND: { status: 404, title: "The ruleset does not exist" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  NOT_ACCEPTABLE: { status: 406, title: "No acceptable media type" },
  REQUEST_TIMEOUT: { status: 408, title: "The request took too long to arrive" },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: "A request with this key is still running" },
  RULESET_ALREADY_EXISTS: { status: 409, title: "The ruleset version already exists" },
  IDEMPOTENCY_REPLAY_EXPIRED: { status: 410, title: "The stored answer has expired" },
  JOB_EXPIRED: { status: 410, title: "The job has expired" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "The body is too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The body's media type is not supported" },
  CRS_MISMATCH: { status: 422, title: "The positions do not fit the coordinate reference system" },
  CRS_UNKNOWN: { status: 422, title: "Unknown coordinate reference system" },
  GEOMETRY_INVALID: { status: 422, title: "The geometry is not valid" },
  GEOMETRY_TOO_COMPLEX: { status: 422, title: "The geometry is too complex" },
  IDEMPOTENCY_KEY_CONFLICT: { status: 422, title: "The idempotency key was used for another request" },
  IDEMPOTENCY_KEY_INVALID: { status: 422, title: "The idempotency key is malformed" },
  IDEMPOTENCY_KEY_REQUIRED: { status: 422, title: "An idempotency key is required" },
  INPUT_INCOMPLETE: { status: 422, title: "The input lacks a part that the ruleset needs" },
  PATTERN_TOO_COMPLEX: { status: 422, title: "The pattern is too complex" },
  RESULT_TOO_LARGE: { status: 422, title: "The answer would be too large" },
  RULESET_INVALID: { status: 422, title: "The ruleset is not valid" },
  SCHEME_UNSUPPORTED: { status: 422, title: "No register knows the scheme" },
  SOURCE_UNKNOWN: { status: 422, title: "Unknown source" },
  VALIDATION_FAILED: { status: 422, title: "The request is not valid" },
  HOLDING_LIMIT_REACHED: { status: 429, title: "The organization has reached a storage limit" },
  IDEMPOTENCY_KEY_EXHAUSTED: { status: 429, title: "The idempotency key was used too often" },
  JOB_LIMIT_REACHED: { status: 429, title: "Too many jobs are unfinished" },
  QUOTA_EXCEEDED: { status: 429, title: "The quota for the period is used up" },
  RATE_LIMIT_EXCEEDED: { status: 429, title: "Too many requests in a short time" },
  UNCHARGED_LIMIT_REACHED: { status: 429, title: "Too many answers were not charged" },
  HEADERS_TOO_LARGE: { status: 431, title: "The request headers are too large" },
  INTERNAL_ERROR: { status: 500, title: "Internal error" },
  TRANSFER_ENCODING_UNSUPPORTED: { status: 501, title: "The transfer coding is not supported" },
  DATA_UNAVAILABLE: { status: 503, title: "The service has no reference data yet" },
  EVALUATION_ABORTED: { status: 503, title: "The evaluation was stopped" },
  OUTCOME_UNKNOWN: { status: 503, title: "The outcome of the request is not known" },
  OVERLOADED: { status: 503, title: "The service is overloaded" },
  SNAPSHOT_CORRUPT: { status: 503, title: "Reference data could not be opened" },
  SNAPSHOT_VERSION_UNSUPPORTED: { status: 503, title: "Reference data has an unsupported format version" },
  STORAGE_UNAVAILABLE: { status: 503, title: "Storage is unavailable" },
} as const satisfies Readonly<Record<EngineErrorCode, CodeMeaning>> & Readonly<Record<string, CodeMeaning>>;

interface CodeMeaning {
  readonly status: number;
  readonly title: string;
}

/**
 * Every `code` a problem can carry: the engine's, and those of its surroundings: transport, authentication, catalog,
 * metering, storage. Stable: clients match on it, never on `title` or `detail`.
 */
export type ErrorCode = keyof typeof MEANINGS;

/** Codes that arise outside of the engine. */
export type ServiceErrorCode = Exclude<ErrorCode, EngineErrorCode>;

/** Every HTTP status of a problem. */
export type ErrorStatus = (typeof MEANINGS)[ErrorCode]["status"];

/** The meaning of each code on the wire. */
export const ERRORS: Readonly<Record<ErrorCode, { readonly status: ErrorStatus; readonly title: string }>> =
  MEANINGS;
